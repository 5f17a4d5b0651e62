# SPDX-License-Identifier: BSD-3-Clause
"""A program on mpi4py that knows nothing of Caucus: calls of each kind that the drop-in takes over.
Says "all right" where all data is."""

import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
ALL = size * (size - 1) // 2


def ints(*values):
    return array.array("i", values)


def grid():
    comm = world.Create_cart([2, size // 2], [False, True], reorder=True)
    assert comm.allreduce(comm.rank) == ALL
    comm.Free()


def ring():
    left, right = (rank - 1) % size, (rank + 1) % size
    comm = world.Create_dist_graph_adjacent([left], [right], reorder=True)
    assert comm.allreduce(comm.rank) == ALL
    comm.Free()


def collectives():
    given, total = ints(0), ints(-1)
    request = world.Allreduce_init(given, total)
    for time in range(3):
        given[0] = rank + time
        request.Start()
        request.Wait()
        assert total[0] == ALL + size * time
    request.Free()
    world.Iallreduce(ints(rank), total, MPI.MAX).Wait()
    assert total[0] == size - 1


def two_groups():
    half = world.Split(rank % 2, rank)
    inter = half.Create_intercomm(0, world, 1 - rank % 2)
    total = ints(-1)
    inter.Allreduce(ints(rank), total)
    assert total[0] == sum(range(1 - rank % 2, size, 2))
    inter.Free()
    half.Free()


def members_alone():
    if rank % 2:
        made = world.Create_group(world.group.Incl([1, 3]))
        assert made.size == 2
        made.Free()


grid()
ring()
collectives()
two_groups()
members_alone()
world.Barrier()
if rank == 0:
    print("all right")
