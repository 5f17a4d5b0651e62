# SPDX-License-Identifier: BSD-3-Clause
"""Counts tests by section, shows failures at once, and ends with a table and the one line that
everybody reads."""

import sys
import time

SHOWN = 60


class Section:
    def __init__(self):
        self.jobs = self.passed = self.failed = self.skipped = self.before = self.lost = 0
        self.processor = self.clock = 0.0

    def counts(self):
        text = f"{self.passed:5} passed, {self.failed} failed"
        text += f", {self.before} of the passed earlier" if self.before else ""
        text += f", {self.skipped} skipped" if self.skipped else ""
        return text + (f", {self.lost} jobs not run" if self.lost else "")


class Results:
    def __init__(self):
        self.sections = {}
        self.failures = []
        self.skips = []
        self._begun = time.monotonic()

    def expect(self, section, jobs):
        self.sections.setdefault(section, Section()).jobs += jobs

    def say(self, text):
        print(text, flush=True)

    def add(self, section, outcome):
        counts = self.sections.setdefault(section, Section())
        if outcome.good is None:
            counts.skipped += 1
            self.skips.append((outcome.name, outcome.text))
        elif outcome.good:
            counts.passed += outcome.count
            counts.before += outcome.count if outcome.before else 0
            if outcome.text:
                self.say(f"   {outcome.text.splitlines()[0]}")
        else:
            counts.failed += 1
            self.failures.append(f"{section}: {outcome.name}")
            self._show(f"{section}: {outcome.name}", outcome.text)

    def end(self, section, processor, clock):
        """One job of a section has ended; the last one closes it."""
        counts = self.sections[section]
        counts.jobs -= 1
        counts.processor += processor
        counts.clock += clock
        if counts.jobs == 0:
            self.say(f"-- {section}: {counts.counts().strip()}")

    def lose(self, section):
        """One job of a section can't run, since what it waits for failed or is missing."""
        self.sections[section].lost += 1
        self.end(section, 0, 0)

    def _show(self, name, output):
        lines = output.rstrip().splitlines()
        if len(lines) > SHOWN:
            lines = (
                lines[: SHOWN // 2] + [f"... {len(lines) - SHOWN} lines ..."] + lines[-SHOWN // 2 :]
            )
        print(f"   FAILED {name}")
        print("".join(f"      {line}\n" for line in lines), end="", flush=True)

    def table(self):
        """What every section took: of the processors, and if its jobs ran one after the other."""
        width = max(map(len, self.sections), default=0)
        yield f"{'section':{width}}  processor s  one by one s"
        for name, section in self.sections.items():
            times = f"{section.processor:11.0f}  {section.clock:12.0f}"
            yield f"{name:{width}}  {times}  {section.counts()}"
        spent = sum(section.processor for section in self.sections.values())
        took = time.monotonic() - self._begun
        yield f"{'all':{width}}  {spent:11.0f}  in {took:.0f} s on the clock"

    def finish(self):
        """Prints the summary; returns the exit status."""
        print("\n".join(self.table()))
        for name in self.failures:
            print(f"failed: {name}")
        reasons = {}
        for name, reason in self.skips:
            reasons.setdefault(reason, []).append(name)
        for reason, names in reasons.items():
            print(f"skipped, because {reason}: {', '.join(names)}")
        passed = sum(section.passed for section in self.sections.values())
        before = sum(section.before for section in self.sections.values())
        if before:
            print(
                f"passed earlier, with the same programs and inputs: {before}; "
                "TEST_AGAIN=1 runs these too"
            )
        lost = sum(section.lost for section in self.sections.values())
        line = f"{passed} passed, {len(self.failures)} failed"
        line += f", {len(self.skips)} skipped" if self.skips else ""
        print(line + (f", {lost} jobs not run" if lost else ""))
        sys.stdout.flush()
        return 1 if self.failures or not passed else 0
