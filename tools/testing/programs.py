# SPDX-License-Identifier: BSD-3-Clause
"""Tests with MPI: the programs of tests/mpi and tests/dropin, run as they declare."""

import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path

import mpi_launch
from provision.paths import ROOT
from provision.problem import Problem

from . import cases, measured, together, turn
from .queue import Job, Outcome

FOLDERS = ("mpi", "dropin")
AS_TWO_NODES = "mpich as two nodes"
SHARING = ("mpich", AS_TWO_NODES, "openmpi")  # where it was seen that programs can share a start


@dataclass
class Target:
    """A build and the MPI that starts it: the standard-ABI build runs on two of them."""

    label: str
    folder: Path
    launcher: str
    environment: dict = field(default_factory=dict)
    preload: tuple = ()


def sources():
    """The programs: {name: source}."""
    paths = [p for folder in FOLDERS for p in sorted((ROOT / "tests" / folder).glob("*.c"))]
    return {path.stem: path for path in paths}


def declared():
    """Every case of every program."""
    found = []
    for path in sources().values():
        found += cases.read(path, path.parent.name == "dropin")
    return found


def fitting(found, target):
    """The cases that an MPI is to run."""
    return [case for case in found if not case.mpis or target.label in case.mpis]


def chosen(found, target, reach, days=1):
    """The cases that fit a target. By `reach`: "lines" is every line on one of its numbers of
    ranks, "programs" every program as one of its lines, both of them in turn; "greatest" is every
    line on its greatest number of ranks, "sample" every program once in this way. Only lines have
    those that are marked full; "half" is "programs", each every second time, "half lines" the lines
    of today, and "most lines" those of the other day and what no world runs. The target's turn
    comes every so many days."""
    some = fitting(found, target)
    if reach == "half":
        some = [c for c in some if turn.has(f"{c.program} on {target.label}", 2, days)]
        reach, days = "programs", 2 * days
    elif reach == "half lines":
        some = [c for c in some if turn.has(turn.any_day(c.words), 2)]
        reach, days = "lines", 2
    elif reach == "most lines":
        alone = not_run_in_worlds()
        some = [
            case
            for case in some
            if not turn.has(turn.any_day(case.words), 2)
            or (case.program in alone and not case.full)
        ]
        reach, days = "lines", 2
    if reach != "lines":
        some = [case for case in some if not case.full]
    groups = {}
    for case in some:
        one_each = reach in ("programs", "sample")
        groups.setdefault(case.program if one_each else case.words, []).append(case)
    if reach in ("lines", "programs"):
        return [turn.of(several, turn.any_day(name), days) for name, several in groups.items()]
    return [max(several, key=lambda case: case.ranks) for several in groups.values()]


def not_run_in_worlds():
    """Programs that seeded worlds do not run unless they are named, and why: {name: reason}."""
    lines = (ROOT / "tests" / "world" / "not_run.txt").read_text().splitlines()
    return dict(line.split(": ", 1) for line in lines if line and not line.startswith("#"))


TWO_NODES = {"MPIR_CVAR_NUM_CLIQUES": "2"}


def two_nodes(found):
    """Every program, every second day, on its greatest number of ranks, where MPICH takes the
    machine for two nodes, netmod and all: what it does between nodes, it does nowhere else without
    a network. Not those with such a line of their own."""
    theirs = {case.program for case in found if set(TWO_NODES) & set(case.environment)}
    some = [
        case
        for case in found
        if case.ranks > 1
        and turn.has(case.program, 2)
        and case.program not in theirs
        and not (case.deaths or "CAUCUS_NODES" in case.environment)
    ]
    sample = chosen(some, Target("mpich", None, "mpich"), "sample")
    return [replace(case, environment={**case.environment, **TWO_NODES}) for case in sample]


def existing(library):
    """The loader leaves out what is not there, and many programs pass without the drop-in."""
    if not library.exists():
        raise Problem(f"There is no {library}.")
    return library


def jobs(run, section, target, selected, builds):
    """One for each start of MPI: for a case, or for several that share it."""
    alone, shared = selected, []
    if target.label in SHARING:
        alone, shared = together.split(selected, sources())
    starts = [Start(run, section, target, [case]) for case in alone]
    starts += [Start(run, section, target, found) for found in shared]
    for start in starts:
        yield Job(section, start.name, start.outcomes, after=builds)


class Start:
    def __init__(self, run, section, target, found):
        self.run, self.section, self.target, self.cases = run, section, target, found
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        self.name = found[0].name + more

    def outcomes(self):
        """Runs all cases; where one fails, those behind it start again without it."""
        folder = self.target.folder / "tests" / "together"
        ready = [case for case in self.cases if (folder / f"{case.program}.so").exists()]
        found = [self._alone(case) for case in self.cases if case not in ready]
        while len(ready) > 1:
            passed, fault, text = self._together(ready)
            found += [self._outcome(case) for case in ready[:passed]]
            if not fault:
                return found
            case = ready[passed]
            again = self._alone(case)
            if again.good is None:
                found.append(again)
                ready = ready[passed + 1 :]
                continue
            text += "\nAlone it passes." if again.good else f"\nAlone it fails too:\n{again.text}"
            found.append(self._outcome(case, False, text))
            ready = ready[passed + 1 :]
        return found + [self._alone(case) for case in ready]

    def _outcome(self, case, good=True, text=""):
        return Outcome(f"{self.target.label}: {case.name}", good, text)

    def _alone(self, case):
        words = [self.target.folder / "tests" / case.program, *case.arguments]
        with tempfile.TemporaryDirectory() as scratch:  # what it writes is its own
            finished, said = self._start(case, words, scratch)
        if reason := case.skipped(finished):
            return self._outcome(case, None, reason)
        fault = finished.ended or case.judge(finished)
        text = f"{finished.output.rstrip()}\n{fault}\n{said}" if fault else ""
        return self._outcome(case, not fault, text)

    def _together(self, ready):
        """How many passed, and of the one after them what is wrong and all that was said."""
        tests = self.target.folder / "tests"
        with tempfile.TemporaryDirectory() as scratch:
            together.write_list(Path(scratch) / "programs", tests / "together", ready)
            words = [tests / "call_in_turn", "programs"]
            finished, said = self._start(ready[0], words, scratch)
            complete = together.is_complete(scratch)
            number = together.furthest(scratch)
            faults = together.faults(scratch)
            listed = (Path(scratch) / "programs").read_text()
        if finished.good and complete:
            return len(ready), "", ""
        fault = finished.ended or ready[0].judge(finished) or "not all were called"
        faults = "" if faults in finished.output else faults
        text = (
            f"{finished.output.rstrip()}\n{faults}{fault}, in a start shared by these programs:\n"
        )
        return number, fault, f"{text}{listed}{said}"

    def _start(self, case, words, scratch):
        preload = list(self.target.preload)
        if case.preload:
            preload.append(existing(self.target.folder / "lib" / "libcaucus_dropin.so"))
        command, environment = mpi_launch.command(
            self.target.launcher,
            case.ranks,
            words,
            {**self.target.environment, **case.environment},
            preload,
            case.deaths,
        )
        limit = self.run.durations.limit(self.section, self.name)
        done = measured.run(command, limit, env=environment, scratch=scratch)
        return done, " ".join(map(str, command))
