# SPDX-License-Identifier: BSD-3-Clause
"""A cluster for SMPI, and a program's run on it."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from provision import shell

PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="cluster" prefix="node-" suffix="" radical="0-{last}" speed="1Gf" core="{cores}"
           bw="{bandwidth}" lat="{latency}" sharing_policy="SPLITDUPLEX"
           loopback_bw="{memory_bandwidth}" loopback_lat="{memory_latency}"/>
</platform>
"""
# Algorithms that take no messages of all with all: SMPI's usual ones take minutes at 2,000 ranks.
ALGORITHMS = {
    "allgather": "bruck",
    "allgatherv": "ompi_bruck",
    "allreduce": "rdb",
    "barrier": "ompi_bruck",
    "bcast": "binomial_tree",
    "gather": "ompi_binomial",
    "reduce": "binomial",
    "scatter": "ompi_binomial",
}
SETTINGS = {
    # A probe or test takes its time, and no longer the more of them there were before.
    "smpi/grow-injected-times": "no",
    "smpi/iprobe": "1e-6",
    "smpi/test": "1e-6",
    # The host's own noise stays out: computation is given as sleeps.
    "smpi/simulate-computation": "no",
}
QUIET = ("xbt_cfg", "smpi_config", "smpi_coll", "smpi_request")


class SimulationError(RuntimeError):
    pass


@dataclass
class Cluster:
    """Each node has a card of its own, full duplex; ranks lie by node, `ranks_each` on each."""

    nodes: int
    ranks_each: int
    bandwidth: str = "1.25GBps"
    latency: str = "1us"
    memory_bandwidth: str = "10GBps"
    memory_latency: str = "0.2us"

    @property
    def ranks(self):
        return self.nodes * self.ranks_each

    def write(self, folder):
        """The platform and the list of hosts, as files in folder."""
        platform, hosts = Path(folder) / "platform.xml", Path(folder) / "hosts"
        platform.write_text(
            PLATFORM.format(last=self.nodes - 1, cores=self.ranks_each, **vars(self))
        )
        hosts.write_text("".join(f"node-{node}\n" * self.ranks_each for node in range(self.nodes)))
        return platform, hosts


def launch(cluster, program, arguments=(), environment=None, ranks=None, limit=600, settings=None):
    """What the program prints; it was built with CAUCUS_MPI=smpi. settings: SimGrid's, besides or
    in the place of those above."""
    if not shutil.which("smpirun"):
        raise SimulationError("there is no smpirun: make build MPI=smpi brings it.")
    with TemporaryDirectory() as folder:
        platform, hosts = cluster.write(folder)
        command = ["smpirun", "-np", ranks or cluster.ranks]
        command += ["-platform", platform, "-hostfile", hosts]
        command += [f"--cfg=smpi/{name}:{way}" for name, way in ALGORITHMS.items()]
        command += [
            f"--cfg={name}:{value}" for name, value in {**SETTINGS, **(settings or {})}.items()
        ]
        command += [f"--log={name}.threshold:error" for name in QUIET]
        command += [program, *arguments]
        finished = shell.run(command, limit, env={**os.environ, **(environment or {})}, cwd=folder)
    if not finished.good:
        why = f"exit status {finished.status}" if finished.status is not None else f"{limit} s"
        raise SimulationError(
            f"{Path(program).name} on {cluster}: {why}\n{finished.output[-2000:]}"
        )
    return finished.output
