# SPDX-License-Identifier: BSD-3-Clause
"""Every setting with values that are wrong, under a program that nobody recompiles: it runs to its
end with right results, and each of them is one sentence, which says what is wrong, what is expected
and what is done instead."""

import os
import re
import subprocess
from pathlib import Path

import pytest

import mpi_launch
from caucus import plan

BUILD = Path(os.environ.get("TEST_BUILD", Path(__file__).resolve().parents[2] / "build"))
BAD = {
    "CAUCUS_NODES": ["3x7", "0*4", "file:/nowhere/nodes", "cyclic:99"],
    "CAUCUS_LEVELS": ["socket", "package,package", "none,cache", " "],
    "CAUCUS_CART_MAPPER": ["bestest", "row major", "x" * 300, "%s%n"],
    "CAUCUS_CART_THRESHOLD": ["much", "2", "-0.1", "nan"],
    "CAUCUS_CART_CENTRAL": ["many", "-1", "1e6", "99999999999999999999"],
    "CAUCUS_CART_RANK0": ["sometimes", "-1", "inf", "0.1x"],
    "CAUCUS_GRAPH_CENTRAL": ["few", "-5", "1.5", "0x"],
    "CAUCUS_METIS": ["/nowhere/libmetis.so", "libc.so.6", "yes", "/"],
    "CAUCUS_SCOTCH": ["/nowhere/libscotch.so", "libc.so.6", "yes", "/"],
    "CAUCUS_CHAOS": ["seed", "1.5", "7 8", "99999999999999999999"],
    "CAUCUS_SHARED_MEMORY": ["yes", "2", "-1", "off"],
    "CAUCUS_ONE_COPY": ["always", "0", "|", "auto | never"],
    "CAUCUS_DEVICE": ["cuda", "0", "AUTO", "auto,none"],
    "CAUCUS_TIMEOUT": ["soon", "-1", "nan", "1e99"],
    "CAUCUS_ALGORITHM": ["allreduce:fastest", "allsum:ring", "ring:", "x" * 600],
    "CAUCUS_MODEL": ["/nowhere/model", "/", "/etc/passwd", "automatic"],
    "CAUCUS_CACHE": ["/nowhere/at/all/cache", "/etc/passwd", "/dev/null/x", "x" * 5000],
    "CAUCUS_MODEL_MS": ["0", "-3", "long", "1.5"],
    "CAUCUS_REPRODUCIBLE": ["yes", "2", "-1", "true"],
    "CAUCUS_SELECT": ["guess", "MODEL", "model,measure", "1"],
    "CAUCUS_SELECT_MS": ["0", "-3", "long", "1.5"],
    "CAUCUS_REQUESTS": ["keep", "1", "kept,immediate", " kept"],
    "CAUCUS_CHECK": ["yes", "2", "-1", "always"],
    "CAUCUS_CREATE_GROUP": ["mpi", "NATIVE", "1", "recursive"],
    "CAUCUS_GROUP_CALLS": ["-1", "never", "1.5", "99999999999999999999"],
    "CAUCUS_DISABLE": ["carts", "cart:graph", "ALL", "a"],
    "CAUCUS_ENABLE": ["blockings", "persistent", "all", "list"],
    "CAUCUS_REPORT": ["/nowhere/report.json", "/", "/etc/passwd/x", "/nowhere/at/all"],
    "CAUCUS_VERBOSE": ["loud", "2", "-1", "true"],
    "CAUCUS_SIGNAL": ["KILL", "9", "USR3", "SIG"],
    "CAUCUS_WAITS": ["/nowhere/waits", "/etc/passwd", "/dev/null/x", "x" * 5000],
}
COLUMNS = range(4)


def test_all_settings_are_here():
    assert set(BAD) == {setting.environment for setting in plan.settings()}
    assert all(len(values) == len(COLUMNS) for values in BAD.values())


def run(mpi, env, name="dropin_settings", before=()):
    dropin = BUILD / mpi / "lib" / "libcaucus_dropin.so"
    program = BUILD / mpi / "tests" / name
    for needed in (dropin, program):
        if not needed.exists():
            pytest.skip(f"there is no {needed.relative_to(BUILD)}: run 'make test'")
    words, outer = mpi_launch.command(mpi, 4, [*before, program], env, [dropin])
    return subprocess.run(words, env=outer, capture_output=True, text=True, timeout=120)


def sentences(done):
    """Of the settings: what each is told of, in order."""
    said = {}
    for line in done.stderr.splitlines():
        if line.startswith("caucus: "):
            named = re.match(r"caucus: warning: (CAUCUS_\w+)[ :]", line)
            assert named, line
            said.setdefault(named[1], []).append(line)
    return said


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("mpi", ["mpich", "openmpi"])
def test_one_sentence_each(mpi, column):
    done = run(mpi, {name: values[column] for name, values in BAD.items()})
    assert done.returncode == 0, done.stderr
    assert done.stdout == "all is right\n"
    said = sentences(done)
    assert set(said) == set(BAD)
    for setting in plan.settings():
        lines = said[setting.environment]
        assert len(lines) == 1, lines
        assert BAD[setting.environment][column].removeprefix("file:")[:30] in lines[0]
        listed = setting.environment in ("CAUCUS_DISABLE", "CAUCUS_ENABLE")
        instead = setting.default or "it counts as not set"
        assert listed or f"; {instead}" in lines[0]


@pytest.mark.parametrize("mpi", ["mpich", "openmpi"])
def test_programs_of_sessions(mpi):
    values = {name: values[0] for name, values in BAD.items()}
    values["CAUCUS_NODES"] = "4x4"  # so that it is found when a communicator is attached
    done = run(mpi, values, "dropin_session")
    assert done.returncode == 0, done.stderr
    said = sentences(done)
    listed = {"CAUCUS_DISABLE", "CAUCUS_ENABLE"}
    assert set(said) | listed == set(BAD)
    assert all(len(lines) == 1 for lines in said.values()), said


@pytest.mark.parametrize("mpi", ["mpich", "openmpi"])
def test_wrong_on_one_rank_alone(mpi):
    script = 'test "$PMI_RANK$PMIX_RANK" != 2 || export CAUCUS_TIMEOUT=soon; exec "$0"'
    done = run(mpi, {}, before=["sh", "-c", script])
    assert done.returncode == 0, done.stderr
    assert done.stdout == "all is right\n"
    assert list(sentences(done)) == ["CAUCUS_TIMEOUT"]
    assert len(sentences(done)["CAUCUS_TIMEOUT"]) == 1


# The second one for want of nodes that have ranks of one group only.
@pytest.mark.parametrize("algorithm, memory", [("node_direct", "0"), ("node_striped_ring", "1")])
@pytest.mark.parametrize("mpi", ["mpich", "openmpi"])
def test_a_forced_algorithm_that_cannot_serve(mpi, algorithm, memory):
    env = {"CAUCUS_ALGORITHM": f"allreduce:{algorithm}", "CAUCUS_SHARED_MEMORY": memory}
    done = run(mpi, env | {"CAUCUS_ENABLE": "blocking,nonblocking"})
    assert done.returncode == 0, done.stderr
    assert done.stdout == "all is right\n"
    (line,) = sentences(done)["CAUCUS_ALGORITHM"]
    assert algorithm in line and line.endswith("; the cost model chooses instead")


HEAD = "# Measured by caucus tune of Caucus.\n# MPI: Some MPI 1.0\n"
NOT_TO_BE_BELIEVED = {
    "it is empty": HEAD,
    "it is cut off": f"{HEAD}signal 1e-6\n",
    "it was measured with Some MPI 1.0, and this is": (
        f"{HEAD}signal 1e-6\n# End of what was measured.\n"
    ),
}


@pytest.mark.parametrize("words", NOT_TO_BE_BELIEVED)
@pytest.mark.parametrize("mpi", ["mpich", "openmpi"])
def test_a_tuned_file_that_is_not_to_be_believed(mpi, words, tmp_path):
    model = tmp_path / "model.txt"
    model.write_text(NOT_TO_BE_BELIEVED[words])
    done = run(mpi, {"CAUCUS_MODEL": model, "CAUCUS_ENABLE": "blocking"})
    assert done.returncode == 0, done.stderr
    assert done.stdout == "all is right\n"
    (line,) = sentences(done)["CAUCUS_MODEL"]
    assert f"{model}: {words}" in line and line.endswith("; auto is used instead")
    if "this is" in words:
        assert {"mpich": "this is MPICH Version: ", "openmpi": "this is Open MPI v"}[mpi] in line


@pytest.mark.parametrize("mpi", ["mpich", "openmpi"])
def test_a_linked_program_says_so_once(mpi, tmp_path):
    program = BUILD / mpi / "tests" / "tuned_file"
    if not program.exists():
        pytest.skip("nothing is built: run 'make test'")
    words, outer = mpi_launch.command(mpi, 3, [program, "cut"], {})
    done = subprocess.run(
        words, env=outer, capture_output=True, text=True, timeout=120, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    (line,) = sentences(done)["CAUCUS_MODEL"]
    assert "model.txt: it is cut off" in line and line.endswith("; auto is used instead")
