#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What choosing algorithms without a tuned file costs: allgather between two groups of virtual
nodes with the built-in model, with the machine measured when attached, and with a tuned file,
beside MPI's own calls, on cards of several speeds."""

import argparse
import os
import statistics
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import common_environment

ROOT = common_environment.ROOT

from rich.console import Console  # noqa: E402

from common_report import missing  # noqa: E402
from common_tables import Output, markdown, shown  # noqa: E402
from intergroup_experiments import cases, figures, measure  # noqa: E402
from lab import Lab, available  # noqa: E402

MODELS = ("default", "auto", "tuned")
WORST = "auto, worst"
COLUMNS = ("MPI", "cards", "groups of nodes", "bytes", "TCP ms", "MPI", *MODELS[:2], WORST, "tuned")
PAGE = """<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by: bench/untuned.py --publish docs/results -->
# Algorithms chosen without a tuned file

{nodes} virtual nodes × 2 on {cores} cores, cards of {rates}; {when}.

This repeats it, in about ten minutes; it needs root, for virtual nodes:

```console
$ make build MPI=mpich && make build MPI=openmpi
$ sudo .venv/bin/python bench/untuned.py --publish docs/results
```

`MPI_Allgather` between two groups, {nodes} virtual nodes of 2 ranks on {cores} cores, regular
counts, Caucus's persistent call by `CAUCUS_MODEL`: `default` (built-in figures of a cluster with
cards of 200 Gbit/s), `auto` (messages between nodes measured in some 20 ms when the communicator
was attached, `CAUCUS_CACHE=none`), and a file of `caucus tune`. TCP is a bare stream of
all bytes that must enter one card, the bound (the median of all starts); the other columns are
multiples of it, MPI's the faster of its blocking and nonblocking forms. A start of the program
gives the median of {repetitions} calls. `auto` and `tuned` are medians of {starts} starts by
turns, each of which measures anew with `auto`; MPI's calls and `default` are of one start. Where
starts chose differently, all that was chosen is named. `auto, worst` is the slowest of these
starts. A card lets its first 64 KiB through at once after a pause, so that the stream of 65,536
bytes is a scale and no bound.

{missing}

{table}"""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpi", default="mpich,openmpi", help="a list (mpich,openmpi)")
    parser.add_argument("--rates", default="20mbit,200mbit,1000mbit", help="speeds of cards")
    parser.add_argument("--nodes", type=int, default=8, help="virtual nodes, of 2 ranks each (8)")
    parser.add_argument("--groups", default="4:4,1:7", help="sizes of groups, in nodes (4:4,1:7)")
    parser.add_argument("--bytes", default="65536,1048576", help="of all blocks (65536,1048576)")
    parser.add_argument("--starts", type=int, default=3, help="with auto and tuned, by turns (3)")
    parser.add_argument("--builds", type=Path, default=ROOT / "build", help=argparse.SUPPRESS)
    parser.add_argument(
        "--publish", type=Path, metavar="FOLDER", help="write the guide's page, too"
    )
    return parser.parse_args()


def told(rows, bound):
    """The median of the starts, and what they chose, most often first."""
    chosen = Counter(row["algorithm"] for row in rows).most_common()
    median = statistics.median(row["ours"] for row in rows) / bound
    return f"{median:.2f} {', '.join(name for name, _ in chosen)}"


def line(rows):
    """{model: the same cell of each start}. One bound for all: a card may let what is short
    through at once in one start, and not in another."""
    bound = statistics.median(row["stream"] for cell in rows.values() for row in cell)
    worst = max(row["ours"] for row in rows["auto"])
    return [
        *(f"{1e3 * bound:.1f}", f"{rows['auto'][0]['native'] / bound:.2f}"),
        *(told(rows["default"], bound), told(rows["auto"], bound)),
        *(f"{worst / bound:.2f}", told(rows["tuned"], bound)),
    ]


def is_whole(cell):
    """Whether there are figures of all that a line shows."""
    rows = [row for of_model in cell.values() for row in of_model]
    there = all(row["ours"] and row["stream"] for row in rows)
    return there and all(cell.values()) and bool(cell["auto"][0]["native"])


def in_turns(starts):
    """(model, ways) of each start."""
    found = [("default", "ours"), ("auto", "all"), ("tuned", "ours")]
    return found + [(model, "ours") for _ in range(1, starts) for model in MODELS[1:]]


def between(groups, options, lab, mpi, tuned):
    """Cells of each size by model, of each start, and what went wrong, of two groups of nodes."""
    wanted = [("allgather", "regular", size) for size in sizes_of(options)]
    path = measure.program(options.builds, mpi)
    settings = dict(zip(MODELS, (None, "auto", tuned)))
    cells, problems = [{model: [] for model in MODELS} for _ in wanted], []
    for model, ways in in_turns(options.starts):
        words = (lab, path, mpi, settings[model], groups, wanted, cases.QUICK, ways)
        found, problem = measure.across(*words)
        problems += [problem] if problem else []
        for row, cell in zip(figures.rows(found), cells):
            cell[model].append(row)
            problems += [f"{model}: {failure}" for failure in figures.failures([row])]
    return cells, problems


def sizes_of(options):
    return [int(word) for word in options.bytes.split(",")]


def on_cards(options, rate, say):
    """Lines of the table, and what went wrong, of all MPIs and groups."""
    lines, problems = [], []
    wiring = {"nodes": options.nodes, "rate": rate, "segmentation": True}
    with Lab(**wiring) as lab, TemporaryDirectory() as folder:
        for mpi in options.mpi.split(","):
            tuned = f"{folder}/{mpi}.txt"
            say(f"cards of {rate}, {mpi}: tuning")
            measure.tune(lab, options.builds, mpi, tuned)
            for groups in options.groups.split(","):
                say(f"cards of {rate}, {mpi}, {groups}")
                cells, wrong = between(groups, options, lab, mpi, tuned)
                problems += [f"cards of {rate}, {problem}" for problem in wrong]
                for size, cell in zip(sizes_of(options), cells):
                    if is_whole(cell):
                        lines.append([mpi, rate, groups, f"{size:,}", *line(cell)])
                    else:
                        problems.append(f"cards of {rate}, {mpi}, {groups}, {size:,}: left out")
    return lines, problems


def main():
    options = arguments()
    there, why_not = available()
    if not there:
        sys.exit(f"untuned.py: virtual nodes are needed: {why_not}")
    lines, problems = [], []
    with Console(stderr=True).status("starting") as status:
        for rate in options.rates.split(","):
            found, wrong = on_cards(options, rate, status.update)
            lines += found
            problems += wrong
    table = ("multiples of the bound, and what was chosen", COLUMNS, lines)
    Output().print(shown(table), *problems)
    if options.publish:
        page = PAGE.format(
            nodes=options.nodes,
            rates=options.rates,
            when=common_environment.when(),
            cores=len(os.sched_getaffinity(0)),
            repetitions=cases.QUICK.repetitions,
            starts=options.starts,
            missing=missing(problems),
            table=markdown(table),
        )
        (options.publish / "untuned.md").write_text(page)
    sys.exit(1 if problems or not lines else 0)


if __name__ == "__main__":
    main()
