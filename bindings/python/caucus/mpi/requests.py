# SPDX-License-Identifier: BSD-3-Clause
"""Requests: what mpi4py's Request and Prequest are for its own operations.

A request keeps its buffers alive. One that nobody refers to any more while it is active, keeps them
until it is complete; what is left is looked after by the calls that follow, of any request."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Generator, Sequence
from functools import partial
from types import TracebackType
from typing import Any, Callable, Generic, Optional, TypeVar, cast

from mpi4py import MPI

from .errors import Error, call, failure
from .leftovers import leave, look_after
from .library import load
from .waiting import until

Result = TypeVar("Result")
Itself = TypeVar("Itself", bound="PersistentRequest")


class Operation:
    """What the library knows by a handle, apart from the object that the program has."""

    __slots__ = ("handle", "active", "persistent", "keep", "drop", "problem")

    def __init__(
        self,
        handle: ctypes.c_void_p,
        persistent: bool,
        keep: Any,
        drop: Optional[Callable[[], Any]] = None,
    ) -> None:
        self.handle = handle
        self.drop = drop  # frees what it has made, where nobody took that
        self.active = bool(handle.value) and not persistent
        self.persistent = persistent
        self.keep = keep
        self.problem: Optional[Error] = None  # of one that has failed and can't be begun again

    def settle(self, problem: Optional[Error] = None) -> None:
        """To be called when it is complete, in success or not."""
        self.active = False
        if not self.persistent:
            self.keep, self.problem = None, self.problem or problem


def _leave(operation: Operation) -> None:
    if operation.handle.value:
        leave(partial(_finish, operation))


def _finish(operation: Operation) -> bool:
    is_over = True
    try:
        if operation.active:
            is_over = _test(operation)
            if is_over and operation.drop is not None:
                operation.drop()
    finally:  # a persistent one that failed is still there
        if is_over and operation.handle.value:
            call("caucus_request_free", ctypes.byref(operation.handle))
    return is_over


def _test(operation: Operation) -> bool:
    flag = ctypes.c_int()
    code = load().caucus_test(ctypes.byref(operation.handle), ctypes.byref(flag), _statuses(1))
    if code != MPI.SUCCESS:
        problem = failure(code)
        operation.settle(problem)
        raise problem
    if flag.value:
        operation.settle()
    return bool(flag.value)


class Request(Generic[Result]):
    """An operation that has begun. Its end is awaited by Wait, Test, or await."""

    def __init__(
        self,
        handle: ctypes.c_void_p,
        keep: Any,
        result: Optional[Callable[[], Result]] = None,
        persistent: bool = False,
        drop: Optional[Callable[[], Any]] = None,
    ) -> None:
        self._operation = Operation(handle, persistent, keep, drop)
        self._make = result
        self._result: Optional[Result] = None
        weakref.finalize(self, _leave, self._operation).atexit = False
        if not self._operation.active and not persistent:
            self._complete()

    def _complete(self) -> Result:
        """What was made. Raises again what a request has failed with."""
        if self._operation.problem is not None:
            raise self._operation.problem
        if self._make is not None:
            self._result, self._make = self._make(), None
        return cast(Result, self._result)

    @property
    def active(self) -> bool:
        """Whether the operation has begun and was not seen to be complete."""
        return self._operation.active

    def Test(self) -> bool:
        """Whether the operation is complete, or was never begun. Does not wait."""
        look_after()
        if self._operation.active and not _test(self._operation):
            return False
        self._complete()
        return True

    def Wait(self) -> Result:
        """Waits until the operation is complete. Returns what was made, None for a collective."""
        look_after()
        operation = self._operation
        if operation.active:
            code = load().caucus_wait(ctypes.byref(operation.handle), _statuses(1))
            problem = None if code == MPI.SUCCESS else failure(code)
            operation.settle(problem)
            if problem:
                raise problem
        return self._complete()

    def __await__(self) -> Generator[Any, None, Result]:
        yield from until(self.Test).__await__()
        return self._complete()

    @staticmethod
    def Waitall(requests: Sequence[Request[Any]]) -> None:
        """Waits until all are complete. If some fail, raises the error of the first of them."""
        look_after()
        handles, statuses = _array(requests), _statuses(len(requests))
        code = load().caucus_waitall(len(requests), handles, statuses)
        problem = None if code == MPI.SUCCESS else failure(code)
        _take(requests, handles, range(len(requests)), problem, statuses)

    @staticmethod
    def Testall(requests: Sequence[Request[Any]]) -> bool:
        """Whether all are complete; if not, none is changed."""
        look_after()
        handles, statuses = _array(requests), _statuses(len(requests))
        flag = ctypes.c_int()
        code = load().caucus_testall(len(requests), handles, ctypes.byref(flag), statuses)
        problem = None if code == MPI.SUCCESS else failure(code)
        if flag.value or problem:
            _take(requests, handles, range(len(requests)), problem, statuses)
        return bool(flag.value)

    @staticmethod
    def Waitany(requests: Sequence[Request[Any]]) -> int:
        """Waits until one is complete, and returns its index; MPI.UNDEFINED if none is active."""
        look_after()
        handles, index = _array(requests), ctypes.c_int(MPI.UNDEFINED)
        code = load().caucus_waitany(len(requests), handles, ctypes.byref(index), _statuses(1))
        problem = None if code == MPI.SUCCESS else failure(code)
        found = range(index.value, index.value + 1) if index.value >= 0 else range(0)
        _take(requests, handles, found, problem, None)
        return index.value

    @staticmethod
    def Waitsome(requests: Sequence[Request[Any]]) -> Optional[list[int]]:
        """Waits until some are complete, and returns their indices; None if none is active."""
        look_after()
        handles, statuses = _array(requests), _statuses(len(requests))
        count, indices = ctypes.c_int(0), (ctypes.c_int * len(requests))()
        code = load().caucus_waitsome(
            len(requests), handles, ctypes.byref(count), indices, statuses
        )
        problem = None if code == MPI.SUCCESS else failure(code)
        if count.value == MPI.UNDEFINED:
            return None
        found = indices[: count.value]
        _take(requests, handles, found, problem, statuses)
        return found


class PersistentRequest(Request[None]):
    """An operation that is set up, and begun as often as one likes. In a with block it is freed at
    the end of it."""

    def __init__(self, handle: ctypes.c_void_p, keep: Any) -> None:
        super().__init__(handle, keep, persistent=True)

    def Start(self: Itself) -> Itself:
        """Begins the operation with what its buffers have now. Does not wait."""
        look_after()
        code = load().caucus_start(ctypes.byref(self._operation.handle))
        if code != MPI.SUCCESS:
            raise failure(code)
        self._operation.active = True
        return self

    @staticmethod
    def Startall(requests: Sequence[PersistentRequest]) -> None:
        """Begins several."""
        look_after()
        try:
            call("caucus_startall", ctypes.c_int(len(requests)), _array(requests))
        finally:
            # Where one fails, those before it run; and to await one that doesn't run ends at once.
            for request in requests:
                request._operation.active = bool(request._operation.handle.value)

    def Free(self) -> None:
        """Frees the request, which must not be active. Local; a second call does nothing."""
        look_after()
        if self._operation.handle.value:
            call("caucus_request_free", ctypes.byref(self._operation.handle))
            self._operation.keep = None

    def __enter__(self: Itself) -> Itself:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        problem: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        """After an exception an active operation is left to itself: others may not take part."""
        if problem is None:
            self.Wait()
        if not self.active:
            self.Free()


def _array(requests: Sequence[Request[Any]]) -> Any:
    """Their handles; an inactive one is null, which has the same meaning to who waits."""
    return (ctypes.c_void_p * len(requests))(*(r._operation.handle.value for r in requests))


def _statuses(count: int) -> Any:
    """Room for them, which lives as long as the call that it is passed to."""
    return (ctypes.c_char * (max(count, 1) * MPI._sizeof(MPI.Status)))()


def _take(
    requests: Sequence[Request[Any]],
    handles: Any,
    completed: Sequence[int],
    problem: Optional[Error],
    statuses: Any,
) -> None:
    """Marks those that are complete, and raises the first error among them. Entry i of statuses
    belongs to the i-th of completed."""
    failed = []
    for entry, index in enumerate(completed):
        operation, own = requests[index]._operation, problem
        if problem and statuses is not None:
            code = _error_of(statuses, entry)
            own = None if code == MPI.SUCCESS else Error(code, problem.text)
        operation.handle.value = handles[index]
        operation.settle(own)
        own = own or operation.problem
        if own:
            failed.append(own)
        else:
            requests[index]._complete()
    first = failed[0] if failed else problem
    if first:
        raise first


def _error_of(statuses: Any, entry: int) -> int:
    """The error in a status, of which only mpi4py knows how it is made."""
    status, size = MPI.Status(), MPI._sizeof(MPI.Status)
    source = ctypes.addressof(statuses) + entry * size
    ctypes.memmove(MPI._addressof(status), source, size)
    return status.Get_error()
