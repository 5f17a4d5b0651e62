# SPDX-License-Identifier: BSD-3-Clause
"""A build with CMake alone: CTest has the cases that the programs declare, starts them with any
MPI, and judges them as the other runs of the tests do."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from provision import libraries, mpi, toolchain
from testing import programs, run_case

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "mpich"
LIMIT = 300
MODULE = "libdir={libdir}\n\nName: ompi-c\nDescription: an MPI\nVersion: 5.0\n"


def ctest(folder, *words):
    program = Path(toolchain.cmake()).with_name("ctest")
    command = [program, "--test-dir", folder, *words]
    return subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=LIMIT
    )


def listed(folder):
    """{name: (words of the command, properties)} of the tests with MPI."""
    found = {}
    for test in json.loads(ctest(folder, "-N", "--show-only=json-v1").stdout)["tests"]:
        properties = {one["name"]: one["value"] for one in test["properties"]}
        if "mpi" in properties.get("LABELS", []):
            found[test["name"]] = (test["command"], properties)
    return found


def cases_for(label):
    return programs.fitting(programs.declared(), programs.Target(label, None, label))


def command_of(tests, program, *words):
    found = [
        command
        for name, (command, _) in tests.items()
        if name.startswith(f"{program} ") and all(word in command for word in words)
    ]
    assert found, f"no {program} with {words}"
    return found[0]


@pytest.fixture(scope="module")
def tests():
    if not (BUILD / "CTestTestfile.cmake").exists():
        pytest.skip("nothing is built: run 'make test'")
    return listed(BUILD)


def test_every_case_is_there(tests):
    cases = cases_for("mpich")
    assert len(tests) == len(cases) > 500
    for label, count in (
        ("dropin", sum(case.preload for case in cases)),
        ("slow", sum(case.full for case in cases)),
    ):
        assert sum(label in kept["LABELS"] for _, kept in tests.values()) == count > 0
    processors = sorted(int(kept.get("PROCESSORS", 1)) for _, kept in tests.values())
    assert processors == sorted(case.ranks for case in cases)
    assert all(kept["SKIP_RETURN_CODE"] == 77 for _, kept in tests.values())


def test_a_case_is_whole(tests):
    command = command_of(tests, "fatal", "--exit", "error", "one")
    assert command[command.index("--output") + 1].startswith("caucus: ")
    words = command_of(tests, "dropin_takes_over", "CAUCUS_NODES=cyclic:2", "taken")
    library = next(word for word in words if word.startswith("LD_PRELOAD="))
    assert "libcaucus_dropin.so" in library
    program = words.index(str(BUILD / "tests" / "dropin_takes_over"))
    assert words.index(library) < program < words.index("taken")


@pytest.mark.parametrize("name", ["fatal -n 4 one", "dropin_takes_over -n 8 taken"])
def test_it_runs(tests, name):
    done = ctest(BUILD, "-R", f"^{name}", "--output-on-failure")
    assert done.returncode == 0 and "100% tests passed" in done.stdout, done.stdout


@pytest.mark.parametrize(
    "options, code, status",
    [
        ([], "pass", 0),
        ([], "sys.exit(3)", 1),
        (["--exit", "3"], "sys.exit(3)", 0),
        (["--exit", "error", "--output", "why"], "print('why'); sys.exit(9)", 0),
        (["--exit", "error", "--output", "why"], "sys.exit(9)", 1),
        (["--exit", "error"], "pass", 1),
        (["--output", "one", "--output", "two"], "print('one two')", 0),
        (["--output", "one", "--output", "two"], "print('two')", 1),
        (["--deaths", "--output", "left"], "print('3 are left'); sys.exit(9)", 0),
        ([], "print('skipped: it has none'); sys.exit(77)", 77),
        ([], "sys.exit(77)", 1),
        (["--limit", "1"], "import time; time.sleep(60)", 1),
    ],
)
def test_a_run_is_judged(options, code, status):
    assert run_case.main([*options, "--", sys.executable, "-c", f"import sys; {code}"]) == status


def test_open_mpi_on_the_path(tmp_path):
    """Nothing is said but what is on the PATH. A .pc file of this MPI is named in ours."""
    prefix = mpi.prefix("openmpi")
    if not prefix.exists():
        pytest.skip("Open MPI is not there: 'make build MPI=openmpi' brings it")
    environment = dict(os.environ, PATH=f"{prefix / 'bin'}:{os.environ['PATH']}")
    environment["PKG_CONFIG_PATH"] = str(tmp_path)
    (tmp_path / "ompi-c.pc").write_text(MODULE.format(libdir=prefix / "lib"))
    options = {**libraries.cmake_options(), "CAUCUS_PLAN_TESTS": "OFF"}
    words = [toolchain.cmake(), "-S", ROOT, "-B", tmp_path]
    words += [f"-D{name}={value}" for name, value in options.items()]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0 and "(openmpi)" in done.stdout, done.stdout + done.stderr
    tests = listed(tmp_path)
    assert len(tests) == len(cases_for("openmpi"))
    assert all("--oversubscribe" in command for command, _ in tests.values())
    assert "--with-ft" in command_of(tests, "alive_kills", "--deaths")
    if shutil.which("pkg-config"):
        lines = (tmp_path / "package" / "caucus.pc").read_text().splitlines()
        assert "Requires: ompi-c" in lines and not any("libmpi" in line for line in lines)


MPICC = """#!/bin/sh
case "$1" in -show*) echo "cc -I/nowhere -lmpich"; exit 0 ;; esac
echo "fatal error: mpi.h: No such file or directory" >&2
exit 1
"""


@pytest.mark.parametrize("wanted, is_planner", [("auto", True), ("system", False)])
def test_an_mpicc_without_headers(tmp_path, wanted, is_planner):
    """As of Debian's mpich alone: pip builds the planner, CMake says what to install."""
    mpicc = tmp_path / "mpicc"
    mpicc.write_text(MPICC)
    mpicc.chmod(0o755)
    environment = dict(os.environ, PATH=f"{tmp_path}:{os.environ['PATH']}")
    options = {"CAUCUS_MPI": wanted, "CAUCUS_TESTS": "OFF", "CAUCUS_PLAN_TESTS": "OFF"}
    words = [toolchain.cmake(), "-S", ROOT, "-B", tmp_path / "b"]
    words += [f"-D{name}={value}" for name, value in options.items()]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=LIMIT)
    said = " ".join((done.stdout + done.stderr).split())
    assert (done.returncode == 0) == is_planner, said
    assert f"{mpicc} finds no mpi.h: install libmpich-dev or libopenmpi-dev" in said
    assert ("CAUCUS_MPI is none" in said) == is_planner


@pytest.mark.parametrize("beside", [True, False])
def test_a_named_compiler_brings_its_mpiexec(tmp_path, beside):
    """With MPIs side by side, as Debian has them; without one, no test is started by another's."""
    own = mpi.prefix("mpich") / "bin"
    scripts = {"mpicc.own": f'exec {own}/mpicc "$@"', "mpiexec": "echo mpiexec of Open MPI 5.0"}
    if beside:
        scripts["mpiexec.own"] = f'exec {own}/mpiexec "$@"'
    for name, script in scripts.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    environment = dict(os.environ, PATH=f"{tmp_path}:{os.environ['PATH']}")
    options = {**libraries.cmake_options(), "CAUCUS_PLAN_TESTS": "OFF", "CAUCUS_FORTRAN": "OFF"}
    options.update(MPI_C_COMPILER="mpicc.own", CAUCUS_BENCH="OFF", CAUCUS_EXAMPLES="OFF")
    words = [toolchain.cmake(), "-S", ROOT, "-B", tmp_path / "b"]
    words += [f"-D{name}={value}" for name, value in options.items()]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0 and "(mpich)" in done.stdout, done.stdout + done.stderr
    said = " ".join(done.stderr.split())
    assert (f"{tmp_path}/mpiexec starts programs of another" in said) is not beside
    tests = listed(tmp_path / "b")
    assert bool(tests) is beside
    assert all(str(tmp_path / "mpiexec.own") in command for command, _ in tests.values())
