# SPDX-License-Identifier: BSD-3-Clause
"""Graphs of ranks: meshes and matrices that were divided among ranks, and random geometric graphs.

A mesh is a Delaunay triangulation of random points, evenly or with most of them near a corner,
divided among ranks by recursive coordinate bisection, which numbers ranks as programs do. Two ranks
exchange as many numbers as there are edges of the mesh between their parts. A matrix is divided
into blocks of rows, and a rank sends each of its entries of the vector once to each rank that needs
it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

SEEDS = range(10)
RANKS = (96, 480, 1024)
PER_NODE = (8, 16, 24, 48)


class Case(NamedTuple):
    name: str
    family: str
    vertices: int
    edges: dict[tuple[int, int], int]  # (from, to): weight
    per_node: int


def _bisected(points: np.ndarray, parts: int) -> np.ndarray:
    """The part of each point: halves along the longest side, and so on."""
    part = np.zeros(len(points), dtype=np.int64)

    def divide(members: np.ndarray, first: int, count: int) -> None:
        if count == 1:
            part[members] = first
            return
        spread = points[members].max(axis=0) - points[members].min(axis=0)
        order = members[np.argsort(points[members, spread.argmax()], kind="stable")]
        lower = count // 2
        at = len(order) * lower // count
        divide(order[:at], first, lower)
        divide(order[at:], first + lower, count - lower)

    divide(np.arange(len(points)), 0, parts)
    return part


def _mesh(seed: int, dimensions: int, ranks: int, graded: bool) -> Counter:
    from scipy.spatial import Delaunay

    random = np.random.default_rng(1000 * seed + 10 * dimensions + graded)
    points = random.random((24 * ranks, dimensions))
    if graded:
        points = points**2.5
    part = _bisected(points, ranks)
    corners = Delaunay(points).simplices
    pairs = {
        (min(a, b), max(a, b))
        for i in range(dimensions + 1)
        for j in range(i)
        for a, b in zip(corners[:, i].tolist(), corners[:, j].tolist())
    }
    edges: Counter = Counter()
    for a, b in pairs:
        if part[a] != part[b]:
            edges[int(part[a]), int(part[b])] += 1
            edges[int(part[b]), int(part[a])] += 1
    return edges


def _geometric(seed: int, dimensions: int, ranks: int) -> Counter:
    """Ranks at random points, numbered by bisection; those talk that are near each other."""
    from scipy.spatial import cKDTree

    random = np.random.default_rng(7 * seed + dimensions)
    points = random.random((ranks, dimensions))
    points = points[np.argsort(_bisected(points, ranks))]
    radius = (8 / ranks / (np.pi if dimensions == 2 else 4.19)) ** (1 / dimensions)
    edges: Counter = Counter()
    for a, b in cKDTree(points).query_pairs(radius):
        edges[a, b] = edges[b, a] = 1
    return edges


def _matrix(name: str, ranks: int) -> Counter:
    from pyamg.gallery import load_example

    matrix = load_example(name)["A"].tocoo()
    rows = matrix.shape[0]
    owner = np.arange(rows) * ranks // rows
    needed = {
        (int(column), int(owner[row]))
        for row, column in zip(matrix.row.tolist(), matrix.col.tolist())
        if owner[row] != owner[column]
    }
    return Counter((int(owner[column]), to) for column, to in needed)


def _all() -> Iterator[tuple[str, str, int, Counter]]:
    from pyamg.gallery.example import example_names

    for ranks in RANKS:
        for seed in SEEDS:
            for dimensions in (2, 3):
                graded = seed % 2 == 1
                kind = "graded" if graded else "even"
                name = f"mesh{dimensions}d-{kind}-{ranks}-{seed}"
                family = f"meshes, {dimensions}-D"
                yield name, family, ranks, _mesh(seed, dimensions, ranks, graded)
            dimensions = 2 + seed % 2
            name = f"geometric{dimensions}d-{ranks}-{seed}"
            yield name, "random geometric", ranks, _geometric(seed, dimensions, ranks)
    for name in example_names:
        for ranks in (32, 64, 96):
            yield f"{name}-{ranks}", "matrices", ranks, _matrix(name, ranks)


def cases() -> Iterator[Case]:
    for number, (name, family, ranks, edges) in enumerate(_all()):
        yield Case(name, family, ranks, dict(edges), PER_NODE[number % len(PER_NODE)])


def write(file, case: Case) -> None:
    """As bench/plan_graphs.c reads it."""
    file.write(f"{case.name} {case.vertices} {len(case.edges)} {case.per_node}\n")
    for (a, b), weight in sorted(case.edges.items()):
        file.write(f"{a} {b} {weight}\n")
