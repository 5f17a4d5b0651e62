# SPDX-License-Identifier: BSD-3-Clause
"""Groups that help each other: walkers with chains of very different length."""

import mpi_launch
from common_tables import shown
from mcmc_experiment import figures, runs

from .stage import here

TITLE = "Load balancing by groups: who is done joins the next that is not"
RANKS, ITEM = 32, 20  # processes, and ms of a step on one: a fifth of the paper's
PLANNED = 8192


def run(stage):
    cells = []
    for way in (("none", 1), ("collective", 8), ("async", 1)):
        stage.say(f"walkers, {way[0]}, {RANKS} processes")
        mode, interval = way
        words = [
            stage.program("mcmc"),
            mode,
            str(runs.GROUP),
            str(ITEM),
            str(interval),
            "0",
            "json",
        ]
        command, env = mpi_launch.command(stage.mpi, RANKS, words, {})
        cells.append(runs.cell(here(command, env).stdout, stage.mpi, 0))
    builds = stage.build.parent
    for way in (("none", 1), ("collective", 8), ("async", 1)):
        cells.append(runs.planned(builds, PLANNED, way))
    planned = figures.of(cells, ("planned", PLANNED))
    return {"cells": cells, "problems": [f"walkers: {text}" for text in figures.problems(planned)]}


def show(result):
    gains, *_, times = figures.tables(result["cells"])
    return [shown(times), shown(gains)]
