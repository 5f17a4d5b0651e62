# SPDX-License-Identifier: BSD-3-Clause
"""From samples to medians, ratios and verdicts."""

from .cases import CORES, FIRST_STARTS, PROMISED

NATIVE = ("native blocking", "native nonblocking", "native persistent")
OURS = "persistent"


def median(values):
    ordered, middle = sorted(values), len(values) // 2
    return ordered[middle] if len(values) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def band(values):
    """The 10th and the 90th percentile."""
    ordered = sorted(values)
    return ordered[len(ordered) // 10], ordered[(9 * len(ordered)) // 10]


def rows(runs):
    return [_row(run) for run in runs]


def _row(run):
    times = {name: median(values) for name, values in run["microseconds"].items()}
    rival = times.get("native persistent", times["native nonblocking"])
    return {
        **{name: run[name] for name in ("mpi", "where", "collective", "bytes", "ranks")},
        "iterations": run["iterations"],
        "shapes": run["shapes"],
        "times": times,
        "bands": {name: band(values) for name, values in run["microseconds"].items()},
        "over_persistent": rival / times[OURS],
        "over_nonblocking": times["native nonblocking"] / times[OURS],
        "over_blocking": times["native blocking"] / times[OURS],
    }


def back_rows(runs):
    """Whether init, so many starts and free take no longer than as many nonblocking calls."""
    found = []
    for row in rows(runs):
        ratio = row["times"]["nonblocking"] / row["times"][OURS]
        found.append({**row, "ratio": ratio, "pays": ratio >= 1})
    return found


def _cell(row):
    return tuple(row[name] for name in ("mpi", "where", "collective", "ranks", "bytes", "shapes"))


def _judge(what, chosen, keeps):
    """A cell that was measured in several parts counts once, and is to keep it in all of them."""
    failing = {}
    for row in chosen:
        if not keeps(row):
            failing.setdefault(_cell(row), row)
    return what, len(set(map(_cell, chosen))), list(failing.values())


def verdicts(measured, back):
    """Each promise: what it is, how many cells were judged, those that fail."""
    node = [row for row in measured if row["where"] == "one node" and row["collective"] in PROMISED]
    short = [row for row in node if row["bytes"] <= 4096]
    few = [row for row in short if row["ranks"] <= CORES]
    more = [row for row in short if CORES < row["ranks"] <= 2 * CORES]
    medium = [r for r in node if r["bytes"] <= 65536 and r["ranks"] <= 2 * CORES]
    reduce = [r for r in node if r["collective"] == "reduce" and r["bytes"] == 4]
    return [
        _judge(
            f"3 × MPI's persistent, ≤ 4 KiB, ≤ {CORES} ranks",
            few,
            lambda r: r["over_persistent"] >= 3,
        ),
        _judge(
            f"2 × MPI's persistent, ≤ 4 KiB, ≤ {2 * CORES} ranks",
            more,
            lambda r: r["over_persistent"] >= 2,
        ),
        _judge(
            f"not slower than MPI's blocking, ≤ 64 KiB, ≤ {2 * CORES} ranks",
            medium,
            lambda r: r["over_blocking"] >= 1,
        ),
        _judge(
            "reduce of an integer 3 × nonblocking", reduce, lambda r: r["over_nonblocking"] >= 3
        ),
        _judge(
            f"init pays back within {FIRST_STARTS} starts (90 % of cells)",
            back,
            lambda r: r["pays"],
        ),
    ]
