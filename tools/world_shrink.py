# SPDX-License-Identifier: BSD-3-Clause
"""Takes choices of a failing run away, while it fails in the same way: first the longest tail, then
stretches of the rest, in halves. A choice that is taken away is the plainest one."""

ATTEMPTS = 200


class Shrinker:
    def __init__(self, world, seed):
        self.world, self.seed, self.left = world, seed, ATTEMPTS
        first = self._run([])
        self.outcome, self.draws = first["outcome"], first["draws"]
        if first["good"]:
            raise SystemExit("This seed does not fail.")

    def _run(self, keep):
        return self.world.run("--seed", self.seed, "--verbose", *keep)[0][0]

    def fails(self, ranges):
        self.left -= 1
        row = self._run(["--keep", text(ranges)])
        return not row["good"] and row["outcome"] == self.outcome


def text(ranges):
    """1 to 0 is a range of nothing."""
    return ",".join(f"{first}-{last}" for first, last in ranges) or "1-0"


def shortest_prefix(shrinker):
    low, high = 0, shrinker.draws
    while low < high and shrinker.left > ATTEMPTS // 2:
        middle = (low + high) // 2
        if shrinker.fails([(0, middle - 1)] if middle else []):
            high = middle
        else:
            low = middle + 1
    return [(0, high - 1)] if high else []


def without(ranges, first, last):
    left = []
    for begin, end in ranges:
        if end < first or begin > last:
            left.append((begin, end))
            continue
        if begin < first:
            left.append((begin, first - 1))
        if end > last:
            left.append((last + 1, end))
    return left


def shrink(world, seed):
    """The words that keep the fewest choices found."""
    shrinker = Shrinker(world, seed)
    ranges = shortest_prefix(shrinker)
    length = ranges[-1][1] + 1 if ranges else 0
    size = max(1, length // 2)
    while ranges and shrinker.left > 0:
        removed = False
        for first in range(0, length, size):
            fewer = without(ranges, first, first + size - 1)
            if fewer != ranges and shrinker.left > 0 and shrinker.fails(fewer):
                ranges, removed = fewer, True
        if size == 1 and not removed:
            break
        size = max(1, size // 2)
    kept = sum(last - first + 1 for first, last in ranges)
    print(f"{kept} of {shrinker.draws} choices are left: --keep {text(ranges)}")
    return ["--keep", text(ranges)]
