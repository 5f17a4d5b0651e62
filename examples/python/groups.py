# SPDX-License-Identifier: BSD-3-Clause
"""Some ranks form a group by themselves, work in it, and take in the others when these ask.

mpiexec -n 4 python groups.py
"""

import numpy as np
from mpi4py import MPI

from caucus.mpi import Group, attach

comm = MPI.COMM_WORLD
attach(comm)  # once, by all ranks
half = max(comm.size // 2, 1)
mine = range(half) if comm.rank < half else range(half, comm.size)

# Each half by itself; nobody waits for the other one.
with Group.create(comm, list(mine)) as group:
    total = np.empty(1)
    group.Allreduce(np.array([float(comm.rank)]), total)
    assert total[0] == sum(mine)

    # Both become one: only the first members have to know each other.
    firsts = [0, half] if comm.size > half else [0]
    with group.merge(firsts if group.rank == 0 else []) as everybody:
        names = np.empty(everybody.size, dtype=int)
        everybody.Allgather(np.array([comm.rank]), names)
        assert list(names) == everybody.members == list(range(comm.size))

if comm.rank == 0:
    print(f"{comm.size} ranks, first as two groups, then as one")
