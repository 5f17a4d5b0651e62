# SPDX-License-Identifier: BSD-3-Clause
"""mpi4py's own tests of collectives and requests pass under the drop-in with everything taken over,
and its report proves that Caucus ran. Each module comes every second day,
on one of two MPIs and three numbers of ranks in turn."""

import itertools
import json
import os
import sys

import bring_mpi4py_tests
import programs
import pytest

import mpi_launch
from provision.problem import Problem
from testing import turn

pytestmark = pytest.mark.slow  # mpi4py is compiled for it

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
LIMIT = 900


def cases():
    found = [mpi for mpi in programs.mpis() if mpi in ("mpich", "openmpi")]
    for module in (*MODULES, *INTER_MODULES):
        ranks = (1, 3, 4) if module in MODULES else (2, 3, 5)
        if found and turn.has(module, 2):
            yield module, *turn.of(list(itertools.product(ranks, found)), module, 2)


@pytest.fixture(scope="module")
def runner():
    try:
        return bring_mpi4py_tests.bring()
    except Problem as problem:
        pytest.skip(f"mpi4py's tests can't be had: {problem}")


@pytest.mark.parametrize("module, ranks, mpi", cases())
def test_under_the_drop_in(runner, module, ranks, mpi, tmp_path):
    report = tmp_path / "report.json"
    libraries = [str(mpi_launch.mpiexec_of(mpi).parents[1] / "lib")]
    libraries += filter(None, [os.environ.get("LD_LIBRARY_PATH", "")])
    env = {
        "LD_LIBRARY_PATH": ":".join(libraries),
        "CAUCUS_ENABLE": "blocking,nonblocking" if module in MODULES else "",
        "CAUCUS_REPORT": report,
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    words = [sys.executable, runner, "-f", "-q", module]
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
