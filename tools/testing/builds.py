# SPDX-License-Identifier: BSD-3-Clause
"""The builds that the tests need: one of plans, which all MPIs share, and one for each MPI; the
same again for each sanitizer."""

import sys

from provision import mpi, stamp
from provision.paths import BUILD, ROOT
from provision.problem import Problem

from . import measured
from .queue import Job, Missing, Outcome

SECTION = "builds"
LIMIT = measured.Limit(7200, 7200)  # what it took the last time says nothing: little may be new
WELCOME = ("intel",)  # tested where it can be had


def name_of(what, sanitize=""):
    """The job that builds; jobs that need the build wait for it by this name."""
    return f"build {what}" + (f" with {sanitize}" if sanitize else "")


def folder_of(what, sanitize=""):
    return BUILD / (what + (f"-{sanitize.replace(',', '-')}" if sanitize else ""))


def job(run, what, sanitize="", missing=None):
    """Builds `what`: "plan", that is the planner and its tests; or the programs for an MPI, which
    take the planner from there. missing() may say why it can't be."""

    def work():
        reason = missing() if missing else None
        if reason:
            raise Missing(reason)
        if what in WELCOME:
            try:
                with stamp.one_at_a_time():
                    mpi.bring(what)
            except Problem as problem:
                raise Missing(str(problem)) from None
        words = [sys.executable, ROOT / "tools" / "build.py", "--mpi", what, "--tests", "--quiet"]
        if sanitize:
            words += ["--sanitize", sanitize]
        done = measured.run(["nice", "-n", "5", *words], LIMIT)
        if not done.good:
            raise Problem(f"{done.output}\n{done.ended}")
        return [Outcome(name)]

    name = name_of(what, sanitize)
    return Job(SECTION, name, work, alone="builds", urgent=True)
