# SPDX-License-Identifier: BSD-3-Clause
"""What placing a grid gains, worked out from a report: where the ranks lie is in there, so neither
MPI nor the machine is needed."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import tempfile
from collections.abc import Iterator
from typing import NamedTuple, Optional

from .errors import CaucusError
from .plan import Plan
from .survey import BEST, GIVEN

MOST_CELLS = 65536  # more would take long


class Gain(NamedTuple):
    before: float  # messages between nodes in an exchange
    after: float


@contextlib.contextmanager
def planned(report: dict, made: dict) -> Iterator[Optional[Plan]]:
    """The grid on the report's nodes; None where these are not known: its ranks are not those of
    MPI_COMM_WORLD, or it is too large."""
    cells = 1
    for size in made.get("dims") or [0]:
        cells *= size
    if not made.get("of_world") or not report.get("nodes") or not 0 < cells <= MOST_CELLS:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="caucus-") as folder:
        path = os.path.join(folder, "nodes")
        with open(path, "w", encoding="ascii") as file:
            for node, ranks in report["nodes"]:
                file.write(f"n{node}\n" * ranks)
        with Plan(made["dims"], f"file:{path}", made.get("periodic"), ranks=made["ranks"]) as plan:
            yield plan


@functools.lru_cache(maxsize=None)
def _gain(nodes: str, made: str) -> Optional[Gain]:
    try:
        with planned({"nodes": json.loads(nodes)}, json.loads(made)) as plan:
            if plan is None:
                return None
            plan.map(GIVEN)
            before = plan.measure().jsum
            plan.map(BEST)
            return Gain(before, min(before, plan.measure().jsum))
    except (CaucusError, KeyError, TypeError, ValueError):
        return None


def gain(report: dict, made: dict) -> Optional[Gain]:
    """Of the best placement; None where it can't be told."""
    shape = {key: made.get(key) for key in ("dims", "periodic", "ranks", "of_world")}
    return _gain(json.dumps(report.get("nodes")), json.dumps(shape))
