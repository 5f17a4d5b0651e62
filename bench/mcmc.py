#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Walkers with chains of very different length: no balancing, collective balancing at intervals,
and groups that help each other (Figure 2 and Table 1 of Dinan et al., EuroMPI 2011)."""

import argparse
import json
import os
import sys
import time

import common_environment

ROOT = common_environment.ROOT

from rich.console import Console  # noqa: E402

import common_report  # noqa: E402
from common_tables import Output  # noqa: E402
from mcmc_experiment import figures, plots, publish, runs  # noqa: E402
from persistent_experiments.measure import ExperimentError  # noqa: E402

MPIS = ("mpich", "openmpi")
INTERVALS = (1, 2, 4, 8, 16, 32, 64, 128)
DRAWN = (1, 16, 128)  # of runs that are smaller than the largest


def numbers(text):
    return [int(word) for word in text.split(",") if word]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpi", default=",".join(MPIS), help="run for real by (mpich,openmpi)")
    parser.add_argument("--ranks", default="32", help="for real (32)")
    parser.add_argument("--simulated", default="32,128,512", help="processes, by SMPI")
    parser.add_argument("--planned", default="32,128,512,2048,8192", help="processes, without MPI")
    parser.add_argument("--intervals", help="of collective balancing (1 to 128)")
    parser.add_argument("--noise", default="10,20", help="percent, of further planned runs")
    parser.add_argument("--json", action="store_true", help="print JSON rather than tables")
    common_report.add_options(parser, "mcmc", "the runs of all")
    return parser.parse_args()


def plan(options):
    """What is to be run: (in words, a function)."""
    chosen = None if options.intervals is None else numbers(options.intervals)
    for mpi in filter(None, options.mpi.split(",")):
        for ranks in numbers(options.ranks):
            for way in runs.ways(INTERVALS if chosen is None else chosen):
                yield (
                    f"{way[0]} {way[1]}, {ranks} processes, {mpi}",
                    lambda m=mpi, r=ranks, w=way: runs.here(options.builds, m, r, w),
                )
    sizes = numbers(options.simulated)
    for ranks in sizes:
        intervals = INTERVALS if ranks == max(sizes) else DRAWN
        for way in runs.ways(intervals if chosen is None else chosen):
            yield (
                f"{way[0]} {way[1]}, {ranks} processes, simulated",
                lambda r=ranks, w=way: runs.simulated(options.builds, r, w),
            )
    sizes = numbers(options.planned)
    for ranks in sizes:
        intervals = INTERVALS if ranks == max(sizes) else DRAWN
        for way in runs.ways(intervals if chosen is None else chosen):
            yield (
                f"{way[0]} {way[1]}, {ranks} processes, planned",
                lambda r=ranks, w=way: runs.planned(options.builds, r, w),
            )
    for noise in numbers(options.noise) if sizes else ():
        yield (
            f"{max(sizes)} processes, planned, noise {noise} %",
            lambda n=noise: runs.planned(options.builds, max(sizes), ("async", 1), n),
        )


def measure(options):
    """Raw figures are kept after each run: a later one may fail."""
    conditions = (
        f"One machine of {os.cpu_count()} cores, which all processes share; "
        f"{common_environment.when()}."
    )
    raw = {"cells": [], "conditions": conditions}
    options.output.mkdir(parents=True, exist_ok=True)
    with Console(stderr=True).status("starting") as status:
        for said, run in plan(options):
            status.update(said)
            begun = time.monotonic()
            raw["cells"].append(run())
            raw["cells"][-1]["took"] = round(time.monotonic() - begun, 1)
            (options.output / "raw.json").write_text(json.dumps(raw) + "\n")
    return raw


def joined(found):
    """The runs of all, a later one in the place of an earlier one like it."""
    cells = {}
    for cell in (cell for raw in found for cell in raw["cells"]):
        cells[figures.where(cell), cell["ranks"], figures.name(cell)] = cell
    conditions = " ".join(dict.fromkeys(raw["conditions"] for raw in found))
    return {"cells": list(cells.values()), "conditions": conditions}


def main():
    options = arguments()
    console = Output()
    raw = joined(common_report.earlier(options) or [measure(options)])
    tables = figures.tables(raw["cells"])
    if options.json:
        print(json.dumps(raw, indent=1))
        options.output.mkdir(parents=True, exist_ok=True)
        (options.output / "raw.json").write_text(json.dumps(raw) + "\n")
    else:
        common_report.report(console, raw, tables, options.output)
        plots.draw(raw["cells"], options.output / "mcmc.png")
    if options.publish:
        publish.write(raw, tables, options.publish)
    short = [
        f"{place[1]} processes on {place[0]}: {problem}"
        for place in figures.places(raw["cells"])
        if place[0] in ("smpi", "planned")
        for problem in figures.problems(figures.of(raw["cells"], place))
    ]
    for problem in short:
        print(f"mcmc: {problem}", file=sys.stderr)
    return 1 if short else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ExperimentError as error:
        sys.exit(f"mcmc: {error}")
    except KeyboardInterrupt:
        sys.exit("mcmc: stopped.")
