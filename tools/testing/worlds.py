# SPDX-License-Identifier: BSD-3-Clause
"""Seeded worlds (tools/world.py), if the tree has them: a minute of new seeds in a full run."""

import sys

from provision.paths import ROOT

from . import measured
from .queue import Job, Outcome

SECTION = "worlds"
SCRIPT = ROOT / "tools" / "world.py"
CHECK = ROOT / "tools" / "world_check.py"
MINUTES = 1


def jobs(run, built):
    """One, for a full run."""
    if run.full and SCRIPT.exists():
        yield Job(SECTION, f"{MINUTES} minute", _run, later=tuple(built))
        yield Job(SECTION, "the worlds themselves", _check, later=tuple(built))


def _run():
    words = [sys.executable, SCRIPT, "--minutes", MINUTES]
    done = measured.run(words, measured.Limit(1800, 1800), cwd=ROOT)
    fault = "" if done.good else f"{done.output}\n{done.ended or done.status}"
    return [Outcome(f"{MINUTES} minute of seeds", done.good, fault)]


def _check():
    done = measured.run([sys.executable, CHECK], measured.Limit(1800, 1800), cwd=ROOT)
    fault = "" if done.good else f"{done.output}\n{done.ended or done.status}"
    return [Outcome("the worlds themselves", done.good, fault)]
