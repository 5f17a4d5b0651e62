# SPDX-License-Identifier: BSD-3-Clause
"""caucus run: an MPI program under the drop-in, and what that changed."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Optional

from .. import endings, launch, linked, processes, report, start, waits
from ..console import duration, plain, show
from ..errors import Failure, UsageError
from ..kept import check_writable, new_file, place, place_spawned
from ..plan import Plan
from ..words import machine, ranks_of
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
  caucus run -n 8 --compare -- ./solver        runs without Caucus by turns, and shows both times
  caucus run -n 8 --nodes cyclic:4 -- ./solver
  caucus run -n 8 --chaos 1 -- ./solver        finds programs that mix up ranks of communicators
  caucus run -n 8 --timeout 60 -- ./solver     after a minute: who waits for whom, and status 124
  caucus run -n 8 --timeout 60 --svg waits.svg -- ./solver        and draws it"""
PATIENCE = 5  # seconds that ranks get to say what they wait for
RUNS = 3  # of each, of --compare
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
        "--nodes",
        metavar="NODES",
        help="take this for the nodes: 4x8, cyclic:4, ppn:16, 40*48,15*32, or a file with the name "
        "of a node for each rank",
    )
    parser.add_argument("--chaos", metavar="SEED", type=int, help="permute ranks at random")
    parser.add_argument(
        "--report", metavar="FILE", help="keep the drop-in's report, for 'caucus report'"
    )
    parser.add_argument(
        "--compare",
        metavar="N",
        nargs="?",
        const=RUNS,
        type=_runs,
        help="after the run that makes the report, time the program N times without Caucus and N "
        f"times with it, by turns and without their output, and show both times (N: {RUNS})",
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


def _runs(word: str) -> int:
    if not word.isdecimal() or int(word) < 1:
        raise argparse.ArgumentTypeError(
            f"'{word}' is no number of runs; put the program behind '--'"
        )
    return int(word)


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


def _take_report(options: argparse.Namespace, settings: dict) -> None:
    """CAUCUS_REPORT is honoured like --report, and reaches no run but the one that is reported."""
    named = [where.pop("CAUCUS_REPORT", None) for where in (settings, os.environ)]
    options.report = next((path for path in (options.report, *named) if path), None)


def _of_caucus(options: argparse.Namespace) -> dict:
    settings = {}
    if options.nodes is not None:
        settings["CAUCUS_NODES"] = machine(options.nodes, None, "blocks", 0)
    if options.chaos is not None:
        settings["CAUCUS_CHAOS"] = options.chaos
    return settings


def _described(ours: dict, settings: dict) -> str:
    """The nodes, if they are not those of the machine."""
    found = (where.get("CAUCUS_NODES") for where in (ours, settings, os.environ))
    return next((str(nodes) for nodes in found if nodes), "")


def _check_nodes(nodes: str, ranks: int) -> None:
    """In the library's words, but before the start."""
    if not nodes or not ranks:
        return
    if not nodes.startswith("file:"):
        try:
            Plan([ranks], nodes, ranks=ranks).close()
        except UsageError as error:
            raise UsageError(f"--nodes: {error}") from None
    elif 0 < ranks_of(nodes) < ranks:  # a file may have more of them
        raise UsageError(
            f"--nodes: '{nodes}' describes {ranks_of(nodes)} ranks, but there are {ranks}"
        )


def _ranks_of_block(nodes: Optional[str]) -> Optional[int]:
    """How many ranks these nodes have, where two numbers say it."""
    block = re.fullmatch(r"(\d{1,18})x(\d{1,18})", nodes or "")
    if not block:
        return None
    ranks = int(block.group(1)) * int(block.group(2))
    if not ranks:
        raise UsageError(f"--nodes {nodes}: at least one node of one rank is needed")
    return ranks


def _launcher(options: argparse.Namespace) -> start.Launcher:
    """On this machine alone as many ranks as it has cores, elsewhere as the launcher likes."""
    start.check_number(options.ranks)
    if options.hostfile and not os.path.exists(options.hostfile):
        raise UsageError(f"--hostfile {options.hostfile}: there is no such file")
    words = start.split(options.launcher, "--launcher")
    more = start.split(options.mpiexec_args, "--mpiexec-args")
    is_several = ":" in [*words, *more, *options.program]
    launcher = start.Launcher(words, more, options.hostfile, options.ranks, is_several)
    if options.ranks is None and not launcher.expected:
        launcher = launcher._replace(ranks=_ranks_of_block(options.nodes))
    if launcher.ranks is None and not launcher.is_elsewhere:
        return launcher._replace(ranks=start.cores())
    return launcher


def _check(options: argparse.Namespace) -> None:
    if options.timeout is not None and not 0 < options.timeout < float("inf"):
        raise UsageError(f"--timeout {options.timeout:g}: a positive number of seconds is needed")
    if options.svg and options.timeout is None:
        raise UsageError("--svg draws what --timeout finds: give that, too")
    if options.report:
        check_writable(options.report, "the report")
    if options.svg and options.svg != "-":
        check_writable(options.svg, "the picture")


def _say(sentence: str) -> None:
    sys.stdout.flush()
    show(plain(f"caucus run: {sentence}"), to=sys.stderr)


def _tell_waits(told: dict[int, list[waits.Wait]], ranks: int, options: argparse.Namespace) -> int:
    """Shows what the ranks waited for, which have been ended."""
    ranks = ranks or max(told, default=-1) + 1
    sys.stdout.flush()
    show(*waits.show(told, ranks), to=sys.stderr)
    _say(f"ended after {options.timeout:g} seconds")
    if options.svg:
        from ..waits_picture import draw

        with writing(options.svg) as file:
            file.write(draw(told, ranks))
    return TIMED_OUT


def _again(
    prepared: start.Start, settings: dict, ours: Optional[dict], timeout: Optional[float]
) -> Optional[float]:
    """Once more, quietly, ours: with Caucus. The seconds, or what went wrong."""
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    command = prepared.command({**settings, **(ours or {})}, ours is not None)
    ended = processes.run(command, timeout, **quiet)
    which = "without Caucus" if ours is None else "with Caucus"
    if ended.status is None:
        _say(f"{which} it was ended after {timeout:g} seconds")
    elif ended.status:
        _say(f"{which} it {endings.ended(ended.status)}")
    return ended.seconds if ended.status == 0 and not processes.told_to_end() else None


def _compare(
    options: argparse.Namespace, prepared: start.Start, settings: dict, ours: dict
) -> dict:
    """By turns without Caucus and with it, which writes no report then: counting takes time."""
    native: list[float] = []
    runs: list[float] = []
    _say(f"now, for comparison, {options.compare} without Caucus and as many with it, by turns")
    for turn in range(2 * options.compare):
        mine, times = (ours, runs) if turn % 2 else (None, native)
        seconds = _again(prepared, settings, mine, options.timeout)
        if seconds is None:
            return {}
        times.append(seconds)
        if turn == 0:
            _say(_estimate(2 * options.compare - 1, seconds))
    found = {"seconds": statistics.median(runs), "native_seconds": statistics.median(native)}
    return {**found, "runs": runs, "native_runs": native}


def _estimate(more: int, seconds: float) -> str:
    """5 more runs, about 2.5 minutes"""
    rest = more * seconds
    words = f"{rest / 60:.1f} minutes" if rest >= 90 else duration(rest)
    return f"{more} more run{'s' * (more != 1)}, about {words}"


def _no_report(failure: Failure, program: str) -> str:
    """Why there is none after a program that ended well."""
    file = shutil.which(program)
    if file and linked.has_none(Path(file), os.environ):
        return f"the drop-in wrote no report: {program} is linked with no MPI"
    return str(failure)


def _tell(found: dict, launcher: start.Launcher) -> None:
    """What the drop-in wrote. A launcher of another kind than the MPI starts programs of one rank
    each, which nobody notices."""
    sys.stdout.flush()
    show(*report.show(found), to=sys.stderr)
    if found.get("ranks") == 1 and launcher.expected > 1:
        is_srun = os.path.basename(launcher.words[0] if launcher.words else "") == "srun"
        _say(
            f"MPI_COMM_WORLD had one rank and not {launcher.expected}: the launcher does not start "
            f"programs of this MPI as one{' (see its --mpi)' if is_srun else ''}"
        )


def run(options: argparse.Namespace) -> int:
    program = options.program[1:] if options.program[:1] == ["--"] else options.program
    if not program:
        raise UsageError("which program? Put it behind '--'")
    settings, ours, launcher = _settings(options), _of_caucus(options), _launcher(options)
    _take_report(options, settings)
    _check(options)
    _check_nodes(str(ours.get("CAUCUS_NODES", "")), launcher.expected)
    prepared = start.prepare(program, options.mpi, launcher, settings)
    with processes.listening():
        return _run(options, prepared, settings, ours)


def _circumstances(prepared: start.Start, settings: dict, ours: dict) -> dict:
    """What who reads the report later wants to know."""
    own = linked.of_file(prepared.dropin, os.environ)
    found = {**os.environ, **settings, **ours}
    nodes = _described(ours, settings)
    return {
        **({} if prepared.launcher.is_elsewhere else {"cores": start.cores()}),
        **({"nodes": nodes} if nodes else {}),  # which are only described
        "program": prepared.program,
        "mpi": prepared.mpi,
        "mpi_version": linked.version(own.path) if own and own.path else "",
        "date": time.strftime("%Y-%m-%d %H:%M %z"),
        "settings": {
            name: str(found[name]) for name in sorted(found) if name.startswith("CAUCUS_")
        },
    }


def _run(options: argparse.Namespace, prepared: start.Start, settings: dict, ours: dict) -> int:
    launcher = prepared.launcher
    with contextlib.ExitStack() as left:
        folder = tempfile.mkdtemp(prefix=".caucus-", dir=launcher.folder)
        # Ranks may outlive their launcher, and go on writing.
        left.callback(shutil.rmtree, folder, ignore_errors=True)
        target = Path(os.path.abspath(options.report or os.path.join(folder, "kept.json")))
        new = left.enter_context(new_file(target, Path(folder)))
        reported = {**ours, "CAUCUS_REPORT": new}
        if options.timeout is not None:
            reported["CAUCUS_WAITS"] = folder
        told: dict[int, list[waits.Wait]] = {}

        def ask() -> None:
            told.update(waits.ask(Path(folder), launcher.expected or sys.maxsize, PATIENCE))

        ended = processes.run(
            prepared.command({**settings, **reported}, True), options.timeout, ask
        )
        if ended.status is None:
            return _tell_waits(told, launcher.expected, options)
        if options.svg:
            _say(f"{options.svg} is not drawn: the program has ended")
        times = {**_circumstances(prepared, settings, ours), "seconds": ended.seconds}
        is_good = ended.status == 0 and not processes.told_to_end()
        try:
            if options.compare and is_good and "nodes" not in times:
                times.update(_compare(options, prepared, settings, ours))
        finally:  # whatever ends the comparison: the run that is reported was a whole one
            if _finish(ended.status, new, target, times, launcher) and options.report:
                _keep_spawned(target, new)
    return ended.status


def _keep_spawned(target: Path, new: Path) -> None:
    for path in place_spawned(target, new):
        _say(f"{path} is the report of processes that the program has spawned")


def _finish(status: int, new: Path, target: Path, times: dict, launcher: start.Launcher) -> bool:
    """Tells what there is to tell, and keeps the report if it is one."""
    try:
        found = report.add_times(new, report.read(new), times)
    except Failure as failure:
        if status == 0:
            _say(_no_report(failure, times["program"][0]))
        elif endings.is_signal(status) and not processes.told_to_end():
            _say(endings.crash(status))
        if target.is_file():
            _say(f"{target} is the report of an earlier run")
        return False
    place(target, new)
    _tell(found, launcher)
    return True
