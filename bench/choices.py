#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How good choices are on virtual nodes, without a tuned file: a sample of collectives and sizes
drawn from a seed, on cards of several speeds, even and with a slow one; what is chosen beside the
best by name, measured again by turns, and beside MPI's own blocking call."""

import argparse
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import common_environment

ROOT = common_environment.ROOT

from rich.console import Console  # noqa: E402

from choices_experiment import measure, sample  # noqa: E402
from common_report import missing  # noqa: E402
from common_tables import Output, markdown, shown  # noqa: E402
from intergroup_experiments.measure import ExperimentError  # noqa: E402
from lab import LabError, available  # noqa: E402

MODES = ("empty", "cache", "tuned")
NEAR = 1.10
SLOWER = 0.95
PAGE = """<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by: bench/choices.py --publish docs/results -->
# What is chosen, beside the best that could be

A sample of persistent collectives on virtual nodes, {count} cells a setting, drawn from the seed
{seed}, {cores} cores; {when}. In each setting the algorithms that could serve, but for those that
a model says take more than {hopeless} times as long as the best, are run by turns (medians of
{first[short]} starts, {first[long]} of what takes a card 2 ms and more); the best of these by name
is then measured again, by turns with what is chosen and with MPI's blocking call (medians of
{again[short]} and {again[long]} starts): with nothing known of the machine (an empty folder
`CAUCUS_CACHE`: *empty*), with what an earlier start has left in the cache (*cache*), and with a
file of `caucus tune` (*tuned*). All else is as by default: the machine is measured
(`CAUCUS_MODEL=auto`), and inits run the candidates that the model calls close
(`CAUCUS_SELECT=auto`), where that takes half a second at most; reductions are sums of doubles.
Results are not looked at here. Where what is chosen is the best by name, the ratio is 1.

*faster than MPI* is the geometric mean, over the cells, of the time of MPI's blocking call over
that of our persistent start and wait, whose init is not in the time, in the mode *cache*; *slower
than MPI* counts the cells where that is below {slower}.

After a pause a card lets 1,600 bytes through at once, but 64 KiB at 1,000 Mbit/s, a rate that it
does not reach here with less. Up to that size all that counts here is how the ranks share the
processors; a real card has no such allowance.

```console
$ make build MPI=mpich && make build MPI=openmpi
$ sudo .venv/bin/python bench/choices.py --seed {seed} --cells {count} --publish docs/results
```

{missing}

{tables}"""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpi", default="mpich,openmpi", help="a list (mpich,openmpi)")
    parser.add_argument("--cells", type=int, default=5, help="of each setting and MPI (5)")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (1)")
    parser.add_argument("--only", default="", help="settings whose name has this, '200mbit' say")
    parser.add_argument("--builds", type=Path, default=ROOT / "build", help=argparse.SUPPRESS)
    parser.add_argument("--again", type=Path, help="report raw figures of an earlier run")
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "choices")
    parser.add_argument(
        "--publish", type=Path, metavar="FOLDER", help="write the guide's page, too"
    )
    return parser.parse_args()


def collect(options):
    raw = {"when": common_environment.when(), "seed": options.seed, "count": options.cells}
    raw |= {"cores": len(os.sched_getaffinity(0)), "cells": [], "problems": []}
    with Console(stderr=True).status("starting") as status:
        for setting in sample.settings():
            for mpi in options.mpi.split(","):
                place = f"{setting}, {mpi}"
                if options.only not in str(setting):
                    continue

                def say(what, place=place):
                    status.update(f"{place}: {what}")

                given = (setting, mpi, options.builds, options.cells, options.seed, say)
                try:
                    found = measure.run(*given)
                except (ExperimentError, LabError, subprocess.SubprocessError) as error:
                    raw["problems"].append(f"{place}: {error}")
                    continue
                known = {"setting": str(setting), "library": mpi}
                raw["cells"] += [{**vars(cell), **known} for cell in found]
                options.output.mkdir(parents=True, exist_ok=True)
                (options.output / "raw.json").write_text(json.dumps(raw) + "\n")
    return raw


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def near(cells, mode):
    return f"{sum(cell['ratio'][mode] <= NEAR for cell in cells)} of {len(cells)}"


def told(cells):
    shares = [near(cells, mode) for mode in MODES]
    gains = [cell["mpi"]["cache"] for cell in cells]
    lost = sum(gain < SLOWER for gain in gains)
    return [*shares, f"{mean(gains):.2f}", str(lost)]


def feels_cards(cell):
    settings = {str(setting): setting for setting in sample.settings()}
    return settings[cell["setting"]].feels_cards(cell["collective"], cell["bytes"])


def summary(raw):
    """A line for each setting and MPI, and for all."""
    places = list(dict.fromkeys((cell["setting"], cell["library"]) for cell in raw))
    lines = []
    for place in places:
        cells = [cell for cell in raw if (cell["setting"], cell["library"]) == place]
        lines.append([*place, *told(cells)])
    lines.append(["all", "", *told(raw)])
    lines.append(["more data than the allowance", "", *told(list(filter(feels_cards, raw)))])
    columns = ("nodes and cards", "MPI", *MODES, "faster than MPI", "slower than MPI")
    return f"cells within {NEAR:.2f} of the best by name", columns, lines


def misses(raw):
    lines = []
    for cell in raw:
        if max(cell["ratio"].values()) > NEAR:
            name = f"{cell['collective']}, {cell['bytes']:,}"
            ratios = (f"{cell['ratio'][mode]:.2f} {cell['chosen'][mode]}" for mode in MODES)
            lines.append([cell["setting"], cell["library"], name, cell["best"], *ratios])
    columns = ("nodes and cards", "MPI", "collective, bytes", "best", *MODES)
    return f"cells where something else is better by more than {NEAR:.2f}", columns, lines


def written(raw, tables):
    """The page, of the run that the figures are of."""
    return PAGE.format(
        tables="\n".join(markdown(table) for table in tables),
        missing=missing(raw["problems"]),
        hopeless=measure.HOPELESS,
        first=measure.FIRST,
        again=measure.AGAIN,
        slower=SLOWER,
        **{name: raw[name] for name in ("when", "seed", "count", "cores")},
    )


def main():
    options = arguments()
    there, why_not = available()
    if not there and not options.again:
        sys.exit(f"choices.py: virtual nodes are needed: {why_not}")
    raw = json.loads(options.again.read_text()) if options.again else collect(options)
    cells = raw["cells"]
    tables = [summary(cells), misses(cells)] if cells else []
    Output().print(*(shown(table) for table in tables if table[2]), *raw["problems"])
    if options.publish and cells:
        (options.publish / "choices.md").write_text(written(raw, tables))
    sys.exit(1 if raw["problems"] or not cells else 0)


if __name__ == "__main__":
    main()
