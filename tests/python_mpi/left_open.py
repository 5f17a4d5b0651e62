# SPDX-License-Identifier: BSD-3-Clause
"""A program that leaves a channel open, of which a thread of the library calls back at the end of
the program: it ends as any other."""

import time

from mpi4py import MPI

from caucus.mpi import Channel

COMM = MPI.COMM_WORLD
heard = []


def hear(message):
    heard.append(message)
    if len(heard) == COMM.size - 1:
        time.sleep(0.3)  # the program ends meanwhile


if MPI.Query_thread() == MPI.THREAD_MULTIPLE:
    channel = Channel(COMM, hear, progress=True)
    channel.cast(b"x")
    end = time.monotonic() + 60
    while len(heard) < COMM.size - 1 and time.monotonic() < end:
        time.sleep(0.001)
    COMM.Barrier()
print("left")
