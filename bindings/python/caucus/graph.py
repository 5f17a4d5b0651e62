# SPDX-License-Identifier: BSD-3-Clause
"""Graphs of ranks placed on a machine. Nothing here needs MPI."""

from __future__ import annotations

import os
import time
from array import array
from ctypes import byref, c_int32, c_int64
from dataclasses import dataclass

from .graph_files import Graph
from .library import CGraphOutcome, load
from .plan import LEVEL_NAMES, Traffic, check, traffic_of


@dataclass(frozen=True)
class Placed:
    """Which rank takes which vertex, and what that gains."""

    method: str
    ranks: int
    nodes: int
    given: Traffic
    placed: Traffic
    inner: dict[str, tuple[float, float]]  # by level within nodes: the weight as given, as placed
    rank_of_vertex: list[int]
    nodes_given: list[int]  # of each vertex, if rank v takes vertex v
    nodes_placed: list[int]
    seconds: float


def place(graph: Graph, machine: str, ranks: int = 0) -> Placed:
    """See caucus_plan_graph in include/caucus/plan.h for the words of the machine."""
    count, edges = graph.vertices, sorted(graph.edges)
    starts = [0] * (count + 1)
    for source, _, _ in edges:
        starts[source + 1] += 1
    for vertex in range(count):
        starts[vertex + 1] += starts[vertex]
    to = array("i", [edge[1] for edge in edges])
    weights = array("i", [edge[2] for edge in edges])
    rank_of, node_of = (c_int32 * count)(), (c_int32 * (2 * count))()
    outcome = CGraphOutcome()
    begin = time.perf_counter()
    check(
        load().caucus_plan_graph(
            count,
            (c_int64 * (count + 1))(*starts),
            (c_int32 * max(1, len(to))).from_buffer_copy(to or array("i", [0])),
            (c_int32 * max(1, len(to))).from_buffer_copy(weights or array("i", [0])),
            os.fsencode(machine),
            ranks,
            rank_of,
            node_of,
            byref(outcome),
        )
    )
    levels = LEVEL_NAMES[1 : outcome.levels]
    return Placed(
        os.fsdecode(outcome.method),
        outcome.ranks,
        outcome.nodes,
        traffic_of(outcome.given),
        traffic_of(outcome.placed),
        dict(zip(levels, zip(outcome.inner_given, outcome.inner_placed))),
        list(rank_of),
        list(node_of[:count]),
        list(node_of[count:]),
        time.perf_counter() - begin,
    )
