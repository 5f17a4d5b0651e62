# SPDX-License-Identifier: BSD-3-Clause
"""What is measured: collectives, sizes, numbers of ranks."""

import os
from dataclasses import dataclass

COLLECTIVES = ("barrier", "bcast", "reduce", "scatter", "allreduce", "alltoall")
PROMISED = ("barrier", "bcast", "reduce", "allreduce")  # must be so many times as fast on a node
CORES = os.cpu_count() or 1
INTEGER = 4  # bytes
FIRST_STARTS = 10  # within so many the init is to pay back


@dataclass(frozen=True)
class Scale:
    """How much is measured."""

    ranks: tuple  # of the loop over one integer
    sizes: tuple  # of the sweep, at as many ranks as cores and twice as many
    lab_sizes: tuple
    back_sizes: tuple  # where it is asked how soon the init pays back
    repetitions: int
    back_repetitions: int


FULL = Scale(
    ranks=(2, 3, 4, 5, 6, 7, 8),
    sizes=(4, 64, 1024, 4096, 16384, 65536, 262144, 1048576),
    lab_sizes=(4, 1024, 16384, 131072),
    back_sizes=(4, 1024, 4096, 65536),
    repetitions=7,
    back_repetitions=51,
)
QUICK = Scale(
    ranks=(2, 4, 7),
    sizes=(4, 4096, 65536),
    lab_sizes=(4, 16384),
    back_sizes=(4, 4096),
    repetitions=3,
    back_repetitions=21,
)


def iterations(size, slow=False):
    """The paper's 500 for short messages, less where one takes long."""
    most = 50 if slow else 500
    return max(5 if slow else 20, min(most, most * 8192 // max(size, 1)))


def sizes_of(collective, sizes):
    return sizes[:1] if collective == "barrier" else sizes
