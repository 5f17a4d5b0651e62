#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The experiments on grids: neighbours, halo exchange, placement of ranks, stencil sweep."""

import argparse
import itertools
import json
import os
import sys
from pathlib import Path

import common_environment

ROOT = common_environment.ROOT

from rich.console import Console  # noqa: E402

from common_tables import Output, markdown  # noqa: E402
from grid_experiments import figures, measure, publish, tables  # noqa: E402
from grid_experiments.cases import FULL, PLACEMENTS, QUICK  # noqa: E402
from lab import Lab, LabError, available  # noqa: E402

MPIS = ("mpich", "openmpi", "intel", "system")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpi", help="a list such as mpich,openmpi (default: all that are built)")
    parser.add_argument("--quick", action="store_true", help="less of everything: about a minute")
    parser.add_argument("--nodes", type=int, default=8, help="virtual nodes (8)")
    parser.add_argument("--ppn", type=int, default=4, help="ranks of each (4)")
    parser.add_argument("--rate", default="200mbit", help="speed of their cards (200mbit)")
    parser.add_argument(
        "--sweep-rate",
        default="20mbit",
        help="the same for the stencil sweep, slow enough for the network to set the pace (20mbit)",
    )
    parser.add_argument("--builds", type=Path, default=ROOT / "build", help=argparse.SUPPRESS)
    parser.add_argument("--again", type=Path, metavar="RAW.json", help="report an earlier run")
    parser.add_argument(
        "--publish", type=Path, metavar="FOLDER", help="write the guide's page, too"
    )
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "grids")
    return parser.parse_args()


def chosen_mpis(options):
    if options.mpi:
        return options.mpi.split(",")
    return [name for name in MPIS if (options.builds / name / "bin" / "halo_exchange").exists()]


def run_halos(options, scale, mpis, say):
    runs = []
    with Lab(nodes=options.nodes, rate=options.rate) as lab:
        for mpi, placement, case in itertools.product(mpis, PLACEMENTS, scale.cases):
            say(f"halo exchange on {case.name}, {mpi}, placed {PLACEMENTS[placement]}")
            words = (lab, options.builds, mpi, options.ppn, case, placement, scale)
            runs.append(measure.halo(*words))
    return runs


def run_sweeps(options, scale, mpis, say):
    runs = []
    with Lab(nodes=options.nodes, rate=options.sweep_rate) as lab:
        for mpi, placement in itertools.product(mpis, PLACEMENTS):
            say(f"stencil sweep, {mpi}, placed {PLACEMENTS[placement]}")
            runs.append(measure.sweep(lab, options.builds, mpi, options.ppn, placement, scale))
    return runs


def conditions(options, raw):
    """What a reader must know to judge the figures."""
    return (
        f"{options.nodes} virtual nodes of {options.ppn} ranks, cards of {options.rate} (stencil "
        f"sweep: {options.sweep_rate}), on a machine of {os.cpu_count()} cores, which "
        f"{options.nodes * options.ppn} ranks share: a time of less than some ten milliseconds is "
        f"the scheduler's. Bytes are counted exactly. Medians of {raw['repetitions']} repetitions "
        f"that alternate between the two communicators in one run; {raw['date']}."
    )


def report(options, raw, console):
    """Prints the tables and writes everything; returns whether all promises were kept."""
    folder = options.output
    folder.mkdir(parents=True, exist_ok=True)
    rows, sweep_rows = figures.halo_rows(raw["halo"]), figures.sweep_rows(raw["sweep"])
    judged = figures.verdicts(rows)
    shown = [tables.on_off(raw["on_off"])]
    if rows:
        shown += [tables.halo_bytes(rows), tables.halo_rates(rows)]
        shown += [tables.placement(figures.placement_rows(rows)), tables.sweeps(sweep_rows)]
        shown.append(tables.verdicts(judged))
        publish.draw(rows, sweep_rows, folder)
    for table in shown:
        console.print(shown(table))
    (folder / "raw.json").write_text(json.dumps(raw, indent=1) + "\n")
    (folder / "figures.json").write_text(json.dumps({"halo": rows, "sweep": sweep_rows}, indent=1))
    text = "\n".join(markdown(table) for table in shown)
    (folder / "tables.md").write_text(f"{raw['conditions']}\n\n{text}")
    if options.publish and rows:
        publish.write(raw, options.publish)
    console.print(f"Tables, plots and raw figures are in {folder}.")
    return raw["on_off"]["exact"] and not any(failing for _, _, failing in judged)


def measure_all(options):
    """Runs everything; the raw figures."""
    scale = QUICK if options.quick else FULL
    mpis = chosen_mpis(options)
    if not mpis:
        raise measure.ExperimentError("nothing is built: run 'make build'.")
    raw = {"date": common_environment.when(), "repetitions": scale.repetitions}
    raw.update(halo=[], sweep=[], on_off=measure.on_off_table(options.builds, mpis[0]))
    there, why_not = available()
    if not there:
        raw["conditions"] = f"Without virtual nodes only the planner was asked: {why_not}"
        return raw
    with Console(stderr=True).status("virtual nodes") as status:
        raw["halo"] = run_halos(options, scale, mpis, status.update)
        raw["sweep"] = run_sweeps(options, scale, mpis, status.update)
    raw["conditions"] = conditions(options, raw)
    return raw


def main():
    options = arguments()
    console = Output()
    raw = json.loads(options.again.read_text()) if options.again else measure_all(options)
    console.print(raw["conditions"])
    return 0 if report(options, raw, console) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (measure.ExperimentError, LabError) as error:
        sys.exit(f"grids: {error}")
    except KeyboardInterrupt:
        sys.exit("grids: stopped.")
