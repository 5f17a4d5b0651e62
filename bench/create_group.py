#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What it costs to make a communicator or a light group: of some ranks against their number, by all
ranks of the parent, and by the members alone (Figure 1 of Dinan et al., EuroMPI 2011)."""

import argparse
import json
import os
import sys
from tempfile import TemporaryDirectory

import common_environment

ROOT = common_environment.ROOT

from rich.console import Console  # noqa: E402

import common_report  # noqa: E402
import mpi_launch  # noqa: E402
from common_tables import Output  # noqa: E402
from create_group_experiment import figures, publish  # noqa: E402
from persistent_experiments.measure import (  # noqa: E402
    ExperimentError,
    program,
    settings,
    start,
)

MPIS = ("mpich", "openmpi")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpi", default=",".join(MPIS), help="a list (mpich,openmpi)")
    parser.add_argument("--ranks", type=int, default=16, help="of the parent (16)")
    parser.add_argument("--least", type=int, default=2, help="members (2)")
    parser.add_argument("--most", type=int, help="in steps of 2 times (the parent's ranks)")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--creations", type=int, default=5, help="of each sample (5)")
    common_report.add_options(parser, "create-group", "the cells of all")
    return parser.parse_args()


def cells(options, mpi):
    with TemporaryDirectory() as folder:
        path = f"{folder}/loop.json"
        words = [
            program(options.builds, mpi, "create_group_loop"),
            *("--least", str(options.least), "--most", str(options.most or options.ranks)),
            *("--json", path),
            *("--repetitions", str(options.repetitions), "--creations", str(options.creations)),
        ]
        command, env = mpi_launch.command(mpi, options.ranks, words, {})
        runs = []
        for launch in settings(command, options.ranks):
            start(launch, env, timeout=1800)
            with open(path) as file:
                runs.append([{"mpi": mpi, **json.loads(line)} for line in file])
        return figures.better(runs)


def measure(options):
    raw = {"cells": []}
    with Console(stderr=True).status("starting") as status:
        for mpi in options.mpi.split(","):
            status.update(f"{options.ranks} ranks, {mpi}")
            raw["cells"] += cells(options, mpi)
    raw["conditions"] = (
        f"One machine of {os.cpu_count()} cores, which more ranks than that share; where "
        "every rank has one, MPI was run with the settings that suit that and with those for more "
        f"ranks than cores, and the better median counts; {common_environment.when()}."
    )
    raw["samples"] = (
        f"Of {options.ranks} ranks: medians of {options.repetitions} samples, by turns, each the "
        f"median of {options.creations}."
    )
    return raw


def joined(runs):
    """The cells of all, and what is said of each once."""
    found = {"cells": [cell for raw in runs for cell in raw["cells"]]}
    for key in ("conditions", "samples"):
        found[key] = " ".join(dict.fromkeys(raw[key] for raw in runs))
    return found


def main():
    options = arguments()
    console = Output()
    earlier = common_report.earlier(options)
    raw = joined(earlier or [measure(options)])
    tables = figures.tables(figures.rows(raw["cells"]))
    console.print(raw["samples"])
    common_report.report(console, raw, tables, options.output)
    if options.publish:
        publish.write(raw, tables, options.publish)


if __name__ == "__main__":
    try:
        main()
    except ExperimentError as error:
        sys.exit(f"create_group: {error}")
    except KeyboardInterrupt:
        sys.exit("create_group: stopped.")
