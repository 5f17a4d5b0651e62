# SPDX-License-Identifier: BSD-3-Clause
"""Arguments that several commands have."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from .. import words
from ..errors import UsageError
from ..kept import new_text
from ..plan import settings, warn_unknown_settings


def add_machine_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the machine")
    group.add_argument(
        "--nodes",
        metavar="NODES",
        help="40*48,15*32 (40 nodes of 48 ranks, then 15 of 32), 4x8 (4 nodes of 8), cyclic:4 "
        "(dealt out round-robin), or a file with a line for each rank: node [package [cache]]; "
        "default: CAUCUS_NODES",
    )
    group.add_argument("--ppn", metavar="N", type=int, help="N ranks on each node, by blocks")
    group.add_argument(
        "--placement",
        choices=("blocks", "cyclic"),
        default="blocks",
        help="how the launcher deals the ranks out to the nodes (default: %(default)s)",
    )


def machine(options: argparse.Namespace, ranks: int) -> str:
    """The machine text that these arguments ask for."""
    warn_unknown_settings()
    environment = next(s.value for s in settings() if s.environment == "CAUCUS_NODES")
    return words.machine(options.nodes, options.ppn, options.placement, ranks, environment)


def _apart(options: argparse.Namespace, groups: Sequence[int]) -> str:
    """The machine text of two groups, each on nodes of its own."""
    texts = [None, None] if options.nodes is None else words.two(options.nodes)
    if len(texts) != len(groups):
        raise UsageError(f"--nodes {options.nodes}: there are {len(groups)} groups")
    parts = [
        words.machine(text, options.ppn, options.placement, ranks)
        for text, ranks in zip(texts, groups)
    ]
    if parts[0].startswith("file:"):  # whose name may have a plus
        raise UsageError(
            f"--nodes {options.nodes}: a file can't describe the first group alone: one file "
            "describes the ranks of both, those of the second group after those of the first"
        )
    return "+".join(parts)


def machine_if_any(
    options: argparse.Namespace, ranks: int, groups: Sequence[int] = ()
) -> tuple[str, int]:
    """The machine text, "" where nobody said anything of nodes, and how many ranks there are."""
    warn_unknown_settings()
    environment = next(s.value for s in settings() if s.environment == "CAUCUS_NODES")
    if options.nodes is None and options.ppn is None and not environment:
        if ranks == 0:
            raise UsageError("how many ranks? Say --ranks 96, or --nodes 4x24")
        return "", ranks
    if groups and (options.ppn is not None or words.names_two(options.nodes)):
        return _apart(options, groups), ranks
    text = words.machine(options.nodes, options.ppn, "blocks", ranks, environment)
    count = ranks or words.ranks_of(text)
    if count == 0:
        raise UsageError(f"how many ranks are there on '{text}'? Say --ranks 96")
    return words.machine(options.nodes, options.ppn, options.placement, count, environment), count


@contextlib.contextmanager
def writing(path: str) -> Iterator[TextIO]:
    """A file to write, which takes the place of an older one when it is whole; "-" is standard
    output."""
    if path == "-":
        yield sys.stdout
        return
    with new_text(Path(os.path.abspath(path))) as file:
        yield file
