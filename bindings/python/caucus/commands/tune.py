# SPDX-License-Identifier: BSD-3-Clause
"""caucus tune: measures what communication costs here."""

from __future__ import annotations

import argparse
import os
import subprocess
from pathlib import Path

from rich.console import RenderableType

from .. import launch, library
from ..console import plain, print_json, show, table
from ..errors import Failure, UsageError
from ..words import machine

NAME = "tune"
HELP = "measure the machine, for the choice of collective algorithms"
DESCRIPTION = """\
Measures messages, flags in shared memory, copies and reductions on the machine at hand, and writes
a file of parameters. With CAUCUS_MODEL naming it, collectives are chosen by it. Ranks on two nodes
measure the network as well; more ranks than cores measure the scheduler.

  caucus tune -n 2 --output model.txt
  CAUCUS_MODEL=$PWD/model.txt mpiexec -n 2 ./program"""
PATIENCE = 300  # seconds
NOT_MEASURED = "Not measured, because "
NEVER = ("operation", "ports", "eager")  # what no run measures


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--mpi", choices=launch.MPIS, help="the MPI to measure")
    parser.add_argument("-n", "--ranks", metavar="N", type=int, help="how many ranks (all cores)")
    parser.add_argument("--nodes", metavar="NODES", help="take this for the nodes: 2x1, or a file")
    parser.add_argument(
        "--output", metavar="FILE", default="caucus-model.txt", help="(caucus-model.txt)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def _program(mpi: str) -> Path:
    root = library.tree()
    if root:
        folders, remedy = [root / "build" / mpi / "bin"], f"run 'make build MPI={mpi}'"
    else:  # libraries may lie in lib or in a folder of it for each architecture
        above = Path(library.load().path).resolve().parents[1:3]
        folders = [prefix / "libexec" / "caucus" for prefix in above]
        remedy = "install a Caucus built for an MPI, with its benchmarks"
    programs = [folder / "machine_model" for folder in folders]
    for program in programs:
        if program.exists():
            return program
    raise Failure(f"there is no {programs[0]}: {remedy}")


def read(path: Path) -> tuple[dict[str, tuple[float, str]], list[str]]:
    """Names with values and their meanings, and the remarks at the head."""
    found, remarks = {}, []
    for line in path.read_text().splitlines():
        text, _, comment = line.partition("#")
        if text.strip():
            name, value = text.split()
            found[name] = (float(value), comment.strip())
        else:
            remarks.append(comment.strip())
    return found, remarks


def unmeasured(remarks: list[str]) -> dict[str, str]:
    """The parameters that keep their defaults, and why, from 'Not measured, because …: a, b.'"""
    found = {}
    for remark in remarks:
        why, colon, names = remark.partition(": ")
        if colon and why.startswith(NOT_MEASURED):
            for name in names.rstrip(".").split(", "):
                found[name] = why[len(NOT_MEASURED) :]
    return found


def spoken(name: str, value: float) -> str:
    """A value in units that one can read."""
    if name in ("ports", "eager"):
        return f"{value:.0f}{' B' * (name == 'eager')}" if value else "any"
    if "byte" in name:
        return f"{1e-9 / value:.2f} GB/s" if value else "no time"
    return f"{1e6 * value:.3f} µs"


def _measure(options: argparse.Namespace, mpi: str, path: Path) -> None:
    ranks = options.ranks if options.ranks is not None else os.cpu_count() or 1
    if ranks < 1:
        raise UsageError(f"-n {ranks}: at least one rank is needed")
    settings = {}
    if options.nodes is not None:
        settings["CAUCUS_NODES"] = machine(options.nodes, None, "blocks", 0)
    words, outer = launch.command(mpi, ranks, [_program(mpi), "--output", path], settings)
    try:
        ran = subprocess.run(words, env=outer, timeout=PATIENCE, capture_output=True, text=True)
    except subprocess.TimeoutExpired:
        raise Failure(f"no end after {PATIENCE} s: fewer ranks may help") from None
    if ran.returncode:
        raise Failure(f"the measurement failed: {(ran.stderr or ran.stdout).strip()[:500]}")


def shown(found: dict[str, tuple[float, str]], remarks: list[str]) -> list[RenderableType]:
    """What to print of the file."""
    missing = {**dict.fromkeys(NEVER, ""), **unmeasured(remarks)}
    rows = table()
    for column, justify in (("parameter", "left"), ("value", "right"), ("measured", "left")):
        rows.add_column(column, justify=justify, no_wrap=True)
    rows.add_column("what it is")
    for name, (value, meaning) in found.items():
        measured = "no, default" if name in missing else "yes"
        style = "dim" if name in missing else ""
        rows.add_row(plain(name), plain(spoken(name, value)), measured, plain(meaning), style=style)
    return [*map(plain, remarks), rows]


def run(options: argparse.Namespace) -> None:
    mpi = options.mpi or ("mpich" if library.tree() else "system")
    path = Path(os.path.abspath(options.output))
    _measure(options, mpi, path)
    found, remarks = read(path)
    if options.json:
        figures = {name: value for name, (value, _) in found.items()}
        print_json({"file": str(path), "remarks": remarks, "parameters": figures})
        return
    show(*shown(found, remarks), plain(f"Written to {path}: set CAUCUS_MODEL to use it."))
