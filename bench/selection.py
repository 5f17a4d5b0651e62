#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How good the choice of algorithms is on a simulated machine (bench/plan_selection.c):
a process for each collective and size, as some take long or much memory."""

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
from selection_experiment import page  # noqa: E402

GIB = 1 << 30


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, help="plan_selection (default: of any build)")
    parser.add_argument("--limit", type=int, default=600, help="seconds for a cell (600)")
    parser.add_argument("--memory", type=int, default=16, help="GiB for a cell (16)")
    parser.add_argument("--collective", action="append", help="only these")
    parser.add_argument("--model", type=Path, help="parameters of the machine (the default one)")
    parser.add_argument("--again", action="store_true", help="only report what was measured")
    parser.add_argument(
        "--publish", type=Path, metavar="FOLDER", help="write the guide's page, too"
    )
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "selection")
    return parser.parse_args()


def program_of(options):
    found = (
        [options.program] if options.program else sorted(ROOT.glob("build/*/bin/plan_selection"))
    )
    if not found:
        sys.exit("selection.py: plan_selection isn't built: make build")
    return found[0]


def measure(program, collective, size, options):
    """Keeps what came out of it, and when; a cell that has been measured is not measured again."""
    kept = options.output / f"{collective}-{size}.json"
    if kept.exists():
        return
    partial = kept.with_suffix(".partial")
    words = [program, "--collective", collective, "--bytes", str(size), "--json", partial]
    if options.model:
        words += ["--model", options.model]
    room = options.memory * GIB
    try:
        subprocess.run(
            [str(word) for word in words],
            timeout=options.limit,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (room, room)),
        )
        said = {**json.loads(partial.read_text()), "when": common_environment.when()}
        partial.write_text(json.dumps(said))
        os.replace(partial, kept)
        kept.with_suffix(".failed").unlink(missing_ok=True)
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as failure:
        partial.unlink(missing_ok=True)
        kept.with_suffix(".failed").write_text(reason(failure))
        print(f"{collective} of {size} bytes is left out: {failure}", file=sys.stderr)


def reason(failure):
    if isinstance(failure, subprocess.TimeoutExpired):
        return f"not done in {failure.timeout:g} s"
    said = (failure.stderr or b"").decode(errors="replace").strip().splitlines()
    if said and "out of memory" in said[-1]:
        return "out of memory"
    return f"failed ({said[-1] if said else f'status {failure.returncode}'})"


def reasons(folder):
    """Of the cells that were left out: {(collective, bytes): why}."""
    found = {}
    for path in folder.glob("*.failed"):
        collective, _, size = path.stem.rpartition("-")
        found[collective, int(size)] = path.read_text()
    return found


def main():
    options = arguments()
    options.output.mkdir(parents=True, exist_ok=True)
    console = Output()
    if not options.again:
        program = program_of(options)
        for collective, size in page.grid(options.collective):
            with Console(stderr=True).status(f"{collective} of {size} bytes"):
                measure(program, collective, size, options)
    files = sorted(options.output.glob("*.json"))
    if not files:
        sys.exit("selection.py: nothing was measured")
    left_out = reasons(options.output)
    found = page.Found([json.loads(file.read_text()) for file in files], left_out)
    console.print(page.verdict(found), page.missing(found))
    for table in page.tables(found):
        console.print(shown(table))
    if options.publish:
        page.write(found, options.publish)
    return 1 if any(why.startswith("failed") for why in left_out.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
