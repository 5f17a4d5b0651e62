# SPDX-License-Identifier: BSD-3-Clause
"""caucus run --timeout: who waits for whom, in a program that never ends."""

import time
import xml.etree.ElementTree

import pytest

from caucus import cli, launch, library, waits, waits_picture

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
                "in MPI_Comm_create_group, 3 members: rank 2 has not come (message UP)",
                "in MPI_Comm_create_group, 3 members: rank 0 has not told that all have come",
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
    ring = "rank 0 waits in allreduce by ring, run 1, step 1"
    assert wait(f"4,7,9\t8 bytes from rank 2 have not come: {ring}") == [9]
    assert wait(
        f"4,7,9\trank 1 has not come to run 1, 8 bytes to rank 2 have not gone: {ring}"
    ) == [
        7,
        9,
    ]
    assert wait("0,1,2,3\ton a channel of 4 ranks: ranks 1, 2 and 3 have made no room") == [1, 2, 3]
    remote = "rank 12 of the remote group has not come to run 1: rank 10 of the local group waits"
    assert wait(f"0,1,2\t{remote} in barrier, run 1, step 1") == []
    assert wait("\tin no call of Caucus: it computes, or waits inside MPI") == []


def told(graph):
    return {rank: [waits.Wait("here", others)] for rank, others in graph.items()}


def test_a_cycle_is_found_behind_what_leads_to_it():
    assert waits.cycle({0: [1], 1: [2, 3], 2: [], 3: [4], 4: [1]}) == [1, 3, 4]
    assert waits.cycle({0: [1, 2], 1: [2], 2: []}) is None
    assert waits.culprits({0: [1, 2], 1: [2], 2: []}) == [2]


def test_a_long_chain_takes_no_time_that_grows_with_its_square():
    ranks, begun = 2**16, time.process_time()
    chain = told({rank: [rank + 1] for rank in range(ranks - 1)})
    assert waits.verdict(chain, ranks) == [
        f"rank {ranks - 2} waits for rank {ranks - 1}: it said nothing",
        f"nothing was heard of rank {ranks - 1}",
    ]
    assert time.process_time() - begun < 10  # seconds, of 0.3; it took 25


def test_many_ranks_are_told_in_few_words():
    ranks, half = 400, 200
    pairs = waits.verdict(told({rank: [half + rank] for rank in range(half)}), ranks)
    assert len(pairs) == waits.MOST_AWAITED + 2 and pairs[0].startswith("rank 0 waits for rank 200")
    assert pairs[-2] == f"{half - waits.MOST_AWAITED} more ranks are waited for and wait for nobody"
    assert pairs[-1] == "nothing was heard of ranks 200-399"
    all_for_one = waits.verdict(told({rank: [half] for rank in range(half)}), half + 1)
    assert all_for_one[0] == "ranks 0-199 wait for rank 200: it said nothing"
    ring = waits.verdict(told({rank: [(rank + 1) % ranks] for rank in range(ranks)}), ranks)
    assert "30 -> 31 -> ... -> 0: each of these" in ring[0] and len(ring) == 1
    assert waits._named([1, 2, 5, 6, 7, 9]) == "1, 2, 5-7, 9"
    assert waits._named(list(range(0, 100, 2))).endswith(", 60, 62 and others")


def drawn(told, ranks):
    """How often each kind of thing is in the picture, and all of its words."""
    root = xml.etree.ElementTree.fromstring(waits_picture.draw(told, ranks))
    kinds = [(part.get("class"), part.get("stroke")) for part in root.iter() if part.get("class")]
    return kinds, "\n".join(root.itertext())


@pytest.mark.parametrize("ranks", [2, 3, 8, 32])
def test_a_cycle_is_drawn_above_the_rest(ranks):
    graph = {rank: [(rank + 1) % 2] for rank in range(ranks)}
    kinds, words = drawn(told(graph), ranks)
    red = ("wait", waits_picture.CYCLE.edge)
    arrows = [kind for kind in kinds if kind[0] == "wait"]
    assert len(arrows) == ranks and arrows[-2:] == [red, red] and kinds.count(red) == 2
    assert kinds.count(("rank", None)) == ranks
    assert "a cycle: 0 -> 1 -> 0" in words and "rank 0: here" in words


def test_who_does_not_wait_looks_different():
    told = {
        0: [waits.Wait("in caucus_group_create", [1])],
        1: [waits.Wait("in no call of Caucus: it computes", [])],
        2: [waits.Wait("in no call of Caucus: it computes", [])],
    }
    _, words = drawn(told, 4)
    for look in ("waits", "in no call of Caucus, and waited for", "not heard of"):
        assert look in words.splitlines()
    assert "rank 3: it said nothing" in words and "nothing was heard of rank 3" in words


def test_too_many_ranks_are_cut_to_those_that_matter():
    ranks = 3 * waits_picture.MOST_RANKS
    kinds, words = drawn(told({ranks - 1: [ranks - 2], ranks - 2: [ranks - 1]}), ranks)
    assert kinds.count(("rank", None)) == waits_picture.MOST_RANKS
    assert kinds.count(("wait", waits_picture.CYCLE.edge)) == 2
    assert f"{ranks - waits_picture.MOST_RANKS} more ranks are not drawn" in words


def test_a_picture_needs_a_limit(capsys):
    assert cli.main(["run", "--svg", "x.svg", "--", "true"]) == 2
    assert "--timeout" in capsys.readouterr().err


@pytest.mark.parametrize("mpi", BUILT)
def test_what_stands_still_is_drawn(tmp_path, mpi):
    picture = tmp_path / "waits.svg"
    options = ["-n", "2", "--timeout", "3", "--svg", str(picture)]
    assert cli.main(["run", "--mpi", mpi, *options, "--", str(PROGRAMS[mpi]), "cycle"]) == 124
    root = xml.etree.ElementTree.parse(picture).getroot()
    assert "a cycle: 0 -> 1 -> 0" in "\n".join(root.itertext())


@pytest.mark.parametrize("mpi", BUILT)
def test_programs_of_sessions_have_numbers(capfd, mpi):
    program = [str(PROGRAMS[mpi].with_name("waits_session")), "absent"]
    status = cli.main(["run", "--mpi", mpi, "-n", "3", "--timeout", "4", "--", *program])
    told = " ".join(capfd.readouterr().err.split())
    assert status == 124
    assert "ranks 1, 2 wait for rank 0: in no call of Caucus" in told


def test_who_says_nothing_is_named():
    sentences = waits.verdict(told({0: [1]}), 3)
    assert "rank 0 waits for rank 1: it said nothing" in sentences
    assert "nothing was heard of ranks 1, 2" in sentences
    assert waits.verdict({}, 3) == waits.verdict({}, 0) == ["nothing was heard of any rank"]
    assert "nobody waits" in waits.verdict(told({0: [], 1: []}), 2)[0]
