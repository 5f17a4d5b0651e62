# SPDX-License-Identifier: BSD-3-Clause
"""Placement files as real launchers read them. MPICH starts its processes through an agent that
stands in for ssh and tells them which host they were meant for; Open MPI shows the map it made."""

import os
import re
import subprocess

import pytest
from command_line import caucus_json, judge

from provision.mpi import prefix

AGENT = """#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
MEANT_FOR=$1
export MEANT_FOR
shift
exec sh -c "$*"
"""
GRID, NODES = "4x6", 4
SHOW = 'echo "rank $PMI_RANK $MEANT_FOR"'


def mpich(agent, hosts, path):
    return ["-launcher", "ssh", "-launcher-exec", agent, "-iface", "lo", "-f", path]


def mpich_map(agent, hosts, path):
    return [*mpich(agent, hosts, path)[:-2], *path.read_text().split()]


def openmpi(agent, hosts, path):
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    hosts = ["--host", ",".join(f"{host}:6" for host in hosts)]
    # More slots than this machine has cores: nothing can be bound.
    rank_file = ["--map-by", f"rankfile:file={path}:OVERSUBSCRIBE", "--bind-to", "none"]
    return [*root, *hosts, *rank_file, "--do-not-launch", "--display", "map"]


def hosts_said(text):
    """(rank, host), as the processes say it."""
    return re.findall(r"^rank (\d+) (\S+)$", text, re.MULTILINE)


def hosts_shown(text):
    """(rank, host), from Open MPI's map."""
    for node in text.split("Data for node: ")[1:]:
        for rank in re.findall(r"Data for proc: \[[^,]*,(\d+)\]", node):
            yield rank, node.split()[0]


@pytest.mark.parametrize(
    "mpi, form, options, read",
    [
        ("mpich", "mpich-hostfile", mpich, hosts_said),
        ("mpich", "mpich-rankmap", mpich_map, hosts_said),
        ("openmpi", "openmpi-rankfile", openmpi, hosts_shown),
    ],
)
def test_ranks_start_where_they_are_wanted(mpi, form, options, read, tmp_path):
    mpiexec = prefix(mpi) / "bin" / "mpiexec"
    if not mpiexec.exists():
        pytest.skip(f"{mpi} is not there: 'make build MPI={mpi}' brings it")
    agent, path = tmp_path / "agent", tmp_path / "placement"
    agent.write_text(AGENT)
    agent.chmod(0o755)
    hosts = [f"host{node}" for node in range(NODES)]
    words = (GRID, "--ppn", 6, "--write", form, "--output", path, "--hosts", ",".join(hosts))
    report = caucus_json("map", *words)
    command = [mpiexec, *options(agent, hosts, path), "-n", "24", "sh", "-c", SHOW]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    host_of_rank = {int(rank): hosts.index(host) for rank, host in read(done.stdout)}
    assert sorted(host_of_rank) == list(range(24))
    jsum = judge((4, 6), (False, False), [host_of_rank[rank] for rank in range(24)])[0]
    assert jsum == next(m["jsum"] for m in report["mappers"] if m["name"] == report["best"])
    assert jsum < report["given"]["jsum"]
