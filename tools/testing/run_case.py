# SPDX-License-Identifier: BSD-3-Clause
"""What CTest starts for a program with MPI: runs a command, and judges it as its case wants.

python3 -m testing.run_case [--exit STATUS] [--output TEXT]... [--deaths] [--limit SECONDS]
    -- COMMAND...

Returns 77 for a run that was skipped and says why."""

import argparse
import sys
import tempfile

from . import measured
from .cases import SKIPPED, Case


def main(words):
    parser = argparse.ArgumentParser(prog="run_case")
    parser.add_argument("--exit", default="0", dest="status")
    parser.add_argument("--output", action="append", default=[], dest="outputs")
    parser.add_argument("--deaths", action="store_true")
    parser.add_argument("--limit", type=float, default=600, help="seconds on the clock")
    parser.add_argument("command", nargs="+")
    chosen = parser.parse_args(words)
    case = Case("", 0, status=chosen.status, outputs=chosen.outputs, deaths=chosen.deaths)
    limit = measured.Limit(processor=10 * chosen.limit, clock=chosen.limit)
    with tempfile.TemporaryDirectory() as scratch:  # what it writes is its own
        finished = measured.run(chosen.command, limit, scratch=scratch)
    print(finished.output, flush=True)
    if case.skipped(finished):
        return SKIPPED
    fault = finished.ended or case.judge(finished)
    if fault:
        print(f"failed: {fault}")
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
