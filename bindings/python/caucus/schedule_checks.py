# SPDX-License-Identifier: BSD-3-Clause
"""The cases in which caucus schedule verify looks at an algorithm."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterable, Iterator

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
IRREGULAR = ("gatherv", "scatterv", "allgatherv", "alltoallv", "alltoallw", "reduce_scatter")
ELEMENT = 4


def _machines(ranks: int) -> list[str]:
    """No shared memory, one node, small ones by blocks, and dealt out in turns."""
    machines = ["", f"ppn:{ranks}", f"ppn:{max(1, math.isqrt(ranks))}"]
    if ranks > 3:
        machines += ["ppn:3", f"cyclic:{math.isqrt(ranks)}"]
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


def cases(entry: Listed, ranks: int) -> Iterator[Question]:
    """Every machine with every kind of call; sizes, segments and seeds by turns."""
    collective = entry.collective
    sizes = itertools.cycle((1, 3, ranks + 2, 40))
    segments = itertools.cycle((0, 2, 0, 5, 1))
    commutative = (True,) if "commutative operations" in entry.needs else (True, False)
    irregular = (
        (False, True) if collective in IRREGULAR or collective.endswith(("v", "w")) else (False,)
    )
    for machine, in_place, root, commutes, uneven, neighbours in itertools.product(
        _machines(ranks),
        (False, True) if collective in IN_PLACE else (False,),
        dict.fromkeys((0, ranks // 2)) if collective in ROOTED else (0,),
        commutative if "reduce" in collective or "scan" in collective else (True,),
        irregular,
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
            irregular=uneven,
            seed=size + ranks,
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
