# SPDX-License-Identifier: BSD-3-Clause
"""caucus report: what a program did under the drop-in, whatever started it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .. import report as reports
from ..console import print_json, show
from ..errors import UsageError
from ..kept import check_writable
from .shared import writing

NAME = "report"
HELP = "tell what a program did under the drop-in, from the file of CAUCUS_REPORT"
DESCRIPTION = """\
Shows what 'caucus run' tells after a run, from the file that the drop-in wrote: 'caucus run
--report FILE' keeps it, and with CAUCUS_REPORT=FILE a program writes it that any other launcher
started. Needs no MPI.

  srun -n 64 --export=ALL,LD_PRELOAD=$DROPIN,CAUCUS_REPORT=report.json ./solver
  caucus report report.json
  caucus report report.json --html report.html"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="what the drop-in wrote")
    parser.add_argument(
        "--html",
        metavar="PAGE",
        help="write one page of HTML, with pictures and in need of no other file ('-': print)",
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def run(options: argparse.Namespace) -> None:
    if options.html == "-" and options.json:
        raise UsageError("--json and --html both print: give one of them a file")
    if options.html and options.html != "-":
        check_writable(options.html, "the page")
    path = Path(options.file)
    path.stat()  # a file that is not there is said as such
    found = reports.read(path)
    try:
        _show(found, options)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        # It has other things in it.
        raise reports.damaged(path) from None


def _show(found: dict, options: argparse.Namespace) -> None:
    if options.html:
        from ..report_page import page

        text = page(found)
        with writing(options.html) as file:
            file.write(text)
        if options.html != "-":
            print(f"caucus: {options.html} is written", file=sys.stderr)
    if options.json:
        print_json(found)
    elif not options.html:
        show(*reports.show(found))
