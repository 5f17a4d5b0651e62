# SPDX-License-Identifier: BSD-3-Clause
"""Seeded worlds (tools/world.py), if the tree has them: a minute of today's seeds in full runs."""

import sys
from functools import partial

from provision.paths import ROOT

from . import measured, turn
from .queue import Job, Outcome

SECTION = "worlds"
SCRIPT = ROOT / "tools" / "world.py"
CHECK = ROOT / "tools" / "world_check.py"
MINUTES = 1
SEEDS_A_DAY = 1000


def jobs(run, built):
    """For a full run: some of all programs, and what shows that worlds find faults at all."""
    if run.full and SCRIPT.exists():
        first = turn.today() * SEEDS_A_DAY
        minute = [SCRIPT, "--minutes", str(MINUTES), "--seed", str(first)]
        for name, words in ((f"{MINUTES} minute", minute), ("the worlds themselves", [CHECK])):
            yield Job(SECTION, name, partial(_run, name, words), later=tuple(built))


def _run(name, words):
    done = measured.run([sys.executable, *words], measured.Limit(1800, 1800), cwd=ROOT)
    fault = "" if done.good else f"{done.output}\n{done.ended or done.status}"
    return [Outcome(name, done.good, fault)]
