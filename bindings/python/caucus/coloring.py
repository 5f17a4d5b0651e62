# SPDX-License-Identifier: BSD-3-Clause
"""Colours for nodes such that nodes that touch differ. Greedy, most neighbours first (Welsh and
Powell, 1967); of the colours allowed the one used least, so that all of them are used."""

from __future__ import annotations

import colorsys
from collections.abc import Iterable, Sequence

PALETTE = "#5b9bd5 #f2a950 #7fbf6a #e07b73 #a48fd1 #e8d36a #65c3bd #e49ac1 #b99a78 #a3adb5".split()


def touching(pairs: Iterable[tuple[int, int]]) -> dict[int, set[int]]:
    """The graph of nodes, from the nodes of cells that lie side by side."""
    graph: dict[int, set[int]] = {}
    for a, b in pairs:
        graph.setdefault(a, set())
        graph.setdefault(b, set())
        if a != b:
            graph[a].add(b)
            graph[b].add(a)
    return graph


def _more_colors() -> Iterable[str]:
    """Beyond the palette: hues a golden section apart."""
    yield from PALETTE
    step = 0
    while True:
        step += 1
        light = (0.62, 0.75, 0.5)[step % 3]
        red, green, blue = colorsys.hls_to_rgb(step * 0.618034 % 1, light, 0.55)
        yield f"#{round(255 * red):02x}{round(255 * green):02x}{round(255 * blue):02x}"


def color_nodes(graph: dict[int, set[int]], preferred: int = 6) -> dict[int, str]:
    """A colour for each node; more than the preferred number of colours only where needed, or
    where each node can have its own."""
    if len(graph) <= len(PALETTE):
        return dict(zip(sorted(graph), PALETTE))
    index: dict[int, int] = {}
    used: list[int] = [0] * preferred
    for node in sorted(graph, key=lambda node: (-len(graph[node]), node)):
        taken = {index[other] for other in graph[node] if other in index}
        allowed = [color for color in range(len(used)) if color not in taken]
        if not allowed:
            allowed = [len(used)]
            used.append(0)
        index[node] = min(allowed, key=lambda color: (used[color], color))
        used[index[node]] += 1
    names: Sequence[str] = [name for name, _ in zip(_more_colors(), used)]
    return {node: names[color] for node, color in index.items()}
