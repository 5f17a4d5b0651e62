#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The experiment with redistributions: random decompositions between two groups of ranks, by
caucus_redistribute_init, by MPI_Alltoallw on the intercommunicator, and by messages by hand."""

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
from lab import Lab, LabError, available  # noqa: E402
from persistent_experiments.measure import (  # noqa: E402
    ExperimentError,
    program,
    settings,
    start,
)
from redistribute_experiments import figures, publish  # noqa: E402

MPIS = ("mpich", "openmpi")
GROUPS = ((1, 1), (2, 2), (1, 3), (3, 1))
LAB = 5  # times longer are samples there: cards let 64 KiB through at once after a pause


def _groups(text):
    return [tuple(map(int, pair.split("+"))) for pair in text.split(",")]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpi", default=",".join(MPIS), help="a list (mpich,openmpi)")
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.01, help="of each sample (0.01)")
    parser.add_argument("--least", type=int, default=1 << 10, help="bytes of a rank (1 KiB)")
    parser.add_argument("--most", type=int, default=4 << 20, help="in steps of 16 times (4 MiB)")
    parser.add_argument("--groups", default=GROUPS, type=_groups, help="a list (1+1,2+2)")
    parser.add_argument("--length", help="of ranges; 0: one for each pair (0, 1, 16 and 256)")
    parser.add_argument("--both", choices=("0", "1"), help="0: one way only; 1: both ways only")
    parser.add_argument("--rate", default="200mbit", help="speed of virtual nodes' cards (200mbit)")
    parser.add_argument("--no-lab", action="store_true", help="leave virtual nodes out")
    parser.add_argument("--lab-only", action="store_true", help="nothing but virtual nodes")
    common_report.add_options(parser, "redistribute", "all samples of these together")
    return parser.parse_args()


def words(options, mpi, first, path, most, seconds):
    return [
        program(options.builds, mpi, "redistribute_loop"),
        *("--first", str(first), "--least", str(options.least), "--most", str(most)),
        *(("--length", options.length) if options.length else ()),
        *(("--both", options.both) if options.both else ()),
        *("--repetitions", str(options.repetitions), "--seconds", str(seconds)),
        *("--json", path),
    ]


def cells(path, **known):
    with open(path) as file:
        return [{**known, **json.loads(line)} for line in file]


def here(options, mpi, groups):
    """On this machine. Where each rank has a core, MPI is run with the settings that suit that and
    with those for oversubscription."""
    found = []
    with TemporaryDirectory() as folder:
        path = f"{folder}/loop.json"
        command, env = mpi_launch.command(
            mpi,
            sum(groups),
            words(options, mpi, groups[0], path, options.most, options.seconds),
            {},
        )
        for launch in settings(command, sum(groups)):
            start(launch, env, timeout=900)
            found.append(cells(path, mpi=mpi, groups=groups, where="one node"))
    return figures.better(found)


def across(options, lab, mpi):
    """Two virtual nodes, a group on each."""
    with TemporaryDirectory() as folder:
        path = f"{folder}/loop.json"
        lab.run(
            words(options, mpi, 2, path, min(options.most, 256 << 10), LAB * options.seconds),
            mpi=mpi,
            ppn=2,
            placement="blocks",
            timeout=900,
        )
        return cells(path, mpi=mpi, groups=(2, 2), where="two virtual nodes")


def measure(options):
    mpis, raw = options.mpi.split(","), {"cells": []}
    with Console(stderr=True).status("starting") as status:
        for groups in [] if options.lab_only else options.groups:
            for mpi in mpis:
                status.update(f"{groups[0]} to {groups[1]} ranks, {mpi}")
                raw["cells"] += here(options, mpi, groups)
        there, why_not = available()
        if there and not options.no_lab:
            with Lab(nodes=2, rate=options.rate) as lab:
                for mpi in mpis:
                    status.update(f"virtual nodes, {mpi}")
                    raw["cells"] += across(options, lab, mpi)
    lab_said = f"cards of {options.rate}" if there else f"no virtual nodes: {why_not}"
    raw["conditions"] = (
        f"One machine of {os.cpu_count()} cores, so that more ranks than that share them; medians "
        f"of {options.repetitions} samples of {options.seconds:g} s, by turns, {LAB} times that on "
        f"virtual nodes; {lab_said}; {common_environment.when()}."
    )
    return raw


def main():
    options = arguments()
    console = Output()
    earlier = common_report.earlier(options)
    raw = figures.pooled(earlier) if earlier else measure(options)
    rows = figures.rows(raw["cells"])
    tables = figures.tables(rows)
    common_report.report(console, raw, tables, options.output)
    if options.publish:
        publish.write(raw, rows, tables, options.publish)
    return 0 if figures.is_kept(rows) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (ExperimentError, LabError) as error:
        sys.exit(f"redistribute: {error}")
    except KeyboardInterrupt:
        sys.exit("redistribute: stopped.")
