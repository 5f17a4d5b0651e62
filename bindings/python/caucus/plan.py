# SPDX-License-Identifier: BSD-3-Clause
"""The planner as Python objects. Nothing here needs MPI."""

from __future__ import annotations

import ctypes
import os
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Optional

from .errors import Failure, NotApplicable, UsageError
from .library import CSetting, CTraffic, load

MOST = 2**31 - 1  # a C int
BAD_INPUT, NOT_APPLICABLE = 1, 2  # caucus_plan_status
LEVEL_NAMES = ("node", "package", "cache")


@dataclass(frozen=True)
class Range:
    """How many neighbours a rank has: the fewest, the most, the mean."""

    min: int
    max: int
    mean: float


@dataclass(frozen=True)
class Traffic:
    """What a mapping costs between the parts of a level; edges are directed and weighted."""

    jsum: float  # between parts
    jmax: float  # leaving the worst part
    total: float
    on: Range
    off: Range


@dataclass(frozen=True)
class Rank0:
    """Whether rank 0 has cell 0, and by which fraction that raises the traffic between nodes."""

    kept: bool
    cost: float


@dataclass(frozen=True)
class Setting:
    environment: str
    info_key: str
    default: str
    syntax: str
    help: str
    value: str  # in force now


def traffic_of(found: CTraffic) -> Traffic:
    return Traffic(
        found.off_node,
        found.off_node_worst,
        found.all,
        Range(found.on_min, found.on_max, found.on_mean),
        Range(found.off_min, found.off_max, found.off_mean),
    )


def check(status: int) -> None:
    if status == 0:
        return
    text = os.fsdecode(load().caucus_error_text())
    if status == NOT_APPLICABLE:
        raise NotApplicable(text)
    raise (UsageError if status == BAD_INPUT else Failure)(text)


def _check_fits(value: int) -> None:
    """ctypes would cut it off silently."""
    if abs(value) > MOST:
        raise UsageError(f"{value} is not a number from -{MOST} to {MOST}")


def _array(kind, values: Optional[Iterable]):
    if values is None:
        return None
    values = list(values)
    if kind is ctypes.c_int:
        for value in values:
            _check_fits(value)
    return (kind * len(values))(*values)


def _same_length(name: str, values: Optional[Sequence], ndims: int) -> None:
    """The library can't see how long an array is."""
    if values is not None and len(values) != ndims:
        raise UsageError(f"{len(values)} {name} were given for {ndims} dimensions")


class Plan:
    """A grid on a machine; see include/caucus/plan.h for the words of machine and stencil."""

    def __init__(
        self,
        dims: Sequence[int],
        machine: str,
        periods: Optional[Sequence[bool]] = None,
        stencil: str = "star",
        weights: Optional[Sequence[float]] = None,
        ranks: int = 0,
    ):
        self._library = load()
        self._handle = ctypes.c_void_p()
        self.dims = tuple(dims)
        self.periods = tuple(bool(p) for p in periods) if periods else (False,) * len(self.dims)
        _same_length("periods", self.periods, len(self.dims))
        _same_length("weights", weights, len(self.dims))
        _check_fits(ranks)
        check(
            self._library.caucus_plan_create(
                len(self.dims),
                _array(ctypes.c_int, self.dims),
                _array(ctypes.c_int, self.periods),
                os.fsencode(stencil),
                _array(ctypes.c_double, weights),
                os.fsencode(machine),
                ranks,
                ctypes.byref(self._handle),
            )
        )

    def close(self) -> None:
        if getattr(self, "_handle", None):
            self._library.caucus_plan_free(self._handle)
            self._handle = ctypes.c_void_p()

    def __enter__(self) -> Plan:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    __del__ = close

    @property
    def cells(self) -> int:
        return self._library.caucus_plan_cells(self._handle)

    @property
    def ranks(self) -> int:
        return self._library.caucus_plan_ranks(self._handle)

    @property
    def levels(self) -> list[str]:
        """The levels that the machine describes, "node" first."""
        return list(LEVEL_NAMES[: self._library.caucus_plan_levels(self._handle)])

    def parts(self, level: int = 0) -> int:
        return self._library.caucus_plan_parts(self._handle, level)

    def node_name(self, node: int) -> Optional[str]:
        name = self._library.caucus_plan_node_name(self._handle, node)
        return name.decode(errors="replace") if name else None

    def map(self, mapper: str = "best") -> str:
        """Maps the grid; returns what made the mapping."""
        check(self._library.caucus_plan_map(self._handle, os.fsencode(mapper)))
        return self.mapper

    def keep_rank0(self, most: float = -1) -> Rank0:
        """Has rank 0 have cell 0 if that raises the traffic by this fraction at most; a negative
        one changes nothing, and tells what it would cost."""
        kept, cost = ctypes.c_int(), ctypes.c_double()
        check(
            self._library.caucus_plan_keep_rank0(
                self._handle, most, ctypes.byref(kept), ctypes.byref(cost)
            )
        )
        return Rank0(bool(kept.value), cost.value)

    @property
    def mapper(self) -> str:
        return self._library.caucus_plan_mapper(self._handle).decode()

    def measure(self, level: int = 0) -> Traffic:
        found = CTraffic()
        check(self._library.caucus_plan_measure(self._handle, level, ctypes.byref(found)))
        return traffic_of(found)

    def bound(self) -> float:
        bound = ctypes.c_double()
        check(self._library.caucus_plan_bound(self._handle, ctypes.byref(bound)))
        return bound.value

    def _numbers(self, count: int, function, *arguments) -> array:
        numbers = (ctypes.c_int32 * count)()
        check(function(self._handle, *arguments, numbers))
        return array("i", bytes(numbers))

    def node_of_cell(self) -> array:
        return self._numbers(self.cells, self._library.caucus_plan_node_of_cell)

    def rank_of_cell(self) -> array:
        return self._numbers(self.cells, self._library.caucus_plan_rank_of_cell)

    def part_of_rank(self, level: int = 0) -> array:
        return self._numbers(self.ranks, self._library.caucus_plan_part_of_rank, level)

    def stencil(self) -> list[tuple]:
        """The offsets with their weights: [((1, 0), 1.0), ...]."""
        count = ctypes.c_int()
        offsets, weights = ctypes.POINTER(ctypes.c_int)(), ctypes.POINTER(ctypes.c_double)()
        self._library.caucus_plan_stencil(
            self._handle, ctypes.byref(count), ctypes.byref(offsets), ctypes.byref(weights)
        )
        axes = len(self.dims)
        return [
            (tuple(offsets[k * axes + axis] for axis in range(axes)), weights[k])
            for k in range(count.value)
        ]


def dims_create(
    machine: str,
    ndims: int,
    ranks: int = 0,
    extents: Optional[Sequence[float]] = None,
    periods: Optional[Sequence[bool]] = None,
    dims: Optional[Sequence[int]] = None,
) -> list[int]:
    """Dimensions whose halos are short and stay on the node; zeros of dims are to be filled."""
    for name, values in (("extents", extents), ("periods", periods), ("dims", dims)):
        _same_length(name, values, ndims)
    _check_fits(ranks)
    filled = _array(ctypes.c_int, dims if dims is not None else [0] * ndims)
    check(
        load().caucus_plan_dims(
            os.fsencode(machine),
            ranks,
            ndims,
            _array(ctypes.c_double, extents),
            _array(ctypes.c_int, periods),
            filled,
        )
    )
    return list(filled)


def mappers() -> list[tuple]:
    """The table of mappers: [(name, summary), ...]."""
    table = []
    name, summary = ctypes.c_char_p(), ctypes.c_char_p()
    while load().caucus_plan_mapper_entry(len(table), ctypes.byref(name), ctypes.byref(summary)):
        table.append((name.value.decode(), summary.value.decode()))
    return table


def settings() -> list[Setting]:
    """The table of settings, with the values in force."""
    table, entry = [], CSetting()
    while load().caucus_plan_setting_entry(len(table), ctypes.byref(entry)):
        texts = (getattr(entry, name).decode(errors="replace") for name, _ in CSetting._fields_)
        table.append(Setting(*texts))
    return table


def warn_unknown_settings() -> int:
    """Warns on standard error of CAUCUS_ variables that no setting has; returns how many."""
    return load().caucus_plan_warn_unknown_settings()


def version() -> str:
    """The version of the library."""
    return load().caucus_version().decode()
