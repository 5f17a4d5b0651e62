# SPDX-License-Identifier: BSD-3-Clause
"""Commands of tests: what they said, what they cost, and an end to those that hang.

A hang that polls burns processor time, one that sleeps only time, so there are two limits. A busy
machine stretches time and hardly the processor's, so that limit can be near; a sleeping hang keeps
nobody waiting, so the other may be far."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
BEGUN = 19  # where a process's stat, behind its name, tells when it began
LOOK = 1.0  # seconds between two looks at what a command's processes have used

_spent = threading.local()
_running = set()


@dataclass(frozen=True)
class Limit:
    """Seconds of processor time of all processes together, and on the clock."""

    processor: float = 600
    clock: float = 900


@dataclass
class Done:
    status: int  # None if it was ended
    output: str
    processor: float = 0.0
    clock: float = 0.0
    ended: str = ""  # why it was

    @property
    def good(self):
        return self.status == 0


def spent():
    """Processor seconds of all commands that this thread has run."""
    return getattr(_spent, "seconds", 0.0)


def run(command, limit=None, env=None, cwd=None, scratch=None):
    """Runs a command in a session of its own, which is ended whole at a limit.

    In a scratch folder, which nobody else works in, all that it started has ended too: a launcher
    that ends its ranks may be gone before they are, each in a session of its own.

    It has its own folder for temporary files: Open MPI's launcher refuses to start where one that
    was killed and had the same process id has left its files (docs/mpi-faults.md)."""
    with tempfile.TemporaryFile() as output, _own_temporary(env) as env:
        begun = time.monotonic()
        try:
            process = subprocess.Popen(
                [str(word) for word in command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=env,
                cwd=scratch or cwd,
                start_new_session=True,
            )
        except OSError as error:
            return Done(127, f"{command[0]}: {error.strerror}")
        watch = _Watch(process, begun, limit or Limit())
        _running.add(watch)
        try:
            watch.wait()
        finally:
            watch.end()
            if scratch:
                _wait_for_all_in(scratch)
            _running.discard(watch)
        output.seek(0)
        text = output.read().decode(errors="replace")
    _spent.seconds = spent() + watch.processor
    status = None if watch.ended else process.returncode
    return Done(status, text, watch.processor, time.monotonic() - begun, watch.ended)


@contextlib.contextmanager
def _own_temporary(env):
    """The environment with a TMPDIR that is removed at the end."""
    folder = tempfile.mkdtemp(prefix="t")
    try:
        yield {**(os.environ if env is None else env), "TMPDIR": folder}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait_for_all_in(folder, seconds=5):
    end = time.monotonic() + seconds
    while left := _working_in(folder):
        if time.monotonic() > end:
            for pid in left:
                _kill(pid, signal.SIGKILL)
        time.sleep(0.02)


def _working_in(folder):
    found = []
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and Path(os.readlink(process / "cwd")) == Path(folder):
                found.append(int(process.name))
        except OSError:
            pass  # it has ended, or is somebody else's
    return found


def _kill(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def end_all():
    """Ends what other threads still run, when the whole is to end."""
    for watch in list(_running):
        for pid in family(watch.process.pid):
            _kill(pid, signal.SIGKILL)


class _Watch:
    """One process and all that it starts, until they end or are ended."""

    def __init__(self, process, begun, limit):
        self.process, self.begun, self.limit = process, begun, limit
        self.processor, self.ended = 0.0, ""

    def wait(self):
        pause, looked = 0.002, self.begun
        while not self._over():
            time.sleep(pause)
            pause = min(pause * 1.2, 0.05)
            now = time.monotonic()
            if now - looked < LOOK:
                continue
            looked = now
            self.processor = max(self.processor, used(family(self.process.pid)))
            if self.processor > self.limit.processor:
                self.ended = f"ended after {self.limit.processor:.0f} s of processor time"
            elif now - self.begun > self.limit.clock:
                self.ended = f"ended after {self.limit.clock:.0f} s"
            if self.ended:
                return

    def end(self):
        """Ends all that is still there, first politely, and sees it gone. Who is deaf to that may
        start others meanwhile."""
        if self._over():
            return
        there = family(self.process.pid)
        for number in (signal.SIGTERM, signal.SIGKILL):
            end, told = time.monotonic() + 5, set()
            while time.monotonic() < end:
                _add_kin(there)
                left = _left_of(there)
                if self._over() and not left:
                    return
                for pid in set(left) - told:
                    _kill(pid, number)
                told.update(left)
                time.sleep(0.02)

    def _over(self):
        if self.process.returncode is None:
            pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
            if pid:
                self.process.returncode = os.waitstatus_to_exitcode(status)
                self.processor = max(self.processor, usage.ru_utime + usage.ru_stime)
        return self.process.returncode is not None


def family(pid):
    """A process, what it started, and what is in its session: {pid: fields of its stat}."""
    everybody = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and (fields := _stat(folder.name)):
            everybody[int(folder.name)] = fields
    found = {p for p, fields in everybody.items() if p == pid or int(fields[3]) == pid}
    grown = True
    while grown:
        more = {p for p, fields in everybody.items() if int(fields[1]) in found} - found
        found |= more
        grown = bool(more)
    return {p: everybody[p] for p in found if p in everybody}


def _add_kin(processes):
    """What they have started since, and what is in the sessions of those that have ended."""
    for pid, fields in list(processes.items()):
        now = _stat(pid)
        if not now or now[BEGUN] == fields[BEGUN]:
            processes.update(family(pid))


def _left_of(processes):
    """Those that have not ended; what has a number again since began at another time."""
    left = []
    for pid, fields in processes.items():
        now = _stat(pid)
        if now and now[0] not in "ZX" and now[BEGUN] == fields[BEGUN]:
            left.append(pid)
    return left


def _stat(pid):
    """What follows the name in its stat, or None if it has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None


def used(processes):
    """Processor seconds of such processes, and of what they have waited for."""
    return sum(int(field) for fields in processes.values() for field in fields[11:15]) / TICKS
