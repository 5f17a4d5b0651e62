# SPDX-License-Identifier: BSD-3-Clause
"""Buffers as mpi4py's functions take them, [data, count, datatype] and the like, as what C
functions take: an address, counts, displacements, datatypes."""

from __future__ import annotations

import operator
from itertools import accumulate
from typing import Any, NamedTuple, Optional

from mpi4py import MPI

from .buffers import NOTHING, Memory, by_code, memory
from .handles import Aint, number


class Block(NamedTuple):
    """Elements one after the other."""

    address: int
    elements: int
    datatype: MPI.Datatype
    keep: Any


class Blocks(NamedTuple):
    """A block for each rank. Displacements are in elements; in bytes with a datatype each."""

    address: int
    counts: list[int]
    displacements: list[int]
    datatypes: list[MPI.Datatype]  # one for all, or one each
    keep: Any


class Given(NamedTuple):
    """The parts of what was given, None where one is missing."""

    memory: Memory
    anywhere: bool  # MPI.BOTTOM: addresses are in the datatype, and no length is known
    count: Any
    displacement: Any
    datatype: Any


def is_number(value: Any) -> bool:
    return hasattr(value, "__index__") and not hasattr(value, "__len__")


def is_type(value: Any) -> bool:
    return isinstance(value, (MPI.Datatype, str))


def given(spec: Any, writable: bool, name: str) -> Given:
    parts = list(spec) if isinstance(spec, (list, tuple)) else [spec]
    if not 1 <= len(parts) <= 4:
        raise ValueError(f"{name}: {len(parts)} parts, but [data, count, displacement, datatype]")
    data, count, displacement, datatype = parts[0], None, None, None
    rest = parts[1:]
    if rest and (is_type(rest[-1]) or _are_types(rest[-1])):
        datatype = rest.pop()
    if rest:
        count = rest.pop(0)
        # A pair of both; a list of two numbers is two counts.
        if isinstance(count, (list, tuple)) and len(count) == 2 and not rest:
            if isinstance(count, tuple) or not all(map(is_number, count)):
                count, displacement = count
    if rest:
        displacement = rest.pop(0)
    if rest:
        raise ValueError(f"{name}: its last part is no datatype")
    anywhere = data is MPI.BOTTOM
    found = NOTHING if data is None or anywhere else memory(data, writable, name)
    return Given(found, anywhere, count, displacement, datatype)


def _are_types(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(map(is_type, value))


def _is_empty(value: Any) -> bool:
    """A list without a number or a datatype in it, or a pair of such lists."""
    return not is_type(value) and hasattr(value, "__len__") and all(map(_is_empty, value))


def type_of(parts: Given, name: str) -> MPI.Datatype:
    if isinstance(parts.datatype, str):
        found, why = by_code(parts.datatype)
        if found is None:
            raise ValueError(f"{name}: {why}")
        return found
    if parts.datatype is not None:
        if not isinstance(parts.datatype, MPI.Datatype):
            raise TypeError(f"{name}: a datatype for each block, where one for all is expected")
        return parts.datatype
    if parts.memory.datatype is None:
        raise ValueError(f"{name}: {parts.memory.why}: give the datatype, as [data, datatype]")
    return parts.memory.datatype


def one(spec: Any, writable: bool, name: str, blocks: int = 1) -> Block:
    """A buffer for so many blocks, of which the count is that of one."""
    parts = given(spec, writable, name)
    datatype = type_of(parts, name)
    start = _number(parts.displacement, name, "displacement") or 0
    count = _number(parts.count, name, "count")
    if count is None:
        elements = _elements(parts, datatype, start, name)
        if blocks and elements % blocks:
            raise ValueError(
                f"{name}: {elements} elements are not the same number for {blocks} ranks"
            )
        count = elements // max(blocks, 1)
    if count and blocks:
        if parts.memory is NOTHING and not parts.anywhere:
            raise ValueError(f"{name}: None, but a count of {count}")
        _check_room(parts, datatype, count * blocks, start * datatype.extent, name)
    offset = number(start * datatype.extent, Aint).value if start else 0
    return Block(parts.memory.address + offset, count, datatype, parts.memory.owner)


def varying(spec: Any, blocks: int, writable: bool, name: str) -> Blocks:
    """A buffer for blocks by counts and displacements."""
    parts = given(spec, writable, name)
    datatype = type_of(parts, name)
    counts = parts.count
    if counts is None:
        counts = shares(_elements(parts, datatype, 0, name), blocks)
    if is_number(counts):
        counts = [counts] * blocks
    counts = _numbers(counts, blocks, name, "counts")
    displacements = parts.displacement
    if displacements is None:
        displacements = [0, *accumulate(counts)][:blocks]
    elif is_number(displacements):
        displacements = [i * operator.index(displacements) for i in range(blocks)]
    displacements = _numbers(displacements, blocks, name, "displacements")
    for count, displacement in zip(counts, displacements):
        if count:
            _check_room(parts, datatype, count, displacement * datatype.extent, name)
    return Blocks(parts.memory.address, counts, displacements, [datatype], parts.memory.owner)


def typed(spec: Any, blocks: int, writable: bool, name: str) -> Blocks:
    """A buffer for blocks with a datatype each, displacements in bytes."""
    if blocks == 0 and isinstance(spec, (list, tuple)) and all(map(_is_empty, spec[1:])):
        # An empty list of datatypes looks like one of counts.
        found = one([*spec[:1], 0, MPI.BYTE], writable, name)
        return Blocks(found.address, [], [], [], found.keep)
    parts = given(spec, writable, name)
    types = parts.datatype
    if not _are_types(types) or len(types) != blocks:
        raise ValueError(f"{name}: it takes a list of {blocks} datatypes, one for each rank")
    whole = [type_of(parts._replace(datatype=datatype), name) for datatype in types]
    counts = [1] * blocks if parts.count is None else parts.count
    counts = _numbers(counts, blocks, name, "counts")
    places = [0] * blocks if parts.displacement is None else parts.displacement
    places = _numbers(places, blocks, name, "displacements")
    for count, displacement, datatype in zip(counts, places, whole):
        if count:
            _check_room(parts, datatype, count, displacement, name)
    return Blocks(parts.memory.address, counts, places, whole, parts.memory.owner)


def _number(value: Any, name: str, what: str) -> Optional[int]:
    if value is None:
        return None
    if not is_number(value):
        raise TypeError(f"{name}: the {what} is a {type(value).__name__}, but one number is needed")
    found = operator.index(value)
    if found < 0:
        raise ValueError(f"{name}: the {what} is {found}, but at least 0 is needed")
    return found


def _numbers(values: Any, blocks: int, name: str, what: str) -> list[int]:
    try:
        found = [operator.index(value) for value in values]
    except TypeError as problem:
        raise TypeError(f"{name}: {what}: {problem}") from None
    if len(found) != blocks:
        raise ValueError(f"{name}: {len(found)} {what}, but {blocks} ranks")
    if what == "counts" and any(value < 0 for value in found):
        raise ValueError(f"{name}: a count is {min(found)}, but at least 0 is needed")
    return found


def shares(elements: int, blocks: int) -> list[int]:
    """How many elements each block has without counts: the first have one more, as with mpi4py."""
    return [elements // blocks + (block < elements % blocks) for block in range(blocks)]


def _elements(parts: Given, datatype: MPI.Datatype, start: int, name: str) -> int:
    """How many there are from the start-th on, if all of them are meant."""
    if parts.anywhere:
        raise ValueError(f"{name}: MPI.BOTTOM takes a count and a datatype")
    length, extent = parts.memory.nbytes, datatype.extent
    if length == 0:
        return 0
    if extent <= 0 or length % extent:
        raise ValueError(
            f"{name}: {length} bytes are no whole number of elements of {extent}: give a count"
        )
    elements = length // extent
    if elements < start:
        raise ValueError(f"{name}: a displacement of {start}, but it has {elements} elements")
    return elements - start


def _check_room(parts: Given, datatype: MPI.Datatype, count: int, offset: int, name: str) -> None:
    """That so many elements lie within the memory, the first of them after offset bytes. Extents
    may be negative, and elements lie before the place where they are."""
    if parts.anywhere or datatype == MPI.DATATYPE_NULL or datatype.size == 0:
        return
    true_bound, true_extent = datatype.Get_true_extent()
    last = offset + (count - 1) * datatype.extent
    begin = min(offset, last) + true_bound
    end = max(offset, last) + true_bound + true_extent
    if begin < 0:
        raise ValueError(f"{name}: its elements begin {-begin} bytes before the buffer")
    if end > parts.memory.nbytes:
        raise ValueError(
            f"{name}: {end} bytes are needed for its counts, but it has {parts.memory.nbytes}"
        )
