# SPDX-License-Identifier: BSD-3-Clause
"""caucus run: an MPI program under the drop-in, and what that changed."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Callable, Optional

from .. import launch, report, waits
from ..console import show
from ..errors import Failure, UsageError
from ..library import tree
from ..words import machine
from .shared import writing

NAME = "run"
HELP = "run an MPI program under the drop-in and tell what changed"
DESCRIPTION = """\
Preloads Caucus under a program that was not compiled for it, runs it, and tells on standard error
which calls were taken over. Ends with the program's own exit status.

  caucus run -n 8 -- ./solver input.dat
  caucus run -n 8 --nodes cyclic:4 --report report.json -- ./solver
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
    parser.add_argument(
        "--nodes", metavar="NODES", help="take this for the nodes: 4x8, cyclic:4, or a file"
    )
    parser.add_argument("--chaos", metavar="SEED", type=int, help="permute ranks at random")
    parser.add_argument("--report", metavar="FILE", help="keep the drop-in's report")
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


def _settings(options: argparse.Namespace) -> dict:
    settings = {}
    for pair in options.env:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise UsageError(f"--env {pair}: write NAME=VALUE")
        settings[name] = value
    if options.nodes is not None:
        settings["CAUCUS_NODES"] = machine(options.nodes, None, "blocks", 0)
    if options.chaos is not None:
        settings["CAUCUS_CHAOS"] = options.chaos
    return settings


def _ranks(options: argparse.Namespace) -> int:
    if options.ranks is not None and options.ranks < 1:
        raise UsageError(f"-n {options.ranks}: at least one rank is needed")
    block = re.fullmatch(r"(\d+)x(\d+)", options.nodes or "")
    if options.ranks is None and block:
        return int(block.group(1)) * int(block.group(2))
    return options.ranks or os.cpu_count() or 1


def _dropin(mpi: str) -> Path:
    path = launch.dropin(mpi)
    if not path.exists():
        remedy = f"run 'make build MPI={mpi}'" if tree() else "install a Caucus built for an MPI"
        raise Failure(f"there is no {path}: {remedy}")
    return path


def _mpi(options: argparse.Namespace, program: str) -> str:
    """The MPI asked for, else that of the program, else what there is most likely to be."""
    likely = "mpich" if tree() else "system"
    return options.mpi or launch.mpi_of_program(program) or likely


def _stop(process: subprocess.Popen, *ways: Callable[[], None]) -> None:
    for stop in (*ways, process.terminate, process.kill):
        stop()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
            break


def _wait(process: subprocess.Popen, timeout: Optional[float] = None) -> Optional[int]:
    """Waits for mpiexec; None if that takes too long. A Ctrl-C reaches it as well: it gets time to
    stop its ranks."""
    try:
        return process.wait(timeout)
    except subprocess.TimeoutExpired:
        return None
    except KeyboardInterrupt:
        _stop(process, lambda: None)
        raise


def _tell_waits(
    process: subprocess.Popen, folder: Path, ranks: int, options: argparse.Namespace
) -> int:
    """Asks the ranks what they wait for, ends them, and shows it."""
    told = waits.ask(folder, ranks, PATIENCE)
    _stop(process)
    sys.stdout.flush()
    show(*waits.show(told, ranks), to=sys.stderr)
    print(f"caucus run: ended after {options.timeout:g} seconds", file=sys.stderr)
    if options.svg:
        from ..waits_picture import draw

        with writing(options.svg) as file:
            file.write(draw(told, ranks))
    return TIMED_OUT


def run(options: argparse.Namespace) -> int:
    program = options.program[1:] if options.program[:1] == ["--"] else options.program
    if not program:
        raise UsageError("which program? Put it behind '--'")
    mpi = _mpi(options, program[0])
    if options.timeout is not None and not 0 < options.timeout < float("inf"):
        raise UsageError(f"--timeout {options.timeout:g}: a positive number of seconds is needed")
    if options.svg and options.timeout is None:
        raise UsageError("--svg draws what --timeout finds: give that, too")
    settings, ranks, dropin = _settings(options), _ranks(options), _dropin(mpi)
    with tempfile.TemporaryDirectory(prefix="caucus-") as folder:
        kept = Path(os.path.abspath(options.report or os.path.join(folder, "report.json")))
        with contextlib.suppress(FileNotFoundError):
            kept.unlink()  # an old one must not be taken for this run's
        settings["CAUCUS_REPORT"] = kept
        if options.timeout is not None:
            settings["CAUCUS_WAITS"] = folder
        words, outer = launch.command(mpi, ranks, program, settings, [dropin])
        try:
            process = subprocess.Popen(words, env=outer)
            status = _wait(process, options.timeout)
            if status is None:
                return _tell_waits(process, Path(folder), ranks, options)
        except OSError as error:
            raise Failure(f"{words[0]} can't be started: {error.strerror}") from None
        if options.svg:
            print(f"caucus run: {options.svg} is not drawn: it has ended", file=sys.stderr)
        if status == 0:
            sys.stdout.flush()
            show(*report.show(report.read(kept)), to=sys.stderr)
    return status if status >= 0 else 128 - status
