# SPDX-License-Identifier: BSD-3-Clause
"""The words of the command line: grids, axes, weights, nodes."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Sequence
from typing import Optional

from .errors import UsageError

MOST = 2**31 - 1
LIST_OF_NODES = re.compile(r"\d+x\d+|\d+(\*\d+)?(,\d+(\*\d+)?)*")
RULES = ("cyclic:", "ppn:", "file:")


def groups(text: str) -> tuple[range, range]:
    """How many ranks two groups may have: 16 and 48 for 16+48, ranges of sizes for 1-4+2-8."""
    found = re.fullmatch(r"(\d{1,18})(?:-(\d{1,18}))?\+(\d{1,18})(?:-(\d{1,18}))?", text)
    if not found:
        raise UsageError(f"--groups {text}: write the ranks of both groups, like 16+48")
    first, first_last, second, second_last = (int(word or 0) for word in found.groups())
    sizes = range(first, (first_last or first) + 1), range(second, (second_last or second) + 1)
    if first == 0 or second == 0:
        raise UsageError(f"--groups {text}: each group has at least one rank")
    if not all(sizes):
        raise UsageError(f"--groups {text}: not downwards")
    if sizes[0][-1] + sizes[1][-1] > MOST:
        raise UsageError(f"--groups {text}: both together have more than {MOST} ranks")
    return sizes


def two(text: str) -> list[str]:
    """What is said of each of two groups, 64K+4K, or of both alike."""
    parts = text.split("+")
    return parts * 2 if len(parts) == 1 else parts


def grid(text: str) -> tuple[int, ...]:
    """The sizes of the axes: (50, 48) for 50x48."""
    if not re.fullmatch(r"\d+(x\d+)*", text):
        raise UsageError(f"'{text}' is no grid: write the sizes of its axes like 128x128")
    sizes = tuple(int(word) for word in text.split("x"))
    if max(sizes) > MOST:
        raise UsageError(f"an axis of the grid '{text}' has more than {MOST} cells")
    return sizes


def axes(text: Optional[str], ndims: int) -> tuple[bool, ...]:
    """Which axes are periodic: None is none of them, "all", or numbers like "0,2"."""
    if text is None:
        return (False,) * ndims
    if text == "all":
        return (True,) * ndims
    periodic = [False] * ndims
    for word in text.split(","):
        if not re.fullmatch(r"\d+", word) or int(word) >= ndims:
            raise UsageError(
                f"--periodic {text}: '{word}' is no axis, there are axes 0 to {ndims - 1}"
            )
        periodic[int(word)] = True
    return tuple(periodic)


def numbers(text: str, option: str, ndims: int, least: str) -> list[float]:
    """One number per axis; least is "positive" or "not negative"."""
    values = []
    for word in text.split(","):
        try:
            value = float(word)
        except ValueError:
            raise UsageError(f"{option} {text}: '{word}' is no number") from None
        if not math.isfinite(value) or value < 0 or (least == "positive" and value == 0):
            raise UsageError(f"{option} {text}: {word} must be finite and {least}")
        values.append(value)
    if len(values) != ndims:
        raise UsageError(f"{option} {text}: {len(values)} numbers, but the grid has {ndims} axes")
    return values


def fixed_sizes(text: str) -> list[int]:
    """The sizes of the axes: [0, 48] for 0x48, with zeros to be filled."""
    if not re.fullmatch(r"\d+(x\d+)*", text):
        raise UsageError(f"'{text}' is not like 0x48: sizes of axes, 0 where one is to be found")
    return [int(word) for word in text.split("x")]


def _cyclic(machine: str, ranks: int) -> str:
    """The same nodes with the ranks dealt out round-robin."""
    per_node = re.fullmatch(r"ppn:(\d+)", machine)
    equal = re.fullmatch(r"(\d+)[x*](\d+)", machine)
    if per_node and int(per_node.group(1)) > 0:
        return f"cyclic:{-(-ranks // int(per_node.group(1)))}"
    if equal and int(equal.group(1)) * int(equal.group(2)) == ranks:
        return f"cyclic:{int(equal.group(1))}"
    if machine.startswith("cyclic:"):
        return machine
    raise UsageError(
        f"--placement cyclic needs --ppn, or nodes of one size that hold the {ranks} ranks, not "
        f"'{machine}'; a file with one node name per rank can say the rest"
    )


def machine(
    nodes: Optional[str], ppn: Optional[int], placement: str, ranks: int, environment: str = ""
) -> str:
    """The machine text of the library. environment: the value of CAUCUS_NODES."""
    if nodes is not None and ppn is not None:
        raise UsageError("give --nodes or --ppn, not both")
    text = f"ppn:{ppn}" if ppn is not None else nodes or environment
    if not text:
        raise UsageError(
            "say how the ranks lie on the nodes, for example --ppn 16 or --nodes 40*48,15*32"
        )
    if not LIST_OF_NODES.fullmatch(text) and not text.startswith(RULES):
        if not os.path.exists(text):
            raise UsageError(
                f"--nodes {text}: neither a file nor like 4x8, cyclic:4, ppn:16 or 40*48,15*32"
            )
        text = f"file:{text}"
    return _cyclic(text, ranks) if placement == "cyclic" else text


def ranks_of(text: str) -> int:
    """How many ranks a machine text says there are; 0 where it does not. The library reads a file
    again."""
    if text.startswith("file:"):
        path = text[len("file:") :]
        if os.path.exists(path) and not os.path.isfile(path):
            raise UsageError(f"--nodes {path}: it is read twice, so it must be a regular file")
        with open(path, encoding="utf-8", errors="replace") as file:
            return sum(1 for line in file if line.split("#")[0].strip())
    if not LIST_OF_NODES.fullmatch(text):
        return 0
    if "x" in text:
        return product([int(word) for word in text.split("x")])
    return sum(product([int(n) for n in word.split("*")]) for word in text.split(","))


def names_two(text: Optional[str]) -> bool:
    """Whether a machine text has a part for each of two groups; a file's name may have a plus."""
    return text is not None and "+" in text and not (text[:5] == "file:" or os.path.exists(text))


def product(sizes: Sequence[int]) -> int:
    return math.prod(sizes)
