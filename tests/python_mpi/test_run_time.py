# SPDX-License-Identifier: BSD-3-Clause
"""The Python package at run time, on mpi4py with MPICH and Open MPI: all cases and all examples in
one start for each number of ranks."""

import os
import sys

import programs
import pytest

import mpi_launch
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


def environment(*folders, package=PACKAGE):
    paths = [*map(str, folders), os.environ.get("LD_LIBRARY_PATH", "")]
    return {
        "LD_LIBRARY_PATH": ":".join(filter(None, paths)),
        "PYTHONPATH": package,
        "PYTHONDONTWRITEBYTECODE": "1",
        "CAUCUS_CACHE": "none",
    }


@pytest.fixture(params=programs.parameters(without=["intel", "abi", "system"]))
def mpi(request):
    return programs.chosen(request)


# Few ranks take turns, and come in full runs only.
FEW = pytest.param(turn.of([1, 2, 3], "caucus.mpi"), marks=pytest.mark.slow)


@pytest.mark.parametrize("ranks", [4, FEW])
def test_all_cases(mpi, ranks):
    env = environment(programs.BUILD / mpi / "lib", folder_of(mpi))
    env.update(CAUCUS_NODES="cyclic:2" if ranks == 4 else "", CAUCUS_TIMEOUT="60")
    words = [sys.executable, HERE / "run_cases.py", *CASES, *EXAMPLES]
    done = programs.start(mpi, ranks, words, env)
    assert f"{COUNTED + len(EXAMPLES)} passed" in done.stdout, done.stdout + done.stderr
