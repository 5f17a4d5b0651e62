# SPDX-License-Identifier: BSD-3-Clause
"""Cartesian communicators whose neighbours share a node wherever possible."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, NamedTuple, Optional, Union

from mpi4py import MPI

from ..library import CTraffic
from .errors import call
from .handles import doubles, handle, integers, number, place
from .leftovers import look_after

Periods = Union[Sequence[bool], bool, None]  # of each dimension, or of all


class Traffic(NamedTuple):
    """The messages of one exchange with all neighbours, in the unit of the weights."""

    off_node: float  # of all edges between nodes
    off_node_worst: float  # of the edges that leave the busiest node
    all: float
    on_min: int  # fewest neighbours that a rank has on its own node, and so on
    on_max: int
    off_min: int
    off_max: int
    on_mean: float
    off_mean: float


class Report(NamedTuple):
    """What reordering did."""

    nodes: int
    mapper: str  # what placed the ranks; "given" if they kept their places
    bound: float  # no placement has less traffic off_node; 0 if that was not worked out
    given: Traffic  # without reordering
    placed: Traffic
    rank0_kept: bool  # rank 0 of the old communicator is rank 0 of this one
    rank0_cost: float  # by which fraction that has raised the traffic, or would have


class CReport(ctypes.Structure):
    """caucus_cart_report_data"""

    _fields_ = [
        ("nodes", ctypes.c_int),
        ("mapper", ctypes.c_char * 32),
        ("bound", ctypes.c_double),
        ("given", CTraffic),
        ("placed", CTraffic),
        ("rank0_kept", ctypes.c_int),
        ("rank0_cost", ctypes.c_double),
    ]


class Grid(MPI.Cartcomm):
    """A Cartesian communicator of mpi4py, that can tell what reordering did. Any other Cartcomm
    becomes one by Grid(comm). To be freed by Free."""

    @classmethod
    def create(
        cls,
        comm: MPI.Intracomm,
        dims: Sequence[int],
        periods: Periods = None,
        weights: Optional[Sequence[float]] = None,
        reorder: bool = True,
    ) -> Optional[Grid]:
        """By all ranks of comm. weights: how many bytes a rank sends to each neighbour along each
        dimension. None on ranks that have no cell."""
        look_after()
        sizes, around = _dimensions(dims, periods)
        made = cls()
        call(
            "caucus_cart_create_weighted",
            *[handle(comm), ctypes.c_int(len(dims)), sizes, around],
            *[_weights(weights, len(dims), "dimensions"), number(bool(reorder)), place(made)],
        )
        return made if made != MPI.COMM_NULL else None

    @classmethod
    def stencil(
        cls,
        comm: MPI.Intracomm,
        dims: Sequence[int],
        offsets: Sequence[Sequence[int]],
        periods: Periods = None,
        weights: Optional[Sequence[float]] = None,
        info: MPI.Info = MPI.INFO_NULL,
        reorder: bool = True,
    ) -> Optional[Grid]:
        """The same for any neighbours: those at these offsets, with a weight each."""
        look_after()
        sizes, around = _dimensions(dims, periods)
        for offset in offsets:
            if len(offset) != len(dims):
                raise ValueError(f"offsets: {tuple(offset)}, but there are {len(dims)} dimensions")
        flat = integers(number for offset in offsets for number in offset)
        made = cls()
        call(
            "caucus_stencil_create",
            *[handle(comm), ctypes.c_int(len(dims)), sizes, around],
            *[ctypes.c_int(len(offsets)), flat, _weights(weights, len(offsets), "offsets")],
            *[handle(info), number(bool(reorder)), place(made)],
        )
        return made if made != MPI.COMM_NULL else None

    def report(self) -> Report:
        """Measures the traffic between nodes, without reordering and as it is. By all ranks."""
        found = CReport()
        call("caucus_cart_report", handle(self), ctypes.byref(found))
        given, placed = _traffic(found.given), _traffic(found.placed)
        kept, cost = bool(found.rank0_kept), found.rank0_cost
        return Report(found.nodes, found.mapper.decode(), found.bound, given, placed, kept, cost)


def Cart_map(comm: MPI.Intracomm, dims: Sequence[int], periods: Periods = None) -> int:
    """The rank that this process would have in Grid.create; MPI.UNDEFINED if it had none."""
    sizes, around = _dimensions(dims, periods)
    found = ctypes.c_int()
    words = [ctypes.c_int(len(dims)), sizes, around, ctypes.byref(found)]
    call("caucus_cart_map", handle(comm), *words)
    return found.value


def Compute_dims(
    comm: MPI.Intracomm,
    nranks: int,
    dims: Sequence[int],
    extents: Optional[Sequence[float]] = None,
    periods: Periods = None,
) -> list[int]:
    """Dimensions for a grid of so many ranks, such that few bytes cross between nodes. Zeros in
    dims are chosen, other numbers are kept; extents is the size of the whole mesh in points."""
    sizes, around = _dimensions(dims, periods)
    words = [number(nranks), ctypes.c_int(len(dims))]
    mesh = _weights(extents, len(dims), "dimensions", "extents")
    call("caucus_dims_create", handle(comm), *words, mesh, around, sizes)
    return list(sizes)


def _dimensions(dims: Sequence[int], periods: Periods) -> tuple[Any, Any]:
    if periods is None or isinstance(periods, bool):
        periods = [bool(periods)] * len(dims)
    flags = list(periods)
    if len(flags) != len(dims):
        raise ValueError(f"periods: {len(flags)} flags, but there are {len(dims)} dimensions")
    return integers(dims), integers(bool(flag) for flag in flags)


def _weights(
    values: Optional[Sequence[float]], count: int, of: str, name: str = "weights"
) -> Optional[Any]:
    if values is None:
        return None
    if len(values) != count:
        raise ValueError(f"{name}: {len(values)} numbers, but there are {count} {of}")
    return doubles(values)


def _traffic(found: CTraffic) -> Traffic:
    return Traffic(*(getattr(found, name) for name in Traffic._fields))
