# SPDX-License-Identifier: BSD-3-Clause
"""What a channel is opened with and what it delivers, as caucus/channel_object.h has it."""

from __future__ import annotations

import ctypes
from typing import Callable, NamedTuple

from mpi4py.typing import Buffer

from .handles import Count


class CDelivery(ctypes.Structure):
    """caucus_delivery"""

    _fields_ = [
        ("origin", ctypes.c_int),
        ("bytes", ctypes.c_void_p),
        ("length", Count),
        ("offset", Count),
        ("total", Count),
        ("asks", ctypes.c_int),
        ("outcome", ctypes.c_int),
        ("included", ctypes.c_int),
        ("contributions", ctypes.c_int),
        ("number", Count),
    ]


DELIVER = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(CDelivery))
ANSWER = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(CDelivery), ctypes.c_void_p)
COMBINE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


class COptions(ctypes.Structure):
    """caucus_channel_options"""

    _fields_ = [
        ("deliver", DELIVER),
        ("context", ctypes.c_void_p),
        ("order", ctypes.c_int),
        ("credits", ctypes.c_int),
        ("segment", Count),
        ("memory", Count),
        ("inbox", Count),
        ("progress", ctypes.c_int),
        ("answer", ANSWER),
        ("combine", COMBINE),
        ("answer_bytes", Count),
        ("survives", ctypes.c_int),
        ("keeps", Count),
    ]


class Delivery(NamedTuple):
    """A message, or a piece of one that is longer than the channel's memory."""

    data: bytes
    origin: int  # the rank that cast it
    offset: int = 0  # where in the message data belongs
    total: int = 0  # length of the whole message
    asks: bool = False  # a question, to be answered by reply
    outcome: bool = False  # the result of an allreduce of origin
    included: bool = False  # of an outcome: whether this rank's contribution is in it
    contributions: int = 0  # of an outcome: how many ranks contributed
    number: int = 0  # of an outcome and its question: which of the allreduces of origin, from 1


class Statistics(NamedTuple):
    """What this rank has done on a channel since it was opened (caucus_channel_counters)."""

    casts: int
    cast_bytes: int
    deliveries: int
    delivered_bytes: int
    sends: int
    sent_bytes: int
    forwards: int
    controls: int
    refusals: int
    stalls: int
    stalled_seconds: float
    hops: int
    longest_path: int
    peak_held: int
    peak_sends: int
    peak_inbox: int


class CCounters(ctypes.Structure):
    """caucus_channel_counters"""

    _fields_ = [
        (name, ctypes.c_double if name == "stalled_seconds" else Count)
        for name in Statistics._fields
    ]


Deliver = Callable[[Delivery], object]
# The answer as bytes or another buffer, at most as long as answers are; what is missing is zero.
Answer = Callable[[Delivery], Buffer]
# Combines two answers into the first of them.
Combine = Callable[[memoryview, memoryview], object]


def delivery(found: CDelivery) -> Delivery:
    """A copy: the library's own bytes are there for a moment only."""
    data = ctypes.string_at(found.bytes, found.length) if found.length else b""
    return Delivery(
        data,
        found.origin,
        found.offset,
        found.total,
        bool(found.asks),
        bool(found.outcome),
        bool(found.included),
        found.contributions,
        found.number,
    )


def view(address: int, length: int) -> memoryview:
    """Memory of the library's, to be looked at within a callback."""
    return memoryview((ctypes.c_ubyte * length).from_address(address)).cast("B")
