# SPDX-License-Identifier: BSD-3-Clause
"""Runs test programs over and over, every second time with two busy loops beside them: what fails
once in twenty is found by no single run.

python3 tools/repeat.py dropin_constructors dropin_duplicates --mpi mpich,openmpi,intel --times 20
python3 tools/repeat.py --times 5 --limit 60        # all programs"""

import argparse
import sys
import time

from provision.problem import Problem, run_main
from testing import builds, measured, programs
from testing.busy import Busy
from testing.programs import Start, Target


class Run:
    """What a start is told: the same limit for all, in place of what a program took before."""

    def __init__(self, seconds):
        self.durations = self
        self.seconds = seconds

    def limit(self, *_):
        return measured.Limit(processor=4 * self.seconds, clock=self.seconds)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="*", help="of tests/mpi and tests/dropin; all if none")
    parser.add_argument("--mpi", default="mpich", help="a list (mpich)")
    parser.add_argument("--times", type=int, default=20, help="runs of each run: line (20)")
    parser.add_argument("--minutes", type=float, default=60, help="then it ends (60)")
    parser.add_argument("--limit", type=float, default=240, help="seconds of a run (240)")
    chosen = parser.parse_args()
    unknown = set(chosen.programs) - set(programs.sources())
    if unknown:
        parser.error(f"no such program: {', '.join(sorted(unknown))}")
    return chosen


def cases_of(chosen, target):
    wanted = chosen.programs or programs.sources()
    found = [case for case in programs.declared() if case.program in wanted]
    return programs.fitting(found, target)


def main():
    chosen = arguments()
    end = time.monotonic() + 60 * chosen.minutes
    rows = {}
    for turn in range(chosen.times):
        for mpi in chosen.mpi.split(","):
            target = Target(mpi, builds.folder_of(mpi), mpi)
            for case in cases_of(chosen, target):
                if time.monotonic() > end:
                    return finish(rows)
                start = Start(Run(chosen.limit), "repeat", target, [case])
                began = time.monotonic()
                with Busy(turn % 2 == 1):
                    outcomes = start.outcomes()
                good, name, text = outcomes[0].good, outcomes[0].name, outcomes[0].text
                if good is None:
                    print(f"skipped: {name}: {text}", flush=True)
                    continue
                row = rows.setdefault((mpi, case.name), [])
                row.append((good, time.monotonic() - began))
                if not good:
                    print(f"FAILED run {turn} {name}\n{text}", flush=True)
    return finish(rows)


def finish(rows):
    if not rows:
        raise Problem("nothing has run: no case fits, or all were skipped.")
    print("| MPI | program | runs | failed | median s | longest s |")
    print("|---|---|---:|---:|---:|---:|")
    for (mpi, name), runs in sorted(rows.items()):
        seconds = sorted(took for _, took in runs)
        failed = sum(not good for good, _ in runs)
        middle = seconds[len(seconds) // 2]
        print(f"| {mpi} | `{name}` | {len(runs)} | {failed} | {middle:.1f} | {seconds[-1]:.1f} |")
    if any(not good for runs in rows.values() for good, _ in runs):
        sys.exit(1)


if __name__ == "__main__":
    run_main(main)
