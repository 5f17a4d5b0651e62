#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Time and memory against the number of ranks: attaching, grids, inits, groups and channels, on the
ranks that run here, on simulated ones, and what one rank of up to a million has to work out."""

import argparse
import os
import sys
import time

import common_environment

ROOT = common_environment.ROOT

from rich.console import Console  # noqa: E402

import common_report  # noqa: E402
from common_tables import Output  # noqa: E402
from persistent_experiments.measure import ExperimentError  # noqa: E402
from scale_experiment import page, plots, runs, tables  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpi", default="mpich,openmpi", help="a list (mpich,openmpi)")
    parser.add_argument("--ranks", default="2,4,8,16,32", help="of real runs")
    parser.add_argument("--simulated", default="64,256,1024,4096", help="ranks of simulated runs")
    parser.add_argument("--planned", type=int, default=1 << 20, help="most ranks (2^20)")
    parser.add_argument("--repetitions", type=int, default=5, help="of real runs (5)")
    common_report.add_options(parser, "scale", "the runs of all")
    return parser.parse_args()


def numbers(text):
    return [int(word) for word in text.split(",") if word]


def measure(options, fail):
    raw = {"loops": [], "planned": [], "cyclic": []}
    mpis = [name for name in options.mpi.split(",") if name]
    jobs = [(name, ranks) for name in mpis for ranks in numbers(options.ranks)]
    jobs += [("simulated", ranks) for ranks in numbers(options.simulated)]
    with Console(stderr=True).status("starting") as status:
        for name, ranks in jobs:
            status.update(f"{ranks} ranks, {name}")
            try:
                raw["loops"].append(
                    runs.simulated(options.builds, ranks)
                    if name == "simulated"
                    else runs.real(options.builds, name, ranks, options.repetitions)
                )
            except ExperimentError as error:
                fail(f"{ranks} ranks, {name}: {error}")
        if options.planned:
            status.update("planning")
            raw["planned"] = runs.planned(options.builds, "mpich", options.planned, False)
            raw["cyclic"] = runs.planned(options.builds, "mpich", options.planned, True)
    return raw


def begun():
    return {
        "commit": common_environment.commit(),
        "conditions": f"One machine of {os.cpu_count()} cores, which more ranks than that share, "
        f"beside other work; {time.strftime('%Y-%m-%d')}.",
    }


def together(found):
    """The last run's, and what it lacks of the others."""
    raw = dict(found[-1])
    for run in found[:-1]:
        raw["loops"] = [*run["loops"], *raw["loops"]]
        raw["planned"] = raw["planned"] or run["planned"]
        raw["cyclic"] = raw["cyclic"] or run["cyclic"]
    raw["problems"] = [problem for run in found for problem in run.get("problems", [])]
    raw["commit"] = ", ".join(dict.fromkeys(run["commit"] for run in found))
    return raw


def measured(options):
    problems = []
    return {**begun(), **measure(options, problems.append), "problems": problems}


def main():
    options = arguments()
    console = Output()
    earlier = common_report.earlier(options)
    raw = together(earlier) if earlier else measured(options)
    problems = raw["problems"]
    common_report.report(console, raw, tables.all_of(raw), options.output)
    plots.draw(raw, options.output / "scale.png")
    if options.publish:
        page.write(raw, options.publish)
    for text in problems:
        print(f"scale: {text}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ExperimentError as error:
        sys.exit(f"scale: {error}")
    except KeyboardInterrupt:
        sys.exit("scale: stopped.")
