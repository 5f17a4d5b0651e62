#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Collectives between two groups, on virtual nodes."""

import argparse
import itertools
import json
import os
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import common_environment

ROOT = common_environment.ROOT

from rich.console import Console  # noqa: E402

from common_tables import Output, markdown, shown  # noqa: E402
from intergroup_experiments import cases, figures, measure, publish, tables  # noqa: E402
from lab import Lab, LabError, available  # noqa: E402

MPIS = ("mpich", "openmpi", "intel", "system")
NO_TIME = "left out, there was no time."


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpi", help="a list such as mpich,openmpi (default: all that are built)")
    parser.add_argument("--quick", action="store_true", help="less of everything: about a minute")
    parser.add_argument("--rate", default="200mbit", help="speed of the nodes' cards (200mbit)")
    parser.add_argument("--nodes", help="only so many, such as 8")
    parser.add_argument("--groups", help="only these sizes of groups, such as 4:4,1:7")
    parser.add_argument("--minutes", type=float, default=25, help="what begins later is left out")
    parser.add_argument("--builds", type=Path, default=ROOT / "build", help=argparse.SUPPRESS)
    parser.add_argument(
        "--again",
        type=Path,
        action="append",
        metavar="RAW.json",
        help="report an earlier run; several times: all cells of these together",
    )
    parser.add_argument(
        "--publish", type=Path, metavar="FOLDER", help="write the guide's page, too"
    )
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "intergroup")
    return parser.parse_args()


def chosen_mpis(options):
    if options.mpi:
        return options.mpi.split(",")
    return [name for name in MPIS if (options.builds / name / "bin" / "intergroup_loop").exists()]


def on_nodes(options, scale, mpis, nodes, say, late):
    """All cells on so many virtual nodes: (cells, problems)."""
    found, problems = [], []
    asked = options.groups.split(",") if options.groups else scale.groups[nodes]
    # Where segments are cut is not what is asked here: cards that cut them cost the cores less.
    wiring = {"nodes": nodes, "rate": options.rate, "segmentation": True}
    with Lab(**wiring) as lab, TemporaryDirectory() as folder:

        def run(model, groups, cells, ways):
            if late():
                problems.append(f"{mpi}, {nodes} nodes, {groups}: {NO_TIME}")
                return
            path = measure.program(options.builds, mpi)
            words = (lab, path, mpi, model, groups, cells, scale, ways)
            cells, problem = measure.across(*words)
            found.extend(cells)
            problems.extend([problem] if problem else [])

        for mpi in mpis:
            say(f"what messages cost on {nodes} virtual nodes, {mpi}")
            model = f"{folder}/{mpi}.txt"
            measure.tune(lab, options.builds, mpi, model)
        groups = [groups for groups in scale.groups[nodes] if groups in asked]
        for chosen, mpi in itertools.product(groups, mpis):
            say(f"groups of {chosen} nodes, {mpi}")
            run(f"{folder}/{mpi}.txt", chosen, cases.cells(scale, nodes, chosen), "all")
        for mpi, model in itertools.product(mpis, (None, "auto")):
            say(f"untuned, CAUCUS_MODEL={model or 'default'}, {mpi}")
            run(model, *cases.defaults(scale, nodes), "ours")
    return found, problems


def measure_all(options):
    scale = cases.QUICK if options.quick else cases.FULL
    mpis = chosen_mpis(options)
    there, why_not = available()
    if not mpis:
        raise measure.ExperimentError("nothing is built: run 'make build'.")
    if not there:
        raise measure.ExperimentError(f"virtual nodes are needed: {why_not}")
    begun = time.monotonic()
    raw = {"cells": [], "problems": []}
    with Console(stderr=True).status("starting") as status:
        for nodes in scale.machines:
            if options.nodes and str(nodes) not in options.nodes.split(","):
                continue
            cells, problems = on_nodes(
                options,
                scale,
                mpis,
                nodes,
                status.update,
                lambda: time.monotonic() - begun > 60 * options.minutes,
            )
            raw["cells"] += cells
            raw["problems"] += problems
            options.output.mkdir(parents=True, exist_ok=True)
            (options.output / "raw.json").write_text(json.dumps(raw) + "\n")
    raw["conditions"] = (
        f"Virtual nodes of {cases.PPN} ranks with cards of {options.rate} on one machine of "
        f"{os.cpu_count()} cores, which all ranks share; Caucus chooses by what `caucus tune` "
        f"measures on them. Medians of up to {scale.repetitions} repetitions; of what takes longer "
        f"than {scale.seconds:g} s, one. {common_environment.when()}; "
        f"{(time.monotonic() - begun) / 60:.0f} minutes."
    )
    return raw


def report(options, raw, console):
    """Prints the tables and writes everything; returns what went wrong."""
    folder = options.output
    folder.mkdir(parents=True, exist_ok=True)
    rows = figures.rows(raw["cells"])
    found = figures.verdicts(rows)
    all_tables = [*publish.all_tables(rows), tables.verdicts(found)]
    for table in all_tables:
        console.print(shown(table))
    publish.draw(rows, folder)
    (folder / "raw.json").write_text(json.dumps(raw) + "\n")
    (folder / "figures.json").write_text(json.dumps(rows, indent=1) + "\n")
    text = "\n".join(markdown(table) for table in all_tables)
    (folder / "tables.md").write_text(f"{raw['conditions']}\n\n{text}\n{publish.shortfalls(found)}")
    if options.publish:
        publish.write(raw, options.publish)
    console.print(f"Tables, plots and raw figures are in {folder}.")
    broken = [verdict["what"] for verdict in found if verdict["failing"]]
    return raw["problems"] + figures.failures(rows) + [f"not kept: {what}" for what in broken]


def together(runs):
    """Of the same cell, the last. What earlier runs left out for lack of time is no problem where
    another one has it."""
    names = ("mpi", "nodes", "ppn", "groups", "collective", "shape", "bytes", "model")
    by_name = {tuple(cell[name] for name in names): cell for run in runs for cell in run["cells"]}
    cells = list(by_name.values())
    there = {f"{cell['mpi']}, {cell['nodes']} nodes, {cell['groups']}:" for cell in cells}
    late = {f"{place} {NO_TIME}" for place in there}
    problems = [problem for run in runs for problem in run["problems"]]
    return {
        "cells": cells,
        "problems": [found for found in problems if found not in late],
        "conditions": " And: ".join(run["conditions"] for run in runs),
    }


def main():
    options = arguments()
    console = Output()
    earlier = [json.loads(path.read_text()) for path in options.again or []]
    raw = together(earlier) if earlier else measure_all(options)
    console.print(raw["conditions"])
    problems = report(options, raw, console)
    for problem in problems:
        print(f"intergroup: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (measure.ExperimentError, LabError) as error:
        sys.exit(f"intergroup: {error}")
    except KeyboardInterrupt:
        sys.exit("intergroup: stopped.")
