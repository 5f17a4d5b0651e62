# SPDX-License-Identifier: BSD-3-Clause
"""Seeded worlds (tools/world.py), if the tree has them: a minute of today's seeds in full runs."""

import re
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
LEAST = 0.25  # of the programs, that a minute is to come to
REACHED = re.compile(r"schedules of (\d+) of (\d+) programs")


def jobs(run, built):
    """For a full run: some of all programs, and what shows that worlds find faults at all; one at a
    time, since both build."""
    if not run.full or not SCRIPT.exists():
        return
    first = turn.today() * SEEDS_A_DAY
    minute = [SCRIPT, "--minutes", str(MINUTES), "--seed", str(first)]
    for name, work in (
        (f"{MINUTES} minute", partial(_campaign, minute)),
        ("the worlds themselves", partial(_run, [CHECK])),
    ):
        yield Job(SECTION, name, partial(work, name), later=tuple(built), alone=SECTION)


def _run(words, name):
    done = measured.run([sys.executable, *words], measured.Limit(1800, 1800), cwd=ROOT)
    fault = "" if done.good else f"{done.output}\n{done.ended or done.status}"
    return [Outcome(name, done.good, fault or done.output.strip().rpartition("\n")[2])]


def _campaign(words, name):
    """A minute that hardly anything of has run is none."""
    outcome = _run(words, name)[0]
    reached = REACHED.search(outcome.text)
    if outcome.good and not (reached and int(reached[1]) >= LEAST * int(reached[2])):
        return [Outcome(name, False, f"too few programs: {outcome.text}")]
    return [outcome]
