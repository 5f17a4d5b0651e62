# SPDX-License-Identifier: BSD-3-Clause
"""Seeds faults into the sources, one at a time, and tells which of them the tests catch.

python3 tools/mutate.py --count 200                 so many, the same for the same --seed
python3 tools/mutate.py --rooms plan/grid base      in these rooms alone
python3 tools/mutate.py --minutes 30                until then; what is known is not tried again
python3 tools/mutate.py --again FILE                the survivors that FILE (a result) lists
python3 tools/mutate.py --report                    nothing but the table of what is known

docs/development/mutation.md says what is done with them."""

import argparse
import json
import os
import time
from pathlib import Path

import setup
from mutation import changes, guess, results, trials
from mutation.workshop import Workshop
from provision.paths import ROOT
from provision.problem import run_main
from testing import measured


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mpi", default="mpich")
    parser.add_argument("--count", type=int, default=200, help="faults that compile")
    parser.add_argument("--rooms", nargs="*", default=[], metavar="ROOM", help="base, run/channel")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=0, help="no new fault after that")
    parser.add_argument(
        "--patience",
        type=float,
        default=40,
        help="seconds of processor that tests have for a fault",
    )
    parser.add_argument(
        "--guess", action="store_true", help="choose tests by words, without counting lines first"
    )
    parser.add_argument("--again", type=Path, metavar="FILE", help="survivors of this result")
    parser.add_argument("--report", action="store_true")
    return parser.parse_args()


def main():
    chosen = options()
    known = results.Results(chosen.mpi, chosen.seed)
    if not chosen.report:
        end = time.monotonic() + (chosen.minutes * 60 or 1e9)
        os.nice(19 - os.nice(0))
        setup.prepare({"build", "run", "test"}, [chosen.mpi])
        workshop = Workshop(chosen.mpi)
        workshop.prepare()
        tests = trials.declared(chosen.mpi)
        reaches = [guess.Guess(workshop, tests)]  # where no line that was learned comes by, too
        if not chosen.guess:
            reaches.insert(0, trials.Reach(workshop))
        seed_all(chosen, workshop, reaches, tests, known, end)
        if not chosen.guess:
            tell_failing(reaches[0], tests)
    write(chosen, known)
    return 0


def tell_failing(reach, tests):
    for trial in tests:
        wrong = reach.known.get(trial.name, {}).get("wrong")
        if wrong:
            print(f"left out, for it fails as it is: {trial.name}: {wrong}", flush=True)


def wanted(chosen, known):
    """The faults in their order, and how many of them are to compile."""
    found = changes.of_tree(ROOT, chosen.rooms)
    if not chosen.again:
        return changes.draw(found, chosen.seed, 2 * chosen.count), chosen.count
    left = json.loads(chosen.again.read_text())["survivors"]
    keys = {row["key"] for row in left}
    for key in keys:
        known.rows.pop(key, None)
    again = [change for some in found.values() for change in some if change.key in keys]
    return again, len(again)


def seed_all(chosen, workshop, reaches, tests, known, end):
    order, count = wanted(chosen, known)
    compiled = 0
    for change in order:
        if compiled >= count or time.monotonic() > end:
            return
        row = known.rows.get(change.key) or seed_one(
            chosen, workshop, reaches, tests, known, change
        )
        compiled += row["outcome"] != results.NO_CODE


def seed_one(chosen, workshop, reaches, tests, known, change):
    """Builds one fault, and shows it to the tests that come by until one fails."""
    try:
        if workshop.seed(change):
            return known.add(change, results.NO_CODE, 0)
        row = show(chosen, workshop, known, change, reaches, tests)
    finally:
        workshop.heal(change)
    print(
        f"{row['outcome']:11} {change.file}:{change.line}: {change.words}"
        f"{' by ' + row['by'] if row['by'] else ''}",
        flush=True,
    )
    return row


def show(chosen, workshop, known, change, reaches, tests):
    run = 0
    for reach in reaches:
        by, run = show_to(chosen, workshop, reach, reach.of(change, tests))
        if by:
            return known.add(change, results.CAUGHT, run, by)
        if run:
            return known.add(change, results.SURVIVED, run)
    return known.add(change, results.UNREACHED, run)


def show_to(chosen, workshop, reach, order):
    """The name of the test that fails, if one does, and how many were run. A hang burns processor
    time or sleeps; a busy machine must not look like one."""
    spent, run = 0.0, 0
    for trial, learned in order:
        if run and spent + learned["processor"] > chosen.patience:
            continue
        run += 1
        limit = measured.Limit(5 + 5 * learned["processor"], 15 + 10 * learned["seconds"])
        done, wrong = trial.run(workshop.mpi, workshop.work, limit, learned["leaks"])
        spent += done.processor
        if wrong and reach.is_sound(trial, learned["leaks"], limit):
            return trial.name, run
    return "", run


def write(chosen, known):
    """The result as JSON and as a page, beside the build."""
    folder = ROOT / "build" / "mutation" / chosen.mpi
    folder.mkdir(parents=True, exist_ok=True)
    table, left = results.counted(known.rows.values())
    whole = {"seed": chosen.seed, "rooms": table, "survivors": left}
    whole["faults"] = list(known.rows.values())
    (folder / "result.json").write_text(json.dumps(whole, indent=1) + "\n")
    text = results.page(known.rows.values())
    (folder / "result.md").write_text(text)
    print(text)


if __name__ == "__main__":
    run_main(main)
