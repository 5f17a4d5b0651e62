# SPDX-License-Identifier: BSD-3-Clause
"""What caucus map prints of a graph: before and after."""

from __future__ import annotations

from pathlib import Path

from rich.console import Group

from .console import duration, number, plain, table
from .graph import Placed
from .graph_files import Graph
from .plan import Range, Traffic


def graph_words(name: str, graph: Graph, placed: Placed) -> str:
    """mesh.graph: 1200 vertices, 6890 messages, 1200 ranks on 75 nodes"""
    nodes = f"{placed.nodes} node{'s' if placed.nodes > 1 else ''}"
    return (
        f"{Path(name).name}: {graph.vertices} vertices, {len(graph.edges)} messages, "
        f"{placed.ranks} ranks on {nodes}"
    )


def _range(of: Range) -> list:
    return [f"{of.min}..{of.max}", f"{of.mean:.3f}"]


def _verdict(placed: Placed) -> str:
    before, after = placed.given.jsum, placed.placed.jsum
    if after < before:
        gain = f"{100 * (1 - after / before):.0f} % less between nodes than without reordering"
    else:
        gain = "nothing to gain between nodes by reordering"
    return f"* {placed.method}: {gain}, in {duration(placed.seconds)}."


def graph_table(name: str, graph: Graph, placed: Placed) -> Group:
    rows = table()
    rows.add_column("  ", no_wrap=True)
    for heading in ("on-node", "mean", "off-node", "mean", "Jsum", "Jmax"):
        rows.add_column(heading, justify="right", no_wrap=True)

    def add(label: str, traffic: Traffic, inner: int, style: str) -> None:
        cells = [*_range(traffic.on), *_range(traffic.off)]
        rows.add_row(plain(label), *cells, number(traffic.jsum), number(traffic.jmax), style=style)
        for level, weights in placed.inner.items():
            rows.add_row(f"    {level}", *[""] * 4, number(weights[inner]), "", style="dim")

    add("  given", placed.given, 0, "")
    add(f"* {placed.method}", placed.placed, 1, "bold green")
    title = plain(graph_words(name, graph, placed), "bold")
    return Group(title, plain(""), rows, plain(""), plain(_verdict(placed)))


def graph_summary(name: str, graph: Graph, placed: Placed) -> dict:
    """The object that --json prints."""

    def entry(traffic: Traffic) -> dict:
        sums = {"jsum": traffic.jsum, "jmax": traffic.jmax, "total": traffic.total}
        return {**sums, "on": vars(traffic.on), "off": vars(traffic.off)}

    return {
        "graph": name,
        "vertices": graph.vertices,
        "messages": len(graph.edges),
        "ranks": placed.ranks,
        "nodes": placed.nodes,
        "method": placed.method,
        "given": entry(placed.given),
        "placed": entry(placed.placed),
        "inner": {
            level: {"given": given, "placed": after}
            for level, (given, after) in placed.inner.items()
        },
        "rank_of_vertex": placed.rank_of_vertex,
        "seconds": placed.seconds,
    }
