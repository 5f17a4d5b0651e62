#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Rootless broadcasts on a simulated cluster (SimGrid's SMPI): channels against
a coordinator, a loop of sends, and MPI_Bcast with a known root, on up to 512 ranks."""

import argparse
import json
import resource
import shlex
import sys

import common_environment

ROOT = common_environment.ROOT

from rich.console import Console  # noqa: E402

import common_report  # noqa: E402
from common_tables import Output  # noqa: E402
from persistent_experiments.measure import ExperimentError  # noqa: E402
from rootless_simulation import figures, plots, publish, runs  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ranks", default="16,64,128,256,512", help="on nodes of 8")
    parser.add_argument("--sizes", default="10,100,1000,10000", help="bytes of a cast")
    parser.add_argument("--patterns", default="all,fixed,varied")
    parser.add_argument("--casts", type=int, default=10000, help="the most of a run (10000)")
    parser.add_argument(
        "--messages", type=int, default=80000, help="about as many in a run (80000); 160000: longer"
    )
    parser.add_argument(
        "--company", type=int, default=64, help="most ranks of 10000 casts in company (64)"
    )
    parser.add_argument("--limit", type=int, default=900, help="seconds of a program (900)")
    common_report.add_options(parser, "rootless-simulated", "the cells of all")
    return parser.parse_args()


def numbers(text):
    return [int(word) for word in text.split(",") if word]


def measure(options, keep, fail):
    """Calls keep with each cell, fail with words about what did not end well."""
    with Console(stderr=True).status("starting") as status:
        for ranks in numbers(options.ranks):
            for pattern in options.patterns.split(","):
                for size in numbers(options.sizes):
                    few = runs.casts_of(ranks, options.messages, options.casts, pattern)
                    for ways, known, company in runs.plan(ranks, pattern, size, options.company):
                        status.update(f"{ranks} ranks, {pattern}, {size} bytes: {', '.join(ways)}")
                        casts = options.casts if company else few
                        run = (ranks, pattern, size, casts, ways, known, options.limit)
                        try:
                            keep(runs.run(options.builds, *run))
                        except ExperimentError as error:
                            fail(f"{ranks} ranks, {pattern}, {size} bytes: {error}")


def begun():
    hidden = ("--builds", "--output", "--publish", "--again", "--limit")
    told = sys.argv[1:]
    words = [
        word
        for before, word in zip([None, *told], told)
        if before not in hidden and word not in hidden
    ]
    return {
        "cells": [],
        "seconds": 0,
        "commit": common_environment.commit(),
        "command": shlex.join([".venv/bin/python", "bench/rootless_simulated.py", *words]),
        "loop_ranks": runs.LOOP_RANKS,
        "loop_bytes": runs.LOOP_BYTES,
    }


def together(found):
    """The cells of several runs."""
    raw = dict(found[-1])
    raw["cells"] = [cell for run in found for cell in run["cells"]]
    raw["seconds"] = sum(run["seconds"] for run in found)
    raw["command"] = "\n$ ".join(dict.fromkeys(run["command"] for run in found))
    raw["commit"] = ", ".join(dict.fromkeys(run["commit"] for run in found))
    raw["company_casts"] = max(run["company_casts"] for run in found)
    return raw


def main():
    options = arguments()
    console = Output()
    options.output.mkdir(parents=True, exist_ok=True)
    raw = begun()
    raw["company_casts"] = options.casts
    kept, problems = options.output / "raw.json", []

    def keep(cell):
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        raw["cells"].append(cell)
        raw["seconds"] = round(used.ru_utime + used.ru_stime, 1)
        kept.write_text(json.dumps(raw) + "\n")

    earlier = common_report.earlier(options)
    if earlier:
        raw = together(earlier)
    else:
        measure(options, keep, problems.append)
    rows, tables = figures.rows(raw["cells"]), figures.tables(raw["cells"])
    common_report.report(console, {"conditions": "", **raw}, tables, options.output)
    plots.draw(rows, options.output / "rootless-simulated.png")
    if options.publish:
        publish.write(raw, options.publish)
    wrong = [
        f"{row['ranks']} ranks, {row['pattern']}, {way}" for row in rows for way in row["wrong"]
    ]
    problems += [f"{text} is WRONG" for text in wrong]
    for text in problems:
        print(f"rootless_simulated: {text}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ExperimentError as error:
        sys.exit(f"rootless_simulated: {error}")
    except KeyboardInterrupt:
        sys.exit("rootless_simulated: stopped.")
