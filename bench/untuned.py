#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What choosing algorithms without a tuned file costs: allgather between two groups of virtual
nodes with the built-in model, with the machine measured when attached, and with a tuned file,
beside MPI's own calls, on cards of several speeds."""

import argparse
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path[1:1] = [str(ROOT / "tools"), str(ROOT / "bindings" / "python")]

from rich.console import Console  # noqa: E402

from common_tables import markdown, shown  # noqa: E402
from intergroup_experiments import cases, figures, measure  # noqa: E402
from lab import Lab, available  # noqa: E402

MODELS = ("default", "auto", "tuned")
COLUMNS = ("MPI", "cards", "groups of nodes", "bytes in all", "TCP ms", "MPI", *MODELS)
PAGE = """<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by: bench/untuned.py --publish docs/results -->
# Algorithms chosen without a tuned file

This repeats it, in about five minutes; it needs root, for virtual nodes:

```console
$ make build MPI=mpich && make build MPI=openmpi
$ sudo .venv/bin/python bench/untuned.py --publish docs/results
```

`MPI_Allgather` between two groups, {nodes} virtual nodes of 2 ranks on {cores} cores, regular
counts, Caucus's persistent call by `CAUCUS_MODEL`: `default` (built-in figures of a cluster with
cards of 200 Gbit/s), `auto` (messages between nodes measured in some 20 ms when the communicator
was attached, `CAUCUS_CACHE=none`), and a file of `caucus tune`. TCP is a bare stream of
all bytes that must enter one card, the bound; the other columns are multiples of it, medians of
{repetitions}, MPI's the faster of its blocking and nonblocking forms. A card lets its
first 64 KiB through at once after a pause, so that the stream of 65,536 bytes is a scale and no
bound.

{table}"""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpi", default="mpich,openmpi", help="a list (mpich,openmpi)")
    parser.add_argument("--rates", default="20mbit,200mbit,1000mbit", help="speeds of cards")
    parser.add_argument("--nodes", type=int, default=8, help="virtual nodes, of 2 ranks each (8)")
    parser.add_argument("--groups", default="4:4,1:7", help="sizes of groups, in nodes (4:4,1:7)")
    parser.add_argument("--bytes", default="65536,1048576", help="of all blocks (65536,1048576)")
    parser.add_argument("--builds", type=Path, default=ROOT / "build", help=argparse.SUPPRESS)
    parser.add_argument(
        "--publish", type=Path, metavar="FOLDER", help="write the guide's page, too"
    )
    return parser.parse_args()


def line(rows):
    """Of the same cell with each model."""
    measured = rows["auto"]
    found = [f"{1e3 * measured['stream']:.1f}", f"{measured['native'] / measured['stream']:.2f}"]
    for row in rows.values():
        found.append(f"{row['ours'] / row['stream']:.2f} {row['algorithm']}")
    return found


def on_cards(options, rate, say):
    """Lines of the table, and what went wrong."""
    lines, problems = [], []
    sizes = [int(word) for word in options.bytes.split(",")]
    wanted = [("allgather", "regular", size) for size in sizes]
    wiring = {"nodes": options.nodes, "rate": rate, "segmentation": True}
    with Lab(**wiring) as lab, TemporaryDirectory() as folder:
        for mpi in options.mpi.split(","):
            tuned = f"{folder}/{mpi}.txt"
            say(f"cards of {rate}, {mpi}: tuning")
            measure.tune(lab, options.builds, mpi, tuned)
            path = measure.program(options.builds, mpi)
            for groups in options.groups.split(","):
                say(f"cards of {rate}, {mpi}, {groups}")
                cells = {}
                for model, setting in zip(MODELS, (None, "auto", tuned)):
                    ways = "all" if model == "auto" else "ours"
                    words = (lab, path, mpi, setting, groups, wanted, cases.QUICK, ways)
                    found, problem = measure.across(*words)
                    cells[model] = figures.rows(found)
                    problems += [problem] if problem else []
                    problems += [
                        f"{mpi}, {rate}, {groups}, {model}: wrong results: {row['wrong']}"
                        for row in cells[model]
                        if row["wrong"]
                    ]
                for same in zip(*cells.values()):
                    size = f"{same[0]['bytes']:,}"
                    lines.append([mpi, rate, groups, size, *line(dict(zip(MODELS, same)))])
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
    Console(width=None if sys.stdout.isatty() else 160).print(shown(table), *problems)
    if options.publish:
        page = PAGE.format(
            nodes=options.nodes,
            cores=len(os.sched_getaffinity(0)),
            repetitions=cases.QUICK.repetitions,
            table=markdown(table),
        )
        (options.publish / "untuned.md").write_text(page)
    sys.exit(1 if problems or not lines else 0)


if __name__ == "__main__":
    main()
