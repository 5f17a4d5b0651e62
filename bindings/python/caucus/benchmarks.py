# SPDX-License-Identifier: BSD-3-Clause
"""The benchmarks that any installation can run, in a minute or so each: programs that take turns
between MPI's own calls and ours, started a few times."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Callable, NamedTuple, Optional

from . import processes
from . import start as starting
from .bench_figures import Cell, median
from .errors import Failure

PATIENCE = 300  # seconds that a start may take
FEW, MANY = (8, 1024, 65536), (8, 64, 512, 4096, 32768, 262144, 1048576)  # bytes
MICROSECONDS = 1e6
Row = dict[str, Any]  # what a program says of a cell


class Start(NamedTuple):
    """A program with its arguments and settings."""

    words: list[str]
    settings: Optional[dict[str, str]] = None


class Benchmark(NamedTuple):
    """starts: what is started, for so many ranks, of the quick form or the whole; cells: what it
    says; seconds: what the quick form and the whole may take."""

    summary: str
    size: str  # what the first column is
    starts: Callable[[int, bool], list[Start]]
    cells: Callable[[Row], Iterator[Cell]]
    seconds: tuple[int, int]


def _cells(
    table: str, size: int, samples: Row, names: dict[str, str], unit: str = "µs", scale: float = 1
) -> Iterator[Cell]:
    for name, way in names.items():
        values = [value * scale for value in samples.get(name) or [] if value > 0]
        if values:
            yield Cell(table, size, way, unit, values)


def _collectives(ranks: int, quick: bool) -> list[Start]:
    names = ["barrier", "bcast", "allreduce", "alltoall"]
    names += [] if quick else ["reduce", "scatter"]
    starts = []
    for name in names:
        for size in (FEW if quick else MANY) if name != "barrier" else (4,):
            most = 100 if quick else 500
            often = max(10, min(most, most * 8192 // size))
            words = ["persistent_loop", "--collective", name, "--bytes", size]
            words += ["--iterations", often, "--repetitions", 3]
            starts.append(Start(list(map(str, words))))
    return starts


FORMS = {
    "native blocking": "MPI",
    "native nonblocking": "MPI, nonblocking",
    "native persistent": "MPI, persistent",
    "blocking": "Caucus",
    "nonblocking": "Caucus, nonblocking",
    "persistent": "Caucus, persistent",
}


def _of_collectives(row: Row) -> Iterator[Cell]:
    size = 0 if row["collective"] == "barrier" else row["bytes"]
    yield from _cells(row["collective"], size, row["microseconds"], FORMS)


def _groups(ranks: int, quick: bool) -> list[Start]:
    words = ["--repetitions", "5", "--creations", "20" if quick else "100", "--lead", "0"]
    return [Start(["create_group_loop", *words])]


MADE = {
    "MPI_Comm_create": "MPI_Comm_create",
    "MPI_Comm_create_group": "MPI_Comm_create_group",
    "caucus native": "Caucus, communicator",
    "light checked": "Caucus, list",
    "light lazy": "Caucus, lazy",
    "light range": "Caucus, range",
}
USED = {
    "MPI_Comm_create_group used": "MPI_Comm_create_group",
    "light checked used": "Caucus, list",
    "light lazy used": "Caucus, lazy",
    "light range used": "Caucus, range",
}


def _of_groups(row: Row) -> Iterator[Cell]:
    yield from _cells("making", row["members"], row["samples"], MADE)
    yield from _cells("making, a barrier, freeing", row["members"], row["samples"], USED)


def _channels(ranks: int, quick: bool) -> list[Start]:
    words = ["--sizes", "10,1000" if quick else "10,100,1000,10000", "--patterns", "all,lone"]
    words += ["--ways", "0,1,4,6", "--repetitions", "3", "--lone", "10" if quick else "50"]
    return [Start(["rootless_loop", *words, "--seconds", "0.02" if quick else "0.1"])]


CASTS = {
    "MPI_Bcast, known root": "MPI_Bcast, known root",
    "coordinator": "MPI, coordinator",
    "channel": "Caucus",
    "total order": "Caucus, total order",
}


def _of_channels(row: Row) -> Iterator[Cell]:
    if row["pattern"] == "lone":
        yield from _cells("a lone cast", row["bytes"], row["samples"], CASTS)
    else:
        yield from _cells("all cast", row["bytes"], row["samples"], CASTS, "casts/s")


def _coupling(ranks: int, quick: bool) -> list[Start]:
    names = ["allgather:regular", "allreduce:regular"]
    names += [] if quick else ["allgatherv:linear", "reduce_scatter:regular"]
    words = ["intergroup_loop", "--groups", "1:1", "--repetitions", "3"]
    words += ["--seconds", "0.1" if quick else "0.3"]
    for name in names:
        for size in FEW[1:] if quick else MANY[2:]:
            words += ["--cell", f"{name}:{size}"]
    return [Start(words, {"CAUCUS_NODES": f"{ranks - ranks // 2},{ranks // 2}"})]


COUPLED = {
    "native blocking": "MPI",
    "native nonblocking": "MPI, nonblocking",
    "blocking": "Caucus",
    "persistent": "Caucus, persistent",
}


def _of_coupling(row: Row) -> Iterator[Cell]:
    table = row["collective"] + ("" if row["shape"] == "regular" else f", {row['shape']}")
    yield from _cells(table, row["bytes"], row["seconds"], COUPLED, scale=MICROSECONDS)


def _redistribution(ranks: int, quick: bool) -> list[Start]:
    words = ["--repetitions", "3", "--seconds", "0.005" if quick else "0.02"]
    words += ["--length", "16", "--both", "0", "--most", "65536" if quick else "4194304"]
    return [Start(["redistribute_loop", *words])]


MOVED = {
    "alltoallw": "MPI_Alltoallw",
    "messages packed": "MPI, messages by hand",
    "redistribute": "Caucus",
}


def _of_redistribution(row: Row) -> Iterator[Cell]:
    yield from _cells(f"ranges of {row['length']}", row["bytes"], row, MOVED)


def _halos(ranks: int, quick: bool) -> list[Start]:
    first = next(n for n in range(int(ranks**0.5), 0, -1) if ranks % n == 0)
    words = ["--dims", f"{ranks // first}x{first}", "--repetitions", "3"]
    words += ["--sizes", ",".join(map(str, FEW if quick else MANY))]
    return [Start(["halo_exchange", *words, "--seconds", "0.02" if quick else "0.1"])]


GRIDS = {"cart": "MPI_Cart_create", "caucus": "caucus_cart_create"}


def _of_halos(row: Row) -> Iterator[Cell]:
    for entry in row["sizes"]:
        samples = {name: entry[name]["seconds"] for name in GRIDS if name in entry}
        yield from _cells("an exchange", entry["bytes"], samples, GRIDS, scale=MICROSECONDS)


BENCHMARKS = {
    "halos": Benchmark(
        "halo exchange on a grid of MPI's and one of ours",
        "bytes", _halos, _of_halos, (10, 60),
    ),
    "collectives": Benchmark(
        "collectives in three forms, MPI's own and ours",
        "bytes", _collectives, _of_collectives, (50, 300),
    ),
    "coupling": Benchmark(
        "collectives between two groups of ranks",
        "bytes", _coupling, _of_coupling, (15, 90),
    ),
    "redistribution": Benchmark(
        "a field moved from one decomposition to another",
        "bytes", _redistribution, _of_redistribution, (10, 60),
    ),
    "groups": Benchmark(
        "making a communicator or a light group",
        "members", _groups, _of_groups, (10, 60),
    ),
    "channels": Benchmark(
        "casts of any rank, all at once, and a lone one",
        "bytes", _channels, _of_channels, (20, 120),
    ),
}  # fmt: skip


def _rows(text: str) -> Iterator[Row]:
    """Objects of JSON one after the other."""
    decoder, at = json.JSONDecoder(), 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        row, at = decoder.raw_decode(text, at)
        yield row


class Wish(NamedTuple):
    """How a benchmark is to be run."""

    mpi: str
    ranks: int
    starts: int
    quick: bool


def _run(start: Start, wish: Wish, launcher: starting.Launcher) -> Iterator[Row]:
    """What a start says."""
    name, *words = start.words
    with tempfile.TemporaryDirectory(prefix=".caucus-", dir=launcher.folder) as folder:
        path = Path(folder) / "rows.json"
        settings = {"CAUCUS_CACHE": "none", **(start.settings or {})}
        prepared = starting.prepare_own(wish.mpi, launcher, [name, *words, "--json", path])
        ran = processes.heard(prepared.command(settings, False), PATIENCE, name, folder)
        if ran.returncode or not path.exists():
            raise Failure(f"{name} failed: {(ran.stderr or ran.stdout).strip()[:500]}")
        yield from _rows(path.read_text(encoding="utf-8", errors="replace"))


def measure(name: str, wish: Wish, say: Callable[[str], None]) -> tuple[list[Cell], list[str]]:
    """Cells, whose samples are the medians of each start, and what was left out for want of time.
    Every program is started once before any is a second time, and has twice the time for that."""
    benchmark = BENCHMARKS[name]
    whole = benchmark.starts(wish.ranks, wish.quick)
    launcher = starting.Launcher([], [], None, wish.ranks)
    begun, seconds = time.monotonic(), benchmark.seconds[0 if wish.quick else 1]
    found: dict[tuple, Cell] = {}
    left_out = 0
    for turn in range(wish.starts):
        for at, start in enumerate(whole):
            if found and time.monotonic() - begun > (seconds if turn else 2 * seconds):
                left_out += 1
                continue
            say(f"start {turn * len(whole) + at + 1} of {wish.starts * len(whole)}")
            for row in _run(start, wish, launcher):
                starting.check_ranks(launcher, row.get("ranks", wish.ranks))
                for cell in benchmark.cells(row):
                    kept = found.setdefault(cell.key, cell._replace(samples=[]))
                    kept.samples.append(median(cell.samples))
    if not found:
        raise Failure(
            f"{name} has measured nothing: did mpiexec start one program of {wish.ranks} ranks?"
        )
    words = f"{left_out} of {wish.starts * len(whole)} starts, for want of time"
    return list(found.values()), [words] if left_out else []
