# SPDX-License-Identifier: BSD-3-Clause
"""What is measured: machines, sizes of groups, collectives, counts, bytes."""

from dataclasses import dataclass

PPN = 2
KIB, MIB = 1 << 10, 1 << 20
UNEVEN = ("linear", "heavy", "zeros")
# In nodes; mixed: ranks of every node by turns, so that both groups are on all nodes.
GROUPS = {8: ("4:4", "1:7", "3:5", "mixed"), 16: ("8:8", "1:15", "3:13", "4:12", "mixed")}


@dataclass(frozen=True)
class Scale:
    """How much is measured. Bytes are those that the busiest card must take in."""

    machines: tuple  # nodes
    groups: dict
    small: tuple  # where nothing may be slower than before
    large: tuple
    longest: int  # 0: not measured
    reductions: tuple
    repetitions: int
    seconds: float  # for one way in one cell


FULL = Scale(
    machines=(8, 16),
    groups=GROUPS,
    small=(KIB, 16 * KIB, 64 * KIB, 256 * KIB),
    large=(MIB,),
    longest=8 * MIB,
    reductions=(KIB, 64 * KIB, MIB, 4 * MIB),
    repetitions=5,
    seconds=0.6,
)
QUICK = Scale(
    machines=(8,),
    groups={8: ("4:4", "1:7")},
    small=(KIB, 16 * KIB),
    large=(MIB,),
    longest=0,
    reductions=(MIB,),
    repetitions=3,
    seconds=0.5,
)
REDUCTIONS = ("allreduce", "reduce_scatter")


def cells(scale, nodes, groups):
    """The cells of one program: (collective, shape, bytes). What takes long is measured with few
    sizes of groups."""
    at = scale.groups[nodes].index(groups)
    long = (scale.longest,) if scale.longest and at < (2 if nodes <= 8 else 1) else ()
    found = [("allgather", "regular", size) for size in scale.small + scale.large + long]
    for shape in UNEVEN:
        sizes = scale.small[1:2] + scale.large + (long if shape != "zeros" else ())
        found += [("allgatherv", shape, size) for size in sizes]
    sizes = (scale.reductions, scale.large)[at] if at < 2 else ()
    return found + [(name, "regular", size) for name in REDUCTIONS for size in sizes]


def defaults(scale, nodes):
    """Where it is asked what an untuned machine costs: groups and cells."""
    sizes = scale.small[-1:] + scale.large
    return scale.groups[nodes][0], [("allgather", "regular", size) for size in sizes]
