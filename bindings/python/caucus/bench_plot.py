# SPDX-License-Identifier: BSD-3-Clause
"""Plots of benchmarks as SVG: the medians of a table over sizes, both on logarithmic axes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape
from typing import NamedTuple, Optional

from .bench_figures import OWN
from .console import number, spoken

WIDTH, HEIGHT = 420, 250
LEFT, RIGHT, TOP, BOTTOM = 62, 14, 30, 36
LEGEND_LINE = 18
INK, PALE, RULE = "#24292f", "#57606a", "#d0d7de"
THEIRS = ("#24292f", "#6e7781", "#afb8c1")
OURS = ("#1a7f37", "#0969da", "#bc4c00", "#8250df")
FONT = 'font-family="system-ui, sans-serif"'
MOST_LABELS = 5


class Panel(NamedTuple):
    """A table to be drawn: (size, values), one value for each way."""

    title: str
    unit: str
    size: str
    ways: list[str]
    lines: list[tuple[int, list[Optional[float]]]]


class _Scale(NamedTuple):
    """A logarithmic axis from pixel to pixel."""

    least: float
    most: float
    begin: float
    end: float

    def at(self, value: float) -> float:
        if self.most <= self.least:
            return (self.begin + self.end) / 2
        part = math.log(value / self.least) / math.log(self.most / self.least)
        return self.begin + part * (self.end - self.begin)


def _text(x: float, y: float, words: str, anchor: str = "start", color: str = INK, size=12) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{color}" '
        f"{FONT}>{escape(words)}</text>"
    )


def _looks(ways: list[str]) -> list[tuple[str, str]]:
    """Colour and dashes of each way: MPI's own are grey and dashed."""
    counts = {True: 0, False: 0}
    found = []
    for way in ways:
        theirs = way.startswith(OWN)
        colors = THEIRS if theirs else OURS
        color = colors[counts[theirs] % len(colors)]
        counts[theirs] += 1
        found.append((color, ' stroke-dasharray="5 3"' if theirs else ""))
    return found


def _ticks(least: float, most: float) -> list[float]:
    """Powers of ten about the values; of many every second or third."""
    first, last = math.floor(math.log10(least)), math.ceil(math.log10(most))
    last = max(last, first + 1)
    step = -(-(last - first) // MOST_LABELS)
    return [10.0**power for power in range(first, last + step, step)]


def _axes(panel: Panel, across: _Scale, up: _Scale, ticks: list[float]) -> Iterator[str]:
    for tick in ticks:
        y = up.at(tick)
        yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{RULE}"/>'
        yield _text(LEFT - 6, y + 4, number(tick, 3), "end", PALE, 11)
    sizes = [size for size, _ in panel.lines]
    step = -(-len(sizes) // MOST_LABELS)
    for size in sizes[::step]:
        words = spoken(size) if panel.size == "bytes" else number(size)
        yield _text(across.at(max(size, 1)), HEIGHT - BOTTOM + 16, words, "middle", PALE, 11)
    if panel.size != "bytes":
        yield _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 4, panel.size, "middle", PALE, 11)


def _curve(panel: Panel, place: int, look: tuple[str, str], across: _Scale, up: _Scale) -> str:
    beside = 18 * (place - (len(panel.ways) - 1) / 2) if len(panel.lines) == 1 else 0
    points = [
        (across.at(max(size, 1)) + beside, up.at(values[place] or 1))
        for size, values in panel.lines
        if values[place]
    ]
    way = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in points)
    color, dashes = look
    line = f'<polyline points="{way}" fill="none" stroke="{color}" stroke-width="2"{dashes}/>'
    return f'{line}<g fill="{color}">{dots}</g>'


def height(panel: Panel) -> int:
    return HEIGHT + LEGEND_LINE * len(panel.ways) + 12


def inside(panel: Panel) -> str:
    """What is between <svg> and </svg>."""
    values = [value for _, line in panel.lines for value in line if value]
    sizes = [max(size, 1) for size, _ in panel.lines]
    ticks = _ticks(min(values), max(values))
    across = _Scale(min(sizes), max(sizes), LEFT + 10, WIDTH - RIGHT - 20)
    up = _Scale(ticks[0], ticks[-1], HEIGHT - BOTTOM, TOP)
    looks = _looks(panel.ways)
    parts = [_text(LEFT, 18, f"{panel.title}, {panel.unit}" if panel.title else "", size=13)]
    parts += _axes(panel, across, up, ticks)
    parts += [_curve(panel, at, look, across, up) for at, look in enumerate(looks)]
    for at, (way, (color, dashes)) in enumerate(zip(panel.ways, looks)):
        y = HEIGHT + LEGEND_LINE * at + 16
        line = f'<path d="M{LEFT} {y - 4}h28" stroke="{color}" stroke-width="2"{dashes}/>'
        parts += [line, _text(LEFT + 36, y, way)]
    return "".join(parts)


def _svg(width: int, tall: int, content: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {tall}" width="{width}" '
        f'height="{tall}"><rect width="100%" height="100%" fill="white"/>{content}</svg>'
    )


def plot(panel: Panel) -> str:
    """One of them."""
    return _svg(WIDTH, height(panel), inside(panel))


def plots(panels: list[Panel]) -> str:
    """All of them, two beside each other."""
    parts, y = [], 0
    for at in range(0, len(panels), 2):
        pair = panels[at : at + 2]
        for column, panel in enumerate(pair):
            parts.append(f'<g transform="translate({column * WIDTH} {y})">{inside(panel)}</g>')
        y += max(map(height, pair)) + 12
    return _svg(WIDTH * min(2, len(panels)), y, "".join(parts)) + "\n"
