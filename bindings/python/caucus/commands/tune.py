# SPDX-License-Identifier: BSD-3-Clause
"""caucus tune: measures what communication costs here."""

from __future__ import annotations

import argparse
import os
import re
import tempfile
from pathlib import Path

from rich.console import RenderableType

from .. import launch, processes, start
from ..console import plain, print_json, show, table
from ..errors import Failure
from ..kept import check_writable, new_file, place
from ..words import machine

NAME = "tune"
HELP = "measure the machine, for the choice of collective algorithms"
DESCRIPTION = """\
Measures messages, flags in shared memory, copies and reductions on the machine at hand, and writes
a file of parameters. With CAUCUS_MODEL naming it, collectives are chosen by it, in programs of the
same MPI and version, which it names. Ranks on two nodes measure the network as well; more ranks
than cores measure the scheduler.

  caucus tune -n 2 --output model.txt
  caucus tune --launcher "srun -N2 -n64" --output model.txt
  CAUCUS_MODEL=$PWD/model.txt mpiexec -n 2 ./program"""
PATIENCE = 300  # seconds
NOT_MEASURED = "Not measured, because "
END = "End of what was measured."  # by which a reader sees that the file is whole
NEVER = ("operation", "ports", "eager")  # what no run measures


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--mpi", choices=launch.MPIS, help="the MPI to measure")
    start.add_ranks(parser, "all cores")
    parser.add_argument(
        "--nodes",
        metavar="NODES",
        help="take this for the nodes: 2x1, cyclic:2, ppn:1, 1*2,1*1, or a file",
    )
    parser.add_argument(
        "--output", metavar="FILE", default="caucus-model.txt", help="(caucus-model.txt)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def read(path: Path) -> tuple[dict[str, tuple[float, str]], list[str]]:
    """Names with values and their meanings, and the remarks at the head."""
    found, remarks = {}, []
    for line in path.read_text(errors="replace").splitlines():
        text, _, comment = line.partition("#")
        if text.strip():
            name, value = text.split()
            found[name] = (float(value), comment.strip())
        elif comment.strip() != END:
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


def _check(launcher: start.Launcher, path: Path) -> None:
    """That one program has measured; what it can't know is put down in the file."""
    text = path.read_text(errors="replace")
    seen = re.search(r"^# Ranks: (\d+)", text, re.MULTILINE)
    start.check_ranks(launcher, int(seen.group(1)) if seen else 0)
    ranks, cores = launcher.ranks or 0, start.cores()
    if ranks > cores and not launcher.is_elsewhere:
        warning = f"{ranks} ranks on {cores} cores: what was measured is the scheduler, not MPI."
        path.write_text(f"# {warning}\n{text}")


def _measure(options: argparse.Namespace, launcher: start.Launcher, new: Path) -> None:
    settings = {}
    if options.nodes is not None:
        settings["CAUCUS_NODES"] = machine(options.nodes, None, "blocks", 0)
    prepared = start.prepare_own(options.mpi, launcher, ["machine_model", "--output", new])
    ran = processes.heard(prepared.command(settings, False), PATIENCE, "the measurement")
    if ran.returncode or not new.exists():
        raise Failure(f"the measurement failed: {(ran.stderr or ran.stdout).strip()[:500]}")
    _check(launcher, new)


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
    path = Path(os.path.abspath(options.output))
    launcher = start.launcher_of(options, start.cores())
    check_writable(str(path), "the model")
    room = tempfile.TemporaryDirectory(prefix=".caucus-", dir=launcher.folder)
    with room as folder, new_file(path, Path(folder)) as new:
        _measure(options, launcher, new)
        found, remarks = read(new)
        place(path, new)
    if options.json:
        figures = {name: value for name, (value, _) in found.items()}
        print_json({"file": str(path), "remarks": remarks, "parameters": figures})
        return
    show(*shown(found, remarks), plain(f"Written to {path}: set CAUCUS_MODEL to use it."))
