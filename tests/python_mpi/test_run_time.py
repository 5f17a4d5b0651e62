# SPDX-License-Identifier: BSD-3-Clause
"""The Python package at run time, on mpi4py with MPICH, Open MPI, Intel MPI and the standard ABI:
all cases and all examples in one start for each number of ranks."""

import json
import os
import sys

import bring_abi
import programs
import pytest

import mpi_launch
from provision.problem import Problem
from testing import turn

HERE = programs.ROOT / "tests" / "python_mpi"
PACKAGE = programs.ROOT / "bindings" / "python"
CASES = [
    "collectives",
    "memory",
    "pending",
    "light_groups",
    "open_channels",
    "fields",
    "shared_work",
]
EXAMPLES = sorted((programs.ROOT / "examples" / "python").glob("*.py"))
COUNTED = sum(
    (HERE / f"{name}.py").read_text().count("\ndef case_") for name in CASES
)  # each must have run


def folder_of(mpi):
    """Of its library, by which mpi4py finds the MPI."""
    return mpi_launch.mpiexec_of(mpi).parents[1] / "lib"


def mpi4py_for(mpi):
    """The folders of an mpi4py that is not that of the environment."""
    if mpi != "abi":
        return []
    try:
        return [bring_abi.bring()]
    except Problem as problem:
        pytest.skip(f"mpi4py for the ABI can't be had: {problem}")


def environment(mpi, *folders):
    paths = [*map(str, folders), str(folder_of(mpi)), os.environ.get("LD_LIBRARY_PATH", "")]
    return {
        "LD_LIBRARY_PATH": ":".join(filter(None, paths)),
        "PYTHONPATH": ":".join(map(str, [*mpi4py_for(mpi), PACKAGE])),
        "PYTHONDONTWRITEBYTECODE": "1",
        "CAUCUS_CACHE": "none",
    }


@pytest.fixture(params=programs.parameters(without=["system"]))
def mpi(request):
    return programs.chosen(request)


# Few ranks take turns, and come in full runs only.
FEW = pytest.param(turn.of([1, 2, 3], "caucus.mpi"), marks=pytest.mark.slow)


@pytest.mark.parametrize("ranks", [4, FEW])
def test_all_cases(mpi, ranks):
    env = environment(mpi, programs.BUILD / mpi / "lib")
    env.update(CAUCUS_NODES="cyclic:2" if ranks == 4 else "", CAUCUS_TIMEOUT="60")
    words = [sys.executable, HERE / "run_cases.py", *CASES, *EXAMPLES]
    done = programs.start(mpi, ranks, words, env)
    assert f"{COUNTED + len(EXAMPLES)} passed" in done.stdout, done.stdout + done.stderr


def test_a_channel_that_is_left_open(mpi):
    env = {**environment(mpi, programs.BUILD / mpi / "lib"), "CAUCUS_TIMEOUT": "60"}
    done = programs.start(mpi, 4, [sys.executable, HERE / "left_open.py"], env)
    assert done.stdout.count("left") == 4, done.stdout + done.stderr


def test_what_is_freed_after_mpi_is_finalized(mpi):
    env = environment(mpi, programs.BUILD / mpi / "lib")
    done = programs.start(mpi, 2, [sys.executable, HERE / "finalized.py"], env)
    assert done.stdout.count("ended") == 2, done.stdout + done.stderr


# How often the calls of plain.py are taken over, on four ranks together; mpi4py makes some more
# collectives for itself, and those with MPI_Count where the MPI has them.
TAKEN = {
    "MPI_Cart_create": 4,
    "MPI_Dist_graph_create_adjacent": 4,
    "MPI_Comm_create_group": 2,
    "MPI_Intercomm_create": 4,
    "MPI_Allreduce_init": 4,
    "MPI_Iallreduce": 4,
}


def test_a_program_that_knows_nothing_of_it(mpi, tmp_path):
    report = tmp_path / "report.json"
    env = environment(mpi)
    env.update(CAUCUS_ENABLE="nonblocking,blocking", CAUCUS_REPORT=report, CAUCUS_TIMEOUT="60")
    words = [sys.executable, HERE / "plain.py"]
    done = programs.start(mpi, 4, words, env, [programs.dropin(mpi)])
    assert "all right" in done.stdout, done.stdout + done.stderr
    calls = json.loads(report.read_text())["calls"]
    taken = {name.removesuffix("_c"): call["taken"] for name, call in calls.items()}
    assert {name: taken.get(name) for name in TAKEN} == TAKEN
    assert sum(call["passed"] for call in calls.values()) == 0, calls
    assert sum(call.get("between_groups", 0) for call in calls.values()) >= 4
