#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Groups of those who live, while others end themselves: seeded random runs, deaths at random
messages of the agreement. No hang, one agreed group, and every collective works on it.
The program is tests/mpi/alive_kills.c, on an Open MPI with ULFM."""

import argparse
import re
import subprocess
import sys
from pathlib import Path

import common_environment

ROOT = common_environment.ROOT

import mpi_launch  # noqa: E402

LINE = re.compile(
    r"(\d+) attempts are right: (\d+) groups, (\d+) shrunk, (\d+) deaths, longest ([\d.]+) ms"
)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attempts", type=int, default=1000)
    parser.add_argument("--each", type=int, default=8, help="attempts of a launch (8)")
    parser.add_argument("--ranks", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1, help="of the first launch (1)")
    parser.add_argument("--limit", type=float, default=120, help="seconds for a launch (120)")
    parser.add_argument("--builds", type=Path, default=ROOT / "build")
    return parser.parse_args()


def launch(options, seed):
    """What one launch counted."""
    program = options.builds / "openmpi" / "tests" / "alive_kills"
    words, env = mpi_launch.command(
        "openmpi", options.ranks, [program, seed, options.each], deaths=True
    )
    try:
        ran = subprocess.run(words, env=env, capture_output=True, timeout=options.limit)
    except subprocess.TimeoutExpired:
        sys.exit(f"alive_random: seed {seed} hangs: {' '.join(words)}")
    output = (ran.stdout + ran.stderr).decode(errors="replace")
    found = LINE.search(output)
    if not found:
        sys.exit(f"alive_random: seed {seed} failed: {' '.join(words)}\n{output}")
    return [float(number) for number in found.groups()]


def main():
    options = arguments()
    totals, longest, seed = [0, 0, 0, 0], 0, options.seed
    while totals[0] < options.attempts:
        *counts, took = launch(options, seed)
        totals = [int(total + count) for total, count in zip(totals, counts)]
        longest = max(longest, took)
        seed += 1
        if sys.stderr.isatty():
            print(f"\r{totals[0]} of {options.attempts}", end="", file=sys.stderr, flush=True)
    print(
        f"seeds {options.seed} to {seed - 1}, {options.ranks} ranks: {totals[0]} attempts, "
        f"{totals[1]} groups, {totals[2]} of them shrunk, {totals[3]} deaths; longest call "
        f"{longest:.1f} ms"
    )


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("alive_random: stopped.")
