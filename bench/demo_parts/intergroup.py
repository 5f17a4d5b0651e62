# SPDX-License-Identifier: BSD-3-Clause
"""Collectives between two groups: against MPI's own and the bound over virtual nodes, and on more
nodes than are at hand by the simulator."""

import json

import mpi_launch
from intergroup_experiments import figures, measure
from intergroup_experiments.cases import Scale

from . import intergroup_show
from .stage import here

TITLE = "Collectives between two groups: each network card takes in its data once"
show = intergroup_show.show

CELLS = (
    ("allgather", "regular", 131072),
    ("allgatherv", "heavy", 131072),
    ("reduce_scatter", "regular", 131072),
)
SCALE = Scale((), {}, (), (), 0, (), repetitions=2, seconds=0.3)
SHORT = (("allgather", "regular", 4096), ("allgatherv", "heavy", 4096))
PLANNED = 256, 4, 64, 1 << 20  # nodes, ranks of each, nodes of the first group, bytes of a node


def run(stage):
    first = stage.nodes // 4
    groups = f"{first}:{stage.nodes - first}"
    path = stage.program("intergroup_loop")
    stage.say(f"collectives between groups of {groups} nodes")
    measured, problems = _in_lab(stage, path, groups) if stage.lab else _here(stage, path, groups)
    rows = figures.rows(measured)
    problems += [f"{figures.name_of(row)}: {way} is wrong" for row in rows for way in row["wrong"]]
    if any(row["ours"] is None for row in rows):
        problems.append("a collective between two groups was not done")
    return {
        "groups": groups,
        "timed": stage.lab is not None,
        "rows": rows,
        "planned": planned(stage),
        "problems": [f"two groups: {text}" for text in problems],
    }


def _in_lab(stage, path, groups):
    """With what is known of the cards for a model: to measure it takes longer than the show."""
    model = stage.folder / "cards.txt"
    byte = 8 / stage.lab.bits_per_second
    model.write_text(f"latency_between 1e-4\nbyte_between {byte}\ncard_byte {byte}\n")
    words = (stage.lab, path, stage.mpi, str(model), groups, CELLS, SCALE)
    found, problem = measure.across(*words, ppn=stage.ppn, timeout=100)
    return found, [problem] if problem else []


def _here(stage, path, groups):
    """On this machine, where nothing but the results can be judged."""
    output = stage.folder / "intergroup.json"
    output.write_text("")
    words = [path, *measure.words_of(groups, SHORT, SCALE), "--json", str(output)]
    env = {"CAUCUS_NODES": f"{stage.nodes}x{stage.ppn}"}
    here(*mpi_launch.command(stage.mpi, stage.ranks, words, env))
    found = measure.read(output)
    for cell in found:
        cell.update(mpi=stage.mpi, ppn=stage.ppn, model="default")
    return found, []


def planned(stage):
    """The simulator on a large machine, or {}."""
    output = stage.folder / "intergroup-planned.json"
    nodes, ppn, first, size = PLANNED
    words = [stage.program("plan_intergroup"), "nodes", "--nodes", str(nodes), "--ppn", str(ppn)]
    words += ["--first", str(first), "--bytes", str(size), "--json", str(output)]
    here(words, None)
    (found,) = json.loads(output.read_text())
    return {"nodes": nodes, "ppn": ppn, "first": first, "bytes": size, **found}
