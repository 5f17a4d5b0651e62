# SPDX-License-Identifier: BSD-3-Clause
"""Draws a mapping: cells in the colour of their node, dark lines where neighbours are on different
nodes, without reordering and with."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from .coloring import color_nodes, touching
from .console import number
from .map_table import grid_words
from .plan import Plan
from .raster import neighbors, rectangles, turned, upright_lines
from .survey import Row, Survey

PANEL = 400  # what a panel may take, in pixels
PAGE = 860
MARGIN, GAP = 24, 28
LARGEST_CELL, READABLE = 34, 20
MOST_CELLS, MOST_SLICES = 192, 32  # what is drawn of an axis, and of the axis of the slices
CUT, INK, PALE = "#1f2428", "#24292f", "#57606a"
NO_LETTER = re.compile(r"[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # of XML 1.0


class Slice(NamedTuple):
    """A table of nodes with a name, empty where there is only one, and the number of each cell."""

    name: str
    rows: list[list[int]]
    cells: list[list[int]]


class View(NamedTuple):
    """Which axes go down and across, and which makes the slices (-1: there is no such axis)."""

    down: int
    across: int
    slices: int


def _view(plan: Plan) -> View:
    """Axes of one cell don't count; the shortest of three makes the slices."""
    axes = [axis for axis, size in enumerate(plan.dims) if size > 1]
    sliced = min(axes, key=lambda axis: plan.dims[axis]) if len(axes) > 2 else -1
    axes = [-1, -1] + [axis for axis in axes if axis != sliced]
    return View(axes[-2], axes[-1], sliced)


def _slices(plan: Plan, view: View, node_of_cell: Sequence[int]) -> list[Slice]:
    strides = [1] * len(plan.dims)
    for axis in range(len(plan.dims) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * plan.dims[axis + 1]

    def steps(axis: int, most: int) -> range:
        """What the cells along an axis add to the number of a cell."""
        if axis < 0:
            return range(1)
        return range(0, min(plan.dims[axis], most) * strides[axis], strides[axis])

    drawn = []
    for at, base in enumerate(steps(view.slices, MOST_SLICES)):
        cells = [
            [base + y + x for x in steps(view.across, MOST_CELLS)]
            for y in steps(view.down, MOST_CELLS)
        ]
        rows = [[node_of_cell[cell] for cell in row] for row in cells]
        name = f"axis {view.slices} = {at}" if view.slices >= 0 else ""
        drawn.append(Slice(name, rows, cells))
    return drawn


def _touching_cells(slices: list[Slice]) -> Iterator[tuple[int, int]]:
    """The node pairs of cells that touch, within a slice and from one to the next."""
    for part in slices:
        yield from neighbors(part.rows)
    for part, following in zip(slices, slices[1:]):
        for row, next_row in zip(part.rows, following.rows):
            yield from zip(row, next_row)


def _cut_short(plan: Plan, view: View) -> str:
    """What is left out of the picture, in words."""
    left_out = [
        f"the first {most} of {plan.dims[axis]} cells along axis {axis}"
        for axis, most in zip(view, (MOST_CELLS, MOST_CELLS, MOST_SLICES))
        if axis >= 0 and plan.dims[axis] > most
    ]
    return (
        f"Drawn: {' and '.join(left_out)}; the numbers are of the whole grid." if left_out else ""
    )


def _unit_steps(plan: Plan) -> list[bool]:
    """Along which axes the stencil has a step of one: only there a border is a cut edge."""
    found = [False] * len(plan.dims)
    for offset, weight in plan.stencil():
        moved = [axis for axis, step in enumerate(offset) if step]
        if len(moved) == 1 and abs(offset[moved[0]]) == 1 and weight > 0:
            found[moved[0]] = True
    return found


def escaped(words: str) -> str:
    """As text of XML. What has no place in it, as a file's name may have, is shown as such."""
    return escape(NO_LETTER.sub("\ufffd", words))


class Picture:
    """Collects the elements of an SVG file."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.width = 0.0
        self.height = 0.0

    def text(self, x: float, y: float, words: str, size=13, color=INK, style="") -> None:
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{color}"{style}>'
            f"{escaped(words)}</text>"
        )
        # A sans-serif letter is about 0.53 of its size wide.
        self.width = max(self.width, x + 0.53 * size * len(words) + MARGIN)
        self.height = max(self.height, y + MARGIN)

    def reserve(self, right: float, bottom: float) -> None:
        self.width = max(self.width, right + MARGIN)
        self.height = max(self.height, bottom + MARGIN)

    def finish(self, title: str) -> str:
        width, height = round(self.width), round(self.height)
        return "\n".join(
            [
                '<?xml version="1.0" encoding="UTF-8"?>',
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                f'viewBox="0 0 {width} {height}" '
                'font-family="Helvetica, Arial, DejaVu Sans, sans-serif">',
                f"<title>{escaped(title)}</title>",
                '<rect width="100%" height="100%" fill="#ffffff"/>',
                *self.parts,
                "</svg>\n",
            ]
        )


class Painter:
    """Draws slices of one grid, all in the same colours and size."""

    def __init__(self, plan: Plan, view: View, cell: float, colors: dict[int, str]):
        steps = _unit_steps(plan)
        self.cell = cell
        self.colors = colors
        self.rank_of_cell: Sequence[int] = range(plan.cells)
        self.line = min(max(1.0, min(2.2, cell * 0.14)) / cell, 0.3)  # in cells
        self.cuts = [axis >= 0 and steps[axis] for axis in (view.across, view.down)]
        self.wraps = [
            axis >= 0 and plan.periods[axis] and plan.dims[axis] <= MOST_CELLS
            for axis in (view.across, view.down)
        ]

    def _areas(self, rows: list[list[int]]) -> list[str]:
        paths: dict[str, list[str]] = {}
        for x, y, width, height, node in sorted(rectangles(rows)):
            path = paths.setdefault(self.colors[node], [])
            path.append(f"M{x} {y}h{width}v{height}h-{width}z")
        return [f'<path fill="{color}" d="{"".join(d)}"/>' for color, d in sorted(paths.items())]

    def _raster(self, rows: list[list[int]]) -> str:
        height, width = len(rows), len(rows[0])
        lines = [f"M{x} 0v{height}" for x in range(1, width)]
        lines += [f"M0 {y}h{width}" for y in range(1, height)]
        return (
            f'<path fill="none" stroke="#ffffff" stroke-opacity="0.55" '
            f'stroke-width="{0.8 / self.cell:.4g}" d="{"".join(lines)}"/>'
        )

    def _borders(self, rows: list[list[int]]) -> list[str]:
        strong, weak = [], []
        for x, y, length in upright_lines(rows, self.wraps[0]):
            (strong if self.cuts[0] else weak).append(f"M{x} {y}v{length}")
        for y, x, length in upright_lines(turned(rows), self.wraps[1]):
            (strong if self.cuts[1] else weak).append(f"M{x} {y}h{length}")
        frame = f"M0 0h{len(rows[0])}v{len(rows)}h-{len(rows[0])}z"
        return [
            f'<path fill="none" stroke="{PALE}" stroke-width="{0.7 / self.cell:.4g}" '
            f'd="{frame}{"".join(weak)}"/>',
            f'<path class="cut" fill="none" stroke="{CUT}" stroke-width="{self.line:.4g}" '
            f'stroke-linecap="square" d="{"".join(strong)}"/>',
        ]

    def _ranks(self, picture: Picture, x: float, y: float, part: Slice) -> None:
        """The rank in each cell, where there is room."""
        longest = len(str(max(self.rank_of_cell)))
        size = min(11, self.cell * 0.42, 1.6 * self.cell / longest)
        picture.parts.append(f'<g font-size="{size:.3g}" text-anchor="middle" fill="{INK}">')
        for down, row in enumerate(part.cells):
            base = y + (down + 0.5) * self.cell + 0.36 * size
            for across, cell in enumerate(row):
                middle = x + (across + 0.5) * self.cell
                rank = self.rank_of_cell[cell]
                picture.parts.append(f'<text x="{middle:g}" y="{base:g}">{rank}</text>')
        picture.parts.append("</g>")

    def draw(self, picture: Picture, x: float, y: float, part: Slice) -> None:
        rows = part.rows
        scale = f'<g transform="translate({x:g} {y:g}) scale({self.cell:g})">'
        picture.parts += [scale, '<g shape-rendering="crispEdges">', *self._areas(rows), "</g>"]
        if self.cell >= 6:
            picture.parts.append(self._raster(rows))
        picture.parts += [*self._borders(rows), "</g>"]
        if self.cell >= READABLE:
            self._ranks(picture, x, y, part)
        picture.reserve(x + self.cell * len(rows[0]), y + self.cell * len(rows))


def _caption(picture: Picture, x: float, y: float, heading: str, row: Row) -> None:
    traffic = row.traffic
    picture.text(x, y, heading, 14, INK, ' font-weight="bold"')
    picture.text(
        x, y + 18, f"between nodes {number(traffic.jsum)}, worst node {number(traffic.jmax)}", 12
    )
    off = traffic.off
    picture.text(
        x,
        y + 34,
        f"neighbours on other nodes {off.min} to {off.max}, mean {off.mean:.3f}",
        12,
        PALE,
    )


CAPTION = 48


def _draw_mapping(
    picture: Picture, painter: Painter, slices: list[Slice], at: tuple[float, float]
) -> float:
    """Draws slices in lines as long as the page; returns where they end at the bottom."""
    left, y = at
    height, width = len(slices[0].rows), len(slices[0].rows[0])
    step = painter.cell * width + GAP * 0.6
    per_line = max(1, int((PAGE + GAP) // step)) if len(slices) > 1 else 1
    name = 16 if slices[0].name else 0
    for first in range(0, len(slices), per_line):
        for place, part in enumerate(slices[first : first + per_line]):
            x = left + place * step
            if name:
                picture.text(x, y + 10, part.name, 10, PALE)
            painter.draw(picture, x, y + name, part)
        y += name + painter.cell * height + GAP * 0.6
    return y


def _cell_size(slices: list[Slice]) -> float:
    height, width = len(slices[0].rows), len(slices[0].rows[0])
    room = PANEL if 2.2 * height >= width else PAGE
    if len(slices) > 1:
        room = max(PAGE / min(len(slices), 6) - GAP, 90)
    return max(1.5, min(LARGEST_CELL, room / max(height, width)))


def _legend(picture: Picture, plan: Plan, colors: dict[int, str], y: float) -> float:
    """Names the nodes, where every node has a colour of its own."""
    if len(set(colors.values())) < len(colors) or plan.parts() > 10:
        return y
    x = MARGIN
    for node in sorted(colors):
        name = plan.node_name(node) or f"node {node}"
        if x > PAGE - 80:
            x, y = MARGIN, y + 20
        picture.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="12" height="12" fill="{colors[node]}"/>'
        )
        picture.text(x + 17, y + 10.5, name, 12, PALE)
        x += 17 + 7 * len(name) + 18
    return y + 26


def _notes(plan: Plan, view: View, found: Survey, readable: bool) -> list[str]:
    words = "A number in a cell is its rank; a" if readable else "A"
    lines = [
        f"{words} dark line: neighbours on different nodes (at a periodic border, those across it)."
    ]
    if view.slices >= 0:
        lines.append("Edges from slice to slice are counted, not drawn.")
    if found.bound > 0:
        lines.append(f"No mapping has less than {number(found.bound)} between nodes.")
    return lines + [line for line in [_cut_short(plan, view)] if line]


def draw(plan: Plan, found: Survey) -> str:
    """The SVG file as text."""
    view, picture = _view(plan), Picture()
    rows = [("Without reordering", found.given), (f"Mapped by {found.chosen.name}", found.chosen)]
    slices = [_slices(plan, view, row.node_of_cell) for _, row in rows]
    colors = color_nodes(touching(itertools.chain.from_iterable(map(_touching_cells, slices))))
    painter = Painter(plan, view, _cell_size(slices[0]), colors)
    title = grid_words(plan)
    picture.text(MARGIN, MARGIN + 14, title, 17, INK, ' font-weight="bold"')
    top = y = MARGIN + 48
    x = MARGIN
    for (heading, row), parts in zip(rows, slices):
        _caption(picture, x, y, heading, row)
        if row is not found.given and painter.cell >= READABLE:
            painter.rank_of_cell = plan.rank_of_cell()
        bottom = _draw_mapping(picture, painter, parts, (x, y + CAPTION))
        if view.slices < 0 and 2.2 * len(parts[0].rows) >= len(parts[0].rows[0]):
            x += max(painter.cell * len(parts[0].rows[0]), 300) + GAP  # side by side
            y = top
        else:
            y = bottom + GAP
    y = _legend(picture, plan, colors, bottom + 6)
    for line in _notes(plan, view, found, painter.cell >= READABLE):
        picture.text(MARGIN, y + 12, line, 12, PALE)
        y += 18
    return picture.finish(title)
