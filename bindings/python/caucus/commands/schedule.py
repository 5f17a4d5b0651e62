# SPDX-License-Identifier: BSD-3-Clause
"""caucus schedule: what collectives do, without MPI."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from .. import schedule_questions as questions
from .. import schedule_tables as tables
from ..console import duration, interruptible, plain, print_json, progress, show
from ..errors import Failure, UsageError
from ..kept import check_writable, put
from ..schedule_checks import Checks, cases
from ..study import Listed, Study, algorithms
from ..words import groups as group_sizes

NAME = "schedule"
HELP = "list, check, simulate, draw, export and explain the algorithms of collectives"
DESCRIPTION = """\
Shows what the ranks do in a collective, on a machine that need not be at hand. Needs no MPI.

  caucus schedule list allreduce
  caucus schedule explain allreduce --bytes 64K --ranks 96 --ppn 24
  caucus schedule simulate bcast --bytes 1M --ranks 4096 --ppn 64 --all
  caucus schedule draw bcast --algorithm binomial --ranks 16 --ppn 4 --svg bcast.svg
  caucus schedule export alltoall --ranks 64 --ppn 8 --bytes 1K --output alltoall.goal
  caucus schedule verify --all --ranks 1-64

Between two groups, as on an intercommunicator:

  caucus schedule explain allgather --groups 16+48 --ppn 4 --bytes 64K
  caucus schedule draw allgatherv --groups 3+5 --counts one-heavy --svg between.svg
  caucus schedule verify --groups 24+24"""


def _command(commands, name: str, words: str, run) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        name, help=words, description=words[0].upper() + words[1:] + ".", allow_abbrev=False
    )
    parser.set_defaults(run=run)
    return parser


def _question(commands, name: str, words: str, run) -> argparse.ArgumentParser:
    """A command about one collective."""
    parser = _command(commands, name, words, run)
    parser.add_argument("collective", metavar="COLLECTIVE", help="allreduce, say")
    questions.add_arguments(parser)
    return parser


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="what", metavar="WHAT", title="what")
    listing = _command(commands, "list", "list the algorithms, with what they need", _list)
    listing.add_argument("collective", metavar="COLLECTIVE", nargs="?", help="of this one only")
    listing.add_argument("--groups", action="store_true", help="those between two groups")
    listing.add_argument("--json", action="store_true", help="print JSON")

    explain = _question(commands, "explain", "show what would be chosen, and why", _explain)
    explain.add_argument("--json", action="store_true", help="print JSON")

    words = "run all ranks on a model of the machine, and tell how long they take"
    simulate = _question(commands, "simulate", words, _simulate)
    simulate.add_argument("--all", action="store_true", help="all algorithms that can serve")
    simulate.add_argument("--json", action="store_true", help="print JSON")

    words = "draw a space-time diagram, or print a table of steps and ranks"
    draw = _question(commands, "draw", words, _draw)
    draw.add_argument("--svg", metavar="FILE", help="draw into this file ('-': print)")
    draw.add_argument("--json", action="store_true", help="print as JSON what was drawn")

    words = "write the schedules as GOAL text, for the simulator LogGOPSim"
    export = _question(commands, "export", words, _export)
    export.add_argument("--output", metavar="FILE", default="-", help="where (default: print)")
    export.add_argument("--json", action="store_true", help="print as JSON what was written")

    words = "prove that schedules move exactly the right bytes, without a race or a deadlock"
    verify = _command(commands, "verify", words, _verify)
    verify.add_argument(
        "collective", metavar="COLLECTIVE", nargs="?", help="of this one (or --all)"
    )
    verify.add_argument("--all", action="store_true", help="all collectives")
    verify.add_argument("--algorithm", metavar="NAME", help="this one only")
    verify.add_argument("--ranks", metavar="N-N", help="so many ranks, like 7 or 1-64 (1-16)")
    verify.add_argument(
        "--groups", metavar="P+Q", help="between two groups of so many, like 24+24 or 1-8+1-8"
    )
    verify.add_argument("--json", action="store_true", help="print JSON")


def run(_: argparse.Namespace) -> None:
    raise UsageError("schedule what? See 'caucus schedule --help'")


def _study(options: argparse.Namespace) -> Study:
    return Study(questions.question(options))


def _list(options: argparse.Namespace) -> None:
    groups = 2 if options.groups else 1
    found = list(algorithms(groups))
    if options.collective:
        questions.check_collective(options.collective, groups)
        found = [entry for entry in found if entry.collective == options.collective]
    if options.json:
        print_json([vars(entry) for entry in found])
    else:
        show(*tables.listing(found))


def _explain(options: argparse.Namespace) -> None:
    with _study(options) as study:
        found = study.candidates()
        if options.json:
            candidates = [vars(candidate) for candidate in found]
            print_json(
                {**questions.summary(study), "chosen": study.algorithm, "candidates": candidates}
            )
        else:
            show(*tables.explanation(study, found))


def _simulated(study: Study, names: list[str]) -> list[dict]:
    """A row of figures for each algorithm, the fastest first."""
    rows = []
    with progress("simulating") as step:
        for name in names:
            step(name)
            study.use(name)
            times = interruptible(study.simulate)
            rows.append({"algorithm": name, "predicted": study.predicted, **times})
    return sorted(rows, key=lambda row: row["seconds"])


def _simulate(options: argparse.Namespace) -> None:
    if options.all and options.algorithm:
        raise UsageError("give --all or --algorithm, not both")
    with _study(options) as study:
        chosen = study.algorithm
        names = [chosen]
        if options.all:
            names = [entry.name for entry in study.candidates() if entry.seconds is not None]
        rows = _simulated(study, names)
        if options.json:
            print_json({**questions.summary(study), "chosen": chosen, "simulated": rows})
        else:
            show(*tables.simulation(study, chosen, rows))


def _written(options: argparse.Namespace, form: str, path: str, title: str) -> None:
    if options.json and path == "-":
        raise UsageError(f"--json prints, and so does the {form}: give it a file")
    with _study(options) as study:
        if path != "-":
            check_writable(path, "the picture" if form == "svg" else "the schedule")
        with progress(title):
            whole = interruptible(lambda: study.written(form, path))
        with whole:
            put(whole, path)
        if options.json:
            summary = questions.summary(study)
            print_json({**summary, "algorithm": study.algorithm, "format": form, "file": path})


def _draw(options: argparse.Namespace) -> None:
    form, path = ("svg", options.svg) if options.svg else ("text", "-")
    _written(options, form, path, "drawing")


def _export(options: argparse.Namespace) -> None:
    _written(options, "goal", options.output, "writing")


def _sizes(options: argparse.Namespace) -> tuple[tuple[range, range], dict]:
    """How many ranks the first of two groups may have, or none, and the second, or all ranks; and
    the words for JSON."""
    if options.groups is None:
        ranks = questions.rank_range(options.ranks or "1-16")
        return (range(1), ranks), {"ranks": [ranks[0], ranks[-1]]}
    if options.ranks:
        raise UsageError("give --ranks or --groups, not both")
    groups = group_sizes(options.groups)
    return groups, {"groups": [[group[0], group[-1]] for group in groups]}


def _pairs(sizes: tuple[range, range]) -> Iterator[tuple[int, int]]:
    """All numbers of ranks with how many are the first of two groups: one after the other, as there
    may be more of them than memory holds."""
    for first in sizes[0]:
        for second in sizes[1]:
            yield first + second, first


def _wanted(options: argparse.Namespace) -> list[Listed]:
    groups = 1 if options.groups is None else 2
    if (options.collective and options.all) or not (
        options.collective or options.all or options.groups
    ):
        raise UsageError("which collective? Name one, or give --all")
    if options.collective:
        questions.check_collective(options.collective, groups)
    wanted = [
        entry
        for entry in algorithms(groups)
        if options.collective in (None, entry.collective)
        and options.algorithm in (None, entry.name)
    ]
    if not wanted:
        raise UsageError(
            f"there is no algorithm '{options.algorithm}' of {options.collective or 'any'}"
        )
    return wanted


def _verify(options: argparse.Namespace) -> None:
    wanted = _wanted(options)
    sizes, told = _sizes(options)
    rows = []
    with progress("verifying") as step:
        for entry in wanted:
            checks = Checks(entry)
            for count, first in _pairs(sizes):
                step(f"{entry.collective} by {entry.name}, {count} ranks")
                questioned = cases(entry, count, first)
                interruptible(lambda c=checks, q=questioned: c.run(q))
            rows.append(checks.summary())
    if options.json:
        print_json({**told, "algorithms": rows})
    else:
        show(*tables.verdicts(rows))
    wrong = [row for row in rows if row["failure"]]
    if wrong:
        raise Failure(f"{wrong[0]['collective']} by {wrong[0]['name']}: {wrong[0]['failure']}")
    total = sum(row["cases"] for row in rows)
    if total == 0:
        names = ", ".join(f"{row['collective']} by {row['name']}" for row in rows)
        raise Failure(f"nothing was verified: there is no case that {names} serves")
    if not options.json:
        seconds = sum(row["seconds"] for row in rows)
        are = "The one case is" if total == 1 else f"All {total} cases are"
        show(plain(f"\n{are} right ({duration(seconds)})."))
