# SPDX-License-Identifier: BSD-3-Clause
"""The words of caucus schedule: what is asked about a collective."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Sequence

from . import words
from .commands.shared import add_machine_arguments, machine_if_any
from .errors import UsageError
from .plan import settings
from .study import Question, Study, algorithms

REDUCTIONS = ("reduce", "allreduce", "reduce_scatter", "reduce_scatter_block", "scan", "exscan")
SIDED = ("allgather", "allgatherv", "alltoall")
UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_argument_group("the collective")
    what.add_argument("--algorithm", metavar="NAME", default="", help="this one, not the cheapest")
    what.add_argument(
        "--bytes",
        metavar="N",
        default="8",
        help="of a rank's block or operand, like 64K (default: %(default)s); of allgather(v) and "
        "alltoall between two groups, 64K+4K for blocks of each",
    )
    what.add_argument(
        "--element", metavar="N", type=int, help="bytes of an element of a reduction (default: 8)"
    )
    what.add_argument("--root", metavar="RANK", type=int, default=0, help="who has or gets all (0)")
    what.add_argument("--in-place", action="store_true", help="as with MPI_IN_PLACE")
    what.add_argument(
        "--non-commutative", action="store_true", help="operands must stay in the order of ranks"
    )
    what.add_argument("--segment", metavar="N", default="0", help="bytes of a pipelined piece")
    what.add_argument(
        "--irregular", metavar="SEED", type=int, help="blocks of random lengths, 0 to 2 N"
    )
    what.add_argument(
        "--not-persistent", action="store_true", help="counts can't be exchanged beforehand"
    )
    what.add_argument("--grid", metavar="GRID", help="neighbours in a grid like 4x4")
    what.add_argument(
        "--periodic", metavar="AXES", nargs="?", const="all", help="its periodic axes, or all"
    )
    what.add_argument("--degree", metavar="N", type=int, default=0, help="N neighbours at random")
    what.add_argument(
        "--counts",
        metavar="WORD",
        default="",
        help="blocks of gatherv, scatterv, allgatherv or reduce_scatter that are regular, nearly, "
        "linear, exponential, geometric, one-heavy, two-heavy or with-zeros; one-heavy+linear says "
        "it of each of two groups",
    )
    add_machine_arguments(parser)
    parser.add_argument("--ranks", metavar="N", type=int, default=0, help="how many")
    parser.add_argument(
        "--groups",
        metavar="P+Q",
        help="between two groups, as on an intercommunicator: ranks 0 to P-1, and the Q after "
        "them; with --ppn, or --nodes like 4x8+6x8, each on nodes of its own",
    )
    parser.add_argument(
        "--model",
        metavar="FILE",
        help="parameters of the machine, as caucus tune writes them; default: CAUCUS_MODEL",
    )


def check_collective(name: str, groups: int = 1) -> None:
    known = list(dict.fromkeys(entry.collective for entry in algorithms()))
    if name not in known:
        raise UsageError(f"'{name}' is no collective: there are {', '.join(known)}")
    between = list(dict.fromkeys(entry.collective for entry in algorithms(2)))
    if groups == 2 and name not in between:
        raise UsageError(f"MPI has no {name} between two groups: there are {', '.join(between)}")


def size(text: str, option: str) -> int:
    """Bytes: 64K is 65536."""
    found = re.fullmatch(rf"({words.NUMBER})([KMG]?)(iB|B)?", text, re.IGNORECASE)
    if not found:
        raise UsageError(f"{option} {text}: write a number of bytes, like 4096, 64K or 1M")
    return int(found.group(1)) * UNITS[found.group(2).upper()]


def rank_range(text: str) -> range:
    found = re.fullmatch(rf"({words.NUMBER})(?:-({words.NUMBER}))?", text)
    if not found:
        raise UsageError(f"--ranks {text}: write a number or a range, like 7 or 1-64")
    first, last = int(found.group(1)), int(found.group(2) or found.group(1))
    if not 1 <= first <= last <= words.MOST:
        raise UsageError(f"--ranks {text}: at least one rank, and not downwards")
    return range(first, last + 1)


def _sides(options: argparse.Namespace, ranks: int) -> tuple:
    """The grid of a neighbourhood: as near to a square as can be where none is given."""
    if options.grid is not None:
        sides = words.grid(options.grid)
    elif not options.collective.startswith("neighbor") or options.degree or ranks < 1:
        return (), ()
    else:
        width = next(w for w in range(math.isqrt(ranks), 0, -1) if ranks % w == 0)
        sides = (ranks // width, width)
    return sides, words.axes(options.periodic, len(sides))


def _groups(options: argparse.Namespace) -> tuple[int, ...]:
    """How many ranks each of two groups has; nothing where there is one."""
    if options.groups is None:
        return ()
    if options.ranks:
        raise UsageError("give --ranks or --groups, not both")
    if options.in_place:
        raise UsageError("--in-place: between two groups nothing is in place")
    sizes = words.groups(options.groups)
    if "-" in options.groups:
        raise UsageError(f"--groups {options.groups}: ranges of sizes are for verify alone")
    return tuple(size[0] for size in sizes)


def _bytes(options: argparse.Namespace, groups: Sequence[int]) -> list[int]:
    """Of a block of each group."""
    found = [size(text, "--bytes") for text in words.two(options.bytes)]
    sided = options.collective in SIDED and options.irregular is None
    if len(found) != 2 or ("+" in options.bytes and not (groups and sided)):
        raise UsageError(
            f"--bytes {options.bytes}: two sizes are for allgather, alltoall, and "
            "allgatherv without --irregular, between two --groups"
        )
    return [0, 0] if options.collective == "barrier" else found


def question(options: argparse.Namespace) -> Question:
    check_collective(options.collective, 1 if options.groups is None else 2)
    groups = _groups(options)
    sizes = _bytes(options, groups)
    if options.ranks < 0:
        raise UsageError(f"--ranks {options.ranks}: there can't be fewer than none")
    if options.degree < 0:
        raise UsageError(f"--degree {options.degree}: there can't be fewer than none")
    ranks = sum(groups) or options.ranks
    if options.grid is not None and ranks == 0:
        ranks = words.product(words.grid(options.grid))
    text, ranks = machine_if_any(options, ranks, groups)
    sides, periodic = _sides(options, ranks)
    reduces = options.collective in REDUCTIONS
    element = options.element if options.element is not None else 8 if reduces else 1
    tuned = next((s.value for s in settings() if s.environment == "CAUCUS_MODEL"), "default")
    tuned = "" if tuned in ("default", "auto") else tuned
    return Question(
        collective=options.collective,
        ranks=ranks,
        machine=text,
        algorithm=options.algorithm,
        model=options.model if options.model is not None else tuned,
        bytes=sizes[0],
        element=element,
        segment=size(options.segment, "--segment"),
        root=options.root,
        seed=(options.irregular or 0) % 2**64,
        counts=options.counts,
        first_group=groups[0] if groups else 0,
        second_bytes=sizes[1] if groups else 0,
        commutative=not options.non_commutative,
        in_place=options.in_place,
        irregular=options.irregular is not None,
        persistent=not options.not_persistent,
        sides=sides,
        periodic=periodic,
        degree=options.degree,
    )


def summary(study: Study) -> dict:
    """What --json says of the question."""
    asked = study.question
    told = {
        "collective": asked.collective,
        "ranks": study.ranks,
        "nodes": study.nodes,
        "bytes": asked.bytes,
        "element": asked.element,
        "commutative": asked.commutative,
    }
    if asked.first_group:
        told["groups"] = [asked.first_group, study.ranks - asked.first_group]
        told["second_bytes"] = asked.second_bytes
    if asked.counts:
        told["counts"] = asked.counts
    return told
