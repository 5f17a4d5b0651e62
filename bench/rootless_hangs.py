#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Channels on virtual nodes, started over and over: how many runs do not end, or end wrong.

A run is that of the demo: all ranks cast, with cards of 200 Mbit/s on the nodes. Every second
one has two busy loops beside it. Needs root. What a call of this does is added to a record, so that
many calls, each of some minutes, make one table."""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import common_environment

ROOT = common_environment.ROOT

from lab import Lab, LabError, LabTimeout  # noqa: E402
from testing.busy import Busy  # noqa: E402

WAYS = {3: "channel, each alone", 4: "channel", 5: "total order, each alone", 6: "total order"}
# Shapes with their ways: most runs are of what was seen to hang.
TURN = [
    ((8, 4), [5, 5, 5, 5, 5, 5, 3, 4, 6]),
    ((8, 2), [5, 3, 4, 6]),
    ((4, 8), [5, 3, 4, 6]),
    ((16, 2), [5, 3, 4, 6]),
]
PAGE = """\
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by: bench/rootless_hangs.py --publish docs/results -->
# Runs of channels that do not end

```console
$ {builds}
$ python3 bench/rootless_hangs.py --mpi {mpis} --minutes 60 --publish docs/results
```

All ranks cast 320 messages of 100 bytes, three times, on virtual nodes with cards of 200 Mbit/s
(`rootless_loop --sizes 100 --patterns all --casts 320 --yield 1`, as in `make demo`); every message
is looked at. Half of the runs had two busy loops beside them, on a machine of {cores} cores.
A run that took longer than {limit} s counts as one that does not end; one with a call that waits
for longer than half of that ends with an error, and counts as wrong. {date}.

| MPI | nodes × ranks | way | runs | with busy loops | did not end | wrong | median s | longest s |
|---|---|---|---|---|---|---|---|---|
{rows}
"""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpi", default="mpich", help="a list (mpich)")
    parser.add_argument("--runs", type=int, default=10**6, help="at most so many of each MPI")
    parser.add_argument("--minutes", type=float, default=10, help="then it ends, for all (10)")
    parser.add_argument("--limit", type=float, default=120, help="seconds of a run (120)")
    parser.add_argument("--record", type=Path, default=ROOT / "build" / "rootless-hangs.jsonl")
    parser.add_argument("--publish", type=Path, metavar="FOLDER", help="write the guide's page")
    return parser.parse_args()


def run(options, lab, mpi, ppn, way, busy):
    program = ROOT / "build" / mpi / "bin" / "rootless_loop"
    with TemporaryDirectory() as folder:
        cells = Path(folder) / "cells.json"
        words = [program, "--sizes", 100, "--patterns", "all", "--repetitions", 3, "--casts", 320]
        words += ["--yield", 1, "--ways", way, "--json", cells]
        found = {"mpi": mpi, "nodes": lab.nodes, "ppn": ppn, "way": way, "busy": busy}
        begin = time.monotonic()
        try:
            with Busy(busy):
                # Half of the limit, so that a run that stands still says for what each rank waits.
                told = {"CAUCUS_TIMEOUT": f"{options.limit / 2:g}"}
                lab.run([str(word) for word in words], mpi, ppn, env=told, timeout=options.limit)
            lines = cells.read_text().splitlines() or ['{"wrong": ["nothing was measured"]}']
            found["wrong"] = ", ".join(json.loads(lines[0])["wrong"])
        except LabTimeout:
            found["hangs"] = True
        except LabError as error:
            found["wrong"] = str(error)[-500:]
        found["seconds"] = round(time.monotonic() - begin, 2)
    return found


def do(options, mpi, end, before):
    """As many runs as there is time for, with those of calls before; shapes in turn."""
    number = len([it for it in before if it["mpi"] == mpi])
    per_turn = sum(len(ways) for _, ways in TURN)
    skipped = number % per_turn
    while number < options.runs and time.monotonic() < end:
        for (nodes, ppn), ways in TURN:
            if skipped >= len(ways):
                skipped -= len(ways)
                continue
            with Lab(nodes=nodes, rate="200mbit") as lab:
                for way in ways[skipped:]:
                    if number >= options.runs or time.monotonic() > end:
                        return
                    found = run(options, lab, mpi, ppn, way, number % 2 == 1)
                    number += 1
                    with open(options.record, "a") as record:
                        record.write(json.dumps(found) + "\n")
                    print(number, json.dumps(found), flush=True)
            skipped = 0


def rows(records):
    groups = {}
    for it in records:
        groups.setdefault((it["mpi"], f"{it['nodes']} × {it['ppn']}", it["way"]), []).append(it)
    for (mpi, shape, way), runs in groups.items():
        seconds = sorted(it["seconds"] for it in runs)
        hangs, wrong = sum("hangs" in it for it in runs), sum(bool(it.get("wrong")) for it in runs)
        busy = sum(it["busy"] for it in runs)
        yield (
            f"| {mpi} | {shape} | {WAYS[way]} | {len(runs)} | {busy} | {hangs} | {wrong} "
            f"| {seconds[len(seconds) // 2]:.1f} | {seconds[-1]:.1f} |"
        )


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def main():
    options = arguments()
    end = time.monotonic() + 60 * options.minutes
    asked = options.mpi.split(",")
    for number, mpi in enumerate(asked):
        share = (end - time.monotonic()) / (len(asked) - number)
        do(options, mpi, time.monotonic() + share, read(options.record))
    records = read(options.record)
    if options.publish:
        cores = subprocess.run(["nproc"], capture_output=True, text=True).stdout.strip()
        mpis = list(dict.fromkeys(it["mpi"] for it in records))
        text = PAGE.format(
            builds=" && ".join(f"make build MPI={mpi}" for mpi in mpis),
            mpis=",".join(mpis),
            cores=cores,
            limit=f"{options.limit:g}",
            date=time.strftime("%Y-%m-%d"),
            rows="\n".join(rows(records)),
        )
        (options.publish / "rootless-hangs.md").write_text(text)
    return 1 if any("hangs" in it or it.get("wrong") for it in records) else 0


if __name__ == "__main__":
    sys.exit(main())
