# SPDX-License-Identifier: BSD-3-Clause
"""Turns a table of node numbers into few rectangles and few lines, in units of cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Table = Sequence[Sequence[int]]


def neighbors(rows: Table) -> Iterator[tuple[int, int]]:
    """The node pairs of cells that touch, also at a corner; a lone cell pairs with itself."""
    for y, row in enumerate(rows):
        for x, node in enumerate(row):
            yield node, node
            if x + 1 < len(row):
                yield node, row[x + 1]
            if y + 1 < len(rows):
                yield node, rows[y + 1][x]
                if x + 1 < len(row):
                    yield node, rows[y + 1][x + 1]
                    yield row[x + 1], rows[y + 1][x]


def _runs(row: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """(first, length, node) of equal neighbours in a row."""
    first = 0
    for x in range(1, len(row) + 1):
        if x == len(row) or row[x] != row[first]:
            yield first, x - first, row[first]
            first = x


def rectangles(rows: Table) -> Iterator[tuple[int, int, int, int, int]]:
    """(x, y, width, height, node): runs of a row, joined with the same runs of the rows below."""
    growing: dict[tuple[int, int, int], int] = {}
    for y, row in enumerate(rows):
        here = set(_runs(row))
        for run in [run for run in growing if run not in here]:
            top = growing.pop(run)
            yield run[0], top, run[1], y - top, run[2]
        for run in here:
            growing.setdefault(run, y)
    for (x, width, node), top in growing.items():
        yield x, top, width, len(rows) - top, node


def _segments(cut: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """(first, length) of the stretches that are true."""
    first = None
    for at, is_cut in enumerate(list(cut) + [False]):
        if is_cut and first is None:
            first = at
        elif not is_cut and first is not None:
            yield first, at - first
            first = None


def upright_lines(rows: Table, wraps: bool) -> Iterator[tuple[int, int, int]]:
    """(x, y, length): where cells side by side lie on different nodes; at both borders where the
    axis wraps round."""
    width = len(rows[0])
    for x in range(1, width):
        for y, length in _segments([row[x - 1] != row[x] for row in rows]):
            yield x, y, length
    if wraps and width > 1:
        for y, length in _segments([row[0] != row[-1] for row in rows]):
            yield 0, y, length
            yield width, y, length


def turned(rows: Table) -> list[tuple[int, ...]]:
    """Columns as rows, so that level lines are the upright ones of the turned table."""
    return list(zip(*rows))
