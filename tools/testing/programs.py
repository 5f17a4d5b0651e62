# SPDX-License-Identifier: BSD-3-Clause
"""Tests with MPI: the programs of tests/mpi and tests/dropin, run as they declare."""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import mpi_launch
from provision.paths import ROOT

from . import cases, measured
from .queue import Job, Outcome


@dataclass
class Target:
    """A build and the MPI that starts it: the standard-ABI build runs on two of them."""

    label: str
    folder: Path
    launcher: str
    environment: dict = field(default_factory=dict)
    preload: tuple = ()


def declared():
    """Every case of every program."""
    found = []
    for folder, preload in (("mpi", False), ("dropin", True)):
        for path in sorted((ROOT / "tests" / folder).glob("*.c")):
            found += cases.read(path, preload)
    return found


def chosen(found, target, reach):
    """The cases that fit a target. By `reach`: "full" is all of them, "wide" all that are not
    marked full, "narrow" each of these on its greatest number of ranks only, and "sample" one for
    each program."""
    fitting = [case for case in found if not case.mpis or target.label in case.mpis]
    if reach == "full":
        return fitting
    fitting = [case for case in fitting if not case.full]
    if reach == "wide":
        return fitting
    greatest = {}
    for case in fitting:
        key = case.program if reach == "sample" else case.words
        if key not in greatest or case.ranks > greatest[key].ranks:
            greatest[key] = case
    return list(greatest.values())


def jobs(run, section, target, selected, builds):
    """One for each case."""
    for case in selected:
        yield Job(
            section,
            case.name,
            lambda case=case: [_run_one(run, section, target, case)],
            after=builds,
        )


def _run_one(run, section, target, case):
    preload = list(target.preload)
    if case.preload:
        preload.append(target.folder / "lib" / "libcaucus_dropin.so")
    words, environment = mpi_launch.command(
        target.launcher,
        case.ranks,
        [target.folder / "tests" / case.program, *case.arguments],
        {**target.environment, **case.environment},
        preload,
        case.deaths,
    )
    limit = run.durations.limit(section, case.name)
    with tempfile.TemporaryDirectory() as scratch:  # what it writes is its own
        finished = measured.run(words, limit, env=environment, cwd=scratch)
    fault = finished.ended or case.judge(finished)
    text = f"{finished.output.rstrip()}\n{fault}\n{' '.join(map(str, words))}"
    return Outcome(f"{target.label}: {case.name}", not fault, text if fault else "")
