# SPDX-License-Identifier: BSD-3-Clause
"""bench/rootless_loop.c on a simulated cluster."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from persistent_experiments.measure import ExperimentError, program
from rootless_experiments.figures import ALONE, CHANNEL, COORDINATOR, FLOOR, LOOP, WAYS
from simulated import Cluster, SimulationError, launch

PER_NODE = 8
# The library's default machine, but for its cards, which are twice as fast.
MACHINE = {
    "bandwidth": "12.5GBps",
    "latency": "0.5us",  # of a node's link; a message between nodes takes two
    "memory_bandwidth": "5GBps",
    "memory_latency": "0.5us",
}
NEAR, FAR = 100, 300  # nanoseconds of a processor for a send or receive, within and between nodes
SETTINGS = {
    "smpi/test": "0",  # looks that find nothing: bench/simulated/patience.h
    "smpi/os": f"0:{NEAR}e-9:0",
    "smpi/ois": f"0:{NEAR}e-9:0",
    "smpi/or": f"0:{NEAR}e-9:0",
    "smpi/lat-factor": "0:1",
    "smpi/bw-factor": "0:1",
    "network/crosstraffic": "0",
}
# Short messages leave before their receives are posted, as in any MPI. Channels have theirs posted,
# and with this more of their runs lack a message at the end.
EAGER = {"smpi/async-small-thresh": "65536"}
FINGER, FINGER_TOGETHER = "finger tree, each alone", "finger tree"
FINGERS = {ALONE: FINGER, CHANNEL: FINGER_TOGETHER}
# Bytes of casts that are run in company: so short that those of a rank share a message or two. With
# many full messages of 16 KiB a rank was left without one of them, under SMPI.
SHORT = 100
# Simulated transfers that share a card are dear: not for long casts by loops of so many ranks.
LOOP_RANKS, LOOP_BYTES = 128, 10000


def casts_of(ranks, messages, most, pattern):
    """So many casts as take about so many messages; if all ranks cast, two of each at least."""
    least = 2 * ranks if pattern == "all" else 64
    return min(max(messages // ranks, least), most)


def plan(ranks, pattern, size, company):
    """The programs of a cell: (ways, whether nodes are known, whether casts have company)."""
    by_hand = [FLOOR, COORDINATOR, LOOP]
    if ranks > LOOP_RANKS and size >= LOOP_BYTES:
        by_hand.remove(LOOP)
    yield by_hand, True, False
    yield [ALONE], True, False
    yield [ALONE], False, False
    if pattern == "all" and size <= SHORT and ranks <= company:
        yield [CHANNEL], True, True
        yield [CHANNEL], False, True


def run(builds, ranks, pattern, size, casts, ways, nodes_known, limit):
    """A cell of such ways."""
    cluster = Cluster(ranks // PER_NODE, PER_NODE, **MACHINE)
    path = program(builds, "smpi", "rootless_loop")
    settings = {**SETTINGS, **({} if set(ways) & set(FINGERS) else EAGER)}
    environment = {"SIMULATED_NODE": str(PER_NODE), "SIMULATED_FAR": str(FAR - NEAR)}
    if not nodes_known:
        environment["CAUCUS_NODES"] = f"{ranks}x1"
    with TemporaryDirectory() as folder:
        told = Path(folder) / "cell"
        words = ["--sizes", size, "--patterns", pattern, "--casts", casts, "--json", told]
        words += ["--ways", ",".join(str(WAYS.index(way)) for way in ways)]
        words += ["--repetitions", 1, "--seconds", 0, "--yield", 1]
        try:
            launch(cluster, path, map(str, words), environment, limit=limit, settings=settings)
        except SimulationError as error:
            raise ExperimentError(str(error)) from None
        cell = json.loads(told.read_text())
    return cell if nodes_known else renamed(cell)


def renamed(cell):
    """Of a channel that knows no nodes."""
    new = dict(cell)
    for name in ("samples", "casts"):
        new[name] = {FINGERS[way]: value for way, value in cell[name].items()}
    new["wrong"] = [FINGERS[way] for way in cell["wrong"]]
    return new
