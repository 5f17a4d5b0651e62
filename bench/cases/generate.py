# SPDX-License-Identifier: BSD-3-Clause
"""Writes the published list of grids with star stencils that mappers are judged by.

The list is the same for everybody: the seed is fixed, and only random.Random.random() is used,
whose sequence Python keeps between versions.
"""

import argparse
import math
import random
import sys
from pathlib import Path

SEED = 20180923
DIMENSIONS = ((2, 709), (3, 551), (4, 140))
KINDS = (
    ("equal", 0.3),
    ("prime", 0.15),
    ("last-smaller", 0.2),
    ("two-classes", 0.2),
    ("random", 0.15),
)
PERIODICITY = (("open", 0.63), ("periodic", 0.19), ("mixed", 0.18))
SMALLEST, LARGEST, EXCEPTIONALLY = 20, 20_000, 100_000
PRIMES = [n for n in range(5, 128) if all(n % d for d in range(2, n))]

HEADER = """\
# SPDX-License-Identifier: BSD-3-Clause
# Grids with star stencils of weight 1, to judge mappers by. Written by generate.py; don't edit.
# A line is a grid, its nodes and what kind of nodes these are: 9px9x7p is a grid of 9 x 9 x 7
# cells, periodic along the first and the last axis; 5*112,7 are five nodes of 112 ranks, then one
# of 7.
"""


class Draw:
    """Random choices that depend on random() alone."""

    def __init__(self, seed):
        self.source = random.Random(seed)

    def real(self, low, high):
        return low + (high - low) * self.source.random()

    def integer(self, low, high):
        return low + int((high - low + 1) * self.source.random())

    def logarithmic(self, low, high):
        return round(math.exp(self.real(math.log(low), math.log(high))))

    def one_of(self, choices):
        return choices[self.integer(0, len(choices) - 1)]

    def weighted(self, choices):
        rest = self.source.random() * sum(weight for _, weight in choices)
        for choice, weight in choices:
            rest -= weight
            if rest < 0:
                return choice
        return choices[-1][0]


def draw_dims(draw, ndims):
    """Sides around the same length, some much longer than others."""
    largest = EXCEPTIONALLY if draw.real(0, 1) < 0.02 else LARGEST
    side = draw.logarithmic(SMALLEST, largest) ** (1 / ndims)
    spread = draw.one_of((1.2, 2, 4))
    dims = [max(2, round(side * spread ** draw.real(-1, 1))) for _ in range(ndims)]
    return dims, largest


def node_size(draw, ranks):
    """At least four nodes, of 4 to 192 ranks, in large grids now and then more."""
    most = ranks // 4 if draw.real(0, 1) < 0.1 else min(ranks // 4, 192)
    return draw.logarithmic(min(4, most), most)


def equal_nodes(draw, dims):
    ranks = math.prod(dims)
    most = min(ranks // 4, 192)
    sizes = [size for size in range(4, most + 1) if ranks % size == 0]
    return [(ranks // (size := draw.one_of(sizes)), size)] if sizes else None


def prime_nodes(draw, dims):
    """Changes one side to a multiple of the prime, mostly to the prime itself."""
    axis = draw.integer(0, len(dims) - 1)
    size = draw.one_of([prime for prime in PRIMES if prime <= max(5, 4 * dims[axis])])
    dims[axis] = size * max(1, round(dims[axis] / size))
    return [(math.prod(dims) // size, size)]


def last_smaller_nodes(draw, dims):
    ranks = math.prod(dims)
    size = node_size(draw, ranks)
    return [(ranks // size, size), (1, ranks % size)] if ranks % size else None


def two_classes_of_nodes(draw, dims):
    ranks = math.prod(dims)
    large = node_size(draw, ranks)
    small = draw.integer(max(1, large // 3), max(1, large - 1))
    counts = [
        (count, (ranks - count * large) // small)
        for count in range(1, ranks // large + 1)
        if ranks - count * large > 0 and (ranks - count * large) % small == 0
    ]
    if large == small or not counts:
        return None
    many, few = draw.one_of(counts)
    return [(many, large), (few, small)]


def random_nodes(draw, dims):
    ranks = left = math.prod(dims)
    largest = node_size(draw, ranks)
    sizes = []
    while left > 0:
        sizes.append(min(left, draw.integer(max(1, largest // 2), largest)))
        left -= sizes[-1]
    return [(1, size) for size in sizes] if len(sizes) <= 256 else None


NODES = {
    "equal": equal_nodes,
    "prime": prime_nodes,
    "last-smaller": last_smaller_nodes,
    "two-classes": two_classes_of_nodes,
    "random": random_nodes,
}


def draw_periodic(draw, ndims, kind):
    if kind != "mixed":
        return [kind == "periodic"] * ndims
    while True:
        periodic = [draw.real(0, 1) < 0.5 for _ in range(ndims)]
        if any(periodic) and not all(periodic):
            return periodic


def draw_case(draw, ndims):
    kind, periodicity = draw.weighted(KINDS), draw.weighted(PERIODICITY)
    while True:
        dims, largest = draw_dims(draw, ndims)
        if math.prod(dims) < SMALLEST:
            continue
        groups = NODES[kind](draw, dims)
        nodes = sum(count for count, _ in groups) if groups else 0
        if nodes >= 3 and SMALLEST <= math.prod(dims) <= largest:
            break
    periodic = draw_periodic(draw, ndims, periodicity)
    grid = "x".join(f"{side}{'p' * wraps}" for side, wraps in zip(dims, periodic))
    return f"{grid} {','.join(map(group_text, merge(groups)))} {kind}"


def merge(groups):
    """Neighbouring groups of one size become one."""
    merged = []
    for count, size in groups:
        if merged and merged[-1][1] == size:
            merged[-1] = (merged[-1][0] + count, size)
        else:
            merged.append((count, size))
    return merged


def group_text(group):
    count, size = group
    return f"{count}*{size}" if count > 1 else str(size)


def all_cases(seed):
    draw = Draw(seed)
    cases = {}  # keeps the order and drops what comes twice
    for ndims, wanted in DIMENSIONS:
        target = len(cases) + wanted
        while len(cases) < target:
            cases[draw_case(draw, ndims)] = None
    return list(cases)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = Path(__file__).with_name("star-cases.txt")
    parser.add_argument(
        "--output", default=default, help="the file to write, - for standard output"
    )
    parser.add_argument(
        "--seed", type=int, default=SEED, help="another list (default: the published one)"
    )
    arguments = parser.parse_args()
    text = HEADER + "".join(f"{case}\n" for case in all_cases(arguments.seed))
    if str(arguments.output) == "-":
        sys.stdout.write(text)
    else:
        Path(arguments.output).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
