# SPDX-License-Identifier: BSD-3-Clause
"""Integrals of different accuracy: each is worked out by as many ranks as it needs, which divide
its points, while all other ranks are busy with others.

mpiexec -n 4 python pool.py
"""

import math
import struct

import numpy as np
from mpi4py import MPI

from caucus.mpi import Pool

comm = MPI.COMM_WORLD
results = {}


def integrate(group, task):
    """The integral of 4 / (1 + x^2) from 0 to 1."""
    (points,) = struct.unpack("q", task)
    x = (np.arange(group.rank, points, group.size) + 0.5) / points
    total = np.empty(1)
    group.Allreduce(np.array([(4 / (1 + x**2)).sum() / points]), total)
    if group.rank == 0:
        results[points] = total[0]


with Pool(comm, integrate, task_bytes=8) as pool:
    if comm.rank == 0:
        workers = max(comm.size - 1, 1)
        for size in range(1, 7):
            pool.submit(min(size, workers), struct.pack("q", 10**size))
    pool.run()

everything = {points: value for part in comm.allgather(results) for points, value in part.items()}
assert sorted(everything) == [10**size for size in range(1, 7)]
assert all(
    abs(value - math.pi) < 1 / points**2 for points, value in everything.items() if points < 1e6
)
if comm.rank == 0:
    print(f"of a million points: {everything[10**6]:.12f}")
