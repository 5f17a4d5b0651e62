# SPDX-License-Identifier: BSD-3-Clause
"""Which lines of the programs a full run has on a day (tools/testing/programs.py)."""

from pathlib import Path

import pytest

from testing import programs, turn
from testing.programs import Target

MPICH = Target("mpich", Path("mpich"), "mpich")
OPEN_MPI = Target("openmpi", Path("openmpi"), "openmpi")


def lines(target, reach, day, monkeypatch):
    monkeypatch.setenv("TEST_TURN", str(day))
    return programs.chosen(programs.declared(), target, reach)


def words(cases):
    return {turn.any_day(case.words) for case in cases}


def names(cases):
    return {turn.any_day(case.name) for case in cases}


@pytest.mark.parametrize("day", [27777, 27778])
def test_every_line_has_an_mpi_each_day(day, monkeypatch):
    both = lines(MPICH, "most lines", day, monkeypatch)
    both += lines(OPEN_MPI, "half lines", day, monkeypatch)
    some = [c for c in programs.declared() if not c.mpis or {"mpich", "openmpi"} <= set(c.mpis)]
    assert some and words(some) <= words(both)


def test_what_no_world_runs_is_on_mpich_every_day(monkeypatch):
    alone = programs.not_run_in_worlds()
    for day in (27777, 27778):
        today = words(lines(MPICH, "most lines", day, monkeypatch))
        fitting = programs.fitting(programs.declared(), MPICH)
        needed = words(c for c in fitting if c.program in alone and not c.full)
        assert needed and needed <= today


def test_two_days_have_every_line_and_in_the_end_every_number_of_ranks(monkeypatch):
    had, ranks = set(), set()
    for day in range(27777, 27793):
        monkeypatch.setenv("TEST_TURN", str(day))
        fitting = programs.fitting(programs.declared(), MPICH)
        today = programs.chosen(fitting, MPICH, "most lines")
        had, ranks = had | words(today), ranks | names(today)
        assert day != 27778 or had == words(fitting)
    assert ranks == names(fitting)
