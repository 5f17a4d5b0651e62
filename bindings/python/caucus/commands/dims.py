# SPDX-License-Identifier: BSD-3-Clause
"""caucus dims: dimensions whose halos are short and stay on the node."""

from __future__ import annotations

import argparse

from .. import words
from ..console import interruptible, print_json
from ..errors import UsageError
from ..plan import dims_create
from .shared import add_machine_arguments, machine

NAME = "dims"
HELP = "choose the dimensions of a grid"
DESCRIPTION = """\
Chooses dimensions for a number of ranks such that the bytes between nodes plus a tenth of all halo
bytes are least. Unlike MPI_Dims_create the outcome need not be balanced.

  caucus dims 2400 --ndims 2 --ppn 48 --extents 4,1"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ranks", metavar="RANKS", type=int, help="how many ranks")
    parser.add_argument("--ndims", metavar="N", type=int, help="how many axes (default: 2)")
    parser.add_argument(
        "--extents", metavar="X,X", help="the global mesh along each axis, like 4,1"
    )
    parser.add_argument("--fixed", metavar="DIMS", help="0x48: keep 48, find the other")
    parser.add_argument(
        "--periodic", metavar="AXES", nargs="?", const="all", help="periodic axes, like 0,2, or all"
    )
    add_machine_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> None:
    fixed = words.fixed_sizes(options.fixed) if options.fixed is not None else None
    ndims = options.ndims if options.ndims is not None else len(fixed) if fixed else 2
    if fixed and len(fixed) != ndims:
        raise UsageError(f"--fixed {options.fixed} has {len(fixed)} axes, --ndims says {ndims}")
    if ndims < 1:
        raise UsageError(f"--ndims {ndims}: at least one axis is needed")
    if options.ranks < 1:
        raise UsageError(f"{options.ranks} ranks: at least one is needed")
    periods = words.axes(options.periodic, ndims)
    extents = None
    if options.extents is not None:
        extents = words.numbers(options.extents, "--extents", ndims, "positive")
    text = machine(options, options.ranks)
    found = interruptible(lambda: dims_create(text, ndims, options.ranks, extents, periods, fixed))
    if options.json:
        print_json({"ranks": options.ranks, "dims": found})
    else:
        print("x".join(str(size) for size in found))
