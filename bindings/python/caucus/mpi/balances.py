# SPDX-License-Identifier: BSD-3-Clause
"""Groups that help each other: one that has finished its work joins one that has not."""

from __future__ import annotations

import ctypes
from enum import IntEnum
from typing import NamedTuple

from mpi4py import MPI

from .closing import Closing
from .errors import call
from .groups import Group
from .handles import Count, handle, number
from .leftovers import look_after


class News(IntEnum):
    """What a poll reports."""

    SAME = 0  # the group has not changed
    GROWN = 1  # this rank is in a new, larger group
    OVER = 2  # no group has work left


class Place(NamedTuple):
    """Which group this rank is in."""

    group: Group  # belongs to the balance, until a poll reports the next one
    source: int  # the rank in it of a member that knows the state of the work
    work: int  # which work it does: the number of the group that had it at the beginning


class BalanceStatistics(NamedTuple):
    """What this rank has done since the balance was opened (caucus_balance_counters)."""

    polls: int
    regroupings: int
    requests: int
    messages: int
    waited: float


class CCounters(ctypes.Structure):
    """caucus_balance_counters"""

    _fields_ = [
        (name, ctypes.c_double if name == "waited" else Count) for name in BalanceStatistics._fields
    ]


class Balance(Closing):
    """The ranks of a communicator in groups of group_size, each with work of its own. Opened and
    closed by all ranks. In a with block it is closed at the end, unless an exception leaves it."""

    def __init__(self, comm: MPI.Intracomm, group_size: int) -> None:
        look_after()
        self._balance = ctypes.c_void_p()
        words = [number(group_size), ctypes.byref(self._balance)]
        call("caucus_balance_open", handle(comm), *words)
        self._place = self._ask()

    def _ask(self) -> Place:
        made, source, work = ctypes.c_void_p(), ctypes.c_int(), ctypes.c_int()
        places = [ctypes.byref(place) for place in (made, source, work)]
        call("caucus_balance_group", ctypes.c_void_p(self._balance.value), *places)
        return Place(Group(made, borrowed=True), source.value, work.value)

    @property
    def place(self) -> Place:
        """Which group this rank is in."""
        return self._place

    def poll(self, busy: bool) -> News:
        """To be called once a step of the work, by all members of the group; busy, whether work is
        left, is what its rank 0 says. If it is not, waits until there are news."""
        look_after()
        news = ctypes.c_int()
        words = [ctypes.c_int(bool(busy)), ctypes.byref(news)]
        call("caucus_balance_poll", ctypes.c_void_p(self._balance.value), *words)
        if news.value == News.GROWN:
            self._place.group.free()
            self._place = self._ask()
        return News(news.value)

    @property
    def statistics(self) -> BalanceStatistics:
        """What this rank has done."""
        found = CCounters()
        call("caucus_balance_statistics", ctypes.c_void_p(self._balance.value), ctypes.byref(found))
        return BalanceStatistics(*(getattr(found, name) for name in BalanceStatistics._fields))

    def close(self) -> None:
        """Closes the balance, after a poll has reported that all is over. By all ranks; a second
        call does nothing."""
        if self._balance.value:
            try:
                call("caucus_balance_close", ctypes.byref(self._balance))
            finally:
                if not self._balance.value:  # it may be too early
                    self._place.group.free()
