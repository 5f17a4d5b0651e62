# SPDX-License-Identifier: BSD-3-Clause
"""A grid of ranks whose neighbours share a node wherever possible, and what that has saved.

CAUCUS_NODES=cyclic:2 mpiexec -n 8 python grid.py
"""

import numpy as np
from mpi4py import MPI

from caucus.mpi import Compute_dims, Grid, Neighbor_alltoall

comm = MPI.COMM_WORLD
dims = Compute_dims(comm, comm.size, [0, 0], periods=[True, True])
grid = Grid.create(comm, dims, periods=[True, True])

# It is an ordinary communicator of mpi4py.
halo = np.empty(4)
Neighbor_alltoall(grid, np.full(4, float(grid.rank)), halo)
assert list(halo) == [float(rank) for rank in grid.inedges]

report = grid.report()
if grid.rank == 0:
    print(
        f"{dims[0]} x {dims[1]} ranks on {report.nodes} nodes: "
        f"{report.placed.off_node:g} of {report.placed.all:g} messages leave their node, "
        f"{report.given.off_node:g} without reordering"
    )
grid.Free()
