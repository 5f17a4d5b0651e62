# SPDX-License-Identifier: BSD-3-Clause
"""Messages between two members of a group, as methods of it."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Generator
from functools import partial
from typing import Any, Callable, Optional

from mpi4py import MPI
from mpi4py.typing import BufSpec

from . import messages
from .errors import call
from .handles import handle, number, place
from .leftovers import leave, look_after
from .waiting import until

LONGEST = 2**31 - 1  # elements of a message


class Messages:
    """What a Group has. Tags are 0 to 15."""

    def _carried(self) -> ctypes.c_void_p:
        """The handle of the group."""
        raise NotImplementedError

    def Send(self, buf: BufSpec, dest: int, tag: int = 0) -> None:
        """Sends a message to a member."""
        arguments, _keep = self._message(buf, False, dest, tag)
        call("caucus_group_send", *arguments)

    def Recv(
        self,
        buf: BufSpec,
        source: int = MPI.ANY_SOURCE,
        tag: int = 0,
        status: Optional[MPI.Status] = None,
    ) -> None:
        """Receives a message from a member."""
        status = MPI.Status() if status is None else status
        arguments, _keep = self._message(buf, True, source, tag)
        call("caucus_group_recv", *arguments, place(status))

    def Isend(self, buf: BufSpec, dest: int, tag: int = 0) -> Message:
        """Begins to send a message to a member."""
        return self._begin_message("caucus_group_isend", buf, False, dest, tag)

    def Irecv(self, buf: BufSpec, source: int = MPI.ANY_SOURCE, tag: int = 0) -> Message:
        """Begins to receive a message from a member."""
        return self._begin_message("caucus_group_irecv", buf, True, source, tag)

    def _message(self, buf: BufSpec, writable: bool, peer: int, tag: int) -> tuple[list[Any], Any]:
        look_after()
        block = messages.one(buf, writable, "buf")
        if block.elements > LONGEST:
            raise ValueError(f"buf: {block.elements} elements, but a message has at most {LONGEST}")
        words = [number(peer), number(tag), self._carried()]
        buffer = [ctypes.c_void_p(block.address), number(block.elements)]
        return [*buffer, handle(block.datatype), *words], block.keep

    def _begin_message(
        self, function: str, buf: BufSpec, writable: bool, peer: int, tag: int
    ) -> Message:
        arguments, keep = self._message(buf, writable, peer, tag)
        request = MPI.Request()
        call(function, *arguments, place(request))
        return Message(request, self, keep)


class Message:
    """A message of a group on its way, which keeps its buffer alive until it is sent or received,
    also if nobody refers to it any more."""

    def __init__(self, request: MPI.Request, group: Messages, keep: Any) -> None:
        self._request, self._group, self._kept = request, group, [group, keep]
        weakref.finalize(self, _leave, request, self._kept).atexit = False

    def Wait(self, status: Optional[MPI.Status] = None) -> None:
        """Waits until it was sent or received. A status takes the group, not freed yet."""
        self._complete(self._request.Wait, status)

    def Test(self, status: Optional[MPI.Status] = None) -> bool:
        """Whether it was sent or received. Does not wait."""
        return self._complete(self._request.Test, status)

    def _complete(
        self, ask: Callable[[Optional[MPI.Status]], bool], status: Optional[MPI.Status]
    ) -> bool:
        """Source and tag in a status are those of the group."""
        look_after()
        if self._request == MPI.REQUEST_NULL:
            return True
        if status is not None and not self._group:
            raise ValueError("status: its source would be a member of the group, which was freed")
        try:
            done = ask(status)
        finally:
            if self._request == MPI.REQUEST_NULL:
                self._kept.clear()
        if done and status is not None:
            call("caucus_group_status", self._group._carried(), place(status))
        return done

    def __await__(self) -> Generator[Any, None, None]:
        return until(self.Test).__await__()


def _leave(request: MPI.Request, kept: list[Any]) -> None:
    if kept:
        leave(partial(_finish, request, kept))


def _finish(request: MPI.Request, kept: list[Any]) -> bool:
    return request == MPI.REQUEST_NULL or request.Test()
