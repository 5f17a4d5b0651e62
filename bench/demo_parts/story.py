# SPDX-License-Identifier: BSD-3-Clause
"""The story that is told in a minute: a program that knows nothing of Caucus, what troubles it, the
same program under Caucus, and what it gained; then a figure of every other capability."""

import dataclasses

from caucus.plan import Plan

from . import capabilities, grids, story_show
from .stage import machine

TITLE = "Caucus in a minute"
show = story_show.show

# heat2d, ranks dealt to nodes in turn, and shorter.
SCENE = dataclasses.replace(grids.SCENES[1], steps=200)


def run(stage):
    scene = grids.play(stage, SCENE)
    gains = capabilities.run(stage)
    problems = scene.pop("problems") + [text for gain in gains for text in gain["problems"]]
    before, after = _nodes_of_cells(stage)
    return {
        "nodes": stage.nodes,
        "ranks": stage.ranks,
        "rate": stage.rate if stage.lab else None,
        "why_no_virtual_nodes": stage.why_no_lab,
        "mpi": stage.mpi,
        "rows": SCENE.dims[0],
        "before": before,
        "after": after,
        "scene": scene,
        "mapping": f"{SCENE.name}-mapping.svg",
        "heat": f"{SCENE.program}.png",
        "gains": gains,
        "folder": str(stage.folder),
        "problems": problems,
    }


def _nodes_of_cells(stage):
    """The node of each cell, without Caucus and with it."""
    with Plan(SCENE.dims, machine(stage.nodes, stage.ppn, SCENE.placement), ranks=0) as plan:
        given = list(plan.node_of_cell())
        plan.map("best")
        return given, list(plan.node_of_cell())
