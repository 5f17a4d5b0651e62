# SPDX-License-Identifier: BSD-3-Clause
"""Runs the tests against every MPI that can be had; FULL=1 runs all of them, sanitizers too."""

import argparse
import os
import signal
import sys
from dataclasses import dataclass

import setup
from provision.problem import run_main
from testing import (
    builds,
    durations,
    faults,
    fuzz,
    plans,
    programs,
    sanitizers,
    scripts,
    static,
    turn,
    unchanged,
    worlds,
)
from testing.programs import Target
from testing.queue import Queue
from testing.results import Results

# What is chosen is not this moment's, but where a test asks for that.
os.environ.setdefault("CAUCUS_SELECT", "model")

NEEDED = ("mpich", "openmpi")
# Each MPI's build, and what starts it; how many of the programs' cases it gets, and in a full run.
# Of builds that are no more than welcome a full run has one, in turn.
WELCOME = ("intel", "abi")
MPIS = (
    ("mpich", "mpich", "mpich", "programs", "most lines"),
    ("openmpi", "openmpi", "openmpi", "sample", "half lines"),
    ("intel", "intel", "intel", None, "programs"),
    ("abi", "abi", "mpich", None, "half"),
    ("abi on intel", "abi", "intel", None, "half"),
)
# What has libraries for Fortran, and needs a drop-in of its own, tests/dropin/test_fortran.py, and
# the module: tests/fortran/test_module.py.
FORTRAN = "debian-openmpi"


@dataclass
class Run:
    """What every section is told."""

    full: bool
    durations: durations.Durations
    passed: unchanged.Passed
    sanitizer: str = ""  # today's, of a full run


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="everything, sanitizer builds too")
    parser.add_argument("--only", default="", help="jobs with this in 'section: name'")
    parser.add_argument(
        "--keep-durations", action="store_true", help="commit what this tree has recorded"
    )
    chosen = parser.parse_args()
    if chosen.keep_durations:
        return durations.keep()
    setup.prepare({"build", "run", "test"}, NEEDED)
    print(f"what takes turns is that of TEST_TURN={turn.today()}", flush=True)
    sanitizer = turn.of(sanitizers.KINDS, "sanitizers") if chosen.full else ""
    run = Run(chosen.full, durations.Durations(), unchanged.Passed(), sanitizer)
    results = Results()
    queue = Queue(results, run.durations, len(os.sched_getaffinity(0)))
    queue.add(_only(chosen.only, list(sections(run))))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what runs is ended with it
    _ignore_alone((signal.SIGINT, signal.SIGHUP))
    try:
        queue.run()
    finally:
        run.durations.save()
        run.passed.save()
    return results.finish()


def _ignore_alone(numbers):
    """What this process ignores, in the background or under nohup, all that it starts would ignore
    too, but for a handler, which they don't have."""
    for number in numbers:
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


def sections(run):
    """All jobs of all sections."""
    built = (*NEEDED, turn.of(WELCOME, "builds")) if run.full else NEEDED
    names = [builds.name_of(what) for what in built]
    if run.full:
        yield builds.bring("intel")
    for what in ("mpich", "plan", *built[1:]):
        yield builds.job(run, what)
    if run.full:
        wanted = "caucus_dropin caucus_fortran caucus_plan caucus_started caucus_manual"
        yield builds.job(run, FORTRAN, missing=builds.fortran_is_missing, target=wanted)
        names.append(builds.name_of(FORTRAN))
    yield from plans.jobs(run)
    yield from fuzz.jobs(run)
    yield from static.jobs(run, ("plan", "mpich"))
    found = programs.declared()
    for label, build, launcher, reach, full_reach in MPIS:
        if build not in built:
            continue
        target = Target(label, builds.folder_of(build), launcher)
        some = full_reach if run.full else reach
        days = turn.ALTERNATE if build in WELCOME else 1
        selected = programs.chosen(found, target, some, days) if some else []
        needed = (builds.name_of(build),)
        needed += (builds.bring_of(launcher),) if launcher in builds.OPTIONAL else ()
        yield from programs.jobs(run, f"programs on {label}", target, selected, needed)
        if build == launcher:
            shown = faults.chosen(faults.declared(), label, run.full)
            yield from faults.jobs(target, shown, needed)
    if run.full:
        target = Target(programs.AS_TWO_NODES, builds.folder_of("mpich"), "mpich")
        needed = (builds.name_of("mpich"),)
        section = f"programs on {target.label}"
        yield from programs.jobs(run, section, target, programs.two_nodes(found), needed)
        yield from sanitizers.jobs(run, run.sanitizer, found)
    yield from scripts.jobs(run, names)
    yield from worlds.jobs(run, names)


def _only(word, jobs):
    """The jobs of some sections, and the builds that they wait for."""
    kept = [
        job
        for job in jobs
        if word in f"{job.section}: {job.name}" and (not word or job.section != builds.SECTION)
    ]
    names = {name for job in kept for name in (*job.after, *job.later)}
    while True:
        more = {name for job in jobs if job.name in names for name in job.after} - names
        if not more:
            break
        names |= more
    return [job for job in jobs if job in kept or job.name in names]


if __name__ == "__main__":
    run_main(main)
