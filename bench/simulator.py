#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How near the simulator of schedules is: to the rules of another simulator, LogGOPS, and to what
the same schedules take on virtual nodes of one rank each."""

import argparse
import os
import statistics
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import common_environment

ROOT = common_environment.ROOT

from rich.console import Console  # noqa: E402

from common_report import missing  # noqa: E402
from common_tables import Output, markdown, shown  # noqa: E402
from intergroup_experiments.measure import ExperimentError, program  # noqa: E402
from lab import Lab, LabError, available  # noqa: E402
from simulator_experiment.cases import PLAYED, RUN  # noqa: E402
from simulator_experiment.play import Network, by_loggops, simulated  # noqa: E402

CLUSTER = Network(L=2.5e-6, o=1.5e-6, G=6e-9)
# Of each 1,448 bytes of a TCP segment 1,514 pass the card.
WIRE = 1514 / 1448
BURST = 1600
SILENCE_MS = 40
PAGE = """<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by: bench/simulator.py --publish docs/results -->
# How near the simulator is

`caucus schedule simulate` and the choice of algorithms rest on a simulator (`src/study/simulate`).
Here it is compared with the rules of another one, and with what takes place.

```console
$ make build MPI=mpich && make build MPI=openmpi
$ sudo .venv/bin/python bench/simulator.py --publish docs/results
```

It takes a minute or two; without virtual nodes, and then without root, the first table
alone is made (`--rates ''`). {when}.

## Against the rules of LogGOPS
The schedules are exported as GOAL text, as for
[LogGOPSim](https://spcl.inf.ethz.ch/Research/Performance/LogGOPSim/), and played by an event
simulator of 150 lines that shares nothing with ours (`bench/simulator_experiment/loggops.py`),
L 2.5 µs, o 1.5 µs, G 6 ns. *free*: processors go on while messages come in, and a send is
complete when its bytes have left. *buffered*: it is complete when its processor is free.
*held*: besides, a receiver's processor does nothing else while a message comes in, as in
LogGOPSim 1.1, where it costs o and the time of the bytes, whatever the overhead per byte is.

{played}
The simulators agree where they have the same rules. What LogGOPSim says beyond that is the
rule *held* alone: a rank that has several messages to send in a round has to wait with the second
until the first one that it receives is there. Cards with DMA, and kernels with sockets,
do not do that.

## Against virtual nodes
A rank on each node, cards of {rates}, both ways at once, that let {burst:,} bytes through after a
pause; persistent collectives by an algorithm forced by name, all ranks starting together after
a silence, the slowest rank, median of {starts} starts. The simulators are told the speed of the
card, {wire:.3f} bytes on it for each of a message, and half of a round trip of an empty message,
measured in the same run. Ranks share {cores} cores.

{run}
{missing}

Where it takes longer than simulated, messages share a card that the simulator gives to one after
the other: for MPI a send is complete once the kernel has its data, and the next step's message then
goes beside it. Trees suffer most, as the child with the most to pass on has its data no sooner than
the others: broadcasts by binomial trees take 1 or up to 1.7 times what is simulated, from start to
start.
"""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpi", default="mpich,openmpi", help="a list (mpich,openmpi)")
    parser.add_argument("--rates", default="4mbit", help="speeds of cards, a list (4mbit)")
    parser.add_argument("--starts", type=int, default=7, help="of each case (7)")
    parser.add_argument("--builds", type=Path, default=ROOT / "build", help=argparse.SUPPRESS)
    parser.add_argument(
        "--publish", type=Path, metavar="FOLDER", help="write the guide's page, too"
    )
    return parser.parse_args()


def played(folder):
    """Microseconds of each case, ours and by the rules."""
    model, lines = folder / "model.txt", []
    CLUSTER.write(model)
    for case in PLAYED:
        ours = simulated(case, model)
        theirs = [
            by_loggops(case, model, CLUSTER, held=held, buffered=buffered) / ours
            for held, buffered in ((False, False), (False, True), (True, True))
        ]
        lines.append([str(case), f"{1e6 * ours:,.1f}", *(f"{ratio:.3f}" for ratio in theirs)])
    columns = ("collective, algorithm, ranks × bytes", "ours µs", "free", "buffered", "held")
    return "times by LogGOPS, as multiples of ours", columns, lines


def run_case(lab, options, mpi, case, model):
    """(milliseconds that it takes, Network of the simulators) on the nodes of a lab."""
    cell = f"{case.collective}:{case.bytes}:{case.algorithm}"
    env = {"CAUCUS_MODEL": "default", "CAUCUS_CACHE": "none", "CAUCUS_TIMEOUT": "100"}
    words = [program(options.builds, mpi, "algorithm_loop"), options.starts, SILENCE_MS, cell]
    said = lab.run(words, mpi=mpi, ppn=1, timeout=300, env=env).stdout.splitlines()
    starts = [float(line.split()[2]) for line in said if line.startswith("start")]
    half = next(float(line.split()[1]) for line in said if line.startswith("half"))
    network = Network(L=0.5e-6 * half, o=0.25e-6 * half, G=8 * WIRE / lab.bits_per_second)
    network.write(model)
    return statistics.median(starts), network


def run(options, folder, say, problems):
    model, lines = folder / "model.txt", []
    places = [(rate, mpi) for rate in options.rates.split(",") for mpi in options.mpi.split(",")]
    for case in RUN:
        for rate, mpi in places:
            say(f"{case}, {mpi}, {rate}")
            try:
                with Lab(nodes=case.ranks, rate=rate, burst=BURST) as lab:
                    took, network = run_case(lab, options, mpi, case, model)
            except (ExperimentError, LabError) as error:
                problems.append(f"{case}, {mpi}, {rate}: {error}")
                continue
            ours = 1e3 * simulated(case, model)
            held = 1e3 * by_loggops(case, model, network, held=True, buffered=True)
            ratios = (f"{took / ours:.2f}", f"{took / held:.2f}")
            lines.append([str(case), mpi, rate, f"{took:.1f}", f"{ours:.1f}", *ratios])
    columns = ("collective, algorithm, ranks × bytes", "MPI", "card", "measured ms", "ours ms")
    return "measured, over what is simulated", (*columns, "over ours", "over held"), lines


def main():
    options = arguments()
    problems, tables = [], []
    if options.rates:
        there, why_not = available()
        if not there:
            sys.exit(f"simulator.py: virtual nodes are needed (or --rates ''): {why_not}")
    with Console(stderr=True).status("playing") as status, TemporaryDirectory() as name:
        tables.append(played(Path(name)))
        if options.rates:
            tables.append(run(options, Path(name), status.update, problems))
    Output().print(*map(shown, tables), *problems)
    if options.publish and len(tables) == 2:
        page = PAGE.format(
            when=common_environment.when(),
            played=markdown(tables[0]),
            run=markdown(tables[1]),
            missing=missing(problems),
            rates=options.rates,
            burst=BURST,
            starts=options.starts,
            wire=WIRE,
            cores=len(os.sched_getaffinity(0)),
        )
        (options.publish / "simulator.md").write_text(page)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
