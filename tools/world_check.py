# SPDX-License-Identifier: BSD-3-Clause
"""Checks the seeded worlds themselves: a seed gives the same choices after other runs in one
process as in a process of its own, and a planted race is found. And that programs for one question
end well in every order."""

import argparse
import sys

from provision.paths import ROOT
from provision.problem import Problem, run_main
from testing.cases import Case
from world import World, find, options, own_cases
from world_build import build_objects

REPEATED = (("constructor_order", 4), ("channels", 3), ("channel_threads", 2))
SEEDS = 40
PLANTED = (  # as tests/world/cases.txt has them
    "lost_update early_flag early_message slow_link no_calls locks_twice signals_one"
    " threads_at_once after_end counts_differ unreceived"
).split()
AT_ATOMICS = ("lost_update",)  # found only where others come in there
PLANTED_SEEDS = 300
ENDING = (("asked_again", 2, "--policy", "4", "--steps", "400000"),)


def world_of(name, ranks, *words):
    chosen = options().parse_args([name, *words])
    path = find(ROOT, name)
    objects = build_objects(ROOT, [path])
    return World(ROOT, path, Case(path.stem, ranks), chosen, objects)


def check_repeats(name, ranks):
    totals = []
    for batch in (SEEDS, 1):
        rows, _ = world_of(name, ranks).run("--count", SEEDS, "--batch", batch)
        if rows[-1]["failed"] or rows[-1]["runs"] != SEEDS:
            raise Problem(f"{name}: {rows[-1]['runs']} of {SEEDS} seeds: {rows[0].get('text')}")
        totals.append((rows[-1]["steps"], rows[-1]["choices"]))
    if totals[0] != totals[1]:
        raise Problem(f"{name}: runs in one process {totals[0]}, in their own {totals[1]}")


def check_planted(name):
    path = find(ROOT, name)
    objects = build_objects(ROOT, [path])
    tries = [((), True), (("--calls-only",), False)] if name in AT_ATOMICS else [((), True)]
    for case in own_cases(path):
        for words, found in tries:
            chosen = options().parse_args([name, *words])
            rows, _ = World(ROOT, path, case, chosen, objects).run("--count", PLANTED_SEEDS)
            if (rows[-1]["failed"] > 0) != found:
                raise Problem(f"{case.name} {' '.join(words)}: {rows[-1]['failed']} failures")


def check_ends(name, ranks, *words):
    rows, _ = world_of(name, ranks, *words).run("--count", SEEDS)
    if rows[-1]["failed"]:
        raise Problem(f"{name}: seed {rows[0]['seed']}: {rows[0]['text']}")


def main():
    argparse.ArgumentParser(description=__doc__).parse_args()
    for name, ranks in REPEATED:
        check_repeats(name, ranks)
    for name in PLANTED:
        check_planted(name)
    for words in ENDING:
        check_ends(*words)
    return 0


if __name__ == "__main__":
    sys.exit(run_main(main))
