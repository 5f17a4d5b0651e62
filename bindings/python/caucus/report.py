# SPDX-License-Identifier: BSD-3-Clause
"""What the drop-in did, from the file that it writes (CAUCUS_REPORT)."""

from __future__ import annotations

import collections
import json
from pathlib import Path

from rich.console import RenderableType
from rich.table import Table

from .console import number, plain, table
from .errors import Failure

MOST_GRIDS = 20  # of which a line is printed


def read(path: Path) -> dict:
    """The report of a run; none means that the drop-in never got to its end."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        text = ""
    if not text.strip():
        raise Failure(
            "the drop-in wrote no report: the program did not reach MPI_Finalize, or it is no MPI "
            "program of this MPI"
        )
    try:
        report = json.loads(text)
        report["calls"]  # what everything else hangs on
    except (ValueError, KeyError, TypeError) as error:
        raise Failure(f"{path} is no report of the drop-in: {error}") from None
    return report


def _calls(report: dict) -> Table:
    rows = table()
    rows.add_column("call", no_wrap=True)
    for name in ("taken over", "left to MPI", "bytes"):
        rows.add_column(name, justify="right")
    rows.add_column("how")
    for name, call in sorted(report["calls"].items()):
        how = call.get("algorithms") or {}
        pairs = how.items() if isinstance(how, dict) else ((word, "") for word in how)
        words = ", ".join(f"{word} {count}".strip() for word, count in pairs)
        numbers = [number(call.get(key) or 0) for key in ("taken", "passed", "bytes")]
        rows.add_row(plain(name), *numbers, plain(words))
    return rows


def _graph(made: dict) -> str:
    return f"graph of {made['ranks']}" if "ranks" in made else ""


def _grid(made: dict) -> tuple:
    """A line of the table of grids and graphs; those that look alike share one."""
    moved = made.get("off_node") or {}
    before, after = moved.get("before", 0), moved.get("after", 0)
    saved = f"{100 * (1 - after / before):.0f} %" if before else "-"
    dims = "x".join(str(size) for size in made["dims"]) if "dims" in made else _graph(made)
    numbers = [number(before), number(after), number(made["bound"]) if "bound" in made else "-"]
    return (dims, str(made.get("nodes", "")), made.get("mapper", ""), *numbers, saved)


def _grids(report: dict) -> Table:
    counted = collections.Counter(_grid(made) for made in report.get("communicators") or [])
    rows = table()
    rows.add_column("grid or graph", no_wrap=True)
    for name in ("times", "nodes"):
        rows.add_column(name, justify="right")
    rows.add_column("placed by")
    for name in ("before", "after", "bound", "saved"):
        rows.add_column(name, justify="right")
    for (dims, nodes, mapper, *numbers), times in counted.most_common(MOST_GRIDS):
        rows.add_row(plain(dims), str(times), nodes, plain(mapper), *numbers)
    if len(counted) > MOST_GRIDS:
        rows.add_row(f"and {len(counted) - MOST_GRIDS} more")
    return rows


def show(report: dict) -> list[RenderableType]:
    """What to print of a report."""
    parts: list[RenderableType] = []
    if report.get("left_to_mpi"):
        parts.append(plain(f"Caucus: {report['left_to_mpi']}", "bold"))
    if not report["calls"]:
        none = "Caucus: the program made none of the calls that are taken over."
        return parts or [plain(none, "bold")]
    parts += [plain("What Caucus did", "bold"), _calls(report)]
    if report.get("communicators"):
        parts += ["", plain("Traffic between nodes, before and after", "bold"), _grids(report)]
    return parts
