# SPDX-License-Identifier: BSD-3-Clause
"""What the drop-in did, from the file that it writes (CAUCUS_REPORT), as sections of words and
tables: printed here, as a page by report_page."""

from __future__ import annotations

import collections
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Optional

from rich.console import RenderableType

from .console import number, plain, spoken, table
from .errors import Failure
from .report_grids import Gain, gain
from .report_times import crowd_words, times_words
from .survey import GIVEN

MOST_GRIDS = 20  # of which a line is printed
NOTHING = "-"


class Section(NamedTuple):
    """columns: a heading each, and whether what is below are numbers."""

    title: str
    columns: Sequence[tuple[str, bool]]
    rows: list[tuple[str, ...]]
    remark: str = ""


def damaged(path: Path) -> Failure:
    return Failure(f"{path} is no report of the drop-in, or a damaged one")


def read(path: Path) -> dict:
    """The report of a run; none means that the drop-in never got to its end."""
    no_report = damaged(path)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise no_report from None
    except FileNotFoundError:
        text = ""
    if not text.strip():
        raise Failure(
            "the drop-in wrote no report: the program did not reach MPI_Finalize, it is no MPI "
            f"program of this MPI, MPI is linked into it statically, or its first rank can't write "
            f"to {path}"
        )
    try:
        report = json.loads(text)
        report["calls"].items()  # what everything else hangs on
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise no_report from None
    return report


def add_times(path: Path, report: dict, times: dict) -> dict:
    """The report with what was measured around the program; in its file, too."""
    report = {**report, "run": times}
    lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(report[key])}" for key in report)
    path.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    return report


def _calls_of_a_rank(call: dict, key: str) -> str:
    """How often a rank called: 3, or '0 to 3' where ranks differ."""
    counted = call.get(f"{key}_by_a_rank")
    if not counted:
        return number(call.get(key) or 0)
    least, most = counted
    return number(most) if least == most else f"{number(least)} to {number(most)}"


def _share(counts: dict) -> str:
    """Names with their shares, where there are several."""
    total = sum(counts.values())
    if len(counts) < 2 or not total:
        return ", ".join(counts)
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return ", ".join(f"{name} {100 * count / total:.3g} %" for name, count in ordered)


def on_one_node(report: dict) -> bool:
    """Where no placement is better than another."""
    return len({node for node, _ in report.get("nodes") or []}) == 1


def _one_node(report: dict) -> str:
    if not on_one_node(report) or not (report.get("communicators") or report.get("left_grids")):
        return ""
    return (
        "All ranks are on one node, so no grid can be placed better; 'caucus run --nodes' shows "
        "what several nodes would gain."
    )


def _taken(report: dict) -> Section:
    rows = []
    for name, call in sorted(report["calls"].items()):
        how = call.get("algorithms") or {}
        if on_one_node(report) and list(how) == [GIVEN]:
            continue
        if call.get("taken"):
            between = call.get("between_groups")
            words = _share(how if isinstance(how, dict) else dict.fromkeys(how, 1))
            if between:
                words += (
                    " (between two groups)"
                    if between == call["taken"]
                    else " (some between two groups)"
                )
            moved = spoken(call["bytes"]) if call.get("bytes") else NOTHING
            rows.append((name, _calls_of_a_rank(call, "taken"), moved, words))
    columns = (("call", False), ("calls", True), ("bytes sent", True), ("how", False))
    return Section("Taken over", columns, rows)


def _left(report: dict) -> Section:
    rows = []
    for name, call in sorted(report["calls"].items()):
        if call.get("passed"):
            rows.append((name, _calls_of_a_rank(call, "passed"), _share(call.get("why") or {})))
    columns = (("call", False), ("calls", True), ("why", False))
    return Section("Left to MPI", columns, rows)


def grid_words(made: dict) -> str:
    """4x2 periodic along 0; what has no dimensions is a graph"""
    if not made.get("dims"):
        return f"graph of {number(made.get('ranks', 0))}"
    dims = "x".join(str(size) for size in made["dims"])
    wraps = made.get("periodic") or []
    along = [str(axis) for axis, periodic in enumerate(wraps) if periodic]
    if not along:
        return dims
    return f"{dims} periodic" + ("" if len(along) == len(wraps) else f" along {', '.join(along)}")


def change(before: float, after: float) -> str:
    return f"{number(before)} → {number(after)}"


def fewer(before: float, after: float) -> str:
    return f"{100 * (1 - after / before):.0f} %" if before else NOTHING


def _grouped(lines: Iterator[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Lines that look alike share one, which says how often; that comes second."""
    counted = collections.Counter(lines).most_common()
    rows = [(line[0], number(times), *line[1:]) for line, times in counted[:MOST_GRIDS]]
    if len(counted) > MOST_GRIDS:
        rows.append((f"and {len(counted) - MOST_GRIDS} more",))
    return rows


def _rank0(report: dict) -> str:
    """A sentence if grids have another rank 0 than the communicators that they were made of."""
    moved = [
        (made["rank0"].get("cost") or 0, grid_words(made))
        for made in report.get("communicators") or []
        if not (made.get("rank0") or {"kept": True})["kept"]
    ]
    if not moved:
        return ""
    dearest, dims = max(moved)
    words = f"Rank 0 moved in {number(len(moved))} of these grids"
    if dearest:
        words += f"; to keep it would cost up to {100 * dearest:.1f} % more ({dims})"
    return f"{words}."


def _device(report: dict) -> str:
    moved = report.get("device_memory")
    if not moved:
        return ""
    read, written = number(moved["read"]), number(moved["written"])
    return f"Bytes copied from the memory of GPUs: {read}, to it: {written}."


def _one_copy(report: dict) -> str:
    copied = report.get("one_copy")
    return f"Bytes by one copy from rank to rank: {number(copied)}." if copied else ""


def _grids(report: dict) -> Section:
    def line(made: dict) -> tuple[str, ...]:
        moved = made.get("off_node") or {}
        before, after = moved.get("before", 0), moved.get("after", 0)
        bound = number(made["bound"]) if made.get("bound") else NOTHING
        numbers = (change(before, after), fewer(before, after), bound)
        return (grid_words(made), number(made.get("nodes", 0)), *numbers, made.get("mapper", ""))

    columns = (
        ("grid", False),
        ("times", True),
        ("nodes", True),
        ("messages", True),
        ("fewer", True),
        ("fewest possible", True),
        ("placed by", False),
    )
    all_made = report.get("communicators") or []
    if on_one_node(report):
        all_made = [made for made in all_made if made.get("mapper") != GIVEN]
    rows = _grouped(line(made) for made in all_made)
    remark = (
        "Messages: those that cross from node to node in one exchange of all ranks with their "
        "neighbours, without Caucus → with it."
    )
    if any(made.get("mapper") == GIVEN for made in all_made):
        remark += " given: all ranks stay where they are, as no better places were found."
    if all(made.get("dims") for made in all_made):
        return Section("Grids that Caucus placed", columns, rows, remark)
    remark += " Of a graph whose edges have weights, their sum."
    return Section("Grids and graphs that Caucus placed", columns, rows, remark)


def _left_grids(report: dict) -> Section:
    def line(made: dict) -> tuple[str, ...]:
        found: Optional[Gain] = gain(report, made)
        words = (NOTHING, "not known")
        if found:
            words = (change(found.before, found.after), fewer(found.before, found.after))
        return (grid_words(made), *words, made.get("why", ""))

    columns = (
        ("grid", False),
        ("times", True),
        ("messages, if placed", True),
        ("fewer", True),
        ("why it was not", False),
    )
    left = [] if on_one_node(report) else report.get("left_grids") or []
    rows = _grouped(line(made) for made in left)
    return Section("Grids that were left as they are", columns, rows)


def _enable(report: dict) -> str:
    """What to set so that more is taken over."""
    marks = ("CAUCUS_ENABLE=", " would take it over")
    words = set()
    for call in report["calls"].values():
        for why in call.get("why") or {}:
            if marks[0] in why and why.endswith(marks[1]):
                words.add(why.partition(marks[0])[2][: -len(marks[1])])
    grids = report.get("communicators") or []
    if grids and all(made.get("mapper") == GIVEN for made in grids):
        words.discard("dims")  # other dimensions are no remedy where no grid was changed
    if not words:
        return ""
    advice = f"To have more taken over: CAUCUS_ENABLE={','.join(sorted(words))}."
    if words - {"dims", "map"}:
        advice += " That may gain or lose time: 'caucus run --compare' tells."
    advice += " With dims a grid may have another shape." * ("dims" in words)
    return advice + " With map all ranks must call MPI_Cart_map alike." * ("map" in words)


def heading(report: dict) -> str:
    ranks, nodes = report.get("ranks"), len({node for node, _ in report.get("nodes") or []})
    if not ranks:
        return "What Caucus did"
    words = f"What Caucus did: {number(ranks)} rank{'s' * (ranks != 1)}"
    return words + (f" on {number(nodes)} node{'s' * (nodes != 1)}" if nodes else "")


def sections(report: dict) -> list[Section]:
    """Those that have something to tell."""
    found = [_taken(report), _grids(report), _left(report), _left_grids(report)]
    return [section for section in found if section.rows]


def remarks(report: dict) -> list[str]:
    """What is told below the tables."""
    counts = "Calls are those of one rank; bytes are those that Caucus sent, of all ranks."
    if not report.get("ranks"):
        counts = "Calls and bytes are summed over all ranks."
    found = (
        _one_node(report),
        counts,
        _rank0(report),
        _device(report),
        _one_copy(report),
        _enable(report),
        times_words(report),
        crowd_words(report),
    )
    return [words for words in found if words]


def show(report: dict) -> list[RenderableType]:
    """What to print of a report."""
    parts: list[RenderableType] = []
    if report.get("left_to_mpi"):
        parts.append(plain(f"Caucus: {report['left_to_mpi']}", "bold"))
    if not report["calls"]:
        none = "Caucus: the program made none of the calls that are taken over."
        parts = parts or [plain(none, "bold")]
        times = (times_words(report), crowd_words(report))
        return parts + [plain(words) for words in times if words]
    parts.append(plain(heading(report), "bold"))
    for section in sections(report):
        rows = table(section.title)
        for heading_words, is_number in section.columns:
            rows.add_column(heading_words, justify="right" if is_number else "left")
        for row in section.rows:
            rows.add_row(*map(plain, row))
        parts += ["", rows]
        parts += [plain(section.remark, "dim")] if section.remark else []
    return [*parts, "", *map(plain, remarks(report))]
