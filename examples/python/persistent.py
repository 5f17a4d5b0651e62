# SPDX-License-Identifier: BSD-3-Clause
"""A sum over all processes at every step of a loop: set up once, started and awaited often.

mpiexec -n 4 python persistent.py
"""

import numpy as np
from mpi4py import MPI

from caucus.mpi import Allreduce_init

comm = MPI.COMM_WORLD
energy, total = np.empty(3), np.empty(3)

with Allreduce_init(comm, energy, total) as request:
    for step in range(100):
        energy[:] = comm.rank + step, 1.0, step
        request.Start()
        # ... whatever needs neither energy nor total ...
        request.Wait()
        assert total[1] == comm.size

if comm.rank == 0:
    print(f"after 100 steps: {total}")
