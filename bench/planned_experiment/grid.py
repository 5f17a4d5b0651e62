# SPDX-License-Identifier: BSD-3-Clause
"""What is measured: loads and bounds in random cases, and cells of machines of nodes."""

from typing import NamedTuple

COUNTS = ("regular", "linear", "one-heavy", "with-zeros")
SIXTEENTHS = (1, 3, 4, 8)  # of the nodes: the first group
# Nodes and ranks of a node; bytes of a node: few where simulating takes long.
MACHINES = {
    (256, 2): (64 << 10, 1 << 20, 8 << 20),
    (256, 8): (64 << 10, 1 << 20),
    (256, 32): (64 << 10,),
    (1024, 2): (1 << 20,),
}


class Load(NamedTuple):
    most: int  # ranks of a group
    cases: int


class Bound(NamedTuple):
    latencies: int
    most: int
    cases: int


class Cell(NamedTuple):
    nodes: int
    ppn: int
    sixteenths: int
    bytes: int
    counts: str


def _bounds():
    yield Bound(100000, 24, 2000)
    yield Bound(10000, 24, 2000)
    yield Bound(100000, 200, 200)
    yield Bound(10000, 200, 200)


def _cells():
    for machine, sizes in MACHINES.items():
        for sixteenths in SIXTEENTHS:
            for size in sizes:
                for counts in COUNTS:
                    yield Cell(*machine, sixteenths, size, counts)


def keys(quick=False):
    yield Load(24, 10000)
    yield from _bounds()
    for number, cell in enumerate(_cells()):
        if not quick or number % 9 == 0:
            yield cell


def name(key):
    return "-".join([type(key).__name__.lower(), *(str(part) for part in key)])


def words(key, quick=False):
    """Arguments of the program."""
    if isinstance(key, Cell):
        first = key.nodes * key.sixteenths // 16
        options = {
            "nodes": key.nodes,
            "ppn": key.ppn,
            "first": first,
            "bytes": key.bytes,
            "counts": key.counts,
        }
        return ["nodes", *_options(options)]
    options = key._asdict()
    options["cases"] = key.cases // (20 if quick else 1)
    return [type(key).__name__.lower(), *_options(options)]


def _options(options):
    return [word for name, value in options.items() for word in (f"--{name}", str(value))]
