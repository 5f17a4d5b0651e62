# SPDX-License-Identifier: BSD-3-Clause
"""Starts of algorithm_loop on virtual nodes, and what they tell."""

import json
import statistics
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from intergroup_experiments.measure import POLITE, ExperimentError, program, tune
from lab import Lab

from .sample import RATES, cells

# Turns: the best is looked for, and measured again. Short cells vary by who has a processor when.
FIRST, AGAIN = {"short": 9, "long": 3}, {"short": 41, "long": 7}
SHORT = 0.002  # seconds at a card
HOPELESS = 5  # times as long as the best, by the model: not run
MOST = 24  # ways that the program runs of a cell
LIMIT = 500


@dataclass(eq=False)
class Cell:
    collective: str
    bytes: int
    chosen: dict = field(default_factory=dict)  # mode: name
    ratio: dict = field(default_factory=dict)  # mode: what was chosen over the best by name
    mpi: dict = field(default_factory=dict)  # mode: MPI's blocking call over what was chosen
    best: str = ""

    @property
    def name(self):
        return f"{self.collective}:{self.bytes}"


def candidates(setting, cell):
    """Names of the algorithms that serve and are not hopeless."""
    byte = 8 / RATES[setting.rate]
    told = {"latency_between": 1e-4, "overhead_between": 2e-5, "card_byte": byte}
    told["byte_between"] = byte
    with TemporaryDirectory() as folder:
        model = Path(folder) / "model.txt"
        model.write_text("".join(f"{name} {value!r}\n" for name, value in told.items()))
        words = [sys.executable, "-m", "caucus", "schedule", "explain", cell.collective, "--json"]
        words += ["--bytes", str(cell.bytes), "--nodes", f"{setting.nodes}x{setting.ppn}"]
        words += ["--model", str(model)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=100, check=True)
    found = [one for one in json.loads(done.stdout)["candidates"] if one["seconds"] is not None]
    return hopeful(found, cell.name)


def schedule(name):
    """What is chosen by two names is one where nodes are blocks and the operation commutes."""
    return name.removesuffix("_ordered")


def hopeful(found, name):
    """Names of those that a model does not say are hopeless."""
    if not found:
        raise ExperimentError(f"{name}: no algorithm serves")
    least = min(one["seconds"] for one in found)
    names = [one["name"] for one in found if one["seconds"] <= HOPELESS * least]
    if len(names) >= MOST:
        raise ExperimentError(f"{name}: {len(names)} algorithms, and room for {MOST - 1}")
    return names


def parse(text):
    """{cell: {way: [ms]}} and {cell: what was chosen}."""
    times, chosen, at = {}, {}, None
    for line in text.splitlines():
        kind, *words = line.split()
        if kind == "cell":
            at = ":".join(words[0].split(":")[:2])
            times[at] = {}
        elif kind == "chosen":
            chosen[at] = words[0]
        elif kind == "start":
            times[at].setdefault(words[0], []).append(float(words[1]))
    return times, chosen


class Place:
    """One MPI on the nodes of a setting."""

    def __init__(self, lab, setting, mpi, builds, folder):
        self.lab, self.setting, self.mpi, self.folder = lab, setting, mpi, Path(folder)
        self.builds = builds

    def tune(self):
        path = str(self.folder / "tuned.txt")
        tune(self.lab, self.builds, self.mpi, path, ppn=self.setting.ppn)
        return path

    def start(self, turns, wanted, **how):
        """Wanted is {cell: names}."""
        times, chosen = {}, {}
        for length in turns:
            cells = [
                f"{cell.name}:{','.join(names)}"
                for cell, names in wanted.items()
                if length == self.length(cell)
            ]
            if cells:
                more, taken = self.start_some(turns[length], cells, **how)
                times |= more
                chosen |= taken
        return times, chosen

    def length(self, cell):
        return "short" if self.setting.seconds(cell.collective, cell.bytes) < SHORT else "long"

    def start_some(self, turns, cells, model="auto", cache=None):
        """Without a cache: with one that is empty."""
        words = [*POLITE, program(self.builds, self.mpi, "algorithm_loop"), turns, 0, *cells]
        with TemporaryDirectory() as empty:
            env = {"CAUCUS_MODEL": model, "CAUCUS_CACHE": str(cache or empty)}
            said = self.lab.run(words, mpi=self.mpi, ppn=self.setting.ppn, env=env, timeout=LIMIT)
        return parse(said.stdout)

    def find_best(self, found, cache):
        wanted = {cell: ["chosen", *candidates(self.setting, cell)] for cell in found}
        times, _ = self.start(FIRST, wanted, cache=cache)
        for cell in found:
            ways = times[cell.name]
            cell.best = min(ways.keys() - {"chosen"}, key=lambda way: statistics.median(ways[way]))

    def compare(self, found, mode, **how):
        """What is chosen, by turns with what was the best and with MPI's own."""
        wanted = {cell: ["chosen", cell.best, "MPI"] for cell in found}
        times, chosen = self.start(AGAIN, wanted, **how)
        for cell in found:
            median = {way: statistics.median(ms) for way, ms in times[cell.name].items()}
            cell.chosen[mode] = chosen[cell.name]
            same = schedule(chosen[cell.name]) == schedule(cell.best)
            cell.ratio[mode] = 1.0 if same else median["chosen"] / median[cell.best]
            cell.mpi[mode] = median["MPI"] / median["chosen"]


def run(setting, mpi, builds, count, seed, say):
    """The cells of one setting on one MPI, measured."""
    found = [Cell(name, size) for name, size in cells(setting, count, seed)]
    wiring = {"nodes": setting.nodes, "rate": setting.rate, "slow": setting.slow}
    wiring["burst"] = setting.burst
    with Lab(segmentation=True, **wiring) as lab, TemporaryDirectory() as folder:
        place = Place(lab, setting, mpi, builds, folder)
        cache = Path(folder) / "cache"
        cache.mkdir(mode=0o700)
        say("looking for the best")
        place.find_best(found, cache)
        for mode, how in (
            ("empty", {}),
            ("cache", {"cache": cache}),
            ("tuned", {"model": place.tune()}),
        ):
            say(mode)
            place.compare(found, mode, **how)
    return found
