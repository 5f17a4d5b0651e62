# SPDX-License-Identifier: BSD-3-Clause
"""Persistent collectives: a solver with persistent reductions runs without and with the drop-in."""

import subprocess
import sys

import mpi_launch
from caucus import report as drop_in_report

from . import ROOT, persistent_show
from .stage import here

TITLE = "Persistent collectives: an unmodified solver, without Caucus and with it"
show = persistent_show.show

RANKS = (2, 4)  # on one node
PROGRAM = "gradients"  # built where MPI has persistent collectives
TURNS = 3  # without and with, by turns
UNKNOWNS, UNKNOWNS_ON_NODES = 200, 5  # of a process: few, so that reductions take the time
DRAWN = "allreduce", 16, 8, 1024  # ranks, ranks of a node, bytes


def run(stage):
    scenes = []
    if (stage.build / "bin" / PROGRAM).exists():
        scenes = [play(stage, ranks) for ranks in RANKS]
        if stage.lab:
            scenes.append(_play_on_nodes(stage))
    picture = stage.folder / "schedule.svg"
    return {
        "scenes": scenes,
        "explained": _caucus("explain"),
        "picture": picture.name if _caucus("draw", "--svg", str(picture)) else "",
        "problems": [problem for scene in scenes for problem in scene.pop("problems")],
    }


def _caucus(what, *words):
    """What the command line says of a collective."""
    name, ranks, ppn, size = DRAWN
    command = [sys.executable, "-m", "caucus", "schedule", what, name, *words]
    command += ["--ranks", str(ranks), "--ppn", str(ppn), "--bytes", str(size)]
    path = ROOT / "bindings" / "python"
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=path)
    return done.stdout if done.returncode == 0 else ""


def _told(stdout):
    """The numbers that the solver prints."""
    return {name: float(value) for name, value in map(str.split, stdout.splitlines())}


def play(stage, ranks):
    """Both ways by turns, on this machine as one node."""
    stage.say(f"persistent reductions on {ranks} ranks")
    report = stage.folder / f"gradients-{ranks}-report.json"
    words = [stage.program(PROGRAM), str(UNKNOWNS)]
    plain, ours = [], []
    for _ in range(TURNS):
        command, env = mpi_launch.command(stage.mpi, ranks, words, {"CAUCUS_NODES": f"1x{ranks}"})
        plain.append(_told(here(command, env).stdout))
        settings = {"CAUCUS_NODES": f"1x{ranks}", "CAUCUS_REPORT": report}
        command, env = mpi_launch.command(stage.mpi, ranks, words, settings, [stage.dropin])
        ours.append(_told(here(command, env).stdout))
    return _scene(f"{ranks} ranks, one node", plain, ours, drop_in_report.read(report))


def _play_on_nodes(stage):
    stage.say(f"persistent reductions on {stage.nodes} virtual nodes")
    report = stage.folder / "gradients-nodes-report.json"
    words = [stage.program(PROGRAM), str(UNKNOWNS_ON_NODES)]
    plain = [_told(stage.run(words, "blocks").stdout)]
    ours = [_told(stage.run(words, "blocks", report).stdout)]
    name = f"{stage.ranks} ranks, {stage.nodes} virtual nodes"
    return _scene(name, plain, ours, drop_in_report.read(report))


def _scene(name, plain, ours, told):
    call = told["calls"].get("MPI_Allreduce_init", {"taken": 0, "algorithms": {}})
    scene = {
        "name": name,
        "iterations": [runs[0]["iterations"] for runs in (plain, ours)],
        "errors": [max(run["largest_error"] for run in runs) for runs in (plain, ours)],
        "microseconds": [
            sorted(run["microseconds_per_iteration"] for run in runs)[len(runs) // 2]
            for runs in (plain, ours)
        ],
        "fastest": [
            min(run["microseconds_per_iteration"] for run in runs) for runs in (plain, ours)
        ],
        "taken": call["taken"],
        "algorithms": sorted(call["algorithms"]),
    }
    scene["problems"] = _problems(scene)
    return scene


def _problems(scene):
    before, after = scene["iterations"]
    found = []
    if scene["taken"] == 0:
        found.append("no persistent reduction was taken over")
    if abs(before - after) > 0.02 * before + 1:
        found.append(f"{before:.0f} iterations became {after:.0f}")
    if max(scene["errors"]) > 1e-8:
        found.append("the solution is wrong")
    return [f"gradients, {scene['name']}: {text}" for text in found]
