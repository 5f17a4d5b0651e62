# SPDX-License-Identifier: BSD-3-Clause
"""Draws who waits for whom: ranks on a circle, arrows to those that they wait for."""

from __future__ import annotations

import math
import textwrap
from typing import NamedTuple

from . import waits
from .svg import INK, MARGIN, PALE, Picture, escaped

MOST_RANKS = 64  # that are drawn
NODE, APART = 15, 22  # the radius of a rank, and what is left between two on the circle, in pixels
SMALLEST = 80  # radius of the circle
# Arrows bend inwards, past the ranks between, in parts of their length and at most so many pixels;
# of two that are opposite one does so more than the other, so that both are seen.
BENDS = ((0.3, 34), (0.6, 62))
NARROWEST, LINE = 460, 19
TEXT = 6.4  # about the width of a letter


class Look(NamedTuple):
    name: str
    fill: str
    edge: str
    dashes: str


CYCLE = Look("in a cycle", "#ffd7d5", "#cf222e", "")
OUTSIDE = Look("in no call of Caucus", "#ffffff", "#57606a", "4 3")
WAITS = Look("waits", "#d6e6f7", "#24292f", "")
INSIDE = Look("in a call, waits for nobody", "#ffffff", "#24292f", "")
SILENT = Look("not heard of", "#eaeef2", "#8c959f", "1 3")
LOOKS = (CYCLE, WAITS, INSIDE, OUTSIDE, SILENT)

Point = tuple[float, float]


def _awaited(look: Look) -> Look:
    """Of one that is waited for and waits for nobody itself."""
    return look._replace(name=f"{look.name}, and waited for", fill="#fff1c9", edge="#bf8700")


class Scene:
    """What is drawn, and where."""

    def __init__(self, told: dict[int, list[waits.Wait]], ranks: int):
        self.told = told
        self.graph = waits.edges(told)
        self.ring = waits.cycle(self.graph) or []
        self.culprits = waits.culprits(self.graph)
        self.shown = self._shown(ranks)
        radius = max(SMALLEST, len(self.shown) * (2 * NODE + APART) / (2 * math.pi))
        self.height = 2 * (radius + 2 * NODE)
        self.width = max(self.height, NARROWEST)
        self.center = (MARGIN + self.width / 2, MARGIN + 30 + self.height / 2)
        self.place = {
            rank: self._on_circle(radius, 2 * math.pi * i / len(self.shown))
            for i, rank in enumerate(self.shown)
        }

    def _on_circle(self, radius: float, angle: float) -> Point:
        """Clockwise from the top."""
        x, y = self.center
        return x + radius * math.sin(angle), y - radius * math.cos(angle)

    def _shown(self, ranks: int) -> list[int]:
        """Where there are too many: the cycle, who is waited for, who waits, the others."""
        waiting = [rank for rank, others in self.graph.items() if others]
        everybody = range(max([ranks, *(rank + 1 for rank in self.told)]))
        order = dict.fromkeys([*self.ring, *self.culprits, *waiting, *everybody])
        return sorted(list(order)[:MOST_RANKS])

    def look(self, rank: int) -> Look:
        look = self._own_look(rank)
        return _awaited(look) if rank in self.culprits else look

    def _own_look(self, rank: int) -> Look:
        if rank in self.ring:
            return CYCLE
        if rank not in self.told:
            return SILENT
        if self.graph[rank]:
            return WAITS
        outside = any(wait.text.startswith("in no call") for wait in self.told[rank])
        return OUTSIDE if outside else INSIDE

    def in_cycle(self, rank: int, other: int) -> bool:
        at = self.ring.index(rank) if rank in self.ring else -1
        return at >= 0 and self.ring[(at + 1) % len(self.ring)] == other


def _bend(scene: Scene, rank: int, other: int) -> Point:
    """The point that the arrow is drawn to; where the middle is on its way, to its right."""
    start, end = scene.place[rank], scene.place[other]
    across, down = end[0] - start[0], end[1] - start[1]
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    inwards = -down * (scene.center[0] - x) + across * (scene.center[1] - y)
    opposite = abs(inwards) < 1
    both = rank in scene.graph.get(other, [])
    part, most = BENDS[both and rank > other and not opposite]
    length = math.hypot(across, down)
    by = min(part * length, most) / length * (-1 if inwards < 0 and not opposite else 1)
    return x - down * by, y + across * by


def _arrow(start: Point, end: Point, bend: Point, color: str, width: float) -> str:
    """From the edge of one rank to that of the other."""

    def edge(rank: Point, gap: float) -> Point:
        reach = math.hypot(bend[0] - rank[0], bend[1] - rank[1])
        part = (NODE + gap) / reach
        return rank[0] + (bend[0] - rank[0]) * part, rank[1] + (bend[1] - rank[1]) * part

    begin, tip = edge(start, 1), edge(end, 7 if width > 2 else 6)
    return (
        f'<path class="wait" fill="none" stroke="{color}" stroke-width="{width:g}" '
        f'marker-end="url(#{"cycle" if color == CYCLE.edge else "tip"})" '
        f'd="M{begin[0]:.1f} {begin[1]:.1f}Q{bend[0]:.1f} {bend[1]:.1f} '
        f'{tip[0]:.1f} {tip[1]:.1f}"/>'
    )


def _tip(name: str, color: str) -> str:
    return (
        f'<marker id="{name}" viewBox="0 0 8 8" refX="2" refY="4" markerWidth="8" '
        f'markerHeight="8" markerUnits="userSpaceOnUse" orient="auto">'
        f'<path d="M0 0L8 4L0 8z" fill="{color}"/></marker>'
    )


def _circle(at: Point, look: Look, radius: float) -> str:
    dashes = f' stroke-dasharray="{look.dashes}"' if look.dashes else ""
    return (
        f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{radius:g}" fill="{look.fill}" '
        f'stroke="{look.edge}" stroke-width="1.8"{dashes}/>'
    )


def _arrows(picture: Picture, scene: Scene) -> None:
    """Those of the cycle last, above the others."""
    pairs = [
        (scene.in_cycle(rank, other), rank, other)
        for rank in scene.shown
        for other in scene.graph.get(rank, [])
        if other in scene.place
    ]
    for ring, rank, other in sorted(pairs):
        color, width = (CYCLE.edge, 2.6) if ring else (PALE, 1.3)
        bend = _bend(scene, rank, other)
        picture.parts.append(_arrow(scene.place[rank], scene.place[other], bend, color, width))


def _ranks(picture: Picture, scene: Scene) -> None:
    for rank, (x, y) in scene.place.items():
        said = "\n".join(wait.text for wait in scene.told.get(rank, [])) or "it said nothing"
        look = scene.look(rank)
        picture.parts.append(
            f'<g class="rank"><title>rank {rank}: {escaped(said)}</title>'
            f"{_circle((x, y), look, NODE)}"
            f'<text x="{x:.1f}" y="{y + 4.5:.1f}" text-anchor="middle" font-size="12" '
            f'fill="{INK}">{rank}</text></g>'
        )
        picture.reserve(x + 2 * NODE, y + 2 * NODE)


def _legend(picture: Picture, scene: Scene, y: float) -> float:
    seen = {scene.look(rank) for rank in scene.shown}
    looks = [look for plain in LOOKS for look in (plain, _awaited(plain)) if look in seen]
    x = float(MARGIN)
    for look in looks:
        if x > MARGIN and x + 24 + TEXT * len(look.name) > MARGIN + NARROWEST:
            x, y = MARGIN, y + LINE
        picture.parts.append(_circle((x + 7, y - 4), look, 6))
        picture.text(x + 19, y, look.name, 12, PALE)
        x += 19 + TEXT * len(look.name) + 16
    return y + LINE


def draw(told: dict[int, list[waits.Wait]], ranks: int) -> str:
    """The SVG file as text."""
    scene, picture = Scene(told, ranks), Picture()
    title = "Who waits for whom"
    picture.text(MARGIN, MARGIN + 14, title, 17, INK, ' font-weight="bold"')
    picture.parts += ["<defs>", _tip("tip", PALE), _tip("cycle", CYCLE.edge), "</defs>"]
    _arrows(picture, scene)
    _ranks(picture, scene)
    y = _legend(picture, scene, MARGIN + 30 + scene.height + 14)
    sentences = waits.verdict(told, ranks)
    hidden = max([ranks, *(rank + 1 for rank in told)]) - len(scene.shown)
    if hidden:
        sentences.append(f"{hidden} more ranks are not drawn")
    for sentence in sentences:
        for line in textwrap.wrap(sentence, int(scene.width / TEXT)):
            picture.text(MARGIN, y + 6, line, 12)
            y += LINE
    picture.reserve(MARGIN + scene.width, y)
    return picture.finish(title)
