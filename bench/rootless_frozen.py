#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""All ranks cast, and one of them is stopped for a while: memory of all ranks, what is lost, and
speed afterwards."""

import argparse
import json
import shlex
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import common_environment

ROOT = common_environment.ROOT

import mpi_launch  # noqa: E402
from persistent_experiments.measure import ExperimentError, program  # noqa: E402

PAGE = """\
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by: bench/rootless_frozen.py --publish docs/results -->
# A rank that is stopped in a storm of casts

This repeats it, with Linux:

```console
$ make build MPI=mpich && make build MPI=openmpi
$ {command}
```

All ranks cast messages of 1,000 bytes without a pause, on a channel of plain and one of total order
(`bench/rootless_frozen.c`); rank 0 stops the last one by SIGSTOP for {stopped:g} s, and lets it go
on. Every byte and number is looked at; the memory that each rank has in use is sampled ten times a
second. One machine, {date}; rates hang on what else it did.

| MPI | ranks | lost or wrong | heard in a second, before | stopped | after | memory before, KiB | \
grown by, KiB |
|---|---|---|---|---|---|---|---|
{rows}

While the rank is stopped the others' casts are refused, once the room for its messages is used up.
"""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpi", default="mpich,openmpi", help="a list (mpich,openmpi)")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--stopped", type=float, default=60, help="seconds (60)")
    parser.add_argument("--around", type=float, default=10, help="seconds before and after (10)")
    parser.add_argument("--builds", type=Path, default=ROOT / "build", help=argparse.SUPPRESS)
    parser.add_argument("--publish", type=Path, metavar="FOLDER", help="write the guide's page")
    return parser.parse_args()


def run(options, mpi):
    with TemporaryDirectory() as folder:
        path = Path(folder) / "found.json"
        words = [program(options.builds, mpi, "rootless_frozen"), "--json", str(path)]
        words += ["--before", str(options.around), "--after", str(options.around)]
        words += ["--stopped", str(options.stopped)]
        command, env = mpi_launch.command(mpi, options.ranks, words, {})
        done = subprocess.run(
            command, env=env, text=True, timeout=options.stopped + 2 * options.around + 120
        )
        if not path.exists():
            raise ExperimentError(f"{mpi}: exit status {done.returncode}")
        return json.loads(path.read_text()), done.returncode == 0


def row(mpi, found):
    grown = max(
        max(during, after) - before
        for before, during, after in zip(found["before"], found["stopped_kib"], found["after"])
    )
    rates = " | ".join(f"{rate:,.0f}" for rate in found["rates"])
    return (
        f"| {mpi} | {found['ranks']} | {found['wrong']} | {rates} | {max(found['before']):,} | "
        f"{grown:,} |"
    )


def main():
    options = arguments()
    rows, good = [], True
    for mpi in options.mpi.split(","):
        found, fine = run(options, mpi)
        rows.append(row(mpi, found))
        good = good and fine
    if options.publish:
        told = ["--ranks", str(options.ranks), "--stopped", f"{options.stopped:g}"]
        page = PAGE.format(
            command=shlex.join([".venv/bin/python", "bench/rootless_frozen.py", *told]),
            stopped=options.stopped,
            date=common_environment.when(),
            rows="\n".join(rows),
        )
        (options.publish / "rootless-frozen.md").write_text(page)
    return 0 if good else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (ExperimentError, subprocess.TimeoutExpired) as error:
        sys.exit(f"rootless_frozen: {error}")
