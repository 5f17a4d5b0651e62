# SPDX-License-Identifier: BSD-3-Clause
"""The capabilities but grids, one figure and one picture each, for the story: a function for each,
which returns a Gain."""

import json
from typing import NamedTuple

import mpi_launch
from create_group_experiment import figures as group_figures

from . import groups, intergroup, persistent, pictures, rootless
from .stage import here

MEMBERS = 8  # of a group: all ranks of the smallest experiment
WALKERS, GROUP, ITEM = 8, "2", "10"  # ranks, of a group, and ms of a step on one


class Gain(NamedTuple):
    """What was measured by MPI's means and by ours, and where to read on."""

    part: str
    what: str
    unit: str
    values: dict  # the last one ours
    more_is_better: bool
    page: str
    problems: list

    @property
    def factor(self):
        """How many times as good ours is."""
        first, *_, last = self.values.values()
        return last / first if self.more_is_better else first / last


def _persistent(stage):
    scene = persistent.play(stage, 2)
    values = dict(zip(("MPI", "Caucus"), scene["fastest"]))
    what = "a solver's iteration, two persistent sums of 8 bytes in it"
    page = "docs/problems/free-starts.md"
    return Gain("persistent", what, "µs", values, False, page, scene["problems"])


def _intergroup(stage):
    stage.say("collectives between two groups, simulated")
    found = intergroup.planned(stage)
    times = (found["simple_roots"], found["fastest_roots"], found["seconds"])
    names = ("MPI, by roots", "by better roots", "Caucus")
    values = {name: 1e3 * seconds for name, seconds in zip(names, times)}
    what = f"allgather between two groups, {found['nodes']} nodes, simulated"
    return Gain("intergroup", what, "ms", values, False, "docs/problems/coupled-codes.md", [])


def _groups(stage):
    row = groups.measure(stage, MEMBERS, 2)[-1]
    # One of a range sends no message before it is used, so it is not what is boasted of.
    ways = (group_figures.NATIVE, group_figures.RANGE, group_figures.CHECKED)
    values = {group_figures.VARIANTS[way]: row["medians"][way] for way in ways}
    what = f"making a group of {row['members']} ranks in a row"
    problems = groups.problems([row])
    return Gain("groups", what, "µs", values, False, "docs/groups.md", problems)


def _balance(stage):
    stage.say("walkers that help each other")
    values = {}
    for mode, name in (("none", "alone"), ("async", "with help")):
        words = [stage.program("mcmc"), mode, GROUP, ITEM, "1", "0", "json"]
        found = json.loads(here(*mpi_launch.command(stage.mpi, WALKERS, words, {})).stdout)
        values[name] = found["seconds"]
    what = f"{WALKERS} ranks, tasks of different lengths"
    return Gain("balance", what, "s", values, False, "docs/problems/idle-ranks.md", [])


def _rootless(stage):
    found = rootless.run(stage, [rootless.on_one_node(stage)])
    rates = found["scenes"][0]["rates"] if found["scenes"] else {}
    values = {"coordinator": rates.get("coordinator", 0), "channel": rates.get("channel", 0)}
    what = f"messages a second that {rootless.RANKS} ranks tell all others"
    return Gain(
        "rootless",
        what,
        "/s",
        values,
        True,
        "docs/problems/anyone-may-have-news.md",
        found["problems"],
    )


def _measures(stage):
    """All but what takes persistent collectives, where MPI has none."""
    if (stage.build / "bin" / persistent.PROGRAM).exists():
        yield _persistent
    yield from (_intergroup, _groups, _balance, _rootless)


def run(stage):
    gains = []
    for measure in _measures(stage):
        gain = measure(stage)
        picture = stage.folder / f"{gain.part}.svg"
        pictures.bars(picture, gain.what, gain.unit, gain.values)
        gains.append({**gain._asdict(), "factor": gain.factor, "picture": picture.name})
    return gains
