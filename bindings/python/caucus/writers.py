# SPDX-License-Identifier: BSD-3-Clause
"""Placement files. Those of launchers are for a program that does not reorder: its rank r takes
cell r of the grid in row-major order, so the launcher has to start rank r where the mapping wants
cell r. Ranks beyond the grid take the slots that are left. That of LAMMPS is read by the program
itself, whose ranks stay where they were started and take other cells."""

from __future__ import annotations

import collections
import itertools
import os
import sys
from typing import Callable, NamedTuple, Optional, TextIO

from .errors import UsageError
from .plan import Plan


class Slot(NamedTuple):
    """Where a rank runs: on which node, and which of the node's slots."""

    node: int
    local: int


def slots_of_machine(plan: Plan) -> list[Slot]:
    """The slots, one for each rank of the machine: a node's slots in the order of its ranks."""
    taken = [0] * plan.parts()
    slots = []
    for node in plan.part_of_rank():
        slots.append(Slot(node, taken[node]))
        taken[node] += 1
    return slots


def slots_of_program(plan: Plan) -> list[Slot]:
    """Where each rank of the program is to run."""
    machine = slots_of_machine(plan)
    wanted = list(plan.rank_of_cell())
    has_cell = set(wanted)
    wanted += [rank for rank in range(plan.ranks) if rank not in has_cell]
    return [machine[rank] for rank in wanted]


def host_names(plan: Plan, text: str) -> list[str]:
    """The names of the nodes: those given (a,b,c or a file of lines), else the machine file's."""
    count = plan.parts()
    if not text:
        if plan.node_name(0) is None:
            print(
                "caucus: the nodes are called node0, node1, ...: --hosts names them",
                file=sys.stderr,
            )
        return [plan.node_name(node) or f"node{node}" for node in range(count)]
    if os.path.exists(text):
        with open(text, encoding="utf-8-sig", errors="replace") as file:
            names = [line.split("#")[0].strip() for line in file]
        names = [name for name in names if name]
    else:
        names = [name.strip() for name in text.split(",")]
    for name in names:
        if not name or any(letter.isspace() for letter in name):
            raise UsageError(f"--hosts {text}: '{name}' is no name of a host")
    if len(names) != count:
        raise UsageError(f"--hosts {text}: {len(names)} names for {count} nodes")
    if len(set(names)) != count:
        raise UsageError(f"--hosts {text}: a name comes twice")
    return names


def openmpi_rankfile(slots: list[Slot], hosts: list[str], file: TextIO) -> None:
    """For mpiexec --map-by rankfile:file=PATH of Open MPI 5 (--rankfile PATH of Open MPI 4)."""
    for rank, slot in enumerate(slots):
        file.write(f"rank {rank}={hosts[slot.node]} slot={slot.local}\n")


def mpich_hostfile(slots: list[Slot], hosts: list[str], file: TextIO) -> None:
    """For mpiexec -f PATH of any MPICH: ranks are dealt out in the order of the lines. MPICH takes
    each line for a node of its own, also where hosts come again: mpich_rankmap does not."""
    for node, run in itertools.groupby(slots, key=lambda slot: slot.node):
        file.write(f"{hosts[node]}:{len(list(run))}\n")


def mpich_rankmap(slots: list[Slot], hosts: list[str], file: TextIO) -> None:
    """For mpiexec $(cat PATH) of MPICH 5: the options that give each rank its host."""
    sizes = collections.Counter(slot.node for slot in slots)
    named = ",".join(f"{hosts[node]}:{sizes[node]}" for node in sorted(sizes))
    file.write(f"-hosts {named} -rankmap {','.join(str(slot.node) for slot in slots)}\n")


def cray_rank_order(slots: list[Slot], hosts: list[str], file: TextIO) -> None:
    """For MPICH_RANK_REORDER_METHOD=3: the ranks in the order of the slots, a line a node."""
    order = sorted(range(len(slots)), key=lambda rank: slots[rank])
    for _, ranks in itertools.groupby(order, key=lambda rank: slots[rank].node):
        file.write(",".join(str(rank) for rank in ranks) + "\n")


LAUNCHERS: dict[str, Callable] = {
    "openmpi-rankfile": openmpi_rankfile,
    "mpich-hostfile": mpich_hostfile,
    "mpich-rankmap": mpich_rankmap,
    "cray-rank-order": cray_rank_order,
}
LAMMPS, LAMMPS_AXES = "lammps", 3
FORMATS = (*LAUNCHERS, LAMMPS)


def lammps(plan: Plan, file: TextIO) -> None:
    """For LAMMPS: processors * * * grid custom PATH. After comments, the sizes of three axes, then
    a line for each rank: its number and its coordinates, which count from 1."""
    dims = (*plan.dims, 1, 1, 1)[:LAMMPS_AXES]
    file.write("# processors * * * grid custom FILE\n")
    file.write(" ".join(str(size) for size in dims) + "\n")
    places = itertools.product(*(range(1, size + 1) for size in dims))
    for rank, place in sorted(zip(plan.rank_of_cell(), places)):
        file.write(f"{rank} {' '.join(str(at) for at in place)}\n")


def check(name: str, plan: Plan, hosts: Optional[str]) -> list[str]:
    """Finds out before the work what can't be written; returns the names of the nodes."""
    if name != LAMMPS:
        return host_names(plan, hosts)
    if hosts:
        raise UsageError(f"--hosts: the format '{LAMMPS}' names no hosts")
    if len(plan.dims) > LAMMPS_AXES:
        raise UsageError(f"--write {LAMMPS}: its grids have 3 axes, this one {len(plan.dims)}")
    if plan.ranks != plan.cells:
        raise UsageError(
            f"--write {LAMMPS}: {plan.ranks} ranks for {plan.cells} cells, it needs as many"
        )
    return []


def write(name: str, plan: Plan, hosts: list[str], file: TextIO) -> None:
    if name == LAMMPS:
        lammps(plan, file)
    else:
        LAUNCHERS[name](slots_of_program(plan), hosts, file)
