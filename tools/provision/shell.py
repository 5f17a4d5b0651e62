# SPDX-License-Identifier: BSD-3-Clause
"""Commands with a time limit, and downloads with a bounded number of attempts."""

import os
import re
import signal
import subprocess
import time

from .problem import Problem

ATTEMPTS = 3
PERMANENT = (
    "No matching distribution",
    "Unable to locate package",
    "No space left",
    "Permission denied",
)
# pip also says "No matching distribution" when it could not ask.
NETWORK = re.compile(
    r"connection (?:broken|refused|reset|timed out)|could not (?:connect|resolve)|timed? ?out|"
    r"temporary failure|name resolution|unreachable|proxy ?error|cannot connect to proxy",
    re.IGNORECASE,
)


class Finished:
    """What a command left behind: status (None when it ran out of time) and output."""

    def __init__(self, status, output):
        self.status = status
        self.output = output

    @property
    def good(self):
        return self.status == 0

    def last_line(self):
        lines = [line.strip() for line in self.output.splitlines() if line.strip()]
        errors = [line for line in lines if line.lower().startswith(("error", "e:"))]
        return (errors or lines or ["no output"])[-1]


def run(command, limit=600, env=None, cwd=None):
    """Runs a command in a process group of its own, which is ended whole when time is up."""
    try:
        process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=env,
            cwd=cwd,
            text=True,
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        return Finished(127, f"{command[0]}: {error.strerror}")
    try:
        output, _ = process.communicate(timeout=limit)
        return Finished(process.returncode, output)
    except subprocess.TimeoutExpired:
        return Finished(None, _end_group(process))
    except BaseException:
        _end_group(process)
        raise


def _end_group(process):
    """Ends a command and its children, first politely; returns what it had written."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            pass
        try:
            return process.communicate(timeout=5)[0]
        except subprocess.TimeoutExpired:
            continue
    return ""


def fetch(what, command, advice, limit=1200, env=None, cwd=None):
    """Runs a command that downloads; tries again when it fails for a reason that may pass."""
    for attempt in range(1, ATTEMPTS + 1):
        finished = run(command, limit=limit, env=env, cwd=cwd)
        if finished.good:
            return finished
        network = NETWORK.search(finished.output)
        if not network and any(sign in finished.output for sign in PERMANENT):
            break
        if attempt < ATTEMPTS:
            print(f"   {what}: attempt {attempt} failed, trying again", flush=True)
            time.sleep(2 * attempt)
    reason = finished.last_line()
    if finished.status is None:
        reason = f"it took more than {limit} s"
    elif network:
        reason = f"the network: {network.group().lower()}"
    raise Problem(f"{what} could not be brought ({reason}): {advice}")
