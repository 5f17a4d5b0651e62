# SPDX-License-Identifier: BSD-3-Clause
"""Reads graphs of ranks: lists of edges, files of METIS, and sparse matrices of Matrix Market."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, NoReturn

from .errors import UsageError

MOST, MOST_EDGES = 2**31 - 1, 2**60
FORMATS = ("edges", "metis", "matrix-market")
BY_SUFFIX = {".mtx": "matrix-market", ".graph": "metis", ".metis": "metis"}
MIRRORED = ("symmetric", "skew-symmetric", "hermitian")
WHOLE = re.compile(r"[+-]?[0-9]+")
LONGEST = 19  # of such a number: 18 digits and a sign


class Graph(NamedTuple):
    """Messages from rank to rank, each with a weight."""

    vertices: int
    edges: list[tuple[int, int, int]]


class Line(NamedTuple):
    file: str
    number: int
    words: list[str]

    def fail(self, problem: str) -> NoReturn:
        raise UsageError(f"{self.file}, line {self.number}: {problem}")

    def integer(self, word: str, least: int, most: int = MOST) -> int:
        if not WHOLE.fullmatch(word):
            self.fail(f"'{word}' is no whole number")
        if len(word) > LONGEST or not least <= int(word) <= most:
            self.fail(f"{word} is not from {least} to {most}")
        return int(word)


def _lines(path: Path, comment: str) -> Iterator[Line]:
    """All lines that are no comments, empty ones among them. To be asked for once: the path may be
    that of a pipe."""
    try:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
    for number, line in enumerate(text.splitlines(), 1):
        if not line.lstrip().startswith(tuple(comment)):
            yield Line(str(path), number, line.split())


def _edges(path: Path) -> Graph:
    """A pair of ranks per line, from 0, and perhaps a weight: they talk to each other."""
    edges, vertices = [], 0
    for line in _lines(path, "#%"):
        if not line.words:
            continue
        if len(line.words) > 3 or len(line.words) < 2:
            line.fail("two ranks are expected, and perhaps a weight")
        a, b = (line.integer(word, 0, MOST - 1) for word in line.words[:2])
        weight = line.integer(line.words[2], 0) if len(line.words) > 2 else 1
        edges += [(a, b, weight), (b, a, weight)]
        vertices = max(vertices, a + 1, b + 1)
    return Graph(vertices, edges)


def _metis_form(header: Line) -> tuple[int, int]:
    """How many words a line has before its neighbours, and how many each of these takes."""
    words = header.words
    kind = words[2] if len(words) > 2 else "0"
    if not re.fullmatch("[01]{1,3}", kind):
        header.fail(f"'{kind}' is no format: it has up to three digits, each 0 or 1")
    kind = kind.zfill(3)
    weights = header.integer(words[3], 1) if len(words) > 3 else 1
    skipped = (kind[0] == "1") + (weights if kind[1] == "1" else 0)
    return skipped, 2 if kind[2] == "1" else 1


def _metis(path: Path) -> Graph:
    """A line per vertex with its neighbours, from 1; weights of vertices don't count."""
    lines = _lines(path, "%")
    header = next((line for line in lines if line.words), None)
    if header is None or len(header.words) < 2:
        raise UsageError(f"{path}: the first line must have the numbers of vertices and edges")
    vertices = header.integer(header.words[0], 0)
    announced = header.integer(header.words[1], 0, MOST_EDGES)
    skipped, step = _metis_form(header)
    edges, vertex = [], 0
    for line in lines:
        if vertex == vertices and line.words:
            line.fail(f"there are more than {vertices} vertices")
        words = line.words[skipped:]
        if len(words) % step:
            line.fail("a weight is missing")
        for at in range(0, len(words), step):
            other = line.integer(words[at], 1, vertices) - 1
            edges.append((vertex, other, line.integer(words[at + 1], 0) if step == 2 else 1))
        vertex += vertex < vertices
    if vertex < vertices:
        raise UsageError(f"{path}: {vertices} vertices are announced, {vertex} are there")
    if len(edges) != 2 * announced:
        raise UsageError(
            f"{path}: {announced} edges are announced, so that there must be {2 * announced} "
            f"neighbours, and not {len(edges)}: each edge comes with both its vertices"
        )
    return Graph(vertices, edges)


def _matrix_market(path: Path) -> Graph:
    """Rank i has row i and entry i of the vector: for a(i, j) it gets entry j."""
    whole = _lines(path, "")
    title = next(whole, None)
    words = [word.lower() for word in title.words] if title else []
    if len(words) < 5 or words[:3] != ["%%matrixmarket", "matrix", "coordinate"]:
        raise UsageError(f"{path}: it does not begin with '%%MatrixMarket matrix coordinate'")
    lines = (line for line in whole if line.words and not line.words[0].startswith("%"))
    size = next(lines, None)
    if size is None or len(size.words) != 3:
        raise UsageError(f"{path}: the numbers of rows, columns and entries are missing")
    rows, columns, count = (size.integer(word, 0) for word in size.words)
    if rows != columns:
        size.fail(f"{rows} rows and {columns} columns: the matrix must be square")
    edges, found = [], 0
    for line in lines:
        if len(line.words) < 2:
            line.fail("a row and a column are expected")
        row, column = (line.integer(word, 1, rows) - 1 for word in line.words[:2])
        found += 1
        if row != column:
            edges.append((column, row, 1))
            if words[4] in MIRRORED:
                edges.append((row, column, 1))
    if found != count:
        raise UsageError(f"{path}: {count} entries are announced, {found} are there")
    return Graph(rows, edges)


def read_graph(name: str, kind: str | None = None) -> Graph:
    """The format is what the name's suffix says where kind is None: else a list of edges."""
    path = Path(name)
    kind = kind or BY_SUFFIX.get(path.suffix.lower(), "edges")
    read = {"edges": _edges, "metis": _metis, "matrix-market": _matrix_market}[kind]
    graph = read(path)
    if graph.vertices == 0:
        raise UsageError(f"{name}: there are no vertices")
    return graph
