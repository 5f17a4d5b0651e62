# SPDX-License-Identifier: BSD-3-Clause
"""Moving a field between decompositions: each rank says which global indices it has and which it
wants."""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Iterable
from typing import Any, Union

from mpi4py import MPI
from mpi4py.typing import BufSpec

from . import messages
from .errors import call
from .handles import Count, handle, number
from .leftovers import look_after
from .requests import PersistentRequest

Indices = Iterable[Union[range, tuple[int, int]]]


class CIndexRange(ctypes.Structure):
    """caucus_index_range"""

    _fields_ = [("first", ctypes.c_int64), ("count", ctypes.c_int64)]


def Redistribute_init(
    comm: MPI.Comm,
    sendbuf: Union[BufSpec, None],
    have: Indices,
    recvbuf: Union[BufSpec, None],
    want: Indices,
    info: MPI.Info = MPI.INFO_NULL,
) -> PersistentRequest:
    """A request that moves a field at each start, by all ranks of comm, of both groups if it is an
    intercommunicator.

    have and want are lists of ranges of global indices, as range(first, end) or (first, count).
    sendbuf has the elements with the indices in have, in that order, recvbuf gets those in want.
    What a rank does not have or want is None and [].
    """
    look_after()
    sides = [_side(sendbuf, have, False), _side(recvbuf, want, True)]
    made = ctypes.c_void_p()
    arguments = [word for words, _ in sides for word in words]
    arguments += [handle(comm), handle(info), ctypes.byref(made)]
    call("caucus_redistribute_init", *arguments)
    return PersistentRequest(made, [keep for _, keep in sides])


def _side(spec: Any, indices: Indices, writable: bool) -> tuple[list[Any], Any]:
    """(address, number of ranges, ranges, datatype of an element), and what must stay."""
    name = "recvbuf" if writable else "sendbuf"
    ranges = [_range(part, "want" if writable else "have") for part in indices]
    elements = sum(count for _, count in ranges)
    parts = messages.given(spec, writable, name)
    if parts.count is not None or parts.displacement is not None:
        raise ValueError(f"{name}: it has as many elements as indices: give [data, datatype]")
    datatype = messages.type_of(parts, name)
    data = spec[0] if isinstance(spec, (list, tuple)) else spec
    block = messages.one([data, elements, datatype], writable, name)
    listed = (CIndexRange * len(ranges))(*(CIndexRange(*map(_wide, pair)) for pair in ranges))
    words = [ctypes.c_void_p(block.address), Count(len(ranges)), listed, handle(datatype)]
    return words, block.keep


def _wide(index: int) -> int:
    return int(number(index, ctypes.c_int64).value)


def _range(part: Any, name: str) -> tuple[int, int]:
    if isinstance(part, range):
        if part.step != 1:
            raise ValueError(
                f"{name}: {part} has a step, but indices one after the other are needed"
            )
        return part.start, len(part)
    first, count = part
    return operator.index(first), operator.index(count)
