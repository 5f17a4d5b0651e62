# SPDX-License-Identifier: BSD-3-Clause
"""What caucus run --compare found: times of runs with Caucus and without, and if they differ."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import NamedTuple, Optional

from .console import duration

ONLY_DESCRIBED = (
    "These nodes are only described: all messages go where they went before, so times can't show a "
    "gain"
)


WIDE = 1.3  # the slowest run by the fastest
MANY = 10  # runs, which tell more than three


class Comparison(NamedTuple):
    native: Sequence[float]  # seconds of the runs without Caucus
    ours: Sequence[float]

    @property
    def medians(self) -> tuple[float, float]:
        return statistics.median(self.native), statistics.median(self.ours)

    @property
    def is_noise(self) -> bool:
        """Whether the spreads overlap."""
        return min(self.native) <= max(self.ours) and min(self.ours) <= max(self.native)

    @property
    def is_too_wide(self) -> bool:
        """Whether the noise could hide nearly anything."""
        return self.is_noise and any(max(side) > WIDE * min(side) for side in self)

    @property
    def is_faster(self) -> bool:
        return max(self.ours) < min(self.native)


def comparison(report: dict) -> Optional[Comparison]:
    """None where there was none, or where it would mean nothing."""
    run = report.get("run") or {}
    if run.get("nodes") or "native_seconds" not in run:
        return None
    native = run.get("native_runs") or [run["native_seconds"]]
    return Comparison(native, run.get("runs") or [run["seconds"]])


def spread(seconds: Sequence[float]) -> str:
    """1.5 s (1.4 s to 1.7 s)"""
    words = duration(statistics.median(seconds))
    if len(seconds) < 2:
        return words
    return f"{words} ({duration(min(seconds))} to {duration(max(seconds))})"


def times_words(report: dict) -> str:
    """How long it took, beside the same without Caucus if that was run."""
    run = report.get("run") or {}
    found = comparison(report)
    if found:
        return _compared(found)
    if run.get("nodes") and "seconds" in run:
        return f"{ONLY_DESCRIBED}. The run took {duration(run['seconds'])}, its start included."
    if "seconds" in run:
        return f"The run took {duration(run['seconds'])}, its start included."
    return ""


def crowd_words(report: dict) -> str:
    """Of ranks that took turns."""
    ranks, cores = report.get("ranks") or 0, (report.get("run") or {}).get("cores") or 0
    if not 0 < cores < ranks:
        return ""
    return f"{ranks} ranks on {cores} core{'s' * (cores != 1)}: times mean little."


def _compared(found: Comparison) -> str:
    native, ours = found.medians
    count = min(len(found.native), len(found.ours))
    if found.is_too_wide:
        outcome = f"too noisy to tell, repeat with --compare {MANY if count < MANY else 2 * count}"
    elif found.is_noise:
        outcome = "no difference beyond the noise"
    else:
        outcome = f"{abs(1 - ours / native) * 100:.0f} % {'less' if ours <= native else 'more'}"
    how = (
        f"medians and spread of {count} runs of each, by turns" if count > 1 else "one run of each"
    )
    return (
        f"Time: {spread(found.native)} without Caucus → {spread(found.ours)} with it: {outcome} "
        f"({how}, the start included)."
    )
