# SPDX-License-Identifier: BSD-3-Clause
"""A pool of ranks: each task runs on a group of as many ranks as it asks for."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, NamedTuple

from mpi4py import MPI
from mpi4py.typing import Buffer

from .buffers import memory
from .closing import Closing
from .errors import call
from .groups import Group
from .handles import Count, handle, number
from .leftovers import look_after

# Runs a task on each rank of its group.
Body = Callable[[Group, bytes], object]

BODY = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p
)


class COptions(ctypes.Structure):
    """caucus_pool_options"""

    _fields_ = [
        ("body", BODY),
        ("context", ctypes.c_void_p),
        ("task_bytes", ctypes.c_int),
        ("passes", ctypes.c_int),
    ]


class PoolStatistics(NamedTuple):
    """What this rank has done since the pool was opened (caucus_pool_counters)."""

    tasks: int
    messages: int
    waited: float


class CCounters(ctypes.Structure):
    """caucus_pool_counters"""

    _fields_ = [("tasks", Count), ("messages", Count), ("waited", ctypes.c_double)]


# The library holds the body of a pool until it is closed.
_open: set[Pool] = set()


class Pool(Closing):
    """A pool of all ranks of a communicator, opened and closed by all of them. Rank 0 hands tasks
    out, and runs none unless it is the only one. In a with block the pool is closed at the end,
    unless an exception leaves the block.

    Tasks are of task_bytes bytes each. If body raises, no more tasks are started, and run raises:
    on that rank what body has raised, on the others an Error.
    """

    def __init__(self, comm: MPI.Intracomm, body: Body, task_bytes: int, passes: int = 0) -> None:
        """passes: how many later tasks may start before one that waits for ranks."""
        look_after()
        self._pool = ctypes.c_void_p()
        self._raised: list[BaseException] = []
        self._task_bytes = task_bytes
        numbers = [number(value).value for value in (task_bytes, passes)]
        self._options = COptions(BODY(self._running(body)), None, *numbers)
        options = ctypes.byref(self._options)
        call("caucus_pool_open", handle(comm), options, ctypes.byref(self._pool))
        _open.add(self)

    def _running(self, body: Body) -> Callable[..., int]:
        def called(_: Any, pool: Any, group: int, task: int) -> int:
            try:
                with Group(ctypes.c_void_p(group), borrowed=True) as members:
                    body(members, ctypes.string_at(task, self._task_bytes) if task else b"")
                return 0
            except BaseException as problem:
                self._raised.append(problem)
                return 1

        return called

    def submit(self, ranks: int, task: Buffer = b"") -> None:
        """Submits a task that needs so many ranks. By any rank, also by a body."""
        found = memory(task, False, "task")
        if found.nbytes != self._task_bytes:
            raise ValueError(f"task: {found.nbytes} bytes, but a task has {self._task_bytes}")
        words = [number(ranks), ctypes.c_void_p(found.address)]
        call("caucus_pool_submit", ctypes.c_void_p(self._pool.value), *words)

    def run(self) -> None:
        """Runs all tasks, those too that are submitted meanwhile. By all ranks."""
        look_after()
        try:
            call("caucus_pool_run", ctypes.c_void_p(self._pool.value))
        finally:
            if self._raised:
                raise self._raised.pop(0)

    @property
    def statistics(self) -> PoolStatistics:
        """What this rank has done."""
        found = CCounters()
        call("caucus_pool_statistics", ctypes.c_void_p(self._pool.value), ctypes.byref(found))
        return PoolStatistics(found.tasks, found.messages, found.waited)

    def close(self) -> None:
        """Closes the pool. By all ranks; a second call does nothing."""
        if self._pool.value:
            try:
                call("caucus_pool_close", ctypes.byref(self._pool))
            finally:
                if not self._pool.value:  # after some errors it stays open
                    _open.discard(self)
