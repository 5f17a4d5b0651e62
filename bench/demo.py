#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Shows what Caucus does, on a program that knows nothing of it, in a minute; --part shows more."""

import argparse
import contextlib
import json
import sys
import time
from pathlib import Path

import common_environment

ROOT = common_environment.ROOT

from rich.console import Console  # noqa: E402

import demo_parts  # noqa: E402
from caucus.console import plain  # noqa: E402
from common_tables import Output  # noqa: E402
from demo_parts.stage import CaucusError, Stage  # noqa: E402
from lab import Lab, LabError, available  # noqa: E402

NODES, PPN = 8, 4
ALL = "all"
PARTS = (*demo_parts.NAMES, ALL)
# Slow, so that the network sets the pace and not the cores that the ranks share.
RATE, RATE_OF_STORY = "20mbit", "10mbit"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpi", default="mpich", help="the MPI of the build (mpich)")
    parser.add_argument("--part", default="", help=f"instead: {', '.join(PARTS)}")
    parser.add_argument("--json", action="store_true", help="print JSON rather than tables")
    parser.add_argument("--no-lab", action="store_true", help="do without virtual nodes")
    parser.add_argument("--build", type=Path, help="its folder (build/<mpi>)")
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "demo")
    options = parser.parse_args()
    if options.part and options.part not in PARTS:
        parser.error(f"there is no part {options.part!r}; there are {', '.join(PARTS)}")
    return options


def chosen(part):
    """The names of what is to be played."""
    return demo_parts.NAMES if part == ALL else (part or demo_parts.STORY,)


def play(stage, names, console, as_json):
    """Plays these parts; their results by name."""
    results = {}
    for name, part in demo_parts.load(names).items():
        results[name] = part.run(stage)
        if not as_json:
            console.print("", plain(part.TITLE, "bold"), *part.show(results[name]))
    return results


def main():
    options = arguments()
    console = Output()
    begun = time.monotonic()
    options.output.mkdir(parents=True, exist_ok=True)
    rate = RATE if options.part else RATE_OF_STORY
    there, why_not = (False, "--no-lab was given.") if options.no_lab else available()
    with contextlib.ExitStack() as stack:
        status = stack.enter_context(Console(stderr=True).status("starting"))
        lab = stack.enter_context(Lab(nodes=NODES, rate=rate)) if there else None
        build = options.build or ROOT / "build" / options.mpi
        stage = Stage(
            options.mpi, build, options.output, NODES, PPN, rate, status.update, lab, why_not
        )
        stage.check()
        results = play(stage, chosen(options.part), console, options.json)
    problems = [text for result in results.values() for text in result["problems"]]
    results["seconds"] = round(time.monotonic() - begun, 1)
    (options.output / "demo.json").write_text(json.dumps(results, indent=1) + "\n")
    if options.json:
        print(json.dumps(results, indent=1))
    else:
        console.print(f"Pictures and figures are in {options.output}; {results['seconds']} s.")
    for problem in problems:
        print(f"demo: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (CaucusError, LabError) as error:
        sys.exit(f"demo: {error}")
    except KeyboardInterrupt:
        sys.exit("demo: stopped.")
