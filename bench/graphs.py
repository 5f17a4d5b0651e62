#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares placements of graphs of ranks (bench/plan_graphs.c): as given, by METIS alone, by
Scotch alone, by the leaders of the nodes, by the planner's own methods, and by these together
with METIS and Scotch."""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from statistics import geometric_mean

ROOT = Path(__file__).resolve().parents[1]
sys.path[1:1] = [str(ROOT / "tools"), str(ROOT / "bench")]

METHODS = ("given", "metis", "scotch", "leaders", "own", "both")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    build = ROOT / "build" / "mpich" / "bin" / "plan_graphs"
    parser.add_argument("--program", type=Path, default=build)
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "graphs")
    parser.add_argument("--limit", type=int, default=0, help="only so many graphs")
    return parser.parse_args()


def measure(options):
    """What the program says of each graph, with the family of it."""
    from graphs_experiment import bring

    sys.path.insert(0, str(bring.bring()))
    from graphs_experiment.cases import cases, write

    options.output.mkdir(parents=True, exist_ok=True)
    file, families = options.output / "cases.txt", {}
    with file.open("w") as out:
        for number, case in enumerate(cases()):
            if number == options.limit > 0:
                break
            families[case.name] = case.family
            write(out, case)
    done = subprocess.run([options.program, file], stdout=subprocess.PIPE, text=True, check=True)
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return [{**one, "family": families[one["name"]]} for one in found]


def relative(found, method, value, base):
    """The geometric mean of a method's values over those of another, where none is 0."""
    pairs = [(one[method][value], one[base][value]) for one in found]
    pairs = [(a, b) for a, b in pairs if a > 0 and b > 0]
    return geometric_mean([a / b for a, b in pairs]) if pairs else float("nan")


def against(found, method, other, value="jsum"):
    """On how many graphs a method has less, as much, more."""
    signs = [(one[method][value] > one[other][value]) - (one[method][value] < one[other][value])
             for one in found]  # fmt: skip
    return f"{signs.count(-1)}, {signs.count(0)}, {signs.count(1)}"


def tables(found):
    families = sorted({one["family"] for one in found})
    lines = [
        "| graphs | | Jsum: METIS | Scotch | leaders | own | all "
        "| Jmax: METIS | Scotch | leaders | own | all |",
        "|---|" + 11 * "---:|",
    ]
    for name in [*families, "all"]:
        some = [one for one in found if name in ("all", one["family"])]
        cells = [
            f"{100 * relative(some, method, value, 'given'):.1f}"
            for value in ("jsum", "jmax")
            for method in METHODS[1:]
        ]
        lines.append("| " + " | ".join([name, str(len(some)), *cells]) + " |")
    lines += [
        "",
        "Jsum below, as, above",
        "",
        "| | METIS | Scotch | leaders |",
        "|---|---:|---:|---:|",
    ]
    for method in METHODS[3:]:
        cells = [against(found, method, other) for other in METHODS[1:4]]
        lines.append("| " + " | ".join([method, *cells]) + " |")
    seconds = {m: sum(one[m]["seconds"] for one in found) for m in METHODS[1:]}
    worse = [sum(one[m]["jsum"] > one["given"]["jsum"] for one in found) for m in METHODS[1:]]
    lines += [
        "",
        f"Worse than given, in this order: {worse}. Seconds for all: "
        + ", ".join(f"{name} {value:.1f}" for name, value in seconds.items())
        + ".",
    ]
    return "\n".join(lines)


def main():
    options = arguments()
    found = measure(options)
    (options.output / "graphs.json").write_text(json.dumps(found, indent=1) + "\n")
    print(tables(found))


if __name__ == "__main__":
    main()
