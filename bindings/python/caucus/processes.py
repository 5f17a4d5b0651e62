# SPDX-License-Identifier: BSD-3-Clause
"""Starts launchers and waits for them. None is left behind: not after a time limit, nor when this
process is told to end, by a batch system perhaps."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import time
from collections.abc import Iterator
from typing import Callable, NamedTuple, Optional

from .errors import Failure

PATIENCE = 5  # seconds that a launcher gets to stop its ranks
TO_END = (signal.SIGTERM, signal.SIGHUP)
TO_PASS_ON = (signal.SIGUSR1, signal.SIGUSR2)  # by which programs are told to save their state
Command = tuple[list[str], dict[str, str]]


class Terminated(BaseException):
    """Somebody, a batch system perhaps, asked this process to end, by a signal of this number."""


class _Told:
    """What this process was told by signals, and the launcher that it waits for, if any. Nothing is
    raised while it holds that back: a launcher that is being started is not known yet, and one that
    is being stopped must be stopped."""

    number: Optional[int] = None  # of the signal that told it to end
    process: Optional[subprocess.Popen] = None
    is_held_back = False
    waiting: list[int]  # signals for a launcher that is not known yet

    def __init__(self) -> None:
        self.waiting = []

    def end(self, number: int, _: object) -> None:
        """The launcher gets as long as it takes, at the first signal."""
        is_first = self.number is None
        self.number = self.number or number
        if self.process and is_first:
            self.process.terminate()
        elif self.is_held_back:
            self.waiting.append(signal.SIGTERM)
        else:
            self.is_held_back = True
            raise Terminated(self.number)

    def pass_on(self, number: int, _: object) -> None:
        if self.process:
            self.process.send_signal(number)
        elif self.is_held_back:
            self.waiting.append(number)

    def knows(self, process: subprocess.Popen) -> None:
        self.process = process
        self.is_held_back = False
        while self.waiting:
            process.send_signal(self.waiting.pop(0))


_told = _Told()


def told_to_end() -> Optional[int]:
    """The number of the signal."""
    return _told.number


@contextlib.contextmanager
def listening() -> Iterator[None]:
    """Signals reach the launcher meanwhile. What is ignored (nohup) stays ignored."""
    global _told
    _told = told = _Told()
    handlers = {**dict.fromkeys(TO_END, told.end), **dict.fromkeys(TO_PASS_ON, told.pass_on)}
    before = {number: signal.getsignal(number) for number in handlers}
    heard = [number for number in handlers if before[number] != signal.SIG_IGN]
    for number in heard:
        signal.signal(number, handlers[number])
    try:
        yield
    finally:
        for number in heard:
            signal.signal(number, before[number])


def _stop(process: subprocess.Popen, *ways: Callable[[], None]) -> None:
    """Tells a launcher to end, in ways that get harder. Another Ctrl-C hastens that."""
    before = _told.is_held_back
    _told.is_held_back, _told.process = True, None
    for stop in (*ways, process.terminate, process.kill):
        if process.poll() is not None:
            break
        stop()
        with contextlib.suppress(subprocess.TimeoutExpired, KeyboardInterrupt):
            process.wait(PATIENCE)
    _told.is_held_back = before
    _told.waiting.clear()


class Ended(NamedTuple):
    status: Optional[int]  # of a shell: 128 and the signal; None: it took too long
    seconds: float


def _wait(process: subprocess.Popen, timeout: Optional[float]) -> Optional[int]:
    """None if that takes too long. A Ctrl-C reaches the launcher as well: it gets time to stop its
    ranks."""
    try:
        _told.knows(process)
        return process.wait(timeout)
    except subprocess.TimeoutExpired:
        return None
    except KeyboardInterrupt:
        _stop(process, lambda: None)
        raise


def _started(command: Command, **more) -> subprocess.Popen:
    if _told.number:
        raise Terminated(_told.number)
    words, outer = command
    _told.is_held_back = True  # or a process would be started that nobody knows
    try:
        return subprocess.Popen(words, env=outer, **more)
    except OSError as error:
        _told.is_held_back = False
        raise Failure(f"{words[0]} can't be started: {error.strerror}") from None


def run(
    command: Command,
    timeout: Optional[float] = None,
    late: Callable[[], None] = lambda: None,
    **streams,
) -> Ended:
    """Runs a command to its end, or for so many seconds: then late() is called, and it is
    stopped."""
    begun = time.monotonic()
    process = _started(command, **streams)
    try:
        status = _wait(process, timeout)
        seconds = time.monotonic() - begun
        if status is None:
            late()
    finally:
        _stop(process)
    if status is not None and status < 0:
        status = 128 - status
    return Ended(status, seconds)


def heard(
    command: Command, patience: float, what: str, folder: Optional[str] = None
) -> subprocess.CompletedProcess:
    """Runs a program of Caucus itself, and gives back what it says."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with (
        listening(),
        _started(command, cwd=folder, text=True, errors="replace", **pipes) as process,
    ):
        try:
            _told.knows(process)
            said = process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            raise Failure(f"no end of {what} after {patience:g} s: fewer ranks may help") from None
        finally:
            _stop(process)
        if _told.number:
            raise Terminated(_told.number)
    return subprocess.CompletedProcess(process.args, process.returncode, *said)
