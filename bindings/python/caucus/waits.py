# SPDX-License-Identifier: BSD-3-Clause
"""Who waits for whom, from what every rank wrote when it was asked (CAUCUS_WAITS)."""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Optional

from rich.console import RenderableType

from .console import plain, table

MOST_ROWS = 64  # of the table
MOST_NAMED = 32  # ranks, or ranges of them, in one sentence
MOST_AWAITED = 10  # ranks of which a sentence tells who waits for them
LOOK = 0.05  # seconds
# A rank's own number is not one that it waits for.
SELF = re.compile(r"\brank \d+ waits in ")
NAMED = re.compile(r"\branks? ((?:\d+\b(?:, | and )?)+)(?! of the )")


class Wait(NamedTuple):
    text: str
    ranks: list[int]  # of MPI_COMM_WORLD, that are waited for


def _wait(line: str) -> Wait:
    members, _, text = line.partition("\t")
    world = [int(word) for word in members.split(",") if word]
    named = {
        int(number)
        for match in NAMED.finditer(SELF.sub("", text))
        for number in re.findall(r"\d+", match.group(1))
    }
    ranks = {world[rank] for rank in named if rank < len(world)}
    return Wait(text, sorted(rank for rank in ranks if rank >= 0))


def ask(folder: Path, ranks: int, patience: float) -> dict[int, list[Wait]]:
    """Asks all ranks, and gives them so many seconds: what each said that did."""
    (folder / "tell").touch()
    end = time.monotonic() + patience
    while time.monotonic() < end and len(list(folder.glob("rank-*[0-9]"))) < ranks:
        time.sleep(LOOK)
    return read(folder)


def read(folder: Path) -> dict[int, list[Wait]]:
    found = {}
    for path in folder.glob("rank-*[0-9]"):
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        found[int(path.name.partition("-")[2])] = [_wait(line) for line in lines]
    return dict(sorted(found.items()))


def edges(told: dict[int, list[Wait]]) -> dict[int, list[int]]:
    """Of each rank those that it waits for."""
    return {
        rank: sorted({other for wait in waits for other in wait.ranks if other != rank})
        for rank, waits in told.items()
    }


def cycle(graph: dict[int, list[int]]) -> Optional[list[int]]:
    """Ranks of which each waits for the next, the last for the first; None if there are none."""
    done: set[int] = set()
    for start in graph:
        path: dict[int, int] = {}  # of each rank its place
        branches = [iter([start])]
        while branches:
            rank = next(branches[-1], None)
            if rank is None:
                branches.pop()
                if path:
                    done.add(path.popitem()[0])
            elif rank in path:
                return list(path)[path[rank] :]
            elif rank not in done and rank in graph:
                path[rank] = len(path)
                branches.append(iter(graph[rank]))
    return None


def culprits(graph: dict[int, list[int]]) -> list[int]:
    """Ranks that are waited for and wait for nobody themselves, as far as they have said."""
    awaited = {other for others in graph.values() for other in others}
    return sorted(rank for rank in awaited if not graph.get(rank))


def _named(ranks: list[int]) -> str:
    """0, 1, 4-9"""
    words: list[str] = []
    for _, pairs in itertools.groupby(enumerate(ranks), lambda pair: pair[1] - pair[0]):
        row = [rank for _, rank in pairs]
        words += [f"{row[0]}-{row[-1]}"] if len(row) > 2 else [str(rank) for rank in row]
    return ", ".join(words[:MOST_NAMED]) + (" and others" if len(words) > MOST_NAMED else "")


def _several(ranks: list[int]) -> str:
    return f"rank{'s' if len(ranks) > 1 else ''} {_named(ranks)}"


def _way(ring: list[int]) -> str:
    cut = ["..."] if len(ring) > MOST_NAMED else []
    return " -> ".join([*map(str, ring[:MOST_NAMED]), *cut, str(ring[0])])


def _awaited(graph: dict[int, list[int]], told: dict[int, list[Wait]]) -> Iterator[str]:
    found = culprits(graph)
    waiting: dict[int, list[int]] = {rank: [] for rank in found[:MOST_AWAITED]}
    for rank, others in graph.items():
        for other in others:
            if other in waiting:
                waiting[other].append(rank)
    for rank, those in waiting.items():
        said = told[rank][0].text if told.get(rank) else "it said nothing"
        verb = "waits" if len(those) == 1 else "wait"
        yield f"{_several(those)} {verb} for rank {rank}: {said}"
    if len(found) > MOST_AWAITED:
        yield f"{len(found) - MOST_AWAITED} more ranks are waited for and wait for nobody"


def verdict(told: dict[int, list[Wait]], ranks: int) -> list[str]:
    """What it comes down to, in sentences."""
    graph = edges(told)
    silent = [rank for rank in range(ranks) if rank not in told]
    found = cycle(graph)
    sentences = []
    if found:
        sentences.append(f"a cycle: {_way(found)}: each of these ranks waits for the next")
    sentences += _awaited(graph, told)
    if not told:
        sentences.append("nothing was heard of any rank")
    elif silent:
        sentences.append(f"nothing was heard of {_several(silent)}")
    if not sentences:
        sentences.append("nobody waits for anybody in Caucus: look into MPI and the program")
    return sentences


def show(told: dict[int, list[Wait]], ranks: int) -> list[RenderableType]:
    rows = table("Who waits for whom")
    rows.add_column("rank", justify="right", no_wrap=True)
    rows.add_column("for", no_wrap=True)
    rows.add_column("how")
    lines = [(rank, wait) for rank, waits in told.items() for wait in waits]
    for rank, wait in lines[:MOST_ROWS]:
        others = f"-> {_named(wait.ranks)}" if wait.ranks else ""
        rows.add_row(str(rank), others, plain(wait.text))
    if len(lines) > MOST_ROWS:
        rows.add_row("", "", plain(f"and {len(lines) - MOST_ROWS} more"))
    return [rows, *(plain(sentence) for sentence in verdict(told, ranks))]
