# SPDX-License-Identifier: BSD-3-Clause
"""A matrix that is distributed by rows becomes one that is distributed by columns, and stays so at
every step: each rank says what it has and what it wants, and nobody works out who sends what.

mpiexec -n 4 python redistribute.py
"""

import numpy as np
from mpi4py import MPI

from caucus.mpi import Redistribute_init

comm = MPI.COMM_WORLD
n = 12
mine = range(n * comm.rank // comm.size, n * (comm.rank + 1) // comm.size)

rows = np.empty((len(mine), n))
columns = np.empty((n, len(mine)))
have = [range(mine.start * n, mine.stop * n)]  # one after the other
want = [range(row * n + mine.start, row * n + mine.stop) for row in range(n)]

with Redistribute_init(comm, rows, have, columns, want) as transposition:
    for step in range(3):
        rows[:] = np.arange(mine.start * n, mine.stop * n).reshape(rows.shape) + step
        transposition.Start().Wait()
        assert (columns == np.arange(n * n).reshape(n, n)[:, mine.start : mine.stop] + step).all()

if comm.rank == 0:
    print(f"a matrix of {n} times {n}, by rows and by columns")
