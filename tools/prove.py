# SPDX-License-Identifier: BSD-3-Clause
"""Proves for all process counts what tests/plan can prove, and notes for which sources it held, in
docs/results/proofs.json and proofs.md. Minutes on all cores."""

import argparse
import json
import os
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import setup
from build import build
from provision import stamp
from provision.problem import Problem, run_main
from testing import measured, plans, proofs

LIMIT = measured.Limit(100_000, 50_000)
ONE_WRITES = threading.Lock()
OWN_THREADS = ("collectives_test",)  # it takes all cores by itself
PAGE = """<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Written by make prove. -->
# What was proved, and for which sources

The programs of tests/plan that prove for all process counts, each run whole (`TEST_FULL=1`) by
`make prove`. The hash is over all sources of ours that the program is made of
(`tools/testing/proofs.py`); while it stands, `make test FULL=1` proves a share of the longest
again, another one every day, and what has changed it proves whole.

| program | proved on | tests | processor seconds | sources | said |
|---|---|---:|---:|---|---|
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="*", help="only these (default: all)")
    chosen = parser.parse_args().programs or proofs.programs()
    unknown = set(chosen) - set(proofs.programs())
    if unknown:
        raise Problem(f"{', '.join(unknown)}: not among {', '.join(proofs.programs())}.")
    setup.prepare({"build", "run", "test"}, [])
    with stamp.one_at_a_time():
        folder = build("plan", tests=True, quiet=True)
    before = {name: proofs.sources_of(name) for name in chosen}
    together = [name for name in chosen if name not in OWN_THREADS]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        good = list(pool.map(lambda name: prove(folder, name, before[name]), together))
    good += [prove(folder, name, before[name]) for name in chosen if name in OWN_THREADS]
    write_page()
    return 0 if all(good) else 1


def prove(folder, name, sources):
    """Runs one whole; whether it held, which the record then says."""
    environment = {"TEST_FULL": "1", "TEST_SHARE": "0/1", "TEST_ALGORITHM": ""}
    done, cases = plans.start(folder / "tests" / name, environment, LIMIT)
    if not done.good or not cases:
        print(f"{name} FAILED\n{done.output}\n{done.ended}", flush=True)
        return False
    said = re.findall(r"^.*\b\d+ cases\b.*$", done.output, re.MULTILINE)
    print(f"{name}: holds, {done.processor:.0f} s of the processor", flush=True)
    with ONE_WRITES:
        record = read()
        record["proofs"][name] = {
            "sources": sources,
            "date": time.strftime("%Y-%m-%d"),
            "tests": len(cases),
            "processor": round(done.processor),
            "said": [re.sub(r" in [\d.]+ s$", "", line) for line in said],
        }
        record["proofs"] = dict(sorted(record["proofs"].items()))
        proofs.RECORD.write_text(json.dumps(record, indent=1) + "\n")
    return True


def read():
    try:
        return json.loads(proofs.RECORD.read_text())
    except FileNotFoundError:
        return {"proofs": {}}


def write_page():
    rows = "".join(
        f"| {name} | {held['date']} | {held['tests']} | {held['processor']:,} | "
        f"`{held['sources'][:12]}` | {'; '.join(held['said'])} |\n"
        for name, held in read()["proofs"].items()
    )
    proofs.RECORD.with_suffix(".md").write_text(PAGE + rows)


if __name__ == "__main__":
    run_main(main)
