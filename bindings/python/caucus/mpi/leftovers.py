# SPDX-License-Identifier: BSD-3-Clause
"""What nobody refers to any more, and still has to be completed or freed. The collector finds it in
any thread at any moment, where no function of MPI may be called; the calls that follow do it."""

from __future__ import annotations

import warnings
from collections import deque
from typing import Callable

from mpi4py import MPI

_left: deque[Callable[[], bool]] = deque()


def leave(finish: Callable[[], bool]) -> None:
    """finish does not wait, and tells whether it was the last time that it has to be called."""
    _left.append(finish)


def look_after() -> None:
    """To be called at the beginning of each function that makes, starts or awaits something."""
    if _left and MPI.Is_finalized():
        _left.clear()
    for _ in range(len(_left)):
        try:
            finish = _left.popleft()
        except IndexError:  # another thread was here
            return
        try:
            if not finish():
                _left.append(finish)
        except MPI.Exception as error:
            warnings.warn(f"an operation that nobody waited for failed: {error}", stacklevel=3)
