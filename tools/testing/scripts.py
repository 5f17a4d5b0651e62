# SPDX-License-Identifier: BSD-3-Clause
"""Tests written in Python: tests/**/test_*.py, run by pytest."""

import os
import tempfile
import xml.etree.ElementTree
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from provision import shell
from provision.paths import ROOT, VENV_PYTHON

LIMIT = 2700
SLOW = 10.0


def run(results, full):
    """Programs under the drop-in, which mostly wait, and beside them all others."""
    if not list((ROOT / "tests").glob("**/test_*.py")):
        return
    programs = ["tests/programs"]
    with ThreadPoolExecutor() as pool:
        halves = pool.map(
            lambda chosen: _run_some(chosen, full),
            (programs, ["tests", *(f"--ignore={folder}" for folder in programs)]),
        )
        for half in list(halves):
            _judge(results, *half)


def _run_some(chosen, full):
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.xml"
        command = [VENV_PYTHON, "-m", "pytest", "-q", "--tb=short", f"--junitxml={report}"]
        command += ["-p", "no:cacheprovider", *chosen] + ([] if full else ["-m", "not slow"])
        environment = dict(os.environ, TEST_FULL="1" if full else "")
        finished = shell.run(command, limit=LIMIT, env=environment, cwd=ROOT)
        try:
            return finished, list(xml.etree.ElementTree.parse(report).iter("testcase"))
        except (OSError, xml.etree.ElementTree.ParseError):
            return finished, []


def _judge(results, finished, cases):
    for seconds, name in sorted((float(case.get("time", 0)), _name(case)) for case in cases)[-5:]:
        if seconds > SLOW:
            print(f"   {seconds:.0f} s for {name}")
    failed = sum(_count(results, case) for case in cases)
    if finished.status is None:
        results.add_failed("pytest", f"{finished.output}\nended after {LIMIT} s")
    elif not finished.good and not failed:
        results.add_failed("pytest", f"{finished.output}\nexit status {finished.status}")


def _count(results, case):
    """Counts one test; whether it failed."""
    name = _name(case)
    for fault in case:
        if fault.tag in ("failure", "error"):
            results.add_failed(name, fault.text or fault.get("message", ""))
            return True
        if fault.tag == "skipped":
            results.add_skipped(name, fault.get("message", "it gives no reason"))
            return False
    results.add_passed()
    return False


def _name(case):
    return f"{case.get('classname')}.{case.get('name')}"
