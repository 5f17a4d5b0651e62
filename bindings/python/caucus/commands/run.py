# SPDX-License-Identifier: BSD-3-Clause
"""caucus run: an MPI program under the drop-in, and what that changed."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Callable, NamedTuple, NoReturn, Optional

from .. import launch, report, start, waits
from ..console import plain, show
from ..errors import Failure, UsageError
from ..words import machine
from .shared import writing

NAME = "run"
HELP = "run an MPI program under the drop-in and tell what changed"
DESCRIPTION = """\
Preloads Caucus under a program that was not compiled for it, runs it, and tells on standard error
which calls were taken over, what that changed, and why others were not. Ends with the program's own
exit status.

  caucus run -n 8 -- ./solver input.dat
  caucus run -n 64 --hostfile hosts --mpiexec-args="--bind-to core" -- ./solver
  caucus run --launcher "srun -N4 -n64" --report report.json -- ./solver
  caucus run -n 8 --compare -- ./solver        once more without Caucus, and shows both times
  caucus run -n 8 --nodes cyclic:4 -- ./solver
  caucus run -n 8 --chaos 1 -- ./solver        finds a program that confuses rank spaces
  caucus run -n 8 --timeout 60 -- ./solver     after a minute: who waits for whom, and status 124
  caucus run -n 8 --timeout 60 --svg waits.svg -- ./solver        and draws it"""
PATIENCE = 5  # seconds that mpiexec gets to stop its ranks, and ranks to say what they wait for
TIMED_OUT = 124  # the exit status of a program that was ended, as of timeout(1)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--mpi",
        choices=launch.MPIS,
        help="the MPI to run under (default: the one that the program is linked with)",
    )
    parser.add_argument("-n", "--ranks", metavar="N", type=int, help="how many ranks")
    _add_launcher(parser.add_argument_group("how it is started"))
    parser.add_argument(
        "--nodes", metavar="NODES", help="take this for the nodes: 4x8, cyclic:4, or a file"
    )
    parser.add_argument("--chaos", metavar="SEED", type=int, help="permute ranks at random")
    parser.add_argument(
        "--report", metavar="FILE", help="keep the drop-in's report, for 'caucus report'"
    )
    parser.add_argument(
        "--compare",
        action="store_true",
        help="run the program again without Caucus, its output thrown away, and show both times",
    )
    parser.add_argument(
        "--env", metavar="NAME=VALUE", action="append", default=[], help="a variable for the ranks"
    )
    parser.add_argument(
        "--timeout",
        metavar="S",
        type=float,
        help="after S seconds every rank tells whom it waits for, and the program is ended",
    )
    parser.add_argument(
        "--svg", metavar="FILE", help="with --timeout: draw who waits for whom ('-': print)"
    )
    parser.add_argument("program", metavar="-- PROGRAM ARG", nargs=argparse.REMAINDER)


def _add_launcher(group) -> None:
    group.add_argument(
        "--launcher",
        metavar="WORDS",
        default="",
        help="start it by these words, such as 'srun -N4 -n64', instead of by the MPI's mpiexec; "
        "-n, if given, is added to them",
    )
    group.add_argument("--hostfile", metavar="FILE", help="the hosts, in the format of the MPI")
    group.add_argument(
        "--mpiexec-args",
        metavar="WORDS",
        default="",
        help="further words for mpiexec: --mpiexec-args='--bind-to core'",
    )


def _settings(options: argparse.Namespace) -> dict:
    settings = {}
    for pair in options.env:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise UsageError(f"--env {pair}: write NAME=VALUE")
        settings[name] = value
    return settings


def _of_caucus(options: argparse.Namespace) -> dict:
    settings = {}
    if options.nodes is not None:
        settings["CAUCUS_NODES"] = machine(options.nodes, None, "blocks", 0)
    if options.chaos is not None:
        settings["CAUCUS_CHAOS"] = options.chaos
    return settings


def _launcher(options: argparse.Namespace) -> start.Launcher:
    """On this machine alone as many ranks as it has cores, elsewhere as the launcher likes."""
    if options.ranks is not None and options.ranks < 1:
        raise UsageError(f"-n {options.ranks}: at least one rank is needed")
    block = re.fullmatch(r"(\d+)x(\d+)", options.nodes or "")
    ranks = options.ranks
    if ranks is None and block:
        ranks = int(block.group(1)) * int(block.group(2))
    if options.hostfile and not os.path.exists(options.hostfile):
        raise UsageError(f"--hostfile {options.hostfile}: there is no such file")
    launcher = start.Launcher(
        start.split(options.launcher, "--launcher"),
        start.split(options.mpiexec_args, "--mpiexec-args"),
        options.hostfile,
        ranks,
    )
    if ranks is None and not launcher.is_elsewhere:
        return launcher._replace(ranks=start.cores())
    return launcher


def _check_writable(path: str, what: str) -> None:
    """Said before the run, and not after it."""
    existed = os.path.exists(path)
    try:
        with open(path, "a", encoding="utf-8"):
            pass
    except OSError as error:
        raise Failure(f"{what} can't be written to {path}: {error.strerror}") from None
    if not existed:
        os.unlink(path)


def _check(options: argparse.Namespace) -> None:
    if options.timeout is not None and not 0 < options.timeout < float("inf"):
        raise UsageError(f"--timeout {options.timeout:g}: a positive number of seconds is needed")
    if options.svg and options.timeout is None:
        raise UsageError("--svg draws what --timeout finds: give that, too")
    if options.report:
        _check_writable(options.report, "the report")
    if options.svg and options.svg != "-":
        _check_writable(options.svg, "the picture")


class Terminated(BaseException):
    """Somebody, a batch system perhaps, asked this process to end."""


@contextlib.contextmanager
def _told_of_its_end() -> Iterator[None]:
    """The ranks are stopped and nothing is left behind, also then."""

    def tell(*_: object) -> NoReturn:
        raise Terminated

    before = signal.signal(signal.SIGTERM, tell)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _stop(process: subprocess.Popen, *ways: Callable[[], None]) -> None:
    for stop in (*ways, process.terminate, process.kill):
        stop()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
            break


def _wait(process: subprocess.Popen, timeout: Optional[float] = None) -> Optional[int]:
    """Waits for the launcher; None if that takes too long. A Ctrl-C reaches it as well: it gets
    time to stop its ranks."""
    try:
        return process.wait(timeout)
    except subprocess.TimeoutExpired:
        return None
    except KeyboardInterrupt:
        _stop(process, lambda: None)
        raise
    except Terminated:
        _stop(process)
        raise


class Ended(NamedTuple):
    status: Optional[int]  # of a shell: 128 and the signal; None: it takes too long
    seconds: float
    process: subprocess.Popen


def _start(command: tuple, timeout: Optional[float] = None, **streams) -> Ended:
    words, outer = command
    begun = time.monotonic()
    try:
        process = subprocess.Popen(words, env=outer, **streams)
        status = _wait(process, timeout)
    except OSError as error:
        raise Failure(f"{words[0]} can't be started: {error.strerror}") from None
    if status is not None and status < 0:
        status = 128 - status
    return Ended(status, time.monotonic() - begun, process)


def _say(sentence: str) -> None:
    sys.stdout.flush()
    show(plain(f"caucus run: {sentence}"), to=sys.stderr)


def _tell_waits(
    process: subprocess.Popen, folder: Path, ranks: Optional[int], options: argparse.Namespace
) -> int:
    """Asks the ranks what they wait for, ends them, and shows it."""
    told = waits.ask(folder, ranks or sys.maxsize, PATIENCE)
    ranks = ranks or max(told, default=-1) + 1
    _stop(process)
    sys.stdout.flush()
    show(*waits.show(told, ranks), to=sys.stderr)
    _say(f"ended after {options.timeout:g} seconds")
    if options.svg:
        from ..waits_picture import draw

        with writing(options.svg) as file:
            file.write(draw(told, ranks))
    return TIMED_OUT


def _compare(prepared: start.Start, settings: dict, timeout: Optional[float]) -> dict:
    """The same without Caucus: its time, or what went wrong."""
    _say("now without Caucus, for comparison")
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    ended = _start(prepared.command(settings, False), timeout, **quiet)
    if ended.status is None:
        _stop(ended.process)
        _say(f"without Caucus it was ended after {timeout:g} seconds")
    elif ended.status:
        _say(f"without Caucus it ended with status {ended.status}")
    return {} if ended.status != 0 else {"native_seconds": ended.seconds}


def _tell(kept: Path, times: dict, expected: int) -> None:
    """What the drop-in wrote. A launcher of another kind than the MPI starts programs of one rank
    each, which nobody notices."""
    try:
        found = report.read(kept)
    except Failure as failure:
        _say(str(failure))
        return
    found = report.add_times(kept, found, times)
    sys.stdout.flush()
    show(*report.show(found), to=sys.stderr)
    if found.get("ranks") == 1 and expected > 1:
        _say(
            f"MPI_COMM_WORLD had one rank and not {expected}: the launcher does not start programs "
            "of this MPI as one (srun: see its --mpi)"
        )


def _folder(launcher: start.Launcher) -> Optional[str]:
    """Where all nodes can write: the working directory, as far as anybody can know."""
    return os.getcwd() if launcher.is_elsewhere and os.access(".", os.W_OK) else None


def run(options: argparse.Namespace) -> int:
    program = options.program[1:] if options.program[:1] == ["--"] else options.program
    if not program:
        raise UsageError("which program? Put it behind '--'")
    settings, ours, launcher = _settings(options), _of_caucus(options), _launcher(options)
    _check(options)
    prepared = start.prepare(program, options.mpi, launcher, settings)
    try:
        with _told_of_its_end():
            return _run(options, prepared, settings, ours)
    except Terminated:
        return 128 + signal.SIGTERM


def _run(options: argparse.Namespace, prepared: start.Start, settings: dict, ours: dict) -> int:
    launcher = prepared.launcher
    with tempfile.TemporaryDirectory(prefix=".caucus-", dir=_folder(launcher)) as folder:
        kept = Path(os.path.abspath(options.report or os.path.join(folder, "report.json")))
        with contextlib.suppress(FileNotFoundError):
            kept.unlink()  # an old one must not be taken for this run's
        ours["CAUCUS_REPORT"] = kept
        if options.timeout is not None:
            ours["CAUCUS_WAITS"] = folder
        ended = _start(prepared.command({**settings, **ours}, True), options.timeout)
        if ended.status is None:
            return _tell_waits(ended.process, Path(folder), launcher.ranks, options)
        if options.svg:
            _say(f"{options.svg} is not drawn: the program has ended")
        times = {"program": prepared.program, "mpi": prepared.mpi, "seconds": ended.seconds}
        if options.compare and ended.status == 0:
            times.update(_compare(prepared, settings, options.timeout))
        if ended.status == 0 or kept.exists():
            _tell(kept, times, launcher.expected)
    return ended.status
