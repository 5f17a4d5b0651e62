# SPDX-License-Identifier: BSD-3-Clause
"""mpi4py's own tests of collectives and requests pass under the drop-in with everything taken over,
and its report proves that Caucus ran. In a full run each module takes turns on three numbers of
ranks."""

import json
import os
import sys

import bring_mpi4py_tests
import programs
import pytest

import mpi_launch
from provision.problem import Problem
from testing import turn

# Each with the end of the names of calls that it must have had taken over.
MODULES = {
    "test_cco_buf": "MPI_Allreduce",
    "test_cco_vec": "MPI_Alltoallw",
    "test_cco_obj": "MPI_Bcast",
    "test_cco_nb_buf": "MPI_Iallreduce",
    "test_cco_nb_vec": "MPI_Ialltoallw",
    "test_cco_ngh_buf": "MPI_Neighbor_alltoall",
    "test_cco_ngh_obj": "MPI_Neighbor_alltoallv",
    "test_cco_pr_buf": "MPI_Allreduce_init",
    "test_cco_pr_vec": "MPI_Alltoallw_init",
    "test_cco_pr_ngh_buf": "MPI_Neighbor_alltoall_init",
    "test_request": None,
    "test_p2p_buf": None,
}
# Between two groups; they do nothing on one rank.
INTER_MODULES = {
    "test_cco_buf_inter": "MPI_Allgather",
    "test_cco_vec_inter": "MPI_Alltoallv",
    "test_cco_obj_inter": "MPI_Allgatherv",
    "test_comm_inter": "MPI_Intercomm_create",
}
# In every run: these, and of those that make many requests only some.
FAST = {
    ("test_cco_obj", 3): [],
    ("test_request", 2): [],
    ("test_cco_nb_buf", 2): ["-k", "testAllreduce"],
    ("test_cco_pr_buf", 2): ["-k", "testAllreduce"],
    ("test_cco_buf_inter", 3): ["-k", "testAllgather"],
    ("test_comm_inter", 4): [],
}
LIMIT = 900


def cases():
    for module in (*MODULES, *INTER_MODULES):
        ranks = turn.of((1, 3, 4) if module in MODULES else (2, 3, 5), module)
        yield pytest.param(module, ranks, [], marks=pytest.mark.slow)
    for (module, ranks), some in FAST.items():
        yield pytest.param(module, ranks, some)


@pytest.fixture(scope="module")
def runner():
    try:
        return bring_mpi4py_tests.bring()
    except Problem as problem:
        pytest.skip(f"mpi4py's tests can't be had: {problem}")


@pytest.fixture(params=programs.parameters(without=["abi", "intel", "system"]))
def mpi(request):
    return programs.chosen(request)


@pytest.mark.parametrize("module, ranks, some", cases())
def test_under_the_drop_in(mpi, runner, module, ranks, some, tmp_path):
    report = tmp_path / "report.json"
    libraries = [str(mpi_launch.mpiexec_of(mpi).parents[1] / "lib")]
    libraries += filter(None, [os.environ.get("LD_LIBRARY_PATH", "")])
    env = {
        "LD_LIBRARY_PATH": ":".join(libraries),
        "CAUCUS_ENABLE": "blocking,nonblocking" if module in MODULES else "",
        "CAUCUS_REPORT": report,
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    words = [sys.executable, runner, "-f", "-q", *some, module]
    done = programs.start(mpi, ranks, words, env, [programs.dropin(mpi)], timeout=LIMIT)
    # Ranks write at once: only what is written in one piece stays in one.
    assert done.stderr.count("OK") == ranks, done.stderr
    calls = json.loads(report.read_text())["calls"]
    if MODULES.get(module):
        assert counted(calls, MODULES[module], "taken") >= ranks, calls
    elif module in INTER_MODULES and ranks > 1:
        made = module == "test_comm_inter"
        field = "taken" if made else "between_groups"
        assert counted(calls, INTER_MODULES[module], field) >= ranks, calls


def counted(calls, name, field):
    """The sum over both versions, with int and with MPI_Count."""
    return sum(calls.get(found, {}).get(field, 0) for found in (name, name + "_c"))
