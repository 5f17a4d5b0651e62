# SPDX-License-Identifier: BSD-3-Clause
"""One queue for all that is tested: what takes longest first, and what can share the cores does.

A job belongs to a section and says what it waits for, how many cores it takes, and what it must
have for itself (the virtual nodes; the folder of builds). Its work returns outcomes."""

import threading
import time
import traceback
from dataclasses import dataclass, field

from provision.problem import Problem

from . import measured

SAYS = 30.0  # seconds between two lines about progress
IDLE = 0.6  # what takes less of a core than that while it runs, as starts of MPI do, is counted
LEAST = 0.25  # as what it takes, but as no less than that


@dataclass
class Outcome:
    """Of one test: good is None where it was left out, for the reason that `text` gives."""

    name: str
    good: bool = True
    text: str = ""
    count: int = 1
    before: bool = False  # passed earlier, and nothing that it depends on has changed


class Missing(Exception):
    """What a job would test cannot be had; why."""


@dataclass
class Job:
    section: str
    name: str
    work: object  # () -> outcomes
    after: tuple = ()  # names of other jobs
    later: tuple = ()  # the same, but it does not matter whether these succeed
    cores: float = 1
    alone: str = ""  # of all jobs with this word, one at a time
    urgent: bool = False  # before all others, as they were added: many wait for it
    seconds: float = 0  # that it will take, where that is not what it took the last time
    rank: float = field(default=0, compare=False)


class Queue:
    def __init__(self, results, durations, cores):
        self.results, self.durations, self.cores = results, durations, cores
        self.jobs, self.ended, self.lost = [], set(), {}
        self.running, self.finished = {}, []
        self.change = threading.Condition()

    def add(self, jobs):
        for job in jobs:
            self.jobs.append(job)

    def run(self):
        """Until all jobs have ended or are lost with what they wait for."""
        self._sort()
        for section in dict.fromkeys(job.section for job in self.jobs):
            self.results.expect(section, sum(job.section == section for job in self.jobs))
        try:
            self._run()
        finally:
            measured.end_all()

    def _run(self):
        begun = said = time.monotonic()
        total = len(self.jobs)
        with self.change:
            while self.jobs or self.running or self.finished:
                self._judge()
                self._start()
                if self.jobs and not self.running and not self.finished:
                    names = ", ".join(job.name for job in self.jobs)
                    raise Problem(f"these tests wait for something that is not there: {names}")
                self.change.wait(1.0)
                if time.monotonic() - said > SAYS:
                    said = time.monotonic()
                    done = total - len(self.jobs) - len(self.running)
                    longest = sorted(self.running.values(), key=lambda job: -job.rank)
                    names = "; ".join(f"{job.section}: {job.name}" for job in longest)
                    self.results.say(f"{said - begun:.0f} s, {done} of {total} jobs; now {names}")

    def _sort(self):
        """By how long a job takes together with the longest that waits for it."""
        waiting = {}
        for job in self.jobs:
            processor, clock = self.durations.expected(job.section, job.name)
            job.rank = job.seconds or max(processor, clock)
            if job.cores == 1 and processor < IDLE * clock:
                job.cores = max(LEAST, processor / clock)
            for name in (*job.after, *job.later):
                waiting[name] = max(waiting.get(name, 0), job.rank)
        self.jobs.sort(
            key=lambda job: (
                not job.urgent,
                0 if job.urgent else -job.rank - waiting.get(job.name, 0),
            )
        )

    def _start(self):
        """Starts what fits, in the order of the queue: nothing small overtakes what needs more
        cores than are free, or that would never run."""
        for job in list(self.jobs):
            reasons = [self.lost[name] for name in job.after if name in self.lost]
            if reasons:
                self.jobs.remove(job)
                self.lost[job.name] = reasons[0]
                self.results.lose(job.section)
                continue
            if not self.ended.issuperset(job.after):
                continue
            if any(name not in self.ended and name not in self.lost for name in job.later):
                continue
            if job.alone and any(other.alone == job.alone for other in self.running.values()):
                continue
            used = sum(other.cores for other in self.running.values())
            if used and used + job.cores > self.cores:
                break
            self.jobs.remove(job)
            thread = threading.Thread(target=self._do, args=(job,), daemon=True)
            self.running[thread] = job
            thread.start()

    def _do(self, job):
        begun, reason = time.monotonic(), ""
        try:
            outcomes = list(job.work())
        except Missing as missing:
            reason = str(missing)
            outcomes = [Outcome(job.name, None, reason)]
        except Problem as problem:
            reason = f"{job.name} failed"
            outcomes = [Outcome(job.name, False, str(problem))]
        except BaseException:  # an exit too: the queue would wait for it for ever
            reason = f"{job.name} failed"
            outcomes = [Outcome(job.name, False, traceback.format_exc())]
        clock = time.monotonic() - begun
        with self.change:
            me = threading.current_thread()
            self.finished.append((me, job, outcomes, reason, measured.spent(), clock))
            self.change.notify()

    def _judge(self):
        for thread, job, outcomes, reason, processor, clock in self.finished:
            del self.running[thread]
            if reason:
                self.lost[job.name] = reason
            else:
                self.ended.add(job.name)
                if not any(outcome.before for outcome in outcomes):
                    self.durations.add(job.section, job.name, processor, clock)
            for outcome in outcomes:
                self.results.add(job.section, outcome)
            self.results.end(job.section, processor, clock)
        self.finished.clear()
