# SPDX-License-Identifier: BSD-3-Clause
"""A program that forgets a message, and frees its group when MPI is finalized: it ends as any
other."""

import numpy as np
from mpi4py import MPI

from caucus.mpi import Group, attach

COMM = MPI.COMM_WORLD
attach(COMM)
group = Group.from_comm(COMM)
message = group.Isend(np.zeros(1), (COMM.rank + 1) % COMM.size)
group.Recv(np.zeros(1), (COMM.rank - 1) % COMM.size)
del message
MPI.Finalize()
group.free()
print("ended")
