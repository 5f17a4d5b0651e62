# SPDX-License-Identifier: BSD-3-Clause
"""Tests written in Python: tests/**/test_*.py, run by pytest, a file at a time."""

import os
import re
import tempfile
import xml.etree.ElementTree
from pathlib import Path

from provision.paths import ROOT, VENV_PYTHON

from . import measured
from .queue import Job, Outcome

SECTION = "scripts"
LIMIT = measured.Limit(3600, 3600)  # of a file: each start in it has a limit of its own
VIRTUAL_NODES = "virtual nodes"  # one test at a time: they are the machine's
LAB = re.compile(r"^\s*(?:from lab\b|import lab\b)", re.MULTILINE)


def jobs(run, built):
    """One for each file, when everything is built: pytest finds its parameters there."""
    for path in sorted((ROOT / "tests").glob("**/test_*.py")):
        name = str(path.relative_to(ROOT))
        yield Job(
            SECTION,
            name,
            lambda name=name: _run(run, name),
            later=tuple(built),
            alone=VIRTUAL_NODES if LAB.search(path.read_text()) else "",
        )


def _run(run, name):
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.xml"
        command = [VENV_PYTHON, "-m", "pytest", "-q", "--tb=short", f"--junitxml={report}"]
        command += ["-p", "no:cacheprovider", name] + ([] if run.full else ["-m", "not slow"])
        environment = dict(os.environ, TEST_FULL="1" if run.full else "")
        finished = measured.run(command, LIMIT, env=environment, cwd=ROOT)
        try:
            cases = list(xml.etree.ElementTree.parse(report).iter("testcase"))
        except (OSError, xml.etree.ElementTree.ParseError):
            cases = []
    outcomes = [_outcome(case) for case in cases]
    nothing_chosen = finished.status == 5 and not cases and not run.full
    if finished.ended or not (finished.good or nothing_chosen or _failed(outcomes)):
        reason = finished.ended or f"exit status {finished.status}"
        outcomes.append(Outcome(name, False, f"{finished.output}\n{reason}"))
    return outcomes


def _failed(outcomes):
    return any(outcome.good is False for outcome in outcomes)


def _outcome(case):
    name = f"{case.get('classname')}.{case.get('name')}"
    for fault in case:
        if fault.tag in ("failure", "error"):
            return Outcome(name, False, fault.text or fault.get("message", ""))
        if fault.tag == "skipped":
            return Outcome(name, None, fault.get("message", "it gives no reason"))
    return Outcome(name)
