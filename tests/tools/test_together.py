# SPDX-License-Identifier: BSD-3-Clause
"""Programs that share a start of MPI: the one at fault is named, whatever it does, and the others
count all the same."""

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from provision.mpi import prefix
from provision.paths import BUILD
from provision.problem import Problem
from testing import cases, measured, programs, together

MPI = "mpich"
PREFIX = prefix(MPI)
RUNNER = BUILD / MPI / "tests" / "call_in_turn"
pytestmark = pytest.mark.skipif(not RUNNER.exists(), reason="nothing is built: run 'make test'")

PROGRAM = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int rank, level;
    if (argc > 1 && !strcmp(argv[1], "forgets"))
        return 0;
    if (argc > 1 && !strcmp(argv[1], "skips"))
        return puts("skipped: nobody has it"), 77;
    if (argc > 1 && !strcmp(argv[1], "skips in silence"))
        return 77;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "exits") && rank)
        exit(0);
    if (!strcmp(what, "dies") && rank)
        raise(11);
    if (!strcmp(what, "aborts") && !rank)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (!strcmp(what, "hangs") && rank)
        sleep(1000);
    if (!strcmp(what, "leaves") && rank)
        MPI_Send(&rank, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    MPI_Finalize();
    return !strcmp(what, "returns") && rank ? 3 : 0;
}
"""
WRAPPED = (
    "-Wl,--wrap=MPI_Init,--wrap=MPI_Init_thread,--wrap=MPI_Finalize,--wrap=MPI_Abort,--wrap=exit"
)


@pytest.fixture(scope="module")
def target(tmp_path_factory):
    """A build with one program under several names."""
    folder = tmp_path_factory.mktemp("build")
    (folder / "tests" / "together").mkdir(parents=True)
    os.symlink(RUNNER, folder / "tests" / "call_in_turn")
    source = folder / "program.c"
    source.write_text("#include <signal.h>\n" + PROGRAM)
    words = ["cc", f"-I{PREFIX}/include", "-fPIC", source]
    end = [f"-L{PREFIX}/lib", "-lmpi", f"-Wl,-rpath,{PREFIX}/lib"]
    for name in ("first", "second", "third"):
        program, shared = folder / "tests" / name, folder / "tests" / "together" / f"{name}.so"
        subprocess.run([*words, "-o", program, *end], check=True)
        subprocess.run([*words, "-shared", WRAPPED, "-o", shared, *end], check=True)
    return programs.Target("trial", folder, MPI)


def outcomes(target, what):
    seconds = 4 if what == "hangs" else 30
    known = SimpleNamespace(limit=lambda section, name: measured.Limit(60, seconds))
    found = [cases.Case(name, 2) for name in ("first", "second", "third")]
    found[1].arguments = [what] if what else []
    run = SimpleNamespace(durations=known)
    return programs.Start(run, "trial", target, found).outcomes()


def test_all_pass_in_one_start(target):
    found = outcomes(target, "")
    assert [outcome.good for outcome in found] == [True] * 3
    assert [outcome.name for outcome in found] == [f"trial: -n 2 {w}" for w in NAMES]


NAMES = ("first", "second", "third")
SAYS = {
    "exits": "it called exit",
    "dies": "",
    "aborts": "",
    "hangs": "ended after 4 s",
    "leaves": "a message was left on the way",
    "returns": "its exit status is not 0",
    "forgets": "it did not call MPI_Init and MPI_Finalize once each",
}


@pytest.mark.parametrize("what", SAYS)
def test_the_one_at_fault_is_named_and_the_others_count(target, what):
    found = {outcome.name: outcome for outcome in outcomes(target, what)}
    assert {name: outcome.good for name, outcome in found.items()} == {
        "trial: -n 2 first": True,
        f"trial: -n 2 second {what}": False,
        "trial: -n 2 third": True,
    }
    text = found[f"trial: -n 2 second {what}"].text
    assert SAYS[what] in text and "shared by these programs" in text and "mpiexec" in text
    assert "Alone it" in text


def test_who_outlives_the_launcher_has_ended_before_its_folder_goes(tmp_path):
    late = "import os, time; os.setsid(); time.sleep(1); open('late', 'w')"
    start = f'{sys.executable} -c "{late}" & sleep 0.3'
    done = measured.run(["sh", "-c", start], scratch=tmp_path)
    assert done.good and (tmp_path / "late").exists()


def test_what_is_skipped_is_no_pass(target):
    found = {outcome.name: outcome for outcome in outcomes(target, "skips")}
    skipped = found.pop("trial: -n 2 second skips")
    assert (skipped.good, skipped.text) == (None, "nobody has it")
    assert [outcome.good for outcome in found.values()] == [True] * 2


def test_whoever_skips_says_why(target):
    found = {outcome.name: outcome for outcome in outcomes(target, "skips in silence")}
    outcome = found["trial: -n 2 second skips in silence"]
    assert outcome.good is False and "exit status 77, but 0 was expected" in outcome.text


def test_the_drop_in_must_be_there(target):
    run = SimpleNamespace(durations=SimpleNamespace(limit=lambda *_: measured.Limit(60, 30)))
    with pytest.raises(Problem, match=r"There is no .*libcaucus_dropin\.so"):
        programs.Start(run, "trial", target, [case("first", preload=True)]).outcomes()


def case(program, ranks=2, **more):
    return cases.Case(program, ranks, **more)


def test_who_shares_a_start(tmp_path):
    paths = {name: tmp_path / f"{name}.c" for name in ("plain", "other", "sets", "asks")}
    for path in paths.values():
        path.write_text("int main(void) { return 0; }")
    paths["sets"].write_text('int main(void) { setenv("A", "B", 1); }')
    paths["asks"].write_text("/* start: own, because its memory must be fresh */")
    same = [case("plain"), case("other")]
    apart = [
        case("sets"),
        case("asks"),
        case("plain", ranks=3),
        case("plain", environment={"CAUCUS_NODES": "2x1"}),
        case("plain", preload=True),
        case("plain", status="error"),
        case("plain", outputs=["word"]),
        case("plain", full=True),
        case("plain", arguments=["again"]),
        case("other", environment={"CAUCUS_REPORT": "a.json"}),
    ]
    alone, shared = together.split(same + apart, paths)
    assert shared == [same]
    assert sorted(c.name for c in alone) == sorted(c.name for c in apart)
