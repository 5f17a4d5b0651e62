# SPDX-License-Identifier: BSD-3-Clause
"""Runs the walkers (examples/mcmc.c): on this machine, on a simulated one, or planned."""

import json
import statistics

import mpi_launch
from persistent_experiments.measure import ExperimentError, program, start
from simulated import Cluster, SimulationError, launch

GROUP, ITEM = 4, 100  # processes of a walker, ms of a step on one of them: the paper's
CORES = 4  # of a simulated node, as on a Blue Gene/P
ENVIRONMENT = {"CAUCUS_SHARED_MEMORY": "0"}  # its many segments, in one process, are too many


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
        cluster = Cluster(ranks // CORES, CORES)
        output = launch(cluster, path, words(way, noise), ENVIRONMENT, limit=limit)
    except SimulationError as error:
        raise ExperimentError(str(error)) from None
    return cell(output, "smpi", noise)


def cell(output, mpi, noise):
    for line in output.splitlines():
        if line.startswith("{"):
            return {"mpi": mpi, "noise": noise, **json.loads(line)}
    raise ExperimentError(f"the walkers said nothing: {output[-500:]}")


def planned(builds, ranks, way, noise=0):
    """The protocol alone, with a simulated clock (bench/plan_balance.c); of the other ways, what
    they take if talking costs nothing."""
    if way[0] != "async":
        return {"mpi": "planned", "noise": 0, **without_cost(ranks, way)}
    path = next(iter(sorted(builds.glob("*/bin/plan_balance"))), None)  # the same in all builds
    if path is None:
        raise ExperimentError("there is no plan_balance: run 'make build'.")
    words = [str(path), str(ranks), str(GROUP), str(ITEM), "2", "0.5", str(noise)]
    return cell(start(words, None, 300), "planned", noise)


def without_cost(ranks, way):
    """No balancing, or regrouping every so many steps by all processes, who wait for each other."""
    walkers = ranks // GROUP
    left = [10 * (walker * GROUP % 32) for walker in range(walkers)]
    item, ideal = ITEM / 1e3, sum(left) * ITEM / 1e3 / ranks
    baseline = max(left) * item / GROUP
    groups = [0 if way[0] == "none" else 1] * walkers  # that the processes of each were in
    works_on, seconds = list(range(walkers)), baseline if way[0] == "none" else 0
    while way[0] == "collective" and any(left):
        size = [0] * walkers
        for walker in works_on:
            size[walker] += GROUP
        turns = [min(way[1], steps) for steps in left]
        seconds += max(turn * item / each for turn, each in zip(turns, size) if turn)
        left = [steps - turn for steps, turn in zip(left, turns)]
        if not any(left):
            break
        following = [_next_busy(left, walker) for walker in works_on]
        grown = {walker for walker, other in zip(following, works_on) if walker != other}
        groups = [count + (walker in grown) for count, walker in zip(groups, following)]
        works_on = following
    return {
        "mode": way[0],
        "interval": way[1],
        "ranks": ranks,
        "seconds": seconds,
        "ideal": ideal,
        "baseline": baseline,
        "regroupings": {
            "mean": statistics.fmean(groups),
            "deviation": statistics.pstdev(groups),
            "least": min(groups),
            "most": max(groups),
        },
    }


def _next_busy(left, walker):
    while not left[walker]:
        walker = (walker + 1) % len(left)
    return walker
