# SPDX-License-Identifier: BSD-3-Clause
"""Two builds of the library by turns: before and after a change, medians of what the loops
of the benchmarks measure of Caucus's own ways, and their ratio; a second ratio is that of the lower
quartiles of the runs, which a run that the machine has disturbed does not reach. A cell that the
benchmark of one of the builds does not know is named, and the exit status is 1.

python3 bench/versions.py --before ../before/build/mpich --after build/mpich --mpi mpich"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "bindings/python"), str(ROOT / "tools")]
import mpi_launch  # noqa: E402

# Name, ranks, settings, program and arguments, share of the turns (that of a long one is smaller).
CELLS = [
    *(
        (
            f"{collective}, {size} bytes",
            2,
            {},
            f"persistent_loop --collective {collective} --bytes {size} "
            f"--iterations {iterations} --repetitions 3",
            1,
        )
        for collective in ("barrier", "bcast", "allreduce", "alltoall")
        for size, iterations in ((8, 5000), (65536, 500))
    ),
    (
        "init of allreduce, new shapes",
        2,
        {},
        "persistent_loop --collective allreduce --bytes 8 --iterations 1 --repetitions 300 "
        "--shapes new",
        1,
    ),
    ("groups", 2, {}, "create_group_loop --most 2 --repetitions 3 --creations 200 --lead 0", 1),
    (
        "casts",
        2,
        {},
        "rootless_loop --sizes 10,1000 --patterns all,lone --ways 4,5 --repetitions 5 "
        "--casts 20000",
        0.2,
    ),
    *(
        (
            f"between groups, {cell}",
            4,
            {"CAUCUS_NODES": "2x2"},
            f"intergroup_loop --groups 1:1 --cell {cell} --repetitions 5 --seconds 0.2 --ways ours",
            0.2,
        )
        for cell in (
            "allgather:regular:1024",
            "allgatherv:linear:16384",
            "allreduce:regular:1024",
        )
    ),
]
FASTER_IS_MORE = {"all", "fixed", "varied"}  # casts in a second


def samples_of(row):
    """{name: (samples, whether more is better)} of Caucus's own ways in a line of a loop."""
    found = row.get("samples") or row.get("microseconds") or row.get("seconds") or {}
    more = row.get("pattern") in FASTER_IS_MORE
    where = f"{row['pattern']} of {row['bytes']} bytes, " if "pattern" in row else ""
    return {
        where + name: (values, more)
        for name, values in found.items()
        if values and not name.startswith(("MPI", "native"))
    }


def run(build, mpi, cell):
    _, ranks, settings, words, _ = cell
    program, *rest = words.split()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "rows.json"
        command, environment = mpi_launch.command(
            mpi, ranks, [build / "bin" / program, *rest, "--json", out], settings
        )
        subprocess.run(
            list(map(str, command)), env=environment, check=True, stdout=subprocess.DEVNULL,
            cwd=folder, timeout=300,
        )  # fmt: skip
        text = out.read_text()
    decoder, at, rows = json.JSONDecoder(), 0, []
    while at < len(text):
        row, end = decoder.raw_decode(text, at)
        rows.append(row)
        at = end + len(text[end:]) - len(text[end:].lstrip())
    found = {}
    for row in rows:
        found.update(samples_of(row))
    return found


def compare(before, after, turns, mpi, cell):
    kept = {}
    for turn in range(max(2, round(turns * cell[4]))):
        order = [("before", before), ("after", after)]
        for which, build in order if turn % 2 == 0 else order[::-1]:
            for name, (values, more) in run(build, mpi, cell).items():
                kept.setdefault(name, {"more": more, "before": [], "after": []})[which].append(
                    statistics.median(values)
                )
    for name, sides in kept.items():
        if sides["before"] and sides["after"]:
            was, now = (statistics.median(sides[side]) for side in ("before", "after"))
            yield {
                "cell": cell[0],
                "way": name,
                "before": was,
                "after": now,
                "ratio": was / now if sides["more"] else now / was,
                "undisturbed": undisturbed(**sides),
            }


def undisturbed(more, before, after):
    """The ratio of the better quartiles."""
    if more:
        return quartile([-value for value in before]) / quartile([-value for value in after])
    return quartile(after) / quartile(before)


def quartile(values):
    return sorted(values)[len(values) // 4]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--before", type=lambda text: Path(text).resolve(), required=True)
    parser.add_argument("--after", type=lambda text: Path(text).resolve(), required=True)
    parser.add_argument("--mpi", default="mpich")
    parser.add_argument("--turns", type=int, default=30, help="of each build in a short cell")
    parser.add_argument("--only", default="", metavar="WORDS", help="cells with these in the name")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    rows, left_out = [], []
    print(
        "| cell | way | before | after | after / before, time | of the better quartiles |\n"
        "|---|---|---:|---:|---:|---:|"
    )
    for cell in (cell for cell in CELLS if chosen.only in cell[0]):
        try:
            found = list(compare(chosen.before, chosen.after, chosen.turns, chosen.mpi, cell))
        except subprocess.CalledProcessError as error:
            print(f"{cell[0]}: '{' '.join(map(str, error.cmd))}' failed", file=sys.stderr)
            left_out.append(cell[0])
            continue
        for row in found:
            rows.append(row)
            print(
                f"| {row['cell']} | {row['way']} | {row['before']:.4g} | {row['after']:.4g} "
                f"| {row['ratio']:.2f} | {row['undisturbed']:.2f} |",
                flush=True,
            )
    if chosen.json:
        chosen.json.write_text(json.dumps(rows, indent=1) + "\n")
    return 1 if left_out else 0


if __name__ == "__main__":
    sys.exit(main())
