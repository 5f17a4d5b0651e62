# SPDX-License-Identifier: BSD-3-Clause
"""The settings and cells, drawn from a seed."""

import random
from dataclasses import dataclass
from itertools import product

RATES = {"20mbit": 20e6, "200mbit": 200e6, "1000mbit": 1e9}
SHAPES = ((8, 2), (8, 4), (16, 2))
COLLECTIVES = {  # name: blocks that a node's card takes in, about, of r ranks on n nodes
    "bcast": lambda r, n: 1,
    "allgather": lambda r, n: r - r // n,
    "alltoall": lambda r, n: (r - r // n) * (r // n),
    "allreduce": lambda r, n: 2,
    "reduce": lambda r, n: 1,
    "reduce_scatter_block": lambda r, n: r,
    "gather": lambda r, n: r - r // n,
    "scatter": lambda r, n: r - r // n,
    "scan": lambda r, n: 1,
}
# Bytes that a card lets through at once after a pause: what fits in is free of the card's rate. No
# more than it takes to reach the rate here.
BURSTS = {"20mbit": 1600, "200mbit": 1600, "1000mbit": 65536}
SIZES = (8, 256, 1024, 4096, 16384, 65536, 262144, 1048576)
LONGEST = 0.25  # seconds that the data of a cell take at a card


@dataclass(frozen=True)
class Setting:
    rate: str
    uneven: bool  # the last node's card at half speed
    nodes: int
    ppn: int

    @property
    def slow(self):
        half = f"{int(RATES[self.rate] / 2)}bit"
        return {self.nodes - 1: half} if self.uneven else {}

    @property
    def burst(self):
        return BURSTS[self.rate]

    def carried(self, collective, size):
        """Bytes of a cell's data that pass a card, about."""
        return size * COLLECTIVES[collective](self.nodes * self.ppn, self.nodes)

    def seconds(self, collective, size):
        """That these take at a card."""
        return 8 * self.carried(collective, size) / RATES[self.rate]

    def feels_cards(self, collective, size):
        return self.carried(collective, size) > self.burst

    def __str__(self):
        return f"{self.nodes} × {self.ppn}, {self.rate}{', one at half' if self.uneven else ''}"


def settings():
    """All, in this order; those with one slow card last."""
    order = product((False, True), RATES, SHAPES)
    return [Setting(rate, uneven, *shape) for uneven, rate, shape in order]


def cells(setting, count, seed):
    """(collective, bytes of a block), no cell twice, none that takes too long."""
    possible = [
        (name, size)
        for name in COLLECTIVES
        for size in SIZES
        if setting.seconds(name, size) <= LONGEST
    ]
    draw = random.Random(f"{seed} {setting}")
    return draw.sample(possible, min(count, len(possible)))
