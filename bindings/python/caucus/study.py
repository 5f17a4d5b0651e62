# SPDX-License-Identifier: BSD-3-Clause
"""Collectives without MPI as Python objects: include/caucus/schedule.h."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator, Sequence
from ctypes import POINTER, c_char_p, c_double, c_int, c_int64, c_uint64, c_void_p
from dataclasses import dataclass
from typing import BinaryIO, Optional

from .errors import CaucusError, UsageError
from .kept import nameless, put
from .library import load
from .plan import check

MOST_AXES = 6
LARGEST = 2**63 - 1


def _structure(title: str, /, **fields) -> type:
    return type(title, (ctypes.Structure,), {"_fields_": list(fields.items())})


CQuestion = _structure(
    "CQuestion",
    collective=c_char_p,
    algorithm=c_char_p,
    machine=c_char_p,
    model=c_char_p,
    ranks=c_int64,
    bytes=c_int64,
    element=c_int64,
    segment=c_int64,
    root=c_int64,
    seed=c_uint64,
    commutative=c_int,
    in_place=c_int,
    irregular=c_int,
    persistent=c_int,
    axes=c_int,
    sides=c_int * MOST_AXES,
    periodic=c_int * MOST_AXES,
    degree=c_int,
    first_group=c_int64,
    second_bytes=c_int64,
    counts=c_char_p,
)
CCandidate = _structure(
    "CCandidate", name=c_char_p, summary=c_char_p, serves=c_int, seconds=c_double, why=c_char_p
)
CVerdict = _structure(
    "CVerdict", operations=c_int64, messages=c_int64, bytes=c_int64, steps=c_int64
)
CTime = _structure(
    "CTime",
    seconds=c_double,
    operations=c_int64,
    messages_within=c_int64,
    messages_between=c_int64,
    bytes_within=c_int64,
    bytes_between=c_int64,
    card_bytes=c_int64,
)
CListed = _structure(
    "CListed",
    collective=c_char_p,
    name=c_char_p,
    summary=c_char_p,
    needs_commutative=c_int,
    needs_shared_memory=c_int,
    needs_one_node=c_int,
    needs_block_nodes=c_int,
    needs_exchange=c_int,
    groups=c_int,
)
PROTOTYPES = {
    "caucus_study_create": (c_int, [POINTER(CQuestion), POINTER(c_void_p)]),
    "caucus_study_free": (None, [c_void_p]),
    "caucus_study_ranks": (c_int64, [c_void_p]),
    "caucus_study_nodes": (c_int64, [c_void_p]),
    "caucus_study_algorithm": (c_char_p, [c_void_p]),
    "caucus_study_predicted": (c_double, [c_void_p]),
    "caucus_study_use": (c_int, [c_void_p, c_char_p]),
    "caucus_study_candidate_entry": (c_int, [c_void_p, c_int, POINTER(CCandidate)]),
    "caucus_study_verify": (c_int, [c_void_p, POINTER(CVerdict)]),
    "caucus_study_simulate": (c_int, [c_void_p, POINTER(CTime)]),
    "caucus_study_write": (c_int, [c_void_p, c_char_p, c_char_p]),
    "caucus_study_listed_entry": (c_int, [c_int, POINTER(CListed)]),
    "caucus_study_parameter_entry": (
        c_int,
        [c_int, POINTER(c_char_p), POINTER(c_char_p), POINTER(c_double)],
    ),
}


@dataclass(frozen=True)
class Question:
    """A collective and all its ranks; machine "" is: no ranks share memory. Between two groups,
    first_group of the ranks are the first one."""

    collective: str
    ranks: int = 0
    machine: str = ""
    algorithm: str = ""
    model: str = ""
    bytes: int = 0
    element: int = 1
    segment: int = 0
    root: int = 0
    seed: int = 0
    commutative: bool = True
    in_place: bool = False
    irregular: bool = False
    persistent: bool = True
    sides: Sequence[int] = ()
    periodic: Sequence[bool] = ()
    degree: int = 0
    first_group: int = 0
    second_bytes: int = 0
    counts: str = ""


@dataclass(frozen=True)
class Candidate:
    """One of the algorithms that were considered; seconds is None where it can't serve."""

    name: str
    summary: str
    seconds: Optional[float]
    why: str


@dataclass(frozen=True)
class Listed:
    """An entry of the table of algorithms; groups is 1, or 2 for those between two."""

    collective: str
    name: str
    summary: str
    needs: tuple[str, ...]
    groups: int


def _library():
    library = load()
    if not getattr(library, "studies", False):
        for function, (result, arguments) in PROTOTYPES.items():
            entry = getattr(library, function)
            entry.restype = result
            entry.argtypes = arguments
        library.studies = True
    return library


def _c_question(question: Question) -> CQuestion:
    for name, kind in CQuestion._fields_:
        if kind is not c_int64 and name != "degree":
            continue
        if abs(getattr(question, name)) > (LARGEST if name != "degree" else 2**31 - 1):
            raise UsageError(f"{name} {getattr(question, name)} is too large a number")
    if len(question.sides) > MOST_AXES:
        raise UsageError(f"a grid of neighbours has up to {MOST_AXES} axes")
    given = CQuestion()
    for name, kind in CQuestion._fields_:
        if name in ("axes", "sides", "periodic"):
            continue
        value = getattr(question, name)
        setattr(given, name, os.fsencode(value) if kind is c_char_p else kind(value))
    given.axes = len(question.sides)
    for axis, (side, wraps) in enumerate(zip(question.sides, question.periodic)):
        given.sides[axis], given.periodic[axis] = min(side, 2**31 - 1), wraps
    return given


class Study:
    """The schedules of all ranks, with what can be asked of them."""

    def __init__(self, question: Question):
        self._library = _library()
        self._handle = c_void_p()
        self.question = question
        given = _c_question(question)
        check(self._library.caucus_study_create(ctypes.byref(given), ctypes.byref(self._handle)))

    def close(self) -> None:
        if getattr(self, "_handle", None):
            self._library.caucus_study_free(self._handle)
            self._handle = c_void_p()

    def __enter__(self) -> Study:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    __del__ = close

    @property
    def ranks(self) -> int:
        return self._library.caucus_study_ranks(self._handle)

    @property
    def nodes(self) -> int:
        return self._library.caucus_study_nodes(self._handle)

    @property
    def algorithm(self) -> str:
        return self._library.caucus_study_algorithm(self._handle).decode()

    @property
    def predicted(self) -> Optional[float]:
        """Seconds by the cost formula; None where it gives none."""
        seconds = self._library.caucus_study_predicted(self._handle)
        return seconds if seconds >= 0 else None

    def use(self, algorithm: str) -> None:
        check(self._library.caucus_study_use(self._handle, os.fsencode(algorithm)))

    def candidates(self) -> list[Candidate]:
        found, entry = [], CCandidate()
        while self._library.caucus_study_candidate_entry(
            self._handle, len(found), ctypes.byref(entry)
        ):
            seconds = entry.seconds if entry.serves else None
            texts = (entry.name.decode(), entry.summary.decode())
            found.append(Candidate(*texts, seconds, entry.why.decode(errors="replace")))
        return found

    def _ask(self, function, kind):
        answer = kind()
        check(function(self._handle, ctypes.byref(answer)))
        return {name: getattr(answer, name) for name, _ in kind._fields_}

    def verify(self) -> dict:
        """operations, messages, bytes, steps; raises Failure where a schedule is wrong."""
        return self._ask(self._library.caucus_study_verify, CVerdict)

    def simulate(self) -> dict:
        """seconds, operations, messages and bytes within and between nodes, card_bytes."""
        return self._ask(self._library.caucus_study_simulate, CTime)

    def written(self, form: str, path: str) -> BinaryIO:
        """What is to be put into the path, in a file without a name; form: see write."""
        file = nameless(path)
        there = f"/proc/self/fd/{file.fileno()}"
        given = (os.fsencode(form), os.fsencode(there))
        try:
            check(self._library.caucus_study_write(self._handle, *given))
        except CaucusError as error:
            file.close()
            raise type(error)(str(error).replace(there, path)) from None
        return file

    def write(self, form: str, path: str) -> None:
        """form: "svg", "text" or "goal"; path "-" is standard output. An older file stays until
        the new one is whole."""
        with self.written(form, path) as file:
            put(file, path)


NEEDS = {
    "needs_commutative": "commutative operations",
    "needs_one_node": "one node",
    "needs_shared_memory": "shared memory",
    "needs_block_nodes": "nodes that are blocks of ranks",
    "needs_exchange": "persistent operations",
}


def algorithms(groups: int = 1) -> Iterator[Listed]:
    """The table of algorithms: those of one group, or those between two."""
    index, entry = 0, CListed()
    while _library().caucus_study_listed_entry(index, ctypes.byref(entry)):
        needs = [words for name, words in NEEDS.items() if getattr(entry, name)]
        if "one node" in needs:
            needs.remove("shared memory")
        texts = (entry.collective, entry.name, entry.summary)
        if entry.groups == groups:
            yield Listed(*(text.decode() for text in texts), tuple(needs), groups)
        index += 1


def model_fault(path: str) -> str:
    """What is wrong with the file that CAUCUS_MODEL names; empty if nothing is."""
    if path in ("auto", "default"):
        return ""
    try:
        with Study(Question("allreduce", ranks=2, model=path)):
            return ""
    except CaucusError as error:
        return str(error)


def parameters() -> Iterator[tuple[str, str, float]]:
    """Name, meaning and default of each parameter of the model."""
    index, name, text, value = 0, c_char_p(), c_char_p(), c_double()
    while _library().caucus_study_parameter_entry(
        index, ctypes.byref(name), ctypes.byref(text), ctypes.byref(value)
    ):
        yield name.value.decode(), text.value.decode(), value.value
        index += 1
