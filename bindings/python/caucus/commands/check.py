# SPDX-License-Identifier: BSD-3-Clause
"""caucus check: whether what is installed works here."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple, Optional

from .. import launch, library, processes, report, start
from ..console import number, plain, print_json, show, table
from ..errors import Failure, UsageError

NAME = "check"
HELP = "try what is installed: launcher, drop-in, library, settings, pages, shared memory"
DESCRIPTION = """\
Runs a small program under the drop-in, and looks at what it says: whether the launcher starts
programs of this MPI as one, the drop-in takes a grid over, and a collective has the right sum; then
whether manual pages are found, the settings in force are right, and ranks of a node can share
memory. The exit status is 1 if anything fails; missing pages are no failure.

  caucus check
  caucus check --launcher "srun -N2 -n4\""""
PATIENCE = 60  # seconds
PAGE = "caucus_cart_create"
SHARED = Path("/dev/shm")
MEGABYTE = 10**6
# What the ranks of a node share, in MB, with the first persistent request: docs/limits.md.
LEAST_SHARED, SHARED_BY_RANK = 4, 66 / 64
WARNING = "caucus: warning: "  # how the drop-in begins what it says of a wrong setting
OPEN = "import sys; open(sys.argv[1], 'rb')"


class Check(NamedTuple):
    """passed: None where it was not tried, or where it does not matter."""

    what: str
    passed: Optional[bool]
    found: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--mpi", choices=launch.MPIS, help="the MPI to try")
    start.add_ranks(parser, "2")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _ran(prepared: start.Start, kept: Path) -> tuple[str, Check]:
    """What the program says, and the drop-in of the settings in force."""
    command = prepared.command({"CAUCUS_REPORT": kept}, True)
    ran = processes.heard(command, PATIENCE, "the program")
    if not re.match(r"\d+ ranks, ", ran.stdout):
        raise Failure((ran.stderr or ran.stdout).strip()[:500] or "the program said nothing")
    lines = [line.partition(WARNING)[2] for line in ran.stderr.splitlines() if WARNING in line]
    wrong = "; ".join(dict.fromkeys(lines))
    return ran.stdout.splitlines()[0], Check("the settings in force", not wrong, wrong or "right")


def _grids(kept: Path) -> Check:
    what = "the drop-in takes MPI_Cart_create over"
    try:
        taken = report.read(kept)["calls"].get("MPI_Cart_create", {}).get("taken", 0)
    except Failure as failure:
        return Check(what, False, str(failure))
    return Check(what, taken > 0, "taken over" if taken else "left to MPI: see CAUCUS_DISABLE")


def _program(options: argparse.Namespace) -> list[Check]:
    launcher = start.launcher_of(options, 2)
    what = "the launcher starts programs of this MPI as one"
    with tempfile.TemporaryDirectory(prefix=".caucus-", dir=launcher.folder) as inside:
        kept = Path(inside) / "report.json"
        try:
            prepared = start.prepare_own(options.mpi, launcher, ["installation_check"])
            said, settings = _ran(prepared, kept)
            start.check_ranks(launcher, int(said.split()[0]))
        except (Failure, UsageError) as failure:
            return [Check(what, False, str(failure))]
        ranks, numbers = said.split(", ", 1)
        right = numbers.endswith("right")
        return [
            Check(what, True, ranks),
            _grids(kept),
            Check("a collective of the library", right, numbers),
            settings,
        ]


def _where_pages() -> str:
    """What to do where no page is found."""
    for prefix in Path(library.load().path).resolve().parents[1:3]:
        folder = prefix / "share" / "man"
        if any(folder.glob(f"man3/{PAGE}.3*")):
            return f"not found, but they are there: export MANPATH={folder}:"
    return (
        "none are installed: packages of pip have none, those of Debian have them in "
        "libcaucus-dev, and 'cmake --install' brings them"
    )


def _pages() -> Check:
    what = f"man {PAGE}"
    if library.tree() or not shutil.which("man"):
        return Check(what, None, "a source tree" if library.tree() else "there is no man here")
    done = subprocess.run(["man", "-w", PAGE], capture_output=True, text=True, errors="replace")
    place = done.stdout.strip()
    found = done.returncode == 0 and bool(place)
    return Check(what, True, place) if found else Check(what, None, _where_pages())


def _shared_without_name() -> bool:
    """Whether another process of this user can open a file of this one that has no name, as ranks
    do it first."""
    try:
        file = os.memfd_create("caucus-check")
    except (AttributeError, OSError):
        return False
    try:
        path = f"/proc/{os.getpid()}/fd/{file}"
        done = subprocess.run([sys.executable, "-c", OPEN, path], capture_output=True)
        return done.returncode == 0
    finally:
        os.close(file)


def _memory() -> Check:
    """For a rank on each core. /dev/shm is used where there is no other way."""
    what, ranks = "memory that ranks of a node share", start.cores()
    if _shared_without_name():
        return Check(what, True, f"without a name, whatever size {SHARED} has")
    cure = f"messages are used instead, which are slower; give {SHARED} more room (--shm-size)"
    try:
        room = os.statvfs(SHARED)
    except OSError as error:
        return Check(what, False, f"{error}; {cure}")
    free, wanted = room.f_bavail * room.f_frsize / MEGABYTE, LEAST_SHARED + SHARED_BY_RANK * ranks
    found = (
        f"{number(round(free))} MB free in {SHARED}, {ranks} ranks take up to "
        f"{number(round(wanted))} MB"
    )
    is_enough = free >= wanted
    return Check(what, is_enough, found if is_enough else f"{found}: {cure}")


def _verdict(checks: list[Check]) -> str:
    failed = sum(check.passed is False for check in checks)
    return f"{failed} thing{'s' * (failed != 1)} failed" if failed else "all good"


def run(options: argparse.Namespace) -> int:
    checks = [*_program(options), _pages(), _memory()]
    if options.json:
        print_json([check._asdict() for check in checks])
    else:
        rows = table()
        for heading in ("", "what", "found"):
            rows.add_column(heading, no_wrap=not heading)
        for check in checks:
            word = {True: "good", False: "FAILED", None: "note"}[check.passed]
            rows.add_row(word, plain(check.what), plain(check.found))
        show(rows, "", plain(_verdict(checks), "bold"))
    return int(any(check.passed is False for check in checks))
