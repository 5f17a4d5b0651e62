# SPDX-License-Identifier: BSD-3-Clause
"""caucus run --timeout: who waits for whom, in a program that never ends."""

import pytest

from caucus import cli, launch, library, waits

PROGRAMS = {
    name: library.tree() / "build" / name / "tests" / "dropin_stuck"
    for name in ("mpich", "openmpi")
}
BUILT = [name for name, path in PROGRAMS.items() if path.exists() and launch.dropin(name).exists()]


@pytest.mark.parametrize("mpi", BUILT)
@pytest.mark.parametrize(
    "how, ranks, words",
    [
        ("cycle", 2, ["a cycle: 0 -> 1 -> 0", "allreduce"]),
        ("absent", 3, ["wait for rank 2", "in no call of Caucus", "ranks 0, 1 wait"]),
        (
            "group",
            3,
            [
                "in MPI_Comm_create_group: rank 2 has not come (message UP)",
                "in MPI_Comm_create_group: rank 0 has not told that all have come",
                "rank 0 waits for rank 2: in no call of Caucus",
            ],
        ),
    ],
)
def test_the_report_names_them(capfd, mpi, how, ranks, words):
    program = [str(PROGRAMS[mpi]), how]
    status = cli.main(["run", "--mpi", mpi, "-n", str(ranks), "--timeout", "4", "--", *program])
    told = " ".join(capfd.readouterr().err.split())
    assert status == 124
    for text in [*words, "ended after 4 seconds"]:
        assert text in told


def wait(line):
    return waits._wait(line).ranks


def test_peers_are_those_of_the_world():
    assert wait(
        "4,7,9\trank 0 waits in allreduce by ring, run 1, step 1, for 8 bytes from rank 2"
    ) == [9]
    assert wait("0,1,2,3\ton a channel of 4 ranks: ranks 1, 2 and 3 have made no room") == [1, 2, 3]
    assert (
        wait(
            "0,1\trank 0 waits in bcast, run 1, step 1, for 8 bytes from rank 1 of the remote group"
        )
        == []
    )
    assert wait("\tin no call of Caucus: it computes, or waits inside MPI") == []


def told(graph):
    return {rank: [waits.Wait("here", others)] for rank, others in graph.items()}


def test_a_cycle_is_found_behind_what_leads_to_it():
    assert waits.cycle({0: [1], 1: [2, 3], 2: [], 3: [4], 4: [1]}) == [1, 3, 4]
    assert waits.cycle({0: [1, 2], 1: [2], 2: []}) is None
    assert waits.culprits({0: [1, 2], 1: [2], 2: []}) == [2]


def test_who_says_nothing_is_named():
    sentences = waits.verdict(told({0: [1]}), 3)
    assert "rank 0 waits for rank 1: it said nothing" in sentences
    assert "nothing was heard of ranks 1, 2" in sentences
    assert "nobody waits" in waits.verdict(told({0: [], 1: []}), 2)[0]
