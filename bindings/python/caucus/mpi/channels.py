# SPDX-License-Identifier: BSD-3-Clause
"""Channels: any rank casts a message at any time, and every other rank gets it exactly once."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import time
from collections.abc import AsyncIterator, Iterator
from types import TracebackType
from typing import Any, Callable, Literal, Optional

from mpi4py import MPI, rc
from mpi4py.typing import Buffer

from . import deliveries
from .buffers import memory
from .closing import Closing
from .deliveries import Answer, Combine, Deliver, Delivery, Statistics
from .errors import call
from .handles import Count, handle, number
from .leftovers import look_after
from .library import load
from .waiting import pause, until

Order = Literal["fifo", "causal", "total"]
ORDERS: dict[str, int] = {"fifo": 0, "causal": 1, "total": 2}

QUORUM_ALL = 0  # all ranks contribute to an allreduce
QUORUM_MAJORITY = -1  # more than half of them
QUORUM_SOLO = -2  # all, with what they have when the question arrives

# The library holds the callbacks of a channel until it is closed.
_open: set[Channel] = set()


def _end_threads() -> None:
    """Of channels that were left open, in MPI_Finalize, which waits for callbacks that run. They
    need the interpreter: mpi4py's own call would not let go of it, and comes after its end."""
    ours = rc.initialize and rc.finalize is not False and not MPI.Is_finalized()
    for channel in [channel for channel in _open if ours and channel._options.progress]:
        channel._end_thread()
    if ours and any(channel._options.progress for channel in _open):
        every = ctypes.CDLL(None)  # has it where it is interposed
        (every if hasattr(every, "MPI_Finalize") else load()).MPI_Finalize()


atexit.register(_end_threads)


class Channel(Closing):
    """A channel among all ranks of a communicator, opened and closed by all of them. In a with
    block it is closed at the end, unless an exception leaves the block.

    Messages come to deliver, which is called within calls on the channel (with progress: in a
    thread of the library), or are received by recv, try_recv and loops over the channel. The order
    and the numbers must be the same on all ranks; 0 is the library's default
    (caucus/channel_object.h). What a callback raises is raised by the call in which it ran; calls
    that return something leave it to the next one, so that the result is not lost.
    """

    def __init__(
        self,
        comm: MPI.Intracomm,
        deliver: Optional[Deliver] = None,
        *,
        order: Order = "fifo",
        answer: Optional[Answer] = None,
        combine: Optional[Combine] = None,
        answer_bytes: int = 0,
        progress: bool = False,
        survives: bool = False,
        credits: int = 0,
        segment: int = 0,
        memory: int = 0,
        inbox: int = 0,
        keeps: int = 0,
    ) -> None:
        if order not in ORDERS:
            raise ValueError(f"order: '{order}', but it is one of {', '.join(ORDERS)}")
        look_after()
        self._channel = ctypes.c_void_p()
        self._raised: list[BaseException] = []
        self._answer_bytes = answer_bytes
        self._receives = deliver is None
        options = deliveries.COptions(
            order=ORDERS[order],
            answer_bytes=number(answer_bytes, Count).value,
            progress=bool(progress),
            survives=bool(survives),
            credits=number(credits).value,
            segment=number(segment, Count).value,
            memory=number(memory, Count).value,
            inbox=number(inbox, Count).value,
            keeps=number(keeps, Count).value,
        )
        if deliver is not None:
            options.deliver = deliveries.DELIVER(self._caught(self._delivering(deliver)))
        if answer is not None:
            options.answer = deliveries.ANSWER(self._caught(self._answering(answer)))
        if combine is not None:
            options.combine = deliveries.COMBINE(self._caught(self._combining(combine)))
        self._options = options  # keeps what the library calls
        call(
            "caucus_channel_open",
            handle(comm),
            ctypes.byref(options),
            ctypes.byref(self._channel),
        )
        _open.add(self)

    # Callbacks

    def _caught(self, callback: Callable[..., None]) -> Callable[..., None]:
        """Nothing may be raised through the library."""

        def called(_: Any, *arguments: Any) -> None:
            try:
                callback(*arguments)
            except BaseException as problem:
                self._raised.append(problem)

        return called

    def _delivering(self, deliver: Deliver) -> Callable[..., None]:
        def called(found: Any) -> None:
            deliver(deliveries.delivery(found.contents))

        return called

    def _answering(self, answer: Answer) -> Callable[..., None]:
        def called(question: Any, room: int) -> None:
            data = self._bytes_of(answer(deliveries.delivery(question.contents)))
            ctypes.memmove(room, data, len(data))

        return called

    def _combining(self, combine: Combine) -> Callable[..., None]:
        def called(into: int, other: int) -> None:
            length = self._answer_bytes
            combine(deliveries.view(into, length), deliveries.view(other, length).toreadonly())

        return called

    def _call(self, function: str, *arguments: Any) -> None:
        """A call on the channel, perhaps by a callback, and what callbacks have raised in it."""
        try:
            call(function, ctypes.c_void_p(self._channel.value), *arguments)
        finally:
            self._raise()

    def _get(self, function: str, *arguments: Any) -> None:
        """The same, of a call whose result must not be lost: what callbacks have raised is raised
        before it, what they raise in it by the next call."""
        self._raise()
        call(function, ctypes.c_void_p(self._channel.value), *arguments)

    def _raise(self) -> None:
        if self._raised:
            raise self._raised.pop(0)

    # Casting

    def cast(self, data: Buffer) -> None:
        """Casts a message to all other ranks (in total order to this one too). Waits for room."""
        found = memory(data, False, "data")
        self._call("caucus_cast", ctypes.c_void_p(found.address), Count(found.nbytes))

    def try_cast(self, data: Buffer) -> bool:
        """Casts a message if there is room, and tells whether it did. Callbacks may call it."""
        found, accepted = memory(data, False, "data"), ctypes.c_int()
        words = [ctypes.c_void_p(found.address), Count(found.nbytes), ctypes.byref(accepted)]
        self._get("caucus_try_cast", *words)
        return bool(accepted.value)

    def flush(self) -> None:
        """Waits until all that this rank has cast was delivered everywhere."""
        self._call("caucus_channel_flush")

    # Receiving

    def poll(self) -> None:
        """Forwards messages of others, and delivers what has arrived. Does not wait."""
        self._call("caucus_channel_poll")

    def recv(self) -> Delivery:
        """Waits for the next message, on a channel without deliver."""
        found = deliveries.CDelivery()
        self._get("caucus_channel_recv", ctypes.byref(found))
        return deliveries.delivery(found)

    def try_recv(self) -> Optional[Delivery]:
        """The next message, None if there is none now."""
        found, received = deliveries.CDelivery(), ctypes.c_int()
        self._get("caucus_channel_try_recv", ctypes.byref(found), ctypes.byref(received))
        return deliveries.delivery(found) if received.value else None

    def waiting(self) -> Iterator[Delivery]:
        """The messages that have arrived by now. Does not wait."""
        while (message := self.try_recv()) is not None:
            yield message

    def __iter__(self) -> Iterator[Delivery]:
        """Messages until the channel is quiet on all ranks, all of which have to loop over it. In
        the loop, messages may be cast."""
        turns = 0
        while True:
            message = self.try_recv()
            if message is not None:
                turns = 0
                yield message
            elif self.try_quiesce():
                return
            else:
                turns += 1
                time.sleep(pause(turns))

    async def arecv(self) -> Delivery:
        """The coroutine form of recv."""
        found: list[Delivery] = []

        def received() -> bool:
            found.extend(filter(None, [self.try_recv()]))
            return bool(found)

        await until(received)
        return found[0]

    async def __aiter__(self) -> AsyncIterator[Delivery]:
        """As a loop over the channel, while other coroutines run."""
        found: list[Delivery] = []

        def received() -> bool:
            found.extend(filter(None, [self.try_recv()]))
            return bool(found) or self.try_quiesce()

        while True:
            await until(received)
            if not found:
                return
            yield found.pop()

    # Questions

    def ask(self, question: Buffer, answer: Buffer) -> bytes:
        """Asks all other ranks, and returns their answers, combined with this rank's own."""
        found, own = memory(question, False, "question"), self._own(answer)
        self._get("caucus_channel_ask", ctypes.c_void_p(found.address), Count(found.nbytes), own)
        return bytes(own.raw)

    def allreduce(self, question: Buffer, answer: Buffer, quorum: int = QUORUM_ALL) -> bytes:
        """Asks as ask does, and has the result delivered to all ranks, as an outcome. quorum: how
        many ranks have to contribute, or QUORUM_ALL, QUORUM_MAJORITY, QUORUM_SOLO."""
        found, own = memory(question, False, "question"), self._own(answer)
        words = [ctypes.c_void_p(found.address), Count(found.nbytes), own]
        self._get("caucus_channel_allreduce", number(quorum), *words)
        return bytes(own.raw)

    def try_allreduce(self, question: Buffer, answer: Buffer, quorum: int = QUORUM_ALL) -> bool:
        """Opens an allreduce without waiting, if that can be done now, and tells whether it was."""
        found, own, accepted = (
            memory(question, False, "question"),
            self._own(answer),
            ctypes.c_int(),
        )
        words = [ctypes.c_void_p(found.address), Count(found.nbytes), own, ctypes.byref(accepted)]
        self._get("caucus_channel_try_allreduce", number(quorum), *words)
        return bool(accepted.value)

    def reply(self, origin: int, answer: Buffer) -> None:
        """Answers the question of a rank that was received, on a channel without deliver."""
        self._call("caucus_channel_reply", number(origin), self._own(answer))

    def _own(self, answer: Buffer) -> Any:
        """A copy of this rank's answer, of the length that answers have."""
        return ctypes.create_string_buffer(self._bytes_of(answer), self._answer_bytes or 1)

    def _bytes_of(self, answer: Buffer) -> bytes:
        """What is no buffer is refused: bytes() makes so many zeros of a number."""
        data = memoryview(answer).tobytes()  # type: ignore[arg-type]
        if len(data) > self._answer_bytes:
            raise ValueError(f"answer: {len(data)} bytes, but {self._answer_bytes} fit")
        return data

    # The channel as a whole

    def quiesce(self) -> None:
        """Waits until every message was delivered everywhere. By all ranks."""
        self._call("caucus_channel_quiesce")

    def try_quiesce(self) -> bool:
        """Whether the channel is quiet on all ranks, which all have to ask until it is."""
        self._raise()
        return self._is_quiet()

    def _is_quiet(self) -> bool:
        quiet = ctypes.c_int()
        channel = ctypes.c_void_p(self._channel.value)
        call("caucus_channel_try_quiesce", channel, ctypes.byref(quiet))
        return bool(quiet.value)

    @property
    def statistics(self) -> Statistics:
        """What this rank has done on the channel."""
        found = deliveries.CCounters()
        self._call("caucus_channel_statistics", ctypes.byref(found))
        return Statistics(*(getattr(found, name) for name in Statistics._fields))

    @property
    def dead(self) -> list[int]:
        """The ranks that are dead, on a channel that survives deaths."""
        count = ctypes.c_int()
        self._call("caucus_channel_dead", ctypes.c_int(0), None, ctypes.byref(count))
        ranks = (ctypes.c_int * count.value)()
        self._call("caucus_channel_dead", ctypes.c_int(len(ranks)), ranks, ctypes.byref(count))
        return list(ranks)

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return not self._channel.value

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        problem: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        """After an exception the channel stays open."""
        if problem is not None:
            self._end_thread()
        super().__exit__(kind, problem, trace)

    def _end_thread(self) -> None:
        """Of a channel that stays open: the library's thread must not be within MPI when
        MPI_Finalize begins. An exception is under way; what callbacks have raised is left."""
        if not self.closed and self._options.progress:
            with contextlib.suppress(Exception):  # it is in use by a thread that does not end
                call("caucus_channel_stop_progress", ctypes.c_void_p(self._channel.value))

    def stop_progress(self) -> None:
        """Ends the library's thread (progress); the channel moves on in calls from then on."""
        self._call("caucus_channel_stop_progress")

    def close(self) -> None:
        """Waits until the channel is quiet, and closes it. By all ranks; a second call does
        nothing. After an error it stays open."""
        if self.closed:
            return
        look_after()
        call("caucus_channel_close", ctypes.byref(self._channel))
        _open.discard(self)
        self._raise()

    async def aclose(self) -> None:
        """The coroutine form of close, on a channel with deliver. What callbacks raise waits for
        the channel to be closed, since the other ranks wait for this one."""
        if not self.closed and not self._receives:
            await until(self._is_quiet)
        self.close()

    async def __aenter__(self) -> Channel:
        return self

    async def __aexit__(
        self,
        kind: Optional[type[BaseException]],
        problem: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        if problem is None:
            await self.aclose()
        else:
            self._end_thread()
