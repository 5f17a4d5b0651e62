# SPDX-License-Identifier: BSD-3-Clause
"""Runs test programs in seeded worlds: all ranks in one process, every choice from a seed.

python3 tools/world.py --minutes 1                     all programs, as their run: lines say
python3 tools/world.py channels --ranks 5 --seed 77    one program, one seed
python3 tools/world.py channels --ranks 5 --seed 77 --replay      the same, with events and waits
python3 tools/world.py channels --ranks 5 --seed 77 --shrink      and with fewest choices
"""

import argparse
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

from provision.paths import ROOT
from provision.problem import Problem, run_main
from testing import cases, programs
from world_build import HERE, build_objects, host, image
from world_shrink import shrink

SLICE = 3  # seconds of one case at a time
FOLDERS = ("mpi", "dropin")


def find(source, name):
    """The source file of a program that is named so."""
    for folder in ("tests/mpi", "tests/dropin", "examples", "bench"):
        path = source / folder / f"{name}.c"
        if path.exists():
            return path
    for folder in ("programs", "planted"):
        if (HERE / folder / f"{name}.c").exists():
            return HERE / folder / f"{name}.c"
    raise Problem(f"There is no program {name}.")


def own_cases(path):
    """Those that worlds have of a program in place of its own."""
    found = []
    for line in (HERE / "cases.txt").read_text().splitlines():
        name, _, words = line.replace("{source}", str(ROOT)).partition(": ")
        if name == path.stem:
            found += cases.parse(path, words)
    return found


def cases_of(path):
    if own_cases(path):
        return own_cases(path)
    if path.parent.name not in FOLDERS:
        return [cases.Case(path.stem, 4)]
    found = cases.read(path, path.parent.name == "dropin")
    found = [case for case in found if "TEST_DEVICE" not in case.environment]  # shared by all ranks
    return [case for case in found if not case.mpis or "openmpi" in case.mpis or case.deaths]


class World:
    """A case of a program, and how it is run; `number` tells it from others of the program."""

    def __init__(self, source, path, case, chosen, objects, number=0):
        self.path, self.case, self.chosen, self.host = path, case, chosen, host()
        self.number = number
        self.image = image(source, path, case.preload or chosen.dropin, objects)

    def words(self, *more):
        chosen, case = self.chosen, self.case
        nodes = chosen.nodes or 1
        words = [self.host, "--image", self.image, "--ranks", case.ranks, "--nodes", nodes]
        words += ["--expect", "deaths" if case.deaths else case.status]
        for text in case.outputs:
            words += ["--output", text]
        for name in ("faults", "policy", "deaths", "steps", "cpu"):
            value = getattr(chosen, name)
            words += [f"--{name}", value] if value is not None else []
        words += ["--cyclic"] if chosen.cyclic else []
        words += ["--calls-only"] if chosen.calls_only else []
        return [str(word) for word in [*words, *more, "--", *case.arguments]]

    def run(self, *more, timeout=None):
        """The lines that the world prints, read; and what else it said."""
        # The time of a world says nothing of its messages, so there is nothing to measure.
        unmeasured = {"CAUCUS_MODEL": "default", "CAUCUS_SELECT": "model", "CAUCUS_CACHE": "none"}
        environment = {**unmeasured, **os.environ, **self.case.environment}
        environment.update(setting.partition("=")[::2] for setting in self.chosen.env)
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                self.words(*more), env=environment, cwd=folder, capture_output=True, timeout=timeout
            )
        lines = done.stdout.decode(errors="replace").splitlines()
        rows = [json.loads(line) for line in lines if line.startswith("{")]
        said = done.stderr.decode(errors="replace")
        if not rows:
            raise Problem(f"The world of {self.case.name} did not start:\n{said[-2000:]}")
        return rows, said

    def replay_line(self, seed):
        """What repeats a run; the arguments too, since some are of the day."""
        chosen, case = self.chosen, self.case
        words = ["python3", "tools/world.py", case.program, "--case", self.number]
        words += ["--ranks", case.ranks]
        for setting in chosen.env:
            words += ["--env", setting]
        words += ["--arguments", shlex.join(case.arguments)] if case.arguments else []
        for name in ("dropin", "cyclic", "calls_only"):
            words += [f"--{name.replace('_', '-')}"] if getattr(chosen, name) else []
        for name in ("nodes", "faults", "policy", "deaths", "steps", "cpu", "source"):
            value = getattr(chosen, name)
            words += [f"--{name}", value] if value is not None else []
        return shlex.join(map(str, [*words, "--seed", seed, "--replay"]))


def mixed(worlds, seed):
    """One case of every program first, then another of each, in an order that the seed gives."""
    drawn, turns, keys = list(worlds), Counter(), {}
    random.Random(seed).shuffle(drawn)
    for world in drawn:
        keys[id(world)] = turns[world.path]
        turns[world.path] += 1
    return sorted(drawn, key=lambda world: keys[id(world)])


def campaign(worlds, chosen):
    """Runs all in turn until the time is over; returns the totals and the failures."""
    worlds = mixed(worlds, chosen.seed)
    begin, turn = time.monotonic(), 0
    totals = {"programs": len({world.path for world in worlds}), "cases": len(worlds)}
    totals.update(schedules=0, steps=0, failures=[])
    failed, reached = set(), set()
    limit = chosen.minutes * 60
    slice_of = max(0.2, min(SLICE, limit / max(1, len(worlds)) * 0.8))
    while time.monotonic() - begin < limit and len(failed) < len(worlds):
        world = worlds[turn % len(worlds)]
        seed = chosen.seed + turn // len(worlds) * 1000000
        turn += 1
        if id(world) in failed:
            continue
        rows, _ = world.run("--seed", seed, "--seconds", slice_of if chosen.minutes else 1)
        totals["schedules"] += rows[-1]["runs"]
        totals["steps"] += rows[-1]["steps"]
        reached.add(world.path)
        for row in rows[:-1]:
            if row["good"]:
                continue
            if not chosen.go_on:
                failed.add(id(world))
            row.update(case=world.case.name, after=round(time.monotonic() - begin, 1))
            row["replay"] = world.replay_line(row["seed"])
            totals["failures"].append(row)
            print(f"{row['outcome']}: {row['case']}: {row['text']}\n  {row['replay']}", flush=True)
            if chosen.first:
                limit = 0
    totals.update(reached=len(reached), wall=round(time.monotonic() - begin, 1))
    return totals


def chosen_cases(path, chosen):
    """Those of a program that are to be run, each with its number among all that it has: on as many
    ranks as asked for, with the arguments asked for, and none twice."""
    found = {}
    for number, case in enumerate(cases_of(path)):
        if chosen.case is not None and number != chosen.case:
            continue
        if chosen.case is None and case.full and not chosen.full:
            continue
        if chosen.ranks:
            case = replace(case, ranks=chosen.ranks)
        if chosen.arguments is not None:
            case = replace(case, arguments=shlex.split(chosen.arguments))
        found.setdefault(repr(replace(case, mpis=(), full=False)), (number, case))
    return list(found.values())


def build_worlds(chosen):
    source = Path(chosen.source).resolve() if chosen.source else ROOT
    left_out = programs.not_run_in_worlds()
    if chosen.programs:
        paths = [find(source, name) for name in chosen.programs]
    else:
        paths = [p for f in FOLDERS for p in sorted((source / "tests" / f).glob("*.c"))]
        paths += sorted((source / "examples").glob("*.c"))
        paths += sorted((HERE / "programs").glob("*.c"))
        paths = [path for path in paths if path.stem not in left_out]
    if without := [path.stem for path in paths if not cases_of(path)]:
        raise Problem(
            f"worlds have no case of {', '.join(without)}: each needs a line in "
            "tests/world/cases.txt, or in not_run.txt."
        )
    worlds, objects = [], build_objects(source, paths)
    for path in paths:
        for number, case in chosen_cases(path, chosen):
            worlds.append(World(source, path, case, chosen, objects, number))
    if chosen.programs and not worlds:
        raise Problem("there is no such case; --full runs those marked full.")
    return worlds


def one(world, chosen):
    """One seed of one program: run, replayed, or shrunk."""
    keep = ["--keep", chosen.keep] if chosen.keep else []
    if chosen.shrink:
        keep = shrink(world, chosen.seed)
    traces = chosen.replay or chosen.shrink or chosen.svg
    shown = ["--trace", "--verbose"] if traces else ["--verbose"]
    rows, said = world.run("--seed", chosen.seed, *keep, *shown)
    if chosen.svg:
        from world_picture import draw  # wants the packages of .venv

        draw(said, f"{world.case.name}, seed {chosen.seed}: {rows[0]['text']}", chosen.svg)
    print(said)
    print(json.dumps(rows[0]))
    return 0 if rows[0]["good"] else 1


def many(world, chosen):
    """So many seeds of one case; says how fast they were."""
    rows, _ = world.run("--seed", chosen.seed, "--count", chosen.count)
    for row in rows[:-1]:
        print(f"{row['outcome']}: {row['text']}\n  {world.replay_line(row['seed'])}")
    last = rows[-1]
    rate = last["runs"] / max(last["cpu"], 1e-3)
    print(
        f"{world.case.name}: {last['runs']} schedules in {last['cpu']} s of processor, "
        f"{rate:.0f} per second, {last['failed']} failed",
        flush=True,
    )
    return 1 if last["failed"] else 0


def told(totals, seed):
    """How far a campaign came, in a line."""
    return (
        f"{totals['schedules']} schedules of {totals['reached']} of {totals['programs']} programs "
        f"in {totals['wall']} s, seeds from {seed} on, {len(totals['failures'])} failed"
    )


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", nargs="*", help="by name; all of the tests without")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ranks", type=int, help="of each case, in place of its own")
    parser.add_argument("--case", type=int, metavar="N", help="the N-th of a program alone, from 0")
    parser.add_argument("--nodes", type=int, help="that the ranks are on; 1 without")
    parser.add_argument("--cyclic", action="store_true", help="ranks go round the nodes")
    parser.add_argument("--minutes", type=float, default=0.0)
    parser.add_argument("--count", type=int, help="so many schedules of each case, not MINUTES")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--arguments", help="of the program")
    parser.add_argument("--dropin", action="store_true", help="with the drop-in in front of MPI")
    parser.add_argument("--faults", help="of real MPIs, by name, separated by commas")
    parser.add_argument("--policy", type=int, help="0 to 5: see tests/world/scheduler.c")
    parser.add_argument("--deaths", type=int, help="so many ranks at most die")
    parser.add_argument("--calls-only", action="store_true", help="nobody in at atomic accesses")
    parser.add_argument("--steps", type=int, help="after which a run counts as a livelock")
    parser.add_argument("--cpu", type=int, help="seconds of processor a run may take")
    parser.add_argument("--source", help="another checkout to build the programs and library from")
    parser.add_argument("--keep", help="choices that are kept: 0-99,200-300")
    parser.add_argument("--replay", action="store_true")
    parser.add_argument("--shrink", action="store_true")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="a drawing of a replay's end")
    parser.add_argument("--first", action="store_true", help="stop at the first failure")
    parser.add_argument("--go-on", action="store_true", help="with a case that failed")
    parser.add_argument("--full", action="store_true", help="also cases marked full")
    parser.add_argument("--json", action="store_true", help="the totals as one line")
    return parser


def main():
    parser = options()
    chosen = parser.parse_args()
    worlds = build_worlds(chosen)
    if chosen.svg and len(worlds) > 1:
        parser.error("there are several cases: give --case")
    if chosen.count:
        return max(many(world, chosen) for world in worlds)
    if chosen.programs and not chosen.minutes:
        return max(one(world, chosen) for world in worlds)
    if not chosen.minutes:
        parser.error("give --minutes, or a program")
    totals = campaign(worlds, chosen)
    print(json.dumps(totals) if chosen.json else told(totals, chosen.seed))
    return 1 if totals["failures"] else 0


if __name__ == "__main__":
    sys.exit(run_main(main))
