# SPDX-License-Identifier: BSD-3-Clause
"""What caucus map prints: a table of mappers."""

from __future__ import annotations

import math

from rich.console import Group
from rich.text import Text

from .console import duration, number, plain, table
from .plan import Plan, Range
from .survey import Row, Survey
from .tables import Table

DIGITS, DIGITS_BESIDE_TIMES = 11, 13  # of one sum, and of both together
COLUMNS = (  # and what they are called in blocks
    ("on-node", "neighbours on the node"),
    ("mean", "their mean"),
    ("off-node", "neighbours on other nodes"),
    ("mean", "their mean"),
    ("Jsum", "Jsum"),
    ("Jmax", "Jmax"),
    ("/bound", "Jsum / bound"),
    ("time", "time"),
)


def grid_words(plan: Plan) -> str:
    """50x48 open, 2,400 ranks on 50 nodes of 48"""
    grid = "x".join(str(size) for size in plan.dims)
    periodic = [axis for axis, wraps in enumerate(plan.periods) if wraps]
    if len(periodic) == len(plan.dims):
        edges = "periodic"
    elif periodic:
        edges = "periodic along " + ", ".join(f"axis {axis}" for axis in periodic)
    else:
        edges = "open"
    return f"{grid} {edges}, {number(plan.ranks)} ranks on {_nodes(plan)}"


def _nodes(plan: Plan) -> str:
    count = plan.parts()
    sizes = [0] * count
    for node in plan.part_of_rank():
        sizes[node] += 1
    least, most = min(sizes), max(sizes)
    of = f"{most}" if least == most else f"{least} to {most}"
    return f"{number(count)} node{'s' if count > 1 else ''} of {of}"


def _range(of: Range) -> list:
    return [f"{of.min}..{of.max}", f"{of.mean:.3f}"]


def _weight(value: float) -> str:
    """A sum of bytes may have more digits than there is room for."""
    digits = number(value)
    return digits if len(digits) <= DIGITS else f"{value:.6g}"


def _room_for_times(found: Survey) -> bool:
    """The table is to fit into 80 columns, also where its numbers are bytes."""
    traffic = [traffic for row in found.rows for traffic in row.levels]
    longest = [
        max(len(_weight(t.jsum)) for t in traffic),
        max(len(_weight(t.jmax)) for t in traffic),
    ]
    return sum(longest) <= DIGITS_BESIDE_TIMES


def _add(rows: Table, row: Row, found: Survey, levels: list, times: bool) -> None:
    best = row is found.chosen
    over = f"{row.traffic.jsum / found.bound:.3f}" if found.bound > 0 else "-"
    rows.add_row(
        plain(("* " if best else "  ") + row.name),
        *_range(row.traffic.on),
        *_range(row.traffic.off),
        _weight(row.traffic.jsum),
        _weight(row.traffic.jmax),
        over,
        *([duration(row.seconds)] if times else []),
        style="bold green" if best else "",
    )
    for name, traffic in list(zip(levels, row.levels))[1:]:
        cells = [*_range(traffic.on), *_range(traffic.off), _weight(traffic.jsum)]
        rows.add_row(f"    {name}", *cells, _weight(traffic.jmax), style="dim")


def _verdict(found: Survey) -> Text:
    given, chosen = found.given.traffic.jsum, found.chosen.traffic.jsum
    words = f"* {found.chosen.name}: "
    if chosen < given:
        words += f"{100 * (1 - chosen / given):.0f} % less between nodes than without reordering"
    else:
        words += "nothing to gain by reordering"
    if found.bound > 0:
        words += f"; no mapping has less than {number(found.bound)}"
    return plain(words + ".")


def _rank0(found: Survey) -> Text:
    rank0 = found.rank0
    if rank0.kept:
        return plain("  Rank 0 has cell 0.", "dim")
    if math.isinf(rank0.cost):
        cost = "traffic between nodes, of which there is none otherwise"
    else:
        cost = f"{100 * rank0.cost:.1f} % more between nodes"
    return plain(f"  Rank 0 moves; to keep cell 0 would cost {cost}.", "dim")


def map_table(plan: Plan, found: Survey) -> Group:
    rows = table()
    rows.add_column("  mapper", no_wrap=True)
    times = _room_for_times(found)
    for name, long in COLUMNS[: None if times else -1]:
        rows.add_column(name, justify="right", no_wrap=True, long=long)
    for row in found.rows:
        _add(rows, row, found, plan.levels, times)
    parts = [plain(grid_words(plan), "bold"), plain(""), rows]
    if found.given in found.rows:
        parts.append(plain("  given: all ranks stay where the launcher has put them", "dim"))
    for name, reason in found.not_applicable.items():
        parts.append(plain(f"  {name}: {reason}", "dim"))
    return Group(*parts, plain(""), _verdict(found), _rank0(found))
