# SPDX-License-Identifier: BSD-3-Clause
"""bench/scale_loop.c on real and on simulated machines, and bench/plan_ranks.c."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import mpi_launch
from persistent_experiments.measure import ExperimentError, program, start
from simulated import Cluster, SimulationError, launch

PER_NODE = 16  # simulated
LIMIT = 600  # seconds
# Messages leave before their receives are posted, as in any MPI.
EAGER = {"smpi/async-small-thresh": "65536"}


def real(builds, mpi, ranks, repetitions):
    with TemporaryDirectory() as folder:
        path = f"{folder}/loop.json"
        words = [program(builds, mpi, "scale_loop"), "--repetitions", str(repetitions)]
        command, env = mpi_launch.command(mpi, ranks, [*words, "--json", path], {})
        start(command, env, LIMIT)
        return {"where": mpi, **json.loads(Path(path).read_text())}


def simulated(builds, ranks):
    cluster = Cluster(max(1, ranks // PER_NODE), min(ranks, PER_NODE))
    path = program(builds, "smpi", "scale_loop")
    # To measure would take the host's time.
    environment = {"CAUCUS_MODEL": "default", "CAUCUS_SELECT": "model"}
    with TemporaryDirectory() as folder:
        told = Path(folder) / "loop.json"
        words = ["--repetitions", "0", "--json", str(told)]
        try:
            launch(cluster, path, words, environment, limit=LIMIT, settings=EAGER)
        except SimulationError as error:
            raise ExperimentError(str(error)) from None
        return {"where": "simulated", **json.loads(told.read_text())}


def planned(builds, mpi, most, cyclic):
    with TemporaryDirectory() as folder:
        path = f"{folder}/plan.json"
        words = [program(builds, mpi, "plan_ranks"), "--most", str(most), "--json", path]
        start([*words, "--cyclic", str(int(cyclic))], None, LIMIT)
        return json.loads(Path(path).read_text())
