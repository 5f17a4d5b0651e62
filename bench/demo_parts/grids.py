# SPDX-License-Identifier: BSD-3-Clause
"""Node-aware grids: heat solvers that know nothing of Caucus run without and with the drop-in."""

import filecmp
from dataclasses import dataclass

from caucus import report as drop_in_report
from caucus import svg
from caucus.plan import Plan
from caucus.survey import survey

from . import ROOT, grids_show, pictures
from .stage import machine

TITLE = "Node-aware grids: two heat solvers, unmodified, without Caucus and with it"
show = grids_show.show


@dataclass(frozen=True)
class Scene:
    """A program, its grid of processes and how these lie on the nodes."""

    program: str
    picture: str
    dims: tuple
    placement: str
    steps: int
    refine: int

    @property
    def grid(self):
        return "x".join(map(str, self.dims))

    @property
    def name(self):
        return f"{self.program}-{self.placement}"


SCENES = (
    Scene("heat2d", "plate.ppm", (8, 4), "blocks", 300, 4),
    Scene("heat2d", "plate.ppm", (8, 4), "cyclic", 300, 4),
    Scene("heat3d", "phantom.nrrd", (2, 4, 4), "cyclic", 100, 2),
)
STEPS_ON_ONE_MACHINE = 30  # nothing is timed there


def run(stage):
    scenes = [play(stage, scene) for scene in SCENES]
    return {
        "nodes": stage.nodes,
        "ranks": stage.ranks,
        "rate": stage.rate if stage.lab else None,
        "why_no_virtual_nodes": stage.why_no_lab,
        "scenes": scenes,
        "problems": [problem for scene in scenes for problem in scene.pop("problems")],
    }


def play(stage, scene):
    stage.say(f"{scene.program} on a {scene.grid} grid, placed {scene.placement}")
    path = stage.folder / f"{scene.name}-report.json"
    plain = _solve(stage, scene, "without", None)
    mapped = _solve(stage, scene, "with", path)
    told = drop_in_report.read(path)
    found = {
        "program": scene.program,
        "grid": scene.grid,
        "placement": scene.placement,
        "steps": int(plain["steps"]),
        "same_picture": filecmp.cmp(
            _result(stage, scene, "without"), _result(stage, scene, "with"), shallow=False
        ),
        "same_bits": plain["checksum"] == mapped["checksum"],
        **_mapping(told),
        **_plan(stage, scene),
        "without": plain,
        "with": mapped,
    }
    pictures.draw(_result(stage, scene, "with"), stage.folder / f"{scene.program}.png")
    found["problems"] = _problems(scene, found)
    return found


def _result(stage, scene, how):
    return stage.folder / f"{scene.name}-{how}.{'pgm' if len(scene.dims) == 2 else 'nrrd'}"


def _solve(stage, scene, how, report):
    """Runs the solver, which writes its picture; what it printed as numbers."""
    path = _result(stage, scene, how)
    words = [stage.program(scene.program), ROOT / "examples" / "data" / scene.picture]
    steps = scene.steps if stage.lab else STEPS_ON_ONE_MACHINE
    words += ["--dims", scene.grid, "--steps", steps, "--refine", scene.refine, "--output", path]
    ran = stage.run([str(word) for word in words], scene.placement, report)
    told = dict(line.split() for line in ran.stdout.splitlines() if len(line.split()) == 2)
    rate = "megabytes_per_second_and_process"
    figures = {"steps": steps, "checksum": told["checksum"], rate: float(told[rate])}
    figures["exchange_seconds"] = float(told["exchange_seconds"])
    if ran.card_bytes is not None:
        figures["card_bytes"] = ran.card_bytes
    return figures


def _mapping(told):
    """What the drop-in says that it did."""
    call = told["calls"].get("MPI_Cart_create", {"taken": 0})
    made = (told.get("communicators") or [{}])[0]
    return {
        "taken_over": call["taken"] > 0,
        "mapper": made.get("mapper", ""),
        "off_node": made.get("off_node", {}),
        "bound": made.get("bound", 0),
    }


def _plan(stage, scene):
    """The neighbours of a process before and after, and a drawing, by the planner."""
    with Plan(scene.dims, machine(stage.nodes, stage.ppn, scene.placement), ranks=0) as plan:
        found = survey(plan)
        drawing = svg.draw(plan, found)
    (stage.folder / f"{scene.name}-mapping.svg").write_text(drawing)
    rows = {"before": found.given.traffic, "after": found.chosen.traffic}
    return {
        "planned": {when: traffic.jsum for when, traffic in rows.items()},
        "neighbours": {
            when: {"on": traffic.on.mean, "off": traffic.off.mean} for when, traffic in rows.items()
        },
    }


def _problems(scene, found):
    where = f"{scene.program} on {scene.grid}, placed {scene.placement}: "
    checks = (
        (found["same_picture"], "the pictures differ"),
        (found["same_bits"], "the temperatures differ"),
        (found["taken_over"], "MPI_Cart_create was not taken over"),
        (found["off_node"] == found["planned"], "the drop-in did not do what the planner says"),
        (_fewer_bytes(found), "more bytes went through the cards with Caucus"),
    )
    return [where + text for fine, text in checks if not fine]


def _fewer_bytes(found):
    """Never more, but for the start of MPI, which is counted too and differs from run to run."""
    before, after = (found[how].get("card_bytes", 0) for how in ("without", "with"))
    return after <= before + 8_000_000
