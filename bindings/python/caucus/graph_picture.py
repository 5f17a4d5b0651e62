# SPDX-License-Identifier: BSD-3-Clause
"""Draws a graph as a table of who sends to whom, vertices sorted by their nodes: what stays on a
node lies in its square on the diagonal, what leaves it does not. Without reordering and with."""

from __future__ import annotations

from collections.abc import Sequence

from .coloring import PALETTE
from .console import number
from .graph import Placed
from .graph_files import Graph
from .graph_table import graph_words
from .plan import Traffic
from .svg import CUT, INK, MARGIN, PALE, PANEL, Picture

MOST = 200  # cells along a side
GAP, CAPTION = 28, 48


def _order(nodes: Sequence[int], ranks: Sequence[int]) -> list[int]:
    """The place of each vertex."""
    place = [0] * len(nodes)
    by_node = sorted(range(len(nodes)), key=lambda vertex: (nodes[vertex], ranks[vertex]))
    for at, vertex in enumerate(by_node):
        place[vertex] = at
    return place


def _squares(nodes: Sequence[int], scale: float) -> list[str]:
    """A square for each node."""
    parts, ordered, first = [], sorted(nodes), 0
    for at in range(1, len(ordered) + 1):
        if at < len(ordered) and ordered[at] == ordered[first]:
            continue
        color = PALETTE[ordered[first] % len(PALETTE)]
        x, side = first * scale, (at - first) * scale
        parts.append(
            f'<rect x="{x:.4g}" y="{x:.4g}" width="{side:.4g}" height="{side:.4g}" '
            f'fill="{color}" fill-opacity="0.35"/>'
        )
        first = at
    return parts


def _cells(graph: Graph, nodes: Sequence[int], place: Sequence[int], scale: float) -> list[str]:
    """Cells with messages that stay, and darker ones with some that leave."""
    leaving: dict[tuple[int, int], bool] = {}
    for source, target, weight in graph.edges:
        if source == target or weight == 0:
            continue
        cell = (int(place[target] * scale), int(place[source] * scale))
        leaving[cell] = leaving.get(cell, False) or nodes[source] != nodes[target]
    paths = {True: "", False: ""}
    for (x, y), leaves in sorted(leaving.items()):
        paths[leaves] += f"M{x} {y}h1v1h-1z"
    return [
        f'<path class="on" fill="{PALE}" d="{paths[False]}"/>',
        f'<path class="off" fill="{CUT}" d="{paths[True]}"/>',
    ]


def _panel(
    picture: Picture, x: float, heading: str, traffic: Traffic, cells: list[str], side: int
) -> None:
    top = MARGIN + 48
    pixels = PANEL / side
    picture.text(x, top, heading, 14, INK, ' font-weight="bold"')
    words = f"between nodes {number(traffic.jsum)}, worst node {number(traffic.jmax)}"
    picture.text(x, top + 18, words, 12)
    picture.parts += [
        f'<g transform="translate({x:g} {top + CAPTION:g}) scale({pixels:.5g})" '
        'shape-rendering="crispEdges">',
        *cells,
        f'<path fill="none" stroke="{PALE}" stroke-width="{0.8 / pixels:.3g}" '
        f'd="M0 0h{side}v{side}h-{side}z"/>',
        "</g>",
    ]
    picture.reserve(x + PANEL, top + CAPTION + PANEL)


def draw(graph: Graph, placed: Placed, name: str) -> str:
    """The SVG file as text."""
    picture = Picture()
    title = graph_words(name, graph, placed)
    picture.text(MARGIN, MARGIN + 14, title, 17, INK, ' font-weight="bold"')
    side = min(graph.vertices, MOST)
    scale = side / graph.vertices
    panels = [
        ("Without reordering", placed.given, placed.nodes_given, range(graph.vertices)),
        (f"Placed: {placed.method}", placed.placed, placed.nodes_placed, placed.rank_of_vertex),
    ]
    for at, (heading, traffic, nodes, ranks) in enumerate(panels):
        cells = _squares(nodes, scale) + _cells(graph, nodes, _order(nodes, ranks), scale)
        _panel(picture, MARGIN + at * (PANEL + GAP), heading, traffic, cells, side)
    y = MARGIN + 48 + CAPTION + PANEL + 22
    for line in (
        "Vertices sorted by their nodes; a row is a sender, a column a receiver. What lies in a",
        "square stays on that node, what is dark leaves it.",
    ):
        picture.text(MARGIN, y, line, 12, PALE)
        y += 18
    return picture.finish(title)
