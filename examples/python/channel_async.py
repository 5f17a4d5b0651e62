# SPDX-License-Identifier: BSD-3-Clause
"""A channel and a collective among coroutines: messages are handled while the sum is on its way.

mpiexec -n 4 python channel_async.py
"""

import asyncio

import numpy as np
from mpi4py import MPI

from caucus.mpi import Channel, Iallreduce, attach

comm = MPI.COMM_WORLD


async def listen(channel):
    """What all others have said, until the channel is quiet everywhere."""
    return sorted([message.data.decode() async for message in channel])


async def add(numbers):
    total = np.empty_like(numbers)
    await Iallreduce(comm, numbers, total)
    return total


async def main():
    async with Channel(comm) as channel:
        channel.cast(f"rank {comm.rank} was here".encode())
        return await asyncio.gather(listen(channel), add(np.arange(4.0)))


attach(comm)
heard, total = asyncio.run(main())
assert heard == [f"rank {rank} was here" for rank in range(comm.size) if rank != comm.rank]
assert list(total) == [comm.size * number for number in range(4)]
if comm.rank == 0:
    print(f"heard {len(heard)} messages meanwhile")
