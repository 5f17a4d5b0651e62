# SPDX-License-Identifier: BSD-3-Clause
"""Results of benchmarks: cells with samples, as JSON, as tables, and compared with earlier ones."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from .errors import Failure

FORMAT = 1
NOISE = 1.05  # a cell that takes less than so many times as long is no slower
LEAST_SAMPLES = 3  # whose spread says something
MANY_SAMPLES = 5  # whose quartiles do
UNJUDGED = "unjudged"  # too few starts
OWN = "MPI"  # how the names of MPI's own ways begin
MORE_IS_BETTER = ("casts/s",)
Result = dict[str, Any]
ALIKE = ("benchmark", "mpi", "ranks", "quick")  # in results that can be compared
PARTS = (*ALIKE, "starts", "version", "commit", "date", "seconds", "cores", "processor", "load")
PARTS += ("left_out", "cells")


class Cell(NamedTuple):
    """What was measured of one way of one size: a sample of each start."""

    table: str
    size: int
    way: str
    unit: str
    samples: list[float]

    @property
    def key(self) -> tuple[str, int, str]:
        return self.table, self.size, self.way

    @property
    def of_mpi(self) -> bool:
        return self.way.startswith(OWN)

    @property
    def times(self) -> list[float]:
        """Samples of which less is better."""
        if self.unit in MORE_IS_BETTER:
            return [1 / sample for sample in self.samples]
        return self.samples


def median(values: list[float]) -> float:
    return statistics.median(values)


def spread(values: list[float]) -> float:
    """How many times the greatest is the least; of many samples the upper quartile the lower one,
    which a start that was disturbed does not move. Factors, since what takes longer varies more."""
    if len(values) < MANY_SAMPLES:
        return max(values) / min(values)
    lower, _, upper = statistics.quantiles(values, n=4, method="inclusive")
    return upper / lower


def cells_of(result: Result) -> list[Cell]:
    return [Cell(**cell) for cell in result["cells"]]


def _checked(path: Path, result: Result) -> Result:
    if result["format"] != FORMAT:
        raise Failure(f"{path} is of format {result['format']}, which this caucus does not know")
    missing = [part for part in PARTS if part not in result]
    if missing:
        raise Failure(f"{path} has no '{missing[0]}': another version of caucus wrote it")
    if not all(cell.samples and min(cell.samples) > 0 for cell in cells_of(result)):
        raise Failure(f"{path}: samples must be there and positive")
    return result


def read(path: Path) -> dict[str, Result]:
    """Results that were written by --json, by their benchmarks."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raw = None
    return results(raw, path)


def results(raw: Any, path: Path) -> dict[str, Result]:
    """Of what was read of the path, which may be a pipe."""
    try:
        checked = [_checked(path, result) for result in (raw if isinstance(raw, list) else [raw])]
        return {result["benchmark"]: result for result in checked}
    except (AttributeError, KeyError, TypeError, ValueError):
        raise Failure(f"{path} is no result of 'caucus bench NAME --json'") from None


class Compared(NamedTuple):
    """A cell before and after: medians in its unit, spreads, and time after over before."""

    cell: Cell
    before: float
    after: float
    spread_before: float
    spread_after: float
    ratio: float
    machine: float  # the same ratio of MPI's own ways
    verdict: str  # slower, faster, UNJUDGED, or nothing


def _machine(pairs: Iterable[tuple[Cell, Cell]]) -> dict[str, float]:
    """How many times as long MPI's own ways take now, by table: what has changed with them is the
    machine, not Caucus."""
    ratios: dict[str, list[float]] = {}
    for was, now in pairs:
        if was.of_mpi:
            ratios.setdefault(was.table, []).append(median(now.times) / median(was.times))
    return {table: median(found) for table, found in ratios.items()}


def _verdict(was: Cell, now: Cell, ratio: float, machine: float) -> str:
    """Beyond noise: by more than 5 % and by more than the spreads of both together, which few
    starts do not tell. A machine that has become slower is allowed for, one that has become faster
    is not."""
    if min(len(was.samples), len(now.samples)) < LEAST_SAMPLES:
        return UNJUDGED
    noise = max(NOISE, spread(was.samples) * spread(now.samples))
    if ratio / max(1.0, machine) > noise:
        return "slower"
    return "faster" if 1 / ratio > noise else ""


def check_alike(before: Result, after: Result) -> None:
    """after: what is to be measured, or has been."""
    for name in ALIKE:
        if before[name] != after[name]:
            raise Failure(
                f"results that differ in '{name}' can't be compared: "
                f"{before[name]} before, {after[name]} now"
            )


def compare(before: Result, after: Result) -> list[Compared]:
    """All cells that both have."""
    check_alike(before, after)
    was = {cell.key: cell for cell in cells_of(before)}
    pairs = [(was[cell.key], cell) for cell in cells_of(after) if cell.key in was]
    if not pairs:
        raise Failure("these results have no cell in common")
    machine = _machine(pairs)
    return [_compared(old, new, machine.get(old.table, 1.0)) for old, new in pairs]


def missing(before: Result, after: Result) -> list[str]:
    """Caucus's own cells that were there before and are not now, in words."""
    now = {cell.key for cell in cells_of(after)}
    return [
        f"{cell.way}, {cell.table}, {cell.size}"
        for cell in cells_of(before)
        if cell.key not in now and not cell.of_mpi
    ]


def _compared(was: Cell, now: Cell, machine: float) -> Compared:
    ratio = median(now.times) / median(was.times)
    return Compared(
        now,
        median(was.samples),
        median(now.samples),
        spread(was.samples),
        spread(now.samples),
        ratio,
        machine,
        "" if now.of_mpi else _verdict(was, now, ratio, machine),
    )


def tables(cells: list[Cell]) -> Iterator[tuple[str, str, list[str], list[tuple[int, list]]]]:
    """(title, unit, ways, [(size, median of each way or None)]) of each table."""
    for title in dict.fromkeys(cell.table for cell in cells):
        chosen = [cell for cell in cells if cell.table == title]
        ways = list(dict.fromkeys(cell.way for cell in chosen))
        found = {(cell.size, cell.way): median(cell.samples) for cell in chosen}
        sizes = sorted({cell.size for cell in chosen})
        lines = [(size, [found.get((size, way)) for way in ways]) for size in sizes]
        yield title, chosen[0].unit, ways, lines
