# SPDX-License-Identifier: BSD-3-Clause
"""Runs the mappers on a plan and collects what they cost."""

from __future__ import annotations

import time
from array import array
from dataclasses import dataclass, field
from typing import Callable, Optional

from .errors import NotApplicable
from .plan import Plan, Rank0, Traffic, mappers

GIVEN = "given"
BEST = "best"


@dataclass
class Row:
    """A mapper's outcome: its traffic at each level, nodes first."""

    name: str
    levels: list[Traffic]
    seconds: float
    node_of_cell: array

    @property
    def traffic(self) -> Traffic:
        return self.levels[0]


@dataclass
class Survey:
    """rows in the order of the table of mappers; chosen is one of them."""

    bound: float
    given: Row
    rows: list[Row] = field(default_factory=list)
    chosen: Optional[Row] = None
    rank0: Optional[Rank0] = None  # of the mapping chosen
    not_applicable: dict[str, str] = field(default_factory=dict)


def _run(plan: Plan, mapper: str) -> Row:
    start = time.perf_counter()
    name = plan.map(mapper)
    seconds = time.perf_counter() - start
    levels = [plan.measure(level) for level in range(len(plan.levels))]
    return Row(name, levels, seconds, plan.node_of_cell())


def _choose_best(plan: Plan, survey: Survey) -> Row:
    """The best of all. It gets a row of its own where it is not one of those that are there."""
    best = _run(plan, BEST)
    for row in survey.rows:
        if row.name == best.name:
            return row
        if best.name == GIVEN and row.node_of_cell == best.node_of_cell:
            plan.map(row.name)  # the same nodes, but ranks chosen within the node
            return row
    survey.rows.append(best)
    return best


def survey(plan: Plan, mapper: str = BEST, progress: Callable[[str], None] = str) -> Survey:
    """Tries all mappers, or the one named; progress is told whose turn it is. The plan is left
    with the mapping chosen."""
    progress("bound")
    found = Survey(plan.bound(), _run(plan, GIVEN))
    names = [name for name, _ in mappers()] if mapper == BEST else [mapper]
    for name in names:
        progress(name)
        try:
            found.rows.append(_run(plan, name))
        except NotApplicable as reason:
            if mapper != BEST:
                raise
            found.not_applicable[name] = str(reason)
    if mapper == BEST:
        progress("refinement")
        found.chosen = _choose_best(plan, found)
    else:
        found.chosen = found.rows[0]
    found.rank0 = plan.keep_rank0()
    if all(row.node_of_cell != found.given.node_of_cell for row in found.rows):
        found.rows.insert(0, found.given)
    return found
