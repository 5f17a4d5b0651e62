# SPDX-License-Identifier: BSD-3-Clause
"""A search in which every rank tells the others of a better solution as soon as it has one, and all
end when nothing is on its way any more.

mpiexec -n 4 python channel.py
"""

import random
import struct

from mpi4py import MPI

from caucus.mpi import Channel

comm = MPI.COMM_WORLD
best = float("inf")


def hear(message):
    """Called within calls on the channel."""
    global best
    best = min(best, *struct.unpack("d", message.data))


with Channel(comm, hear) as channel:
    guesses = random.Random(comm.rank)
    for _ in range(1000):
        channel.poll()
        guess = guesses.random()
        if guess < best:
            best = guess
            channel.cast(struct.pack("d", best))
# Closed by all ranks: everything that was cast has been heard everywhere.

assert best == comm.allreduce(best, op=MPI.MIN)
if comm.rank == 0:
    print(f"all agree that the best is {best:.6f}")
