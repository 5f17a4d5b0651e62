# SPDX-License-Identifier: BSD-3-Clause
"""What caucus schedule verify looks at: every kind of call with several sizes and segments."""

from collections import defaultdict

import pytest
from command_line import caucus

from caucus import schedule_checks
from caucus.errors import NotApplicable
from caucus.schedule_checks import cases
from caucus.study import algorithms

FEWEST = 3
GROUPS = [(1, 9, 0), (2, 9, 4), (2, 7, 3)]
TABLE = [
    pytest.param(entry, ranks, first, id=f"{entry.collective}-{entry.name}-{first}+{ranks - first}")
    for groups, ranks, first in GROUPS
    for entry in algorithms(groups)
]


def kind(case):
    """What a case is about besides machine, sizes and segment."""
    call = (case.in_place, case.commutative, case.root, case.persistent)
    return (*call, case.irregular, case.counts, case.sides, case.degree)


@pytest.mark.parametrize("entry, ranks, first_group", TABLE)
def test_every_kind_of_call_meets_several_sizes(entry, ranks, first_group):
    sizes, segments, others = defaultdict(set), defaultdict(set), defaultdict(set)
    for case in cases(entry, ranks, first_group):
        sizes[kind(case)].add(case.bytes)
        segments[kind(case)].add(case.segment)
        others[kind(case)].add(case.second_bytes)
    assert min(len(found) for found in segments.values()) >= FEWEST
    if entry.collective != "barrier":
        assert min(len(found) for found in sizes.values()) >= FEWEST
    if first_group:
        assert min(len(found) for found in others.values()) >= FEWEST


def test_other_numbers_of_ranks_begin_with_other_sizes():
    entry = next(iter(algorithms()))
    firsts = {next(iter(cases(entry, ranks))).segment for ranks in range(1, 12)}
    assert len(firsts) > FEWEST


def test_lengths_that_not_all_know():
    """Algorithms that exchange them first are for persistent operations; the others are not."""
    for entry in algorithms():
        found = {case.persistent for case in cases(entry, 5)}
        assert found == ({True, False} if entry.collective.endswith(("v", "w")) else {True})


def test_nothing_to_verify_is_no_success(monkeypatch):
    def serves_nothing(_):
        raise NotApplicable("it serves nothing")

    monkeypatch.setattr(schedule_checks, "Study", serves_nothing)
    words = ("verify", "barrier", "--algorithm", "node_lines", "--ranks", 4)
    done = caucus("schedule", *words, status=1)
    assert "are right" not in done.stdout
    assert done.stderr == "caucus: nothing was verified: there is no case that barrier by " + (
        "node_lines serves\n"
    )
    assert '"cases": 0' in caucus("schedule", *words, "--json", status=1).stdout
