# SPDX-License-Identifier: BSD-3-Clause
"""Kills ranks in the middle of a storm on channels: of three orders, many times. Of those that are
left it tells whether all have delivered the same, and the longest time that any of them could not
cast, which is what finding out about the death and agreeing takes.

python3 bench/rootless_deaths.py [--seeds 200] [--first 1] [--ranks 6] [--deaths 1]
    [--program FILE] [--record FILE] [--report FILE]

Needs build/openmpi (make build MPI=openmpi). Runs whose seeds the record has are not run again, so
it may be stopped and started anew; --report writes the page from the record."""

import argparse
import json
import re
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = ROOT / "build" / "openmpi" / "tests" / "channel_deaths"
LINE = re.compile(r"(\d+) are left and agree; longest wait ([0-9.]+) s; (\d+) casts")
LIMIT = 60  # seconds of a run


def run(program, ranks, seed, deaths):
    words = [sys.executable, ROOT / "tools" / "mpi_launch.py", "--mpi", "openmpi", "-n", ranks]
    words += ["--deaths", program, seed, deaths]
    try:
        done = subprocess.run(
            list(map(str, words)), capture_output=True, timeout=LIMIT, errors="replace"
        )
        said = done.stdout + done.stderr
    except subprocess.TimeoutExpired as late:
        said = str(late.stdout) + str(late.stderr) + f"\nended after {LIMIT} s"
    found = LINE.search(said)
    if not found or int(found[1]) != ranks - deaths:
        return {"seed": seed, "ranks": ranks, "deaths": deaths, "wrong": said[-2000:]}
    return {
        "seed": seed,
        "ranks": ranks,
        "deaths": deaths,
        "wait": float(found[2]),
        "casts": int(found[3]),
    }


def row(runs):
    waits = sorted(run["wait"] for run in runs if "wait" in run)
    if not waits:
        return [str(runs[0]["ranks"]), str(runs[0]["deaths"]), str(len(runs)), "0", *["–"] * 6]
    at = [waits[min(len(waits) - 1, int(len(waits) * part))] for part in (0.5, 0.9, 0.99)]
    return [
        f"{runs[0]['ranks']}",
        f"{runs[0]['deaths']}",
        f"{len(runs)}",
        f"{len(waits)}",
        f"{statistics.median(run['casts'] for run in runs if 'casts' in run):.0f}",
        *(f"{1000 * wait:.0f}" for wait in at),
        f"{1000 * waits[-1]:.0f}",
        f"{sum(wait <= 1 for wait in waits)}",
    ]


HEAD = """<!-- SPDX-License-Identifier: BSD-3-Clause -->
# Channels whose ranks die

All ranks cast at random on three channels, one of each order (first-in-first-out, causal, total),
up to 20,000 bytes a message; ranks kill themselves (SIGKILL) at a random one of their casts. Those
that are left go on until they have seen the deaths and cast 100 messages more on each channel,
wait for quiet, close, and compare what they have delivered: of the living all that they cast, of
the dead the same, and in total order the same order. The wait is the longest time that any survivor
had between two casts of its own that were accepted, on any channel, in the whole storm: MPI's time
to tell of the death, the agreement, catching up, and whatever else the machine did.

Open MPI 5.0.11, `mpiexec --with-ft ulfm`, shared memory, a machine of 2 processors that had other
work at the same time.

    python3 bench/rootless_deaths.py

| ranks | die | runs | agree | casts | wait: median, ms | 90 % | 99 % | longest | within 1 s |
|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
"""


def report(record):
    kinds = sorted({(run["ranks"], run["deaths"]) for run in record})
    rows = [row([run for run in record if (run["ranks"], run["deaths"]) == k]) for k in kinds]
    return HEAD + "".join("| " + " | ".join(cells) + " |\n" for cells in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--ranks", type=int, default=6)
    parser.add_argument("--deaths", type=int, default=1)
    parser.add_argument("--program", type=Path, default=PROGRAM)
    parser.add_argument("--record", type=Path, default=ROOT / "build" / "rootless-deaths.json")
    parser.add_argument("--report", type=Path)
    chosen = parser.parse_args()
    record = json.loads(chosen.record.read_text()) if chosen.record.exists() else []
    known = {(run["ranks"], run["deaths"], run["seed"]) for run in record}
    for seed in range(chosen.first, chosen.first + chosen.seeds):
        if (chosen.ranks, chosen.deaths, seed) in known:
            continue
        record.append(run(chosen.program, chosen.ranks, seed, chosen.deaths))
        chosen.record.write_text(json.dumps(record, indent=0))
        if "wrong" in record[-1]:
            print(f"seed {seed}: {record[-1]['wrong']}", file=sys.stderr)
        print(f"seed {seed}: {record[-1].get('wait', 'wrong')}", flush=True)
    if chosen.report:
        chosen.report.write_text(report(record))
    sys.exit(1 if any("wrong" in run for run in record) else 0)


if __name__ == "__main__":
    main()
