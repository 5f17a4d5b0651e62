# SPDX-License-Identifier: BSD-3-Clause
"""Channels: received, heard, asked, in coroutines; what callbacks raise."""

import asyncio
import os
import struct
import time

import numpy as np
from mpi4py import MPI

from caucus.mpi import QUORUM_MAJORITY, QUORUM_SOLO, Channel

COMM = MPI.COMM_WORLD
RANK, SIZE = COMM.rank, COMM.size
OTHERS = [rank for rank in range(SIZE) if rank != RANK]


def case_received():
    with Channel(COMM) as channel:
        for i in range(3):
            channel.cast(b"%d %d" % (RANK, i))
        heard = list(channel)
        for rank in OTHERS:
            found = [message.data for message in heard if message.origin == rank]
            assert found == [b"%d %d" % (rank, i) for i in range(3)]
        assert len(heard) == 3 * len(OTHERS)
        assert channel.statistics.casts == 3 and channel.dead == []
        assert channel.try_recv() is None and list(channel.waiting()) == []
    assert channel.closed
    channel.close()


def case_cast_in_a_loop():
    """A message goes round the ring, each rank passing it on when it has it."""
    with Channel(COMM) as channel:
        if RANK == 0:
            channel.cast(struct.pack("i", 0))
        steps = 0
        for message in channel:
            (number,) = struct.unpack("i", message.data)
            if (number + 1) % SIZE == RANK and number < 10:
                channel.cast(struct.pack("i", number + 1))
            steps += 1
        cast = [number for number in range(11) if number % SIZE != RANK]
        assert steps == (len(cast) if SIZE > 1 else 0), steps


def case_heard():
    heard = []
    with Channel(COMM, heard.append) as channel:
        channel.cast(np.arange(3) + RANK)
        while not channel.try_cast(b"last"):
            channel.poll()
        channel.flush()
        channel.quiesce()
    assert sorted(message.origin for message in heard) == sorted(2 * OTHERS)
    for message in heard:
        if len(message.data) == 24:
            assert list(np.frombuffer(message.data, int)) == [message.origin + i for i in range(3)]


def case_total_order():
    heard = []
    with Channel(COMM, heard.append, order="total") as channel:
        for i in range(5):
            channel.cast(b"%d" % i)
    orders = COMM.allgather([(message.origin, message.data) for message in heard])
    assert len(heard) == 5 * SIZE and all(order == orders[0] for order in orders)


def case_long_messages_in_pieces():
    with Channel(COMM, memory=20000) as channel:
        if RANK == 0:
            channel.cast(bytes(range(250)) * 200)
        pieces = list(channel)
        if RANK:
            assert b"".join(piece.data for piece in pieces) == bytes(range(250)) * 200
            assert {piece.total for piece in pieces} == {50000} and len(pieces) > 1
            assert sorted(piece.offset for piece in pieces) == [piece.offset for piece in pieces]


def add(into, other):
    total = np.frombuffer(into, int)
    total += np.frombuffer(other, int)
    assert other.readonly


def case_questions():
    outcomes = []

    def hear(message):
        if message.outcome:
            assert len(message.data) == 8
            outcomes.append((message.origin, message.contributions, message.included))

    def answer(question):
        assert question.data == b"how many?"
        return struct.pack("q", 10 * RANK)

    with Channel(COMM, hear, answer=answer, combine=add, answer_bytes=8) as channel:
        if RANK == SIZE - 1:
            told = channel.ask(b"how many?", struct.pack("q", 10 * RANK))
            assert struct.unpack("q", told)[0] == 10 * SIZE * (SIZE - 1) // 2
            told = channel.allreduce(b"how many?", np.array([10 * RANK]))
            assert struct.unpack("q", told)[0] == 10 * SIZE * (SIZE - 1) // 2
            channel.allreduce(b"how many?", np.array([1]), QUORUM_SOLO)
            while not channel.try_allreduce(b"how many?", np.array([1]), QUORUM_MAJORITY):
                pass
    assert len(outcomes) == 3 and {origin for origin, _, _ in outcomes} == {SIZE - 1}
    assert outcomes[0] == (SIZE - 1, SIZE, True)


def case_answers_that_are_numbers():
    """One of NumPy is the bytes that it has, one of Python has none and is refused."""
    words = {"combine": add, "answer_bytes": 8}
    with Channel(COMM, print, answer=lambda question: np.int64(10 * RANK), **words) as channel:
        if RANK == 0:
            told = channel.ask(b"?", np.int64(0))
            assert struct.unpack("q", told)[0] == 10 * SIZE * (SIZE - 1) // 2
    channel = Channel(COMM, print, answer=lambda question: 3, **words)
    if RANK == 0:
        assert channel.ask(b"?", bytes(8)) == bytes(8)
    try:
        channel.quiesce()
    except TypeError:
        assert RANK
    else:
        assert RANK == 0
    channel.close()


def case_replies():
    with Channel(COMM, combine=add, answer_bytes=8) as channel:
        if RANK == 0:
            told = channel.ask(b"?", struct.pack("q", 0))
            assert struct.unpack("q", told)[0] == SIZE * (SIZE - 1) // 2
        for message in channel:
            assert message.asks and message.origin == 0
            channel.reply(0, struct.pack("q", RANK))


def case_raised_by_callbacks():
    def hear(message):
        raise KeyError(f"from {message.origin}")

    channel = Channel(COMM, hear)
    if RANK == 0:
        channel.cast(b"x")
    try:
        channel.quiesce()
    except KeyError as problem:
        assert RANK and problem.args == ("from 0",)
    else:
        assert RANK == 0
    channel.close()


def case_results_beside_what_is_raised():
    """A call whose callback raises has its result all the same: the next call raises."""
    heard = []

    def hear(message):
        if message.origin == 0:
            heard.append(message)
            if len(heard) == 1:
                raise KeyError("heard")

    def sum_up(into, other):
        add(into, other)
        if RANK == 1:
            raise KeyError("added")

    def raises(word):
        try:
            channel.poll()
        except KeyError as problem:
            return problem.args == (word,)
        return False

    answers = {"answer": lambda question: struct.pack("q", RANK), "answer_bytes": 8}
    channel = Channel(COMM, hear, combine=sum_up, **answers)
    accepted = 0
    if RANK == 0:
        channel.cast(b"x")
    while RANK and not heard:
        accepted += channel.try_cast(b"y")
    assert RANK == 0 or (raises("heard") and channel.statistics.casts == accepted)
    if RANK == 1:
        told = channel.ask(b"?", struct.pack("q", RANK))
        assert struct.unpack("q", told)[0] == SIZE * (SIZE - 1) // 2 and raises("added")
        while raises("added"):
            pass  # once for each time that it was raised
    while not channel.try_quiesce():
        pass
    channel.close()


def case_exception_leaves_it_open():
    channel = Channel(COMM)
    try:
        with channel:
            raise KeyError("on all ranks here, but who knows")
    except KeyError:
        assert not channel.closed
    channel.close()


def case_thread_of_the_library():
    if MPI.Query_thread() < MPI.THREAD_MULTIPLE:
        return
    heard = []
    with Channel(COMM, heard.append, progress=True) as channel:
        channel.cast(b"x")
        end = time.monotonic() + 60
        while len(heard) < len(OTHERS) and time.monotonic() < end:
            time.sleep(0.001)  # in no call of the channel
    assert sorted(message.origin for message in heard) == OTHERS


def case_coroutines():
    async def talk():
        async with Channel(COMM) as channel:
            channel.cast(b"%d" % RANK)
            first = await channel.arecv() if OTHERS else None
            heard = [message async for message in channel]
            return [first, *heard] if first else heard

    heard = asyncio.run(talk())
    assert sorted(message.origin for message in heard) == OTHERS

    async def listen():
        found = []
        async with Channel(COMM, found.append) as channel:
            channel.cast(b"%d" % RANK)
        return found

    assert sorted(message.origin for message in asyncio.run(listen())) == OTHERS


def case_raised_while_a_coroutine_closes():
    """The other ranks wait for this one to close it, so what was raised comes afterwards."""

    def hear(message):
        raise KeyError(f"from {message.origin}")

    channel = Channel(COMM, hear)

    async def listen():
        async with channel:
            if RANK == 0:
                channel.cast(b"x")

    try:
        asyncio.run(listen())
    except KeyError as problem:
        assert RANK and problem.args == ("from 0",)
    else:
        assert RANK == 0
    assert channel.closed


def threads():
    return set(os.listdir("/proc/self/task"))


def have_ended(those):
    """Soon: the system still lists a thread for a moment after it was joined."""
    end = time.monotonic() + 20
    while those & threads() and time.monotonic() < end:
        time.sleep(0.001)
    return not those & threads()


def leave_with_an_exception(channel):
    with channel:
        raise KeyError("under way")


async def leave_a_coroutine_with_an_exception(channel):
    async with channel:
        raise KeyError("under way")


def heard_by_a_thread():
    """A channel on which a callback has raised, in the library's thread."""
    heard = []

    def hear(message):
        heard.append(message)
        raise KeyboardInterrupt

    channel = Channel(COMM, hear, progress=True)
    if RANK == 0:
        channel.cast(b"x")
    while RANK and not heard:
        time.sleep(0.001)
    COMM.Barrier()
    return channel


def case_exception_ends_the_thread():
    """And is the one that is told, whatever a callback has raised in the thread."""
    if MPI.Query_thread() < MPI.THREAD_MULTIPLE:
        return
    for leave in (
        leave_with_an_exception,
        lambda channel: asyncio.run(leave_a_coroutine_with_an_exception(channel)),
    ):
        before = threads()
        channel = heard_by_a_thread()
        own = threads() - before
        assert own
        try:
            leave(channel)
        except KeyError as problem:
            assert problem.args == ("under way",) and not channel.closed
        assert have_ended(own)
        try:
            channel.close()
        except KeyboardInterrupt:
            assert RANK
        else:
            assert RANK == 0
        assert channel.closed


def case_errors():
    channel = Channel(COMM, lambda message: None)
    for call in (channel.recv, lambda: channel.ask(b"?", b"")):
        try:
            call()
        except MPI.Exception as problem:
            assert problem.Get_error_class() == MPI.ERR_ARG
        else:
            raise AssertionError(call)
    channel.close()
    try:
        channel.cast(b"x")
    except MPI.Exception as problem:
        assert problem.Get_error_class() == MPI.ERR_ARG
    else:
        raise AssertionError("a closed channel")
    try:
        Channel(COMM, order="none")
    except ValueError as problem:
        assert "fifo, causal, total" in str(problem)
    else:
        raise AssertionError("an order that is none")
