# SPDX-License-Identifier: BSD-3-Clause
"""Faults of MPIs: the programs of tests/faults, which know nothing of Caucus. Each says in its head
with which MPIs the fault was met:

    run: ranks=2 mpi=mpich,openmpi
    seen: MPICH 5.0.2, Open MPI 5.0.11
    sometimes: Intel MPI 2021.18

With an MPI and version that is listed as seen the fault is expected, and a run that does not show
it fails: docs/mpi-faults.md and what avoids the fault want a look. With any other one, or one that
shows it sometimes, nothing is expected, and what is news is said in words."""

import re
import tempfile
from dataclasses import dataclass

import mpi_launch
from provision.paths import ROOT

from . import cases, measured
from .queue import Job, Outcome

SECTION = "faults of MPIs"
LIMIT = measured.Limit(processor=120, clock=60)  # what hangs is a fault that was shown
TIMES = 3  # a fault that hangs on how the processes are scheduled
LINE = re.compile(r"^[ */]*(seen|sometimes):\s*(.*?)\s*(?:\*/)?$", re.MULTILINE)


@dataclass
class Fault:
    case: cases.Case
    seen: tuple
    sometimes: tuple

    def news(self, version, shown):
        """(good, words) for a verdict under the MPI that calls itself `version`; words may be
        empty."""
        name = self.case.program
        if shown is None:
            return False, f"{name} gave no verdict"
        if any(is_version(words, version) for words in self.seen):
            return shown, "" if shown else f"{name}: this fault of {version} is mended"
        if any(is_version(words, version) for words in self.sometimes):
            return True, ""
        if any(is_implementation(words, version) for words in (*self.seen, *self.sometimes)):
            return True, f"{name}: {'still there' if shown else 'mended'} in {version}"
        return True, f"{name}: shown by {version}, too" if shown else ""


def is_implementation(words, version):
    """Whether "Open MPI 5.0.11" speaks of the MPI that says "Open MPI v5.0.12, package ..."."""
    name = words.rsplit(" ", 1)[0].replace("Intel MPI", "Intel(R) MPI")
    return version.startswith(name)


def is_version(words, version):
    number = re.escape(words.rsplit(" ", 1)[1])
    return is_implementation(words, version) and bool(
        re.search(rf"(?<![\d.]){number}(?!\d)", version.replace("v", " "))
    )


def declared():
    found = []
    for path in sorted((ROOT / "tests" / "faults").glob("*.c")):
        lists = {"seen": (), "sometimes": ()}
        for word, text in LINE.findall(path.read_text()):
            lists[word] = tuple(item.strip() for item in text.split(","))
        found += [Fault(case, **lists) for case in cases.read(path)]
    return found


def chosen(found, label, full):
    """Those that an MPI was seen with, and all that can run with it in a full run."""
    kinds = {"mpich": "MPICH", "openmpi": "Open MPI", "intel": "Intel MPI"}
    fitting = [fault for fault in found if not fault.case.mpis or label in fault.case.mpis]
    if full or label not in kinds:
        return fitting
    return [
        fault
        for fault in fitting
        if any(words.startswith(kinds[label]) for words in (*fault.seen, *fault.sometimes))
    ]


def jobs(target, selected, builds):
    """One for each fault."""
    for fault in selected:
        yield Job(SECTION, f"{target.label} {fault.case.program}", _work(target, fault), builds)


def _work(target, fault):
    def work():
        good, words = run_one(target, fault)
        return [Outcome(f"{target.label}: fault {fault.case.program}", good, words)]

    return work


def run_one(target, fault):
    """As often as it takes to be shown where it was seen."""
    for _ in range(TIMES):
        output, version, shown = start(target, fault.case)
        good, words = fault.news(version, shown)
        if good:
            return good, words
    return good, f"{words}\n{output}"


def start(target, case):
    """(output, the library's words for itself, whether the fault was shown or None)"""
    words, environment = mpi_launch.command(
        target.launcher,
        case.ranks,
        [target.folder / "tests" / "faults" / case.program, *case.arguments],
        {**target.environment, **case.environment},
        (),
        case.deaths,
    )
    with tempfile.TemporaryDirectory() as scratch:
        finished = measured.run(words, LIMIT, env=environment, scratch=scratch)
    return finished.output, *verdict(finished.output, finished.good)


def verdict(output, good):
    """A program that begins and then neither says that nothing was shown nor ends well has been
    ended by the fault."""
    version = re.search(r"^(MPICH|Open MPI|Intel\(R\) MPI).*", output, re.MULTILINE)
    version = re.sub(r"\s+", " ", version[0].split(",")[0]) if version else ""
    if "fault shown" in output:
        return version, True
    if "fault not shown" in output:
        return version, False
    return version, True if "fault tried" in output and not good else None
