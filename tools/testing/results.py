# SPDX-License-Identifier: BSD-3-Clause
"""Counts tests, shows failures at once, and ends with the one line that everybody reads."""

import sys
import time

SHOWN = 60


class Results:
    def __init__(self):
        self.passed = 0
        self.failures = []
        self.skips = []
        self._heading = None
        self._begun = time.monotonic()

    def section(self, heading):
        self.end_section()
        self._heading, self._begun = heading, time.monotonic()
        self._before = (self.passed, len(self.failures), len(self.skips))
        print(f"-- {heading}", flush=True)

    def end_section(self):
        if self._heading is None:
            return
        now = (self.passed, len(self.failures), len(self.skips))
        passed, failed, skipped = (new - old for new, old in zip(now, self._before))
        took = time.monotonic() - self._begun
        text = f"   {passed} passed, {failed} failed"
        print(text + (f", {skipped} skipped" if skipped else "") + f" in {took:.1f} s", flush=True)
        self._heading = None

    def add_passed(self, count=1):
        self.passed += count

    def add_failed(self, name, output):
        self.failures.append(name)
        lines = output.rstrip().splitlines()
        if len(lines) > SHOWN:
            lines = (
                lines[: SHOWN // 2] + [f"... {len(lines) - SHOWN} lines ..."] + lines[-SHOWN // 2 :]
            )
        print(f"   FAILED {name}")
        print("".join(f"      {line}\n" for line in lines), end="", flush=True)

    def add_skipped(self, name, reason):
        self.skips.append((name, reason))

    def add(self, name, good, output=""):
        if good:
            self.add_passed()
        else:
            self.add_failed(name, output)

    def finish(self):
        """Prints the summary; returns the exit status."""
        self.end_section()
        for name in self.failures:
            print(f"failed: {name}")
        reasons = {}
        for name, reason in self.skips:
            reasons.setdefault(reason, []).append(name)
        for reason, names in reasons.items():
            print(f"skipped, because {reason}: {', '.join(names)}")
        line = f"{self.passed} passed, {len(self.failures)} failed"
        print(line + (f", {len(self.skips)} skipped" if self.skips else ""))
        sys.stdout.flush()
        return 1 if self.failures or not self.passed else 0
