# SPDX-License-Identifier: BSD-3-Clause
"""Light groups: some ranks of a communicator, formed by themselves alone."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Sequence
from functools import partial
from types import TracebackType
from typing import Any, Callable, NamedTuple, Optional, TypeVar

from mpi4py import MPI

from .collectives import OnGroups
from .errors import call
from .group_messages import Messages
from .handles import handle, integers, number, place
from .leftovers import leave, look_after
from .requests import Request

Made = TypeVar("Made")


class Answer(NamedTuple):
    """What came of asking another group."""

    group: Optional[Group]  # the merged one; None if it was refused
    instead: Optional[int]  # then the first member of a group that it may be better to ask


class Group(OnGroups, Messages):
    """A light group. Neither a communicator nor an MPI.Group. It is made by the class methods and
    by methods of other groups; what they return on a rank that is no member is None. It is freed by
    free, at the end of a with block, or when nobody refers to it. All collectives but those of
    neighbourhoods are methods."""

    def __init__(self, made: ctypes.c_void_p, borrowed: bool = False) -> None:
        """For what the class methods have made, or somebody else frees."""
        self._handle, self._borrowed = made, borrowed
        if not borrowed:
            weakref.finalize(self, _leave, made).atexit = False
        self._rank = self._ask_number("caucus_group_rank")
        self._size = self._ask_number("caucus_group_size")

    def _carried(self) -> ctypes.c_void_p:
        """Its handle, as functions of the library take it."""
        return ctypes.c_void_p(self._handle.value)

    def _ask_number(self, function: str) -> int:
        found = ctypes.c_int()
        call(function, self._carried(), ctypes.byref(found))
        return found.value

    # Making groups of a communicator that is attached

    @classmethod
    def create(cls, comm: MPI.Comm, members: Sequence[int], tag: int = 0) -> Optional[Group]:
        """A group of ranks of comm, in this order. Called by the members alone, all with the same
        list, which is compared."""
        return _make("caucus_group_create", handle(comm), *_list(members), number(tag))

    @classmethod
    def icreate(
        cls, comm: MPI.Comm, members: Sequence[int], tag: int = 0
    ) -> Request[Optional[Group]]:
        """The nonblocking form of create: the request's Wait, or await, returns the group."""
        return _begin("caucus_group_icreate", handle(comm), *_list(members), number(tag))

    @classmethod
    def create_unchecked(
        cls, comm: MPI.Comm, members: Sequence[int], tag: int = 0
    ) -> Optional[Group]:
        """As create, for lists that are known to be the same: half the messages."""
        arguments = [handle(comm), *_list(members), number(tag)]
        return _make("caucus_group_create_unchecked", *arguments)

    @classmethod
    def create_lazy(cls, comm: MPI.Comm, members: Sequence[int]) -> Optional[Group]:
        """As create, without any message now: the first operation of the group, in which all take
        part, sets it up."""
        return _make("caucus_group_create_lazy", handle(comm), *_list(members))

    @classmethod
    def create_range(cls, comm: MPI.Comm, members: range) -> Optional[Group]:
        """A group of a range of ranks, without any message now and in O(1)."""
        if not members:
            raise ValueError("members: the range is empty")
        words = [number(rank) for rank in (members[0], members[-1], members.step)]
        return _make("caucus_group_create_range", handle(comm), *words)

    @classmethod
    def from_comm(cls, comm: MPI.Comm) -> Group:
        """A group of all ranks, without any message now."""
        return _some(_make("caucus_group_from_comm", handle(comm)))

    @classmethod
    def create_alive(
        cls, comm: MPI.Comm, members: Sequence[int], timeout: float
    ) -> Optional[Group]:
        """A group of those of the members that are alive, called by these."""
        arguments = [handle(comm), *_list(members), ctypes.c_double(timeout)]
        return _make("caucus_group_create_alive", *arguments)

    @classmethod
    def join(cls, comm: MPI.Comm, first: int, tag: int = 0) -> Group:
        """Joins the group whose first member is this rank of comm, while its members call grow."""
        arguments = [handle(comm), number(first), number(tag)]
        return _some(_make("caucus_group_join", *arguments))

    @classmethod
    def ijoin(cls, comm: MPI.Comm, first: int, tag: int = 0) -> Request[Optional[Group]]:
        """The nonblocking form of join."""
        return _begin("caucus_group_ijoin", handle(comm), number(first), number(tag))

    # Making groups of groups

    def create_within(self, members: Sequence[int], tag: int = 0) -> Optional[Group]:
        """A group of some members, by their ranks in this group; called by these alone."""
        arguments = [self._carried(), *_list(members), number(tag)]
        return _make("caucus_group_create_within", *arguments)

    def split(self, color: int, key: int = 0) -> Optional[Group]:
        """The members with the same color, by key; no group for MPI.UNDEFINED. By all members."""
        words = [number(color), number(key)]
        return _make("caucus_group_split", self._carried(), *words)

    def isplit(self, color: int, key: int = 0) -> Request[Optional[Group]]:
        """The nonblocking form of split."""
        words = [number(color), number(key)]
        return _begin("caucus_group_isplit", self._carried(), *words)

    def shrink(self, leaving: Sequence[int]) -> Optional[Group]:
        """The members that stay when these ranks leave, without any message now."""
        return _make("caucus_group_shrink", self._carried(), *_list(leaving))

    def shrink_alive(self, timeout: float) -> Group:
        """The members that are alive, called by these."""
        arguments = [self._carried(), ctypes.c_double(timeout)]
        return _some(_make("caucus_group_shrink_alive", *arguments))

    def merge(self, firsts: Sequence[int] = (), tag: int = 0) -> Group:
        """This group and others as one. The first member of each names the first members of all, as
        ranks of the communicator; the other members need not. By all members of all groups."""
        arguments = [self._carried(), *_list(firsts), number(tag)]
        return _some(_make("caucus_group_merge", *arguments))

    def imerge(self, firsts: Sequence[int] = (), tag: int = 0) -> Request[Optional[Group]]:
        """The nonblocking form of merge."""
        arguments = [self._carried(), *_list(firsts), number(tag)]
        return _begin("caucus_group_imerge", *arguments)

    def grow(self, joining: Sequence[int] = (), tag: int = 0) -> Group:
        """This group with ranks that call join. The first member names them, as ranks of the
        communicator; the other members need not."""
        arguments = [self._carried(), *_list(joining), number(tag)]
        return _some(_make("caucus_group_grow", *arguments))

    def igrow(self, joining: Sequence[int] = (), tag: int = 0) -> Request[Optional[Group]]:
        """The nonblocking form of grow."""
        arguments = [self._carried(), *_list(joining), number(tag)]
        return _begin("caucus_group_igrow", *arguments)

    def ask(self, first: int = 0, tag: int = 0) -> Answer:
        """Asks the group whose first member is this rank of the communicator to take this one in,
        and waits for the answer. By all members; the first member says which group."""
        return self.iask(first, tag).Wait()

    def iask(self, first: int = 0, tag: int = 0) -> Request[Answer]:
        """The nonblocking form of ask."""
        instead = ctypes.c_int(MPI.PROC_NULL)

        def answered(group: Optional[Group]) -> Answer:
            known = group is None and instead.value != MPI.PROC_NULL
            return Answer(group, instead.value if known else None)

        words = [self._carried(), number(first), number(tag)]
        return _begin_with("caucus_group_iask", words, [ctypes.byref(instead)], answered)

    def poll(self, tag: int = 0, limit: int = 64) -> list[int]:
        """The first members of groups that ask to be taken in, as ranks of the communicator. Does
        not wait. By the first member alone."""
        askers, count = (ctypes.c_int * number(limit).value)(), ctypes.c_int()
        words = [number(tag), number(limit), askers, ctypes.byref(count)]
        call("caucus_group_poll", self._carried(), *words)
        return askers[: count.value]

    def take(self, askers: Sequence[int] = (), tag: int = 0) -> Group:
        """Takes in groups that poll has told of. By all members; the first member says which."""
        arguments = [self._carried(), *_list(askers), number(tag)]
        return _some(_make("caucus_group_take", *arguments))

    def itake(self, askers: Sequence[int] = (), tag: int = 0) -> Request[Optional[Group]]:
        """The nonblocking form of take."""
        arguments = [self._carried(), *_list(askers), number(tag)]
        return _begin("caucus_group_itake", *arguments)

    def refuse(self, asker: int, tag: int = 0) -> None:
        """Refuses a group that asks. By the first member alone."""
        call("caucus_group_refuse", self._carried(), number(asker), number(tag))

    # Communicators of MPI

    def to_comm(self) -> MPI.Intracomm:
        """A communicator of the members, to be freed by its Free. By all members."""
        look_after()
        made = MPI.Intracomm()
        call("caucus_group_to_comm", self._carried(), place(made))
        return made

    def to_comm_alive(self, timeout: float) -> MPI.Intracomm:
        """The same where ranks of the communicator that the group was made of are dead."""
        look_after()
        made = MPI.Intracomm()
        arguments = [self._carried(), ctypes.c_double(timeout), place(made)]
        call("caucus_group_to_comm_alive", *arguments)
        return made

    def ito_comm(self) -> Request[MPI.Intracomm]:
        """The nonblocking form of to_comm."""
        look_after()
        made, request = MPI.Intracomm(), ctypes.c_void_p()
        call("caucus_group_ito_comm", self._carried(), place(made), ctypes.byref(request))
        return Request(request, made, lambda: made)

    def intercomm(self, remote_leader: int, local_leader: int = 0, tag: int = 0) -> MPI.Intercomm:
        """An intercommunicator with another group, whose leader is this rank of the communicator
        that both were made of. By all members of both groups."""
        look_after()
        made = MPI.Intercomm()
        words = [number(value) for value in (local_leader, remote_leader, tag)]
        call("caucus_intercomm_create_group", self._carried(), *words, place(made))
        return made

    # What it is

    @property
    def rank(self) -> int:
        """The rank of this process in the group."""
        return self._rank

    @property
    def size(self) -> int:
        """The number of members."""
        return self._size

    def Get_rank(self) -> int:
        """The rank of this process in the group."""
        return self._rank

    def Get_size(self) -> int:
        """The number of members."""
        return self._size

    @property
    def members(self) -> list[int]:
        """The ranks of the members in the communicator that the group was made of."""
        found = (ctypes.c_int * self.size)()
        call("caucus_group_members", self._carried(), found)
        return list(found)

    def __len__(self) -> int:
        return self._size

    def __bool__(self) -> bool:
        """Whether it was not freed."""
        return bool(self._handle.value)

    def __repr__(self) -> str:
        state = f"rank {self._rank} of {self._size}" if self else "freed"
        return f"<caucus.mpi.Group, {state}>"

    def free(self) -> None:
        """Frees this rank's handle. Local; a second call does nothing. A group that a pool or a
        balance lends is only forgotten."""
        if self._handle.value:
            look_after()
            if self._borrowed:
                self._handle.value = None
            else:
                _free(self._handle)

    def __enter__(self) -> Group:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        problem: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.free()


def attach(comm: MPI.Comm) -> None:
    """Prepares a communicator, once, by all its ranks: what is done by some of them alone, such as
    making groups, takes that."""
    look_after()
    call("caucus_comm_attach", handle(comm))


def create_comm(comm: MPI.Intracomm, group: MPI.Group, tag: int = 0) -> MPI.Intracomm:
    """What comm.Create_group is, with checks and without the faults of implementations."""
    look_after()
    made = MPI.Intracomm()
    words = [handle(comm), handle(group), number(tag), place(made)]
    call("caucus_comm_create_group", *words)
    return made


def _list(ranks: Sequence[int]) -> list[Any]:
    return [integers(ranks), ctypes.c_int(len(ranks))]


def _leave(made: ctypes.c_void_p) -> None:
    """A group that nobody refers to any more. Requests on it keep what they need."""
    if made.value:
        leave(partial(_free, made))


def _free(made: ctypes.c_void_p) -> bool:
    call("caucus_group_free", ctypes.byref(made))
    return True


def _group_of(made: ctypes.c_void_p) -> Optional[Group]:
    return Group(made) if made.value else None


def _some(group: Optional[Group]) -> Group:
    assert group is not None
    return group


def _make(function: str, *arguments: Any) -> Optional[Group]:
    look_after()
    made = ctypes.c_void_p()
    call(function, *arguments, ctypes.byref(made))
    return _group_of(made)


def _begin(function: str, *arguments: Any) -> Request[Optional[Group]]:
    return _begin_with(function, list(arguments), [], lambda group: group)


def _begin_with(
    function: str, before: list[Any], after: list[Any], result: Callable[[Optional[Group]], Made]
) -> Request[Made]:
    """The places that the library writes to later live as long as the request."""
    look_after()
    made, request = ctypes.c_void_p(), ctypes.c_void_p()
    call(function, *before, ctypes.byref(made), *after, ctypes.byref(request))
    return Request(
        request,
        (made, after),
        lambda: result(_group_of(made)),
        drop=lambda: made.value and _free(made),
    )
