# SPDX-License-Identifier: BSD-3-Clause
"""How C functions take what mpi4py and Python have: handles of MPI are an int with some MPIs and a
pointer with others."""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Iterable
from typing import Any, Union

from mpi4py import MPI

Handle = Union[
    MPI.Comm, MPI.Datatype, MPI.Group, MPI.Info, MPI.Op, MPI.Request, MPI.Status, MPI.File, MPI.Win
]
Carried = Any  # an instance of a type of ctypes

_IS_INT = MPI._sizeof(MPI.Comm) == ctypes.sizeof(ctypes.c_int)
KIND: Any = ctypes.c_int if _IS_INT else ctypes.c_void_p

Count = ctypes.c_int64  # MPI_Count, which library.py has looked at
Aint = ctypes.c_ssize_t


def handle(thing: Handle) -> Carried:
    """A handle by its value."""
    return KIND(MPI._handleof(thing))


def place(thing: Union[Handle, MPI.Status]) -> Carried:
    """Where a handle or a status lies, for a function to write to."""
    found = ctypes.c_void_p(MPI._addressof(thing))
    found.owner = thing  # type: ignore[attr-defined]  # lives as long as what leads to it
    return found


def handles(things: Iterable[Handle]) -> Carried:
    values = [MPI._handleof(thing) for thing in things]
    return (KIND * len(values))(*values)


def number(value: int, kind: Any = ctypes.c_int) -> Carried:
    """An argument that is a number. ctypes itself would take the lowest bits of a longer one."""
    found, bits = operator.index(value), 8 * ctypes.sizeof(kind)
    if not -(2 ** (bits - 1)) <= found < 2 ** (bits - 1):
        raise OverflowError(f"{found} does not fit into {bits} bits, which C has for it")
    return kind(found)


def integers(values: Iterable[int], kind: Any = ctypes.c_int) -> Carried:
    found = [operator.index(value) for value in values]
    for extreme in (min(found), max(found)) if found else ():  # faster than each one
        number(extreme, kind)
    return (kind * len(found))(*found)


def doubles(values: Iterable[float]) -> Carried:
    found = list(values)
    return (ctypes.c_double * len(found))(*found)
