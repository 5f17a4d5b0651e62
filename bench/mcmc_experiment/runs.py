# SPDX-License-Identifier: BSD-3-Clause
"""Runs the walkers (examples/mcmc.c), on this machine or a simulated one."""

import json

import mpi_launch
from persistent_experiments.measure import ExperimentError, program, start
from simulated import Cluster, SimulationError, launch

GROUP, ITEM = 4, 100  # processes of a walker, ms of a step on one of them: the paper's
CORES = 4  # of a simulated node, as on a Blue Gene/P


def ways(intervals):
    """Mode and interval of each."""
    return [("none", 1), ("async", 1), *(("collective", interval) for interval in intervals)]


def words(way, noise):
    mode, interval = way
    return [mode, str(GROUP), str(ITEM), str(interval), str(noise), "json"]


def here(builds, mpi, ranks, way, noise=0, timeout=120):
    """On this machine."""
    command = [program(builds, mpi, "mcmc"), *words(way, noise)]
    command, env = mpi_launch.command(mpi, ranks, command, {})
    return cell(start(command, env, timeout), mpi, noise)


def simulated(builds, ranks, way, noise=0, limit=3000):
    """By SMPI, on nodes of four cores with a card of 10 Gbit/s each."""
    path = program(builds, "smpi", "mcmc")
    try:
        output = launch(Cluster(ranks // CORES, CORES), path, words(way, noise), limit=limit)
    except SimulationError as error:
        raise ExperimentError(str(error)) from None
    return cell(output, "smpi", noise)


def cell(output, mpi, noise):
    for line in output.splitlines():
        if line.startswith("{"):
            return {"mpi": mpi, "noise": noise, **json.loads(line)}
    raise ExperimentError(f"the walkers said nothing: {output[-500:]}")
