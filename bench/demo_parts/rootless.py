# SPDX-License-Identifier: BSD-3-Clause
"""Rootless broadcasts: all ranks cast at once, on channels and through a coordinator."""

import json
from statistics import median

import mpi_launch
from caucus.console import number
from caucus.tables import Table

from .stage import here

TITLE = "Rootless broadcasts: any rank casts at any time, everybody hears it"

RANKS = 4  # on one node
BYTES = 100
PROGRAM = "rootless_loop"  # its ways by number: 1 a coordinator, 3 and 4 channels, 5 and 6 ordered
MEASURED = ["--sizes", str(BYTES), "--patterns", "all", "--repetitions", "3", "--ways", "1,3,4,5,6"]


def run(stage, places=()):
    scenes, problems = [], []
    if not (stage.build / "bin" / PROGRAM).exists():
        return {"scenes": [], "problems": [f"there is no {PROGRAM}: build the benchmarks"]}
    for name, start in places or _places(stage):
        stage.say(f"casts of all ranks, {name}")
        path = stage.folder / f"rootless-{len(scenes)}.json"
        start([stage.program(PROGRAM), *MEASURED, "--json", str(path)])
        cell = json.loads(path.read_text().splitlines()[0])
        rates = {way: median(samples) for way, samples in cell["samples"].items()}
        scenes.append({"name": name, "rates": rates})
        problems += [f"casts, {name}: {way} is wrong" for way in cell["wrong"]]
    return {"scenes": scenes, "problems": problems}


def on_one_node(stage):
    """Its name, and what starts the program there."""

    def start(words):
        words += ["--seconds", "0.05", "--casts", "20000"]
        here(*mpi_launch.command(stage.mpi, RANKS, words, {}))

    return f"{RANKS} ranks, one node", start


def _places(stage):
    yield on_one_node(stage)
    if stage.lab:
        yield (
            f"{stage.ranks} ranks, {stage.nodes} virtual nodes",
            lambda words: stage.run([*words, "--casts", "320", "--yield", "1"], "blocks"),
        )


def show(result):
    table = Table(f"All ranks cast at once, messages of {BYTES} bytes: casts a second")
    table.add_column("way", no_wrap=True)
    for scene in result["scenes"]:
        table.add_column(scene["name"], justify="right", no_wrap=True)
    ways = result["scenes"][0]["rates"] if result["scenes"] else {}
    for way in ways:
        table.add_row(way, *(number(round(scene["rates"][way])) for scene in result["scenes"]))
    return [table] if ways else []
