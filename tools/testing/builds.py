# SPDX-License-Identifier: BSD-3-Clause
"""The builds that the tests need: one of plans, which all MPIs share, and one for each MPI; the
same again for each sanitizer."""

import os
import sys

from provision import fortran, mpi, stamp
from provision.paths import BUILD, ROOT
from provision.problem import Problem

from . import measured
from .queue import Job, Missing, Outcome

SECTION = "builds"
LIMIT = measured.Limit(7200, 7200)  # what it took the last time says nothing: little may be new
OPTIONAL = ("intel",)  # tested where it can be had


def name_of(what, sanitize=""):
    """The job that builds; jobs that need the build wait for it by this name."""
    return f"build {what}" + (f" with {sanitize}" if sanitize else "")


def bring_of(what):
    """The job that brings an MPI, where the set-up has not."""
    return f"bring {what}"


def bring(what):
    """Brings one that is tested where it can be had."""

    def work():
        try:
            with stamp.one_at_a_time():
                mpi.bring(what)
        except Problem as problem:
            raise Missing(str(problem)) from None
        return [Outcome(bring_of(what))]

    return Job(SECTION, bring_of(what), work, urgent=True)


def fortran_is_missing():
    """Brings what programs in Fortran take; or says why that can't be had."""
    try:
        fortran.bring()
    except Problem as problem:
        return str(problem)
    return None


def folder_of(what, sanitize=""):
    return BUILD / (what + (f"-{sanitize.replace(',', '-')}" if sanitize else ""))


def job(run, what, sanitize="", missing=None, target="all"):
    """Builds `what`: "plan", that is the planner and its tests; or the programs for an MPI, which
    take the planner from there, or one target of these. missing() may say why it can't be."""

    def work():
        reason = missing() if missing else None
        if reason:
            raise Missing(reason)
        words = [sys.executable, ROOT / "tools" / "build.py", "--mpi", what, "--tests", "--quiet"]
        words += ["--target", target]
        if sanitize:
            words += ["--sanitize", sanitize]
        done = measured.run(["nice", "-n", "5", *words], LIMIT)
        if not done.good:
            raise Problem(f"{done.output}\n{done.ended}")
        return [Outcome(name)]

    name = name_of(what, sanitize)
    after = (name_of(what),) if what == "plan" and sanitize else ()  # whose objects it takes
    after += (bring_of(what),) if what in OPTIONAL else ()
    # Ranks that poll beside it would leave a build a small share of the cores, and poll longer.
    cores = len(os.sched_getaffinity(0))
    return Job(SECTION, name, work, after, cores=cores, alone="builds", urgent=True)
