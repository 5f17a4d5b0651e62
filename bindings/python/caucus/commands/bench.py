# SPDX-License-Identifier: BSD-3-Clause
"""caucus bench: the experiments of the source tree."""

from __future__ import annotations

import argparse
import ast
import os
import re
import sys
from pathlib import Path

from ..console import plain, show, table
from ..errors import Failure, UsageError
from ..library import tree

NAME = "bench"
HELP = "run an experiment of the source tree"
DESCRIPTION = """\
Runs an experiment of the folder bench/ with further arguments, or tells what there is.

  caucus bench
  caucus bench grids --help"""
NO_EXPERIMENTS = {"run", "demo"}  # all experiments in a row, and the demonstration
LINE = 100  # letters that are read at a glance
HELPERS = "common_"  # what modules begin with that experiments share


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("experiment", metavar="NAME", nargs="?", help="the experiment")
    parser.add_argument(
        "arguments", metavar="ARG", nargs=argparse.REMAINDER, help="what it is to be told"
    )


def _experiments() -> dict[str, Path]:
    root = tree()
    if not root:
        raise Failure("experiments are part of the source tree, and this is an installed caucus")
    found = {file.stem: file for file in sorted((root / "bench").glob("*.py"))}
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


def run(options: argparse.Namespace) -> None:
    found = _experiments()
    if not options.experiment:
        rows = table()
        rows.add_column("experiment", no_wrap=True)
        rows.add_column("what it measures")
        for name, file in found.items():
            rows.add_row(plain(name, "bold cyan"), plain(_summary(file)))
        show(rows)
        return
    if options.experiment not in found:
        raise UsageError(f"there is no experiment '{options.experiment}': {', '.join(found)}")
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, str(found[options.experiment]), *options.arguments])
