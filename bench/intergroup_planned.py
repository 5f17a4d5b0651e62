#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What allgather between two groups is planned to take (bench/plan_intergroup.c): loads of ports,
times over their bounds, and large machines of nodes, which nobody needs to have."""

import argparse
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import common_environment

ROOT = common_environment.ROOT

from rich.console import Console  # noqa: E402

from common_tables import Output, shown  # noqa: E402
from planned_experiment import grid, page  # noqa: E402

GIB = 1 << 30
UNKNOWN = "at a time that was not noted"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, help="plan_intergroup (default: of any build)")
    parser.add_argument(
        "--limit", type=int, default=300, help="processor seconds for a measurement (300)"
    )
    parser.add_argument("--memory", type=int, default=8, help="GiB for a measurement (8)")
    parser.add_argument("--quick", action="store_true", help="few cases and cells")
    parser.add_argument("--again", action="store_true", help="only report what was measured")
    parser.add_argument("--json", type=Path, help="all figures, for programs")
    parser.add_argument(
        "--publish", type=Path, metavar="FOLDER", help="write the guide's page, too"
    )
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "intergroup-planned")
    options = parser.parse_args()
    if options.quick:  # fewer cases under the same names
        options.output /= "quick"
    return options


def program_of(options):
    found = (
        [options.program] if options.program else sorted(ROOT.glob("build/*/bin/plan_intergroup"))
    )
    if not found:
        sys.exit("intergroup_planned.py: plan_intergroup isn't built: make build")
    return found[0]


def measure(program, words, kept, options):
    """Keeps what came out of it; what has been measured is not measured again."""
    if kept.exists():
        return
    partial = kept.with_suffix(".partial")

    def limit():
        room = options.memory * GIB
        resource.setrlimit(resource.RLIMIT_AS, (room, room))
        resource.setrlimit(resource.RLIMIT_CPU, (options.limit, options.limit))

    try:
        subprocess.run(
            [str(program), *words, "--json", str(partial)],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            preexec_fn=limit,
        )
        kept.with_suffix(".when").write_text(common_environment.when())
        os.replace(partial, kept)
    except subprocess.CalledProcessError as failure:
        partial.unlink(missing_ok=True)
        print(f"{' '.join(words)} is left out: {failure}", file=sys.stderr)


def main():
    options = arguments()
    options.output.mkdir(parents=True, exist_ok=True)
    console = Output()
    found, measured, missing = {}, [], []
    for key in grid.keys(options.quick):
        kept = options.output / f"{grid.name(key)}.json"
        if not options.again:
            with Console(stderr=True).status(grid.name(key)):
                measure(program_of(options), grid.words(key, options.quick), kept, options)
        if kept.exists():
            found[key] = json.loads(kept.read_text())
            noted = kept.with_suffix(".when")
            measured.append(noted.read_text() if noted.exists() else UNKNOWN)
        else:
            missing.append(grid.name(key))
    if not found:
        sys.exit("intergroup_planned.py: nothing was measured")
    for line in page.verdicts(found):
        console.print(line)
    for table in page.tables(found):
        console.print(shown(table))
    if options.json:
        options.json.write_text(json.dumps({grid.name(key): found[key] for key in found}))
    if options.publish:
        page.write(found, measured, missing, options.publish)
    for name in missing:
        print(f"intergroup_planned: {name} is left out", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
