# SPDX-License-Identifier: BSD-3-Clause
"""Tests of plans: GoogleTest programs of one process."""

import json
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from provision import shell
from provision.paths import ROOT

LIMIT = 1800


def run(results, folder, environment, label="", threads=False):
    """Runs every program of tests/plan that was built in `folder`, or those that have threads."""
    paths = sorted((ROOT / "tests" / "plan").glob("*_test.cpp"))
    names = [path.stem for path in paths if not threads or "<thread>" in path.read_text()]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        done = pool.map(lambda name: _run_one(folder / "tests" / name, environment), names)
        for name, (finished, cases) in zip(names, done):
            _count(results, f"{label}plan/{name}", finished, cases)


def _run_one(program, environment):
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.json"
        settings = dict(os.environ, **environment, GTEST_OUTPUT=f"json:{report}")
        finished = shell.run([program], limit=LIMIT, env=settings, cwd=scratch)
        try:
            suites = json.loads(report.read_text())["testsuites"]
        except (OSError, ValueError, KeyError):
            suites = []
    return finished, [case for suite in suites for case in suite["testsuite"]]


def _count(results, name, finished, cases):
    failed = [case for case in cases if case.get("failures")]
    results.add_passed(len(cases) - len(failed))
    for case in failed:
        text = "\n".join(failure["failure"] for failure in case["failures"])
        results.add_failed(f"{name}: {case['classname']}.{case['name']}", text)
    if finished.status is None:
        results.add_failed(name, f"{finished.output}\nended after {LIMIT} s")
    elif not failed and (not finished.good or not cases):
        results.add_failed(name, f"{finished.output}\nexit status {finished.status}")
