# SPDX-License-Identifier: BSD-3-Clause
"""The cases in which caucus schedule verify looks at an algorithm."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterable, Iterator, Sequence

from .errors import CaucusError, NotApplicable
from .study import Listed, Question, Study

ROOTED = ("bcast", "reduce", "gather", "gatherv", "scatter", "scatterv")
IN_PLACE = (
    "reduce",
    "allreduce",
    "gather",
    "gatherv",
    "scatter",
    "scatterv",
    "allgather",
    "allgatherv",
    "alltoall",
    "alltoallv",
    "alltoallw",
    "reduce_scatter",
    "reduce_scatter_block",
    "scan",
    "exscan",
)
# Of these, between two groups, all ranks need not know all lengths.
EXCHANGING = ("gatherv", "scatterv", "allgatherv", "reduce_scatter")
COUNTS = ("linear", "one-heavy", "geometric+with-zeros")
IRREGULAR = ("gatherv", "scatterv", "allgatherv", "alltoallv", "alltoallw", "reduce_scatter")
ELEMENT = 4
# In elements. By turns: their numbers are primes that no number of other choices is a multiple of,
# or each choice would meet a few of them only.
SEGMENTS = (0, 2, 5, 1, 17, 0, 3, 40, 8, 4, 11)
SECOND_SIZES = (3, 0, 1, 57, 8, 2, 40, 5, 0, 17, 4, 9, 33)


def _machines(ranks: int, first_group: int) -> list[str]:
    """No shared memory, one node, small ones by blocks, and dealt out in turns; of two groups, each
    on nodes of its own, too."""
    root = math.isqrt(ranks)
    machines = ["", f"ppn:{ranks}", f"ppn:{max(1, root)}"]
    if ranks > 3:
        machines += ["ppn:3", f"cyclic:{root}"]
    if first_group:
        machines += [f"ppn:{ranks}+ppn:{ranks}", f"ppn:{root}+ppn:{max(1, root // 2)}"]
        fewest = min(root, first_group, ranks - first_group)
        machines += [f"cyclic:{fewest}+ppn:3"]
    return list(dict.fromkeys(machines))


def _neighbours(collective: str, ranks: int) -> list[dict]:
    if not collective.startswith("neighbor"):
        return [{}]
    width = next(w for w in range(math.isqrt(ranks), 0, -1) if ranks % w == 0)
    sides = (ranks // width, width)
    return [
        {"sides": sides, "periodic": (True, False)},
        {"sides": (ranks,), "periodic": (True,)},
        {"degree": 5},
    ]


def _roots(collective: str, ranks: int, first_group: int) -> Iterable[int]:
    """The lowest and another one, of either group."""
    if collective not in ROOTED:
        return (0,)
    middles = (ranks // 2,)
    if first_group:
        middles = (first_group // 2, first_group, (first_group + ranks) // 2)
    return dict.fromkeys((0, *middles))


def _lengths(collective: str, first_group: int) -> list[dict]:
    """How long blocks are, and whether counts were exchanged."""
    lengths = [{}]
    if collective in IRREGULAR or collective.endswith(("v", "w")):
        lengths.append({"irregular": True})
    exchanging = collective in EXCHANGING if first_group else collective.endswith(("v", "w"))
    if first_group and exchanging:
        lengths += [{"counts": words} for words in COUNTS]
    if exchanging:
        lengths += [{**words, "persistent": False} for words in lengths]
    return lengths


def _turns(values: Sequence[int], ranks: int) -> Iterator[int]:
    """One after the other; which one is the first depends on the number of ranks."""
    first = ranks % len(values)
    return itertools.cycle((*values[first:], *values[:first]))


def cases(entry: Listed, ranks: int, first_group: int = 0) -> Iterator[Question]:
    """Every machine with every kind of call; sizes, segments and seeds by turns. Between two
    groups, first_group of the ranks are the first one."""
    collective = entry.collective
    sizes = _turns((1, 3, ranks + 2, 40, 2, 17, ranks), ranks)
    segments = _turns(SEGMENTS, ranks)
    commutative = (True,) if "commutative operations" in entry.needs else (True, False)
    second_sizes = _turns(SECOND_SIZES, ranks) if first_group else itertools.repeat(0)
    for machine, in_place, root, commutes, lengths, neighbours in itertools.product(
        _machines(ranks, first_group),
        (False, True) if collective in IN_PLACE and not first_group else (False,),
        _roots(collective, ranks, first_group),
        commutative if "reduce" in collective or "scan" in collective else (True,),
        _lengths(collective, first_group),
        _neighbours(collective, ranks),
    ):
        size = 0 if collective == "barrier" else ELEMENT * next(sizes)
        yield Question(
            collective=collective,
            algorithm=entry.name,
            ranks=ranks,
            machine=machine,
            bytes=size,
            element=ELEMENT if collective != "barrier" else 1,
            segment=ELEMENT * next(segments),
            root=root,
            in_place=in_place,
            commutative=commutes,
            seed=size + ranks,
            first_group=first_group,
            second_bytes=ELEMENT * next(second_sizes),
            **lengths,
            **neighbours,
        )


def _told(question: Question) -> str:
    """A case in words, without what is as usual."""
    usual = Question(collective=question.collective)
    return ", ".join(
        f"{name} {value}"
        for name, value in vars(question).items()
        if value != getattr(usual, name) and name not in ("collective", "algorithm")
    )


class Checks:
    """What was found out about an algorithm."""

    def __init__(self, entry: Listed):
        self.entry = entry
        self.cases = self.operations = 0
        self.seconds = 0.0
        self.failure = ""

    def run(self, questions: Iterable[Question]) -> None:
        for question in questions:
            if not self.failure:
                self._run(question)

    def _run(self, question: Question) -> None:
        begin = time.perf_counter()
        try:
            with Study(question) as study:
                self.operations += study.verify()["operations"]
                self.cases += 1
        except NotApplicable:
            pass
        except CaucusError as error:
            self.failure = f"{error} ({_told(question)})"
        self.seconds += time.perf_counter() - begin

    def summary(self) -> dict:
        return {
            "collective": self.entry.collective,
            "name": self.entry.name,
            "cases": self.cases,
            "operations": self.operations,
            "seconds": self.seconds,
            "failure": self.failure,
        }
