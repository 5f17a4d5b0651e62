# SPDX-License-Identifier: BSD-3-Clause
"""caucus bench: benchmarks that every installation can run, and the experiments of the source
tree."""

from __future__ import annotations

import argparse
import ast
import os
import re
import sys
from pathlib import Path
from typing import Optional

from rich.console import RenderableType

from .. import bench_figures, bench_page, bench_raw, bench_run, launch, library
from ..bench_figures import Compared, Result
from ..benchmarks import BENCHMARKS, Wish
from ..console import number, plain, print_json, progress, show, table
from ..errors import Failure, UsageError
from ..kept import check_writable, new_text

NAME = "bench"
HELP = "run a benchmark, or compare it with an earlier run"
DESCRIPTION = """\
Runs a benchmark, MPI's own calls and ours by turns, or with 'all' each of them, or an experiment
of the source tree with further arguments. Without a name it tells what there is.

  caucus bench
  caucus bench collectives -n 2 --quick
  caucus bench all --html report.html
  caucus bench groups --json > before.json
  caucus bench groups --against before.json
  caucus bench compare before.json after.json
  caucus bench grids --help

'compare' compares two results, or what two runs of an experiment have kept (results/*/raw.json).
Benchmarks take --mpi, -n, --starts, --quick, --json, --svg, --html, --again and --against; 'caucus
bench groups --help' explains them. With --against the exit status is 1 if something has become
slower beyond noise: by more than 5 %, and by more than the spread of both."""
ALL, COMPARE = "all", "compare"
NO_EXPERIMENTS = {"run", "demo"}  # all experiments in a row, and the demonstration
LINE = 60  # letters, which fit beside the longest name on a terminal
HELPERS = "common_"  # what modules begin with that experiments share
QUICK_STARTS, STARTS = 3, 5
LEAST_RANKS = 2
LARGE_SPREAD = 2  # times: no more percent of it


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="the benchmark or experiment")
    parser.add_argument(
        "arguments", metavar="ARG", nargs=argparse.REMAINDER, help="what it is to be told"
    )


def _options(name: str, arguments: list[str]) -> argparse.Namespace:
    """Those of a benchmark."""
    from ..cli import Parser  # which imports all commands

    parser = Parser(prog=f"caucus bench {name}", allow_abbrev=False)
    parser.description = BENCHMARKS[name].summary if name in BENCHMARKS else "all benchmarks"
    parser.add_argument("--mpi", choices=launch.MPIS, help="the MPI to measure")
    parser.add_argument("-n", "--ranks", metavar="N", type=int, default=2, help="ranks (2)")
    parser.add_argument(
        "--starts",
        metavar="N",
        type=int,
        help=f"of each program; their spread is the noise ({STARTS}, with --quick {QUICK_STARTS})",
    )
    parser.add_argument("--quick", action="store_true", help="few sizes, a few seconds")
    parser.add_argument("--json", action="store_true", help="print JSON, which --against reads")
    parser.add_argument("--svg", metavar="FILE", help="draw the figures, too")
    parser.add_argument("--html", metavar="FILE", help="write one page with tables and plots, too")
    parser.add_argument(
        "--again", metavar="FILE", help="measure nothing, show an earlier result (of --json)"
    )
    parser.add_argument(
        "--against", metavar="FILE", help="compare with an earlier result (of --json)"
    )
    return parser.parse_args(arguments)


def _experiments() -> dict[str, Path]:
    root = library.tree()
    found = {file.stem: file for file in sorted((root / "bench").glob("*.py"))} if root else {}
    return {
        name: file
        for name, file in found.items()
        if name not in NO_EXPERIMENTS and not name.startswith(HELPERS)
    }


def _summary(file: Path) -> str:
    """What a script says of itself: its first sentence, of a long one what comes before a colon."""
    said = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    sentence = re.split(r"\.(?:\s|$)| \(", " ".join(said.split()))[0]
    return sentence if len(sentence) <= LINE else sentence.partition(": ")[0]


def _list() -> None:
    """What there is."""
    rows = table()
    rows.add_column("benchmark", no_wrap=True)
    rows.add_column("--quick", justify="right", no_wrap=True)
    rows.add_column("whole", justify="right", no_wrap=True)
    rows.add_column("what it measures")
    for name, benchmark in BENCHMARKS.items():
        seconds = [f"{each} s" for each in benchmark.seconds]
        rows.add_row(plain(name, "bold cyan"), *seconds, plain(benchmark.summary))
    show(rows)
    if _experiments():
        rows = table()
        rows.add_column("experiment", no_wrap=True)
        rows.add_column("what it measures, for a page of docs/results")
        for name, file in _experiments().items():
            rows.add_row(plain(name, "bold cyan"), plain(_summary(file)))
        show("", rows)


def _shown(result: Result) -> list[RenderableType]:
    """The columns of the OSU benchmarks: sizes, and a median for each way."""
    parts: list[RenderableType] = []
    size = BENCHMARKS[result["benchmark"]].size
    for title, unit, ways, lines in bench_figures.tables(bench_figures.cells_of(result)):
        rows = table(f"# {title}, {unit}")
        rows.add_column(f"# {size}", justify="right", no_wrap=True)
        for way in ways:
            heading = re.sub(r"_(?=create)", "\n_", way).replace(", ", ",\n")
            rows.add_column(heading, justify="right", no_wrap=True, long=way)
        for at, values in lines:
            cells = ["–" if value is None else number(value, 3) for value in values]
            rows.add_row(number(at), *cells)
        parts += ["", rows]
    return [plain(bench_run.conditions(result)), *parts]


def _percent(factor: float) -> str:
    """1.02 as 2 %, which is easier to read as long as it is not much more."""
    return f"{100 * (factor - 1):.0f} %" if factor < LARGE_SPREAD else f"{number(factor, 2)} ×"


def _compared(found: list[Compared]) -> list[RenderableType]:
    """Caucus's own cells before and after, and what MPI's say of the machine."""
    parts: list[RenderableType] = []
    for title in dict.fromkeys(entry.cell.table for entry in found):
        entries = [entry for entry in found if entry.cell.table == title]
        rows = table(f"# {title}, {entries[0].cell.unit}")
        for heading in ("# size", "before", "spread", "after", "spread", "time,\nratio"):
            rows.add_column(heading, justify="right", no_wrap=True)
        rows.add_column("", no_wrap=True)
        rows.add_column("way")
        for entry in entries:
            if not entry.cell.of_mpi:
                rows.add_row(
                    number(entry.cell.size),
                    number(entry.before, 3),
                    _percent(entry.spread_before),
                    number(entry.after, 3),
                    _percent(entry.spread_after),
                    f"{entry.ratio:.2f}",
                    entry.verdict,
                    plain(entry.cell.way),
                )
        machine = entries[0].machine
        parts += ["", rows, plain(f"MPI's own ways take {machine:.2f} times as long as before.")]
    return parts


def _status(found: list[list[Compared]], pairs: list[tuple[Result, Result]]) -> int:
    """1 if anything is slower or missing."""
    slower = any(entry.verdict == "slower" for each in found for entry in each)
    return int(slower or any(bench_figures.missing(*pair) for pair in pairs))


def _conclusion(found: list[Compared], pairs: list[tuple[Result, Result]]) -> str:
    ours = [entry for entry in found if not entry.cell.of_mpi]
    slower = sum(entry.verdict == "slower" for entry in ours)
    faster = sum(entry.verdict == "faster" for entry in ours)
    words = (
        f"Of {len(ours)} cells {slower} are slower beyond noise (by more than 5 % and than the "
        f"spread of both, MPI's own ways allowed for), and {faster} faster."
    )
    unjudged = sum(entry.verdict == bench_figures.UNJUDGED for entry in ours)
    words += f" {unjudged} had too few starts to tell." if unjudged else ""
    lost = [words for pair in pairs for words in bench_figures.missing(*pair)]
    words += f" {len(lost)} that were there before are missing: {'; '.join(lost)}." if lost else ""
    before, after = (max(pair[at]["load"] for pair in pairs) for at in (0, 1))
    cores = pairs[0][1]["cores"]
    if max(before, after) > cores:
        words += (
            f" The machine had other work: a load of {before:g} before and of {after:g} now, on "
            f"{cores} cores, where figures like these say little."
        )
    return words


def _again(name: str, file: str) -> list[Result]:
    """What an earlier run has found."""
    results = bench_figures.read(Path(file))
    unknown = [each for each in results if each not in BENCHMARKS]
    if unknown:
        raise Failure(f"{file} has a result of {unknown[0]}, which this caucus does not know")
    if name == ALL:
        return list(results.values())
    if name not in results:
        raise UsageError(f"{file} has a result of {', '.join(results)}, and none of {name}")
    return [results[name]]


def _wish(options: argparse.Namespace) -> Wish:
    starts = options.starts
    if starts is None:
        starts = QUICK_STARTS if options.quick else STARTS
    if options.ranks < LEAST_RANKS:
        raise UsageError(f"-n {options.ranks}: at least {LEAST_RANKS} ranks are needed")
    if starts < 1:
        raise UsageError(f"--starts {starts}: at least one is needed")
    mpi = options.mpi or ("mpich" if library.tree() else "system")
    return Wish(mpi, options.ranks, starts, options.quick)


def _earlier(before: dict[str, Result], name: str, file: str) -> Result:
    if name not in before:
        raise Failure(f"{file} has no result of {name}")
    return before[name]


def _measured(names: list[str], wish: Wish) -> list[Result]:
    """Where one of several fails, what the others have measured, for minutes, is not lost."""
    results = []
    for each in names:
        try:
            with progress(each) as say:
                results.append(bench_run.run(each, wish, say))
        except Failure as failure:
            if len(names) == 1:
                raise
            show(plain(f"caucus bench: {each}: {failure}"), to=sys.stderr)
    if not results:
        raise Failure("no benchmark could be measured")
    return results


def _results(name: str, before: dict[str, Result], options: argparse.Namespace) -> list[Result]:
    """before: what they are to be compared with, which is found out before anything is measured."""
    if options.again:
        return _again(name, options.again)
    wish = _wish(options)
    names = list(BENCHMARKS) if name == ALL else [name]
    for each in names if options.against else []:
        earlier = _earlier(before, each, options.against)
        bench_figures.check_alike(earlier, bench_run.alike(each, wish))
    return _measured(names, wish)


def _print(
    results: list[Result],
    pairs: list[tuple[Result, Result]],
    found: list[list[Compared]],
    as_json: bool,
) -> None:
    if as_json:
        print_json(results[0] if len(results) == 1 else results)
        return
    for at, result in enumerate(results):
        parts = _compared(found[at]) if found else []
        shown = [plain(bench_run.conditions(result)), *parts] if found else _shown(result)
        show(*([""] if at else []), *shown)
    if found:
        show("", _conclusion([entry for each in found for entry in each], pairs))


def _benchmark(name: str, options: argparse.Namespace) -> int:
    before = bench_figures.read(Path(options.against)) if options.against else {}
    for file in filter(None, (options.svg, options.html)):
        check_writable(file, "the result")
    results = _results(name, before, options)
    compared = results if options.against else []
    pairs = [(_earlier(before, each["benchmark"], options.against), each) for each in compared]
    found = [bench_figures.compare(*pair) for pair in pairs]
    _print(results, pairs, found, options.json)
    sys.stdout.flush()  # what was measured is not lost where the rest fails
    for file, make in ((options.svg, bench_page.picture), (options.html, bench_page.page)):
        if file:
            with new_text(Path(os.path.abspath(file))) as out:
                out.write(make(results))
    is_short = name == ALL and not options.again and len(results) < len(BENCHMARKS)
    return int(is_short or _status(found, pairs))


def _compare(files: list[str]) -> int:
    """Two files of the same benchmarks, or of the same experiment."""
    if len(files) != 2:
        raise UsageError("compare takes two files, that of before and that of now")
    before, after = (bench_raw.read_any(Path(file)) for file in files)
    common = [name for name in after if name in before]
    if not common:
        raise Failure(f"{files[0]} and {files[1]} have no benchmark in common")
    pairs = [(before[name], after[name]) for name in common]
    found = [bench_figures.compare(*pair) for pair in pairs]
    for name, each in zip(common, found):
        show(plain(f"# {name}: {files[0]} before, {files[1]} now"), *_compared(each), "")
    show(_conclusion([entry for each in found for entry in each], pairs))
    return _status(found, pairs)


def run(options: argparse.Namespace) -> Optional[int]:
    if not options.name:
        _list()
        return None
    if options.name == COMPARE:
        return _compare(options.arguments)
    if options.name in BENCHMARKS or options.name == ALL:
        return _benchmark(options.name, _options(options.name, options.arguments))
    found = _experiments()
    if options.name not in found:
        known = ", ".join([*BENCHMARKS, ALL, COMPARE, *found])
        raise UsageError(f"there is no benchmark '{options.name}': {known}")
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, str(found[options.name]), *options.arguments])
