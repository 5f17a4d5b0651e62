# SPDX-License-Identifier: BSD-3-Clause
"""Groups formed by their members alone: what one costs, beside MPI's communicators."""

import json

import mpi_launch
from create_group_experiment import figures, plots

from . import groups_show
from .stage import here

TITLE = "Groups formed by their members alone: what one costs"
show = groups_show.show

RANKS, LEAST = 8, 4  # of the parent, and members of the smallest group
PROGRAM = "create_group_loop"
REPETITIONS, CREATIONS = 3, 3


def measure(stage, least, repetitions):
    """Rows of figures, from groups of so many ranks on."""
    stage.say(f"groups of {least} to {RANKS} ranks")
    path = stage.folder / "groups.jsonl"
    words = [stage.program(PROGRAM), "--least", str(least), "--json", str(path)]
    words += ["--repetitions", str(repetitions), "--creations", str(CREATIONS)]
    command, env = mpi_launch.command(stage.mpi, RANKS, words, {})
    here(command, env)
    cells = [{"mpi": stage.mpi, **json.loads(line)} for line in path.read_text().splitlines()]
    return figures.rows(cells)


def run(stage):
    rows = measure(stage, LEAST, REPETITIONS)
    picture = stage.folder / "groups.png"
    plots.draw(rows, picture)
    return {"rows": rows, "picture": picture.name, "problems": problems(rows)}


def problems(rows):
    """Whatever the machine: a group without a message is faster than MPI's communicator."""
    return [
        f"groups: a range of {row['members']} is no faster than {figures.NATIVE}"
        for row in rows
        if figures.faster(row, figures.RANGE) < 1
    ]
