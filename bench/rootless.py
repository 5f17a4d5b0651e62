#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The experiment with rootless broadcasts: channels against a coordinator, a loop of sends, and
MPI_Bcast with a known root, on one node and on virtual nodes; and planned for larger machines."""

import argparse
import json
import os
import shlex
import sys
import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import common_environment

ROOT = common_environment.ROOT

from rich.console import Console  # noqa: E402

import mpi_launch  # noqa: E402
from common_tables import Output, markdown, shown  # noqa: E402
from lab import Lab, LabError, available  # noqa: E402
from persistent_experiments.measure import (  # noqa: E402
    ExperimentError,
    program,
    settings,
    start,
)
from rootless_experiments import figures, plots, publish, tables  # noqa: E402

MPIS = ("mpich", "openmpi")
PARTS = ("node", "lab", "plan")
# Machines, sizes, casts of each rank, casts that share a message.
PLANNED = (
    ("8x2,16x8,64x8", "10,100,1000,10000", 6, 1),
    ("128x8", "100", 2, 1),
    ("64x8", "10,100", 2, 50),
)
# What plays the network's part is the kernel of the same machine: ranks that wait must not keep it
# from the processors.
POLITE = ("nice", "-n", "19")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpi", default=",".join(MPIS), help="a list (mpich,openmpi)")
    parser.add_argument("--parts", default=",".join(PARTS), help="a list (node,lab,plan)")
    parser.add_argument("--ranks", default="2,4,8,16", help="on one node (2,4,8,16)")
    parser.add_argument("--nodes", type=int, default=8, help="virtual nodes (8)")
    parser.add_argument("--ppn", type=int, default=2, help="ranks of each (2)")
    parser.add_argument("--rate", default="200mbit", help="speed of their cards (200mbit)")
    parser.add_argument("--sizes", default="10,100,1000,10000", help="bytes of a cast")
    parser.add_argument("--patterns", default="fixed,varied,all,lone")
    parser.add_argument("--casts", type=int, default=10000, help="the most of a sample (10000)")
    parser.add_argument("--lone", type=int, default=20, help="lone casts of a sample (20)")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.1, help="of a sample (0.1)")
    parser.add_argument("--timeout", type=int, default=900, help="seconds of a program (900)")
    parser.add_argument("--quick", action="store_true", help="less of everything")
    parser.add_argument("--builds", type=Path, default=ROOT / "build", help=argparse.SUPPRESS)
    parser.add_argument(
        "--again",
        type=Path,
        metavar="RAW.json",
        action="append",
        help="report an earlier run; several times: the cells of all",
    )
    parser.add_argument(
        "--publish", type=Path, metavar="FOLDER", help="write the guide's page, too"
    )
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "rootless")
    options = parser.parse_args()
    if options.quick:
        options.ranks, options.sizes = "2,4", "10,1000"
        options.seconds, options.repetitions = 0.03, 2
    return options


def words(options, mpi, path):
    return [
        program(options.builds, mpi, "rootless_loop"),
        *("--sizes", options.sizes, "--patterns", options.patterns),
        *("--repetitions", str(options.repetitions), "--seconds", str(options.seconds)),
        *("--casts", str(options.casts), "--lone", str(options.lone), "--json", path),
    ]


def cells(path, **known):
    with open(path) as file:
        return [{**json.loads(line), **known} for line in file if line.endswith("\n")]


def here(options, mpi, ranks):
    with TemporaryDirectory() as folder:
        path = f"{folder}/cells.json"
        command, env = mpi_launch.command(mpi, ranks, words(options, mpi, path), {})
        runs, problems = [], []
        for launch in settings(command, ranks):
            open(path, "w").close()
            problems += _tried(partial(start, launch, env, timeout=options.timeout))
            runs.append(cells(path, mpi=mpi, where="one node"))
        return figures.better(runs), problems


def across(options, lab, mpi):
    with TemporaryDirectory() as folder:
        path = f"{folder}/cells.json"
        open(path, "w").close()
        asked = [*POLITE, *words(options, mpi, path), "--yield", "1"]
        where = {"mpi": mpi, "ppn": options.ppn, "timeout": options.timeout}
        problem = _tried(lambda: lab.run(asked, **where))
        return cells(path, mpi=mpi, where=f"{options.nodes}×{options.ppn} virtual nodes"), problem


def _tried(run):
    """What went wrong: the cells that were measured by then are there."""
    try:
        run()
    except (ExperimentError, LabError) as error:
        return [str(error).splitlines()[0][:300]]
    return []


def planned(options, say):
    """The model's figures."""
    path = next(
        (
            options.builds / mpi / "bin" / "plan_rootless"
            for mpi in ("none", *options.mpi.split(","))
            if (options.builds / mpi / "bin" / "plan_rootless").exists()
        ),
        None,
    )
    if path is None:
        raise ExperimentError("there is no plan_rootless: run 'make build'.")
    found = []
    with TemporaryDirectory() as folder:
        for number, (machines, sizes, casts, shared) in enumerate(PLANNED):
            if options.quick and number:
                break
            say(f"planned, {machines}")
            told = f"{folder}/{number}.json"
            asked = ["--machines", machines, "--sizes", sizes, "--casts", str(casts)]
            asked += ["--together", str(shared), "--json", told]
            start([str(path), *asked], None, timeout=900)
            found += cells(told)
    return found


def measure(options):
    mpis, parts = options.mpi.split(","), options.parts.split(",")
    raw = {"cells": [], "models": [], "problems": []}

    def keep(found):
        raw["cells"] += found[0]
        raw["problems"] += found[1]

    there, why_not = available() if "lab" in parts else (False, "left out")
    with Console(stderr=True).status("starting") as status:
        for ranks in options.ranks.split(",") if "node" in parts else ():
            for mpi in mpis:
                status.update(f"{ranks} ranks on one node, {mpi}")
                keep(here(options, mpi, int(ranks)))
        if there:
            with Lab(nodes=options.nodes, rate=options.rate, segmentation=True) as lab:
                for mpi in mpis:
                    status.update(f"{options.nodes} virtual nodes, {mpi}")
                    keep(across(options, lab, mpi))
        if "plan" in parts:
            raw["models"] = planned(options, status.update)
    raw["conditions"] = (
        f"One machine of {os.cpu_count()} cores, which all ranks share, those of virtual nodes too "
        f"(cards of {options.rate}): more ranks than cores take turns, and times of theirs are not "
        f"those of a network. Medians of {options.repetitions} samples of {options.seconds:g} s, "
        f"at most {options.casts} casts each; {time.strftime('%Y-%m-%d')}. Where every rank has a "
        "core, MPI was run with the settings that suit that and with those for more ranks than "
        "cores, and the better median counts."
        + ("" if there or "lab" not in parts else f" No virtual nodes: {why_not}")
    )
    raw["commit"] = common_environment.commit()
    raw["command"] = shlex.join([".venv/bin/python", "bench/rootless.py", *_told(sys.argv[1:])])
    return raw


def _told(words):
    """The arguments that matter to who repeats it."""
    hidden = ("--builds", "--output", "--publish", "--again")
    pairs = zip([None, *words], words)
    return [word for before, word in pairs if word not in hidden and before not in hidden]


def together(runs):
    """The cells of several runs; of the same cell, the last."""
    found = runs[-1]
    by_name = {
        (cell["mpi"], cell["where"], cell["ranks"], cell["pattern"], cell["bytes"]): cell
        for run in runs
        for cell in run["cells"]
    }
    found["cells"] = list(by_name.values())
    found["problems"] = [problem for run in runs for problem in run["problems"]]
    found["models"] = next((run["models"] for run in reversed(runs) if run["models"]), [])
    found["command"] = "\n$ ".join(dict.fromkeys(run["command"] for run in runs))
    measured = [run["commit"] for run in runs if run["cells"]]
    found["commit"] = ", ".join(dict.fromkeys(measured)) or found["commit"]
    return found


def main():
    options = arguments()
    console = Output()
    earlier = [json.loads(path.read_text()) for path in options.again or []]
    raw = together(earlier) if earlier else measure(options)
    rows = figures.rows(raw["cells"])
    found = figures.verdicts(rows, raw["models"])
    all_tables = [*tables.everything(rows, raw["models"]), tables.verdicts(found)]
    console.print(raw["conditions"])
    for table in all_tables:
        console.print(shown(table))
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "raw.json").write_text(json.dumps(raw) + "\n")
    (options.output / "tables.md").write_text("\n".join(markdown(table) for table in all_tables))
    plots.draw(rows, options.output / "rootless.png")
    if options.publish:
        publish.write(raw, options.publish)
    console.print(f"Tables, the plot and raw figures are in {options.output}.")
    wrong = raw["problems"] + figures.failures(rows)
    for text in wrong + [f"not kept: {verdict['what']}" for verdict in found if verdict["failing"]]:
        print(f"rootless: {text}", file=sys.stderr)
    return 1 if wrong or any(verdict["failing"] for verdict in found) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (ExperimentError, LabError) as error:
        sys.exit(f"rootless: {error}")
    except KeyboardInterrupt:
        sys.exit("rootless: stopped.")
