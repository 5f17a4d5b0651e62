# SPDX-License-Identifier: BSD-3-Clause
"""Tests of plans: GoogleTest programs of one process."""

import functools
import json
import os
import tempfile
from pathlib import Path

from provision.paths import ROOT

from . import builds, measured, proofs, turn, unchanged
from .queue import Job, Outcome


def names(threads=False):
    """The programs of tests/plan, or those of them that make threads."""
    paths = sorted((ROOT / "tests" / "plan").glob("*_test.cpp"))
    return [path.stem for path in paths if not threads or "<thread>" in path.read_text()]


def sanitized(sanitize):
    """What a sanitizer is to run today: every program on every second of its days."""
    found = names(threads=sanitize == "thread")
    return [name for name in found if turn.has(name, 2, turn.ALTERNATE)]


def jobs(run, section="plans", sanitize="", environment=None):
    """One for each program. In a full run those that prove for all process counts do it if what
    they depend on has changed, and a share of it if not. With a sanitizer none of that; what the
    one of addresses runs today, and has no proof, is not run without it."""
    elsewhere = sanitized(run.sanitizer) if "address" in run.sanitizer and not sanitize else []
    for name in sanitized(sanitize) if sanitize else names():
        if name in elsewhere and not proofs.environment(name):
            continue
        extra = proofs.environment(name) if run.full and not sanitize else {}
        program = builds.folder_of("plan", sanitize) / "tests" / name
        limit = run.durations.limit(section, name)
        if extra:
            limit = measured.Limit(7200, 7200)
        settings = {**(environment or {}), **extra}
        work = functools.partial(_run, program, settings, limit)
        if unchanged.may_be_left_out(run, proofs.sources(name)):
            work = unchanged.unless_passed(run, name, program, work)
        yield Job(
            section,
            name,
            work,
            after=(builds.name_of("plan", sanitize),),
            seconds=proofs.seconds(extra),
        )


def _run(program, settings, limit):
    finished, cases = start(program, settings, limit)
    failed = [case for case in cases if case.get("failures")]
    skipped = [case for case in cases if case.get("result") == "SKIPPED"]
    outcomes = [Outcome(program.stem, count=len(cases) - len(failed) - len(skipped))]
    for case in skipped:
        reasons = [skip.get("message", "").strip() for skip in case.get("skipped", [])]
        reason = " ".join("; ".join(filter(None, reasons)).split()) or "it gives no reason"
        outcomes.append(Outcome(f"{case['classname']}.{case['name']}", None, reason))
    shown = " ".join(f"{key}={value}" for key, value in settings.items())
    for case in failed:
        text = "\n".join(failure["failure"] for failure in case["failures"])
        name = f"{program.stem}: {case['classname']}.{case['name']}"
        outcomes.append(Outcome(name, False, f"{text}\n{shown} {program}"))
    if finished.ended or (not failed and (not finished.good or not cases)):
        reason = finished.ended or f"exit status {finished.status}"
        outcomes.append(Outcome(program.stem, False, f"{finished.output}\n{reason}"))
    return outcomes


def start(program, settings, limit):
    """Runs one; returns how it ended, and its cases."""
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.json"
        environment = dict(os.environ, **settings, GTEST_OUTPUT=f"json:{report}")
        finished = measured.run([program], limit, env=environment, scratch=scratch)
        try:
            suites = json.loads(report.read_text())["testsuites"]
        except (OSError, ValueError, KeyError):
            suites = []
    return finished, [case for suite in suites for case in suite["testsuite"]]
