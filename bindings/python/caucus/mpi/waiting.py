# SPDX-License-Identifier: BSD-3-Clause
"""Waiting in a coroutine: MPI has nothing that would wake one, so it asks again and again, first at
every turn of the event loop, then at longer and longer intervals."""

from __future__ import annotations

import asyncio
from typing import Callable

TURNS = 20  # asked without a pause
LONGEST = 0.002  # seconds between two questions


async def until(condition: Callable[[], bool]) -> None:
    turns = 0
    while not condition():
        turns += 1
        await asyncio.sleep(pause(turns))


def pause(turns: int) -> float:
    """How long to sleep after so many questions in vain."""
    return 0.0 if turns <= TURNS else min(LONGEST, 1e-5 * 1.5 ** min(turns - TURNS, 20))
