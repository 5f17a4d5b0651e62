#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The experiment with persistent collectives: a loop of one collective in ten variants."""

import argparse
import itertools
import json
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import common_environment

ROOT = common_environment.ROOT

from rich.console import Console  # noqa: E402

from common_tables import Output, markdown, shown  # noqa: E402
from lab import Lab, LabError, available  # noqa: E402
from persistent_experiments import cases, figures, measure, publish, tables  # noqa: E402

MPIS = ("mpich", "openmpi", "intel", "system")
PARTS = ("ranks", "sizes", "back", "flags", "lab")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpi", help="a list such as mpich,openmpi (default: all that are built)")
    parser.add_argument("--quick", action="store_true", help="less of everything")
    parser.add_argument("--nodes", type=int, default=4, help="virtual nodes (4)")
    parser.add_argument("--ppn", type=int, default=2, help="ranks of each (2)")
    parser.add_argument("--rate", default="200mbit", help="speed of their cards (200mbit)")
    parser.add_argument("--builds", type=Path, default=ROOT / "build", help=argparse.SUPPRESS)
    parser.add_argument("--again", type=Path, metavar="RAW.json", help="report an earlier run")
    parser.add_argument(
        "--redo",
        action="append",
        choices=PARTS,
        help="measure this part again, and take the others from --again",
    )
    parser.add_argument(
        "--publish", type=Path, metavar="FOLDER", help="write the guide's page, too"
    )
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "persistent")
    return parser.parse_args()


def chosen_mpis(options):
    if options.mpi:
        return options.mpi.split(",")
    return [name for name in MPIS if (options.builds / name / "bin" / "persistent_loop").exists()]


def on_node(options, mpis, ranks, sizes, iterations, repetitions, say, shapes="same"):
    """The loop for every MPI, number of ranks, collective and size."""
    runs = []
    names = [name for name in cases.COLLECTIVES if shapes == "same" or name != "barrier"]
    for mpi, count, name in itertools.product(mpis, ranks, names):
        for size in cases.sizes_of(name, sizes):
            say(f"{name} of {size} bytes on {count} ranks, {mpi}")
            steps = iterations(size)
            words = (options.builds, mpi, count, name, size, steps, repetitions, shapes)
            runs.append(measure.here(*words))
    return runs


def in_lab(options, scale, mpis, say):
    runs = []
    with Lab(nodes=options.nodes, rate=options.rate) as lab, TemporaryDirectory() as folder:
        for mpi in mpis:
            say(f"what messages cost on {options.nodes} virtual nodes, {mpi}")
            model = f"{folder}/{mpi}.txt"
            measure.tune(lab, options.builds, mpi, options.ppn, model)
            where = (lab, options.builds, mpi, options.ppn, model)
            for name in cases.COLLECTIVES:
                for size in cases.sizes_of(name, scale.lab_sizes):
                    say(f"{name} of {size} bytes on {options.nodes} virtual nodes, {mpi}")
                    steps = cases.iterations(size, slow=True)
                    runs.append(measure.across(*where, name, size, steps, scale.repetitions))
    return runs


def parts(options, scale, mpis, say):
    """What measures each part."""
    both = (cases.CORES, 2 * cases.CORES)

    def swept(ranks, sizes, iterations, repetitions, shapes="same"):
        return on_node(options, mpis, ranks, sizes, iterations, repetitions, say, shapes)

    def back(shapes):
        ten, often = (lambda _: cases.FIRST_STARTS), scale.back_repetitions
        return swept(both, scale.back_sizes, ten, often, shapes)

    def flags():
        pairs = itertools.product(mpis, both)
        return [measure.flags(options.builds, mpi, ranks) for mpi, ranks in pairs]

    often = (cases.iterations, scale.repetitions)
    return {
        "ranks": lambda: swept(scale.ranks, (cases.INTEGER,), *often),
        "sizes": lambda: swept(both, scale.sizes, *often),
        "back": lambda: back("same") + back("new"),
        "flags": flags,
        "lab": lambda: in_lab(options, scale, mpis, say) if available()[0] else [],
    }


def when(raw):
    """When all parts were measured, or where that differs, each."""
    said = {name: raw["when"].get(name, "at a time that was not noted") for name in PARTS}
    if len(set(said.values())) == 1:
        return said[PARTS[0]]
    return "; ".join(f"{name}: {time}" for name, time in said.items())


def measure_all(options):
    """Runs everything, or what is to be done again; the raw figures, kept after each part."""
    scale = cases.QUICK if options.quick else cases.FULL
    mpis = chosen_mpis(options)
    if not mpis:
        raise measure.ExperimentError("nothing is built: run 'make build'.")
    raw = json.loads(options.again.read_text()) if options.again else {}
    with Console(stderr=True).status("starting") as status:
        for name, take in parts(options, scale, mpis, status.update).items():
            if not options.redo or name in options.redo:
                raw[name] = take()
                raw.setdefault("when", {})[name] = common_environment.when()
                options.output.mkdir(parents=True, exist_ok=True)
                (options.output / "raw.json").write_text(json.dumps(raw) + "\n")
    raw["conditions"] = (
        f"One machine of {os.cpu_count()} cores, so that more ranks than that share them; medians "
        f"of {scale.repetitions} repetitions, {scale.back_repetitions} where it is asked how soon "
        f"the init pays back; {when(raw)}."
    )
    there, why_not = available()
    raw["lab_conditions"] = (
        f"{options.nodes} virtual nodes of {options.ppn} ranks on the same machine, cards of "
        f"{options.rate}, which Caucus chooses for by what `caucus tune` measures on them."
        if there
        else f"Without virtual nodes: {why_not}"
    )
    return raw


def report(options, raw, console):
    """Prints the tables and writes everything; returns whether all promises were kept."""
    folder = options.output
    folder.mkdir(parents=True, exist_ok=True)
    ranks, sizes, lab = (figures.rows(raw[name]) for name in ("ranks", "sizes", "lab"))
    back = figures.back_rows(raw["back"])
    judged = figures.verdicts(ranks + sizes, back)
    all_tables = [
        tables.times(ranks, "One integer on one node"),
        tables.kept(ranks, "One integer on one node"),
        tables.flags(raw["flags"]),
        tables.times(sizes, "One node"),
        tables.back(back),
        *([tables.times(lab, "Virtual nodes")] if lab else []),
        tables.verdicts(judged),
    ]
    for table in all_tables:
        console.print(shown(table))
    publish.draw(raw, folder)
    (folder / "raw.json").write_text(json.dumps(raw) + "\n")
    rows = {"ranks": ranks, "sizes": sizes, "back": back, "lab": lab}
    (folder / "figures.json").write_text(json.dumps(rows, indent=1) + "\n")
    text = "\n".join(markdown(table) for table in all_tables)
    (folder / "tables.md").write_text(f"{raw['conditions']}\n\n{text}")
    if options.publish:
        publish.write(raw, options.publish)
    console.print(f"Tables, plots and raw figures are in {folder}.")
    return not any(failing for _, _, failing in judged)


def main():
    options = arguments()
    console = Output()
    if options.redo and not options.again:
        raise measure.ExperimentError("--redo needs --again, where the other parts are.")
    reports = options.again and not options.redo
    raw = json.loads(options.again.read_text()) if reports else measure_all(options)
    console.print(raw["conditions"])
    return 0 if report(options, raw, console) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (measure.ExperimentError, LabError) as error:
        sys.exit(f"persistent: {error}")
    except KeyboardInterrupt:
        sys.exit("persistent: stopped.")
