# SPDX-License-Identifier: BSD-3-Clause
"""The queue of make test: its order, what waits for what, and an end to what hangs."""

import os
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from provision.problem import Problem
from testing import measured
from testing.queue import Job, Missing, Outcome, Queue
from testing.results import Results


class Durations:
    """Jobs are named after the seconds that they are said to take."""

    def expected(self, section, name):
        clock = float(name.split()[-1])
        return 0.1 * clock if name.startswith("idle") else clock, clock

    def add(self, *what):
        pass


class Trial:
    def __init__(self, cores=1):
        self.results, self.order, self.lock = Results(), [], threading.Lock()
        self.queue = Queue(self.results, Durations(), cores)
        self.now = self.most = 0

    def job(self, name, seconds=0.0, outcome=None, **options):
        def work():
            with self.lock:
                self.order.append(name)
                self.now += 1
                self.most = max(self.most, self.now)
            time.sleep(seconds)
            with self.lock:
                self.now -= 1
            if isinstance(outcome, BaseException):
                raise outcome
            return [outcome or Outcome(name)]

        self.queue.add([Job("section", name, work, **options)])

    def run(self):
        self.queue.run()
        return self.order


def test_longest_first_and_what_is_waited_for_before_that():
    trial = Trial()
    trial.job("a 1")
    trial.job("b 3")
    trial.job("c 2")
    trial.job("d 0.5")
    trial.job("e 9", after=("d 0.5",))
    trial.job("f 0.1", urgent=True)
    assert trial.run() == ["f 0.1", "d 0.5", "e 9", "b 3", "c 2", "a 1"]
    assert trial.results.finish() == 0


def test_cores_are_shared_and_no_more_run_than_fit():
    trial = Trial(cores=2)
    for i in range(6):
        trial.job(f"{i} 1", 0.05)
    trial.job("both 0.5", 0.05, cores=2)
    trial.run()
    assert trial.most == 2 and trial.order[-1] == "both 0.5"


def test_what_mostly_waits_takes_less_than_a_core():
    trial = Trial(cores=2)
    for i in range(12):
        trial.job(f"idle {i} 1", 0.1)
    trial.run()
    assert trial.most == 8


def test_what_is_alone_shares_with_others_only():
    trial = Trial(cores=4)
    trial.job("a 2", 0.2, alone="nodes")
    trial.job("b 1", 0.0, alone="nodes")
    trial.job("c 0.5", 0.0)
    assert trial.run() == ["a 2", "c 0.5", "b 1"] and trial.most == 2


def test_what_waits_for_something_that_failed_is_not_run(capsys):
    trial = Trial()
    trial.job("build 1", outcome=Problem("it does not compile"))
    trial.job("test 1", after=("build 1",))
    trial.job("all the same 1", later=("build 1",))
    trial.job("not here 1", outcome=Missing("nobody has it"))
    trial.job("test of it 1", after=("not here 1",))
    assert sorted(trial.run()) == ["all the same 1", "build 1", "not here 1"]
    assert trial.results.failures == ["section: build 1"]
    assert trial.results.skips == [("not here 1", "nobody has it")]
    assert trial.results.finish() == 1
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == "1 passed, 1 failed, 1 skipped, 2 jobs not run"


def test_a_name_that_nobody_has_is_told():
    trial = Trial()
    trial.job("a 1", after=("b",))
    with pytest.raises(Problem, match="a 1"):
        trial.run()


def test_an_error_of_the_runner_is_a_failure(capsys):
    trial = Trial()
    trial.job("a 1", outcome=ZeroDivisionError("by none"))
    trial.job("b 1", outcome=Outcome("b 1", False, "what it said"))
    trial.run()
    assert trial.results.finish() == 1
    said = capsys.readouterr().out
    assert "ZeroDivisionError" in said and "what it said" in said
    assert said.splitlines()[-1] == "0 passed, 2 failed"


def test_work_that_exits_is_a_failure():
    trial = Trial()
    trial.job("a 1", outcome=SystemExit(0))
    runner = threading.Thread(target=trial.run, daemon=True)
    runner.start()
    runner.join(30)
    assert not runner.is_alive()
    assert trial.results.finish() == 1


def test_a_hang_that_sleeps_is_ended_with_all_that_it_started():
    words = ["sh", "-c", "echo begun; sleep 97531 & setsid sleep 97531 & wait"]
    done = measured.run(words, measured.Limit(60, 0.5))
    assert done.status is None and "begun" in done.output
    assert done.ended == "ended after 0 s" and done.clock < 10
    left = [pid for pid in measured.family(1) if b"97531" in _words(pid)]
    assert left == []


def test_who_is_deaf_to_a_polite_end_is_ended_too():
    deaf = "trap '' TERM; while :; do sleep 97532; done"
    words = ["sh", "-c", f'setsid sh -c "{deaf}" & sleep 97532 & wait']
    done = measured.run(words, measured.Limit(60, 0.5))
    assert done.status is None
    assert [pid for pid in measured.family(1) if b"97532" in _words(pid)] == []


def test_a_hang_that_polls_is_ended_by_its_processor_time():
    words = [sys.executable, "-c", "while True: pass"]
    done = measured.run(words, measured.Limit(0.5, 1000))
    assert done.status is None and "of processor time" in done.ended


def test_what_a_command_has_used_counts_its_children():
    burn = "import time\nwhile time.process_time() < 0.3: pass"
    before = measured.spent()
    done = measured.run(["sh", "-c", f"{sys.executable} -c '{burn}'; exit 3"])
    assert done.status == 3 and done.processor >= 0.3
    assert measured.spent() - before == pytest.approx(done.processor)


@pytest.mark.parametrize("limit", [60, 0.5])
def test_what_a_command_leaves_in_its_temporary_folder_is_nobody_elses(limit):
    words = ["sh", "-c", 'echo "$TMPDIR"; mkdir "$TMPDIR/ompi.1"; [ "$0" = 60 ] || sleep 97533']
    done = measured.run([*words, limit], measured.Limit(60, limit), env={"PATH": os.defpath})
    assert done.good == (limit == 60)
    folder = Path(done.output.strip())
    assert folder != Path(tempfile.gettempdir()) and not folder.exists()


def _words(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read()
    except OSError:
        return b""
