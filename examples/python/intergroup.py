# SPDX-License-Identifier: BSD-3-Clause
"""Two coupled programs, here two halves of one, give each other their whole fields: by an allgather
between their groups, which is set up once.

mpiexec -n 4 python intergroup.py
"""

import numpy as np
from mpi4py import MPI

from caucus.mpi import Allgather_init

comm = MPI.COMM_WORLD
if comm.size < 2:
    raise SystemExit("it takes two ranks")
ocean = comm.rank % 2  # else atmosphere
here = comm.Split(ocean)
coupled = here.Create_intercomm(0, comm, 1 - ocean)

own = np.empty(5)
other = np.empty((coupled.remote_size, 5))
with Allgather_init(coupled, own, other) as exchange:
    for step in range(10):
        own[:] = 100 * ocean + here.rank + step
        exchange.Start().Wait()
        for rank, row in enumerate(other):
            assert (row == 100 * (1 - ocean) + rank + step).all()

if comm.rank == 0:
    print(f"{here.size} ranks got the fields of {coupled.remote_size} others")
coupled.Free()
here.Free()
