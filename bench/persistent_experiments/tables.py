# SPDX-License-Identifier: BSD-3-Clause
"""The figures as tables: each is (title, columns, rows of texts)."""

from .figures import NATIVE, OURS

KEPT = ("schedule kept", "requests kept, made at init")


def _time(value):
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def _head(row):
    return row["mpi"], row["collective"], str(row["ranks"]), str(row["bytes"])


def times(rows, title):
    columns = ("MPI", "collective", "ranks", "bytes", "MPI: blocking", "nonbl.", "persist.")
    columns += ("ours: blocking", "nonbl.", "persist.", "persist. ratio")
    lines = [
        (
            *_head(row),
            *(_time(row["times"][name]) if name in row["times"] else "–" for name in NATIVE),
            *(_time(row["times"][name]) for name in ("blocking", "nonblocking", OURS)),
            f"{row['over_persistent']:.2f}",
        )
        for row in rows
    ]
    return f"{title}: µs for each, slowest rank; ratio: MPI's persistent over ours", columns, lines


def kept(rows, title):
    columns = ("MPI", "collective", "ranks", "bytes", "schedule", "requests")
    columns += ("node memory", "schedule/requests")
    lines = [
        (
            *_head(row),
            *(_time(row["times"][name]) for name in (*KEPT, OURS)),
            f"{row['times'][KEPT[0]] / row['times'][KEPT[1]]:.2f}",
        )
        for row in rows
    ]
    return f"{title}: what a persistent request keeps, µs for each", columns, lines


def flags(found):
    patterns = [name for name in found[0] if name not in ("mpi", "ranks")]
    lines = [
        (row["mpi"], str(row["ranks"]), *(_time(row[name]) for name in patterns)) for row in found
    ]
    return "Flags in shared memory by hand: µs for each", ("MPI", "ranks", *patterns), lines


def back(rows):
    columns = ("MPI", "collective", "ranks", "bytes", "shape", "nonblocking", "persistent", "ratio")
    columns += ("pays",)
    lines = [
        (
            *_head(row),
            "seen before" if row["shapes"] == "same" else "new",
            *(_time(row["times"][name]) for name in ("nonblocking", OURS)),
            f"{row['ratio']:.2f}",
            "yes" if row["pays"] else "NO",
        )
        for row in rows
    ]
    return (
        "Init, ten starts, free against ten of our nonblocking calls: µs for each",
        columns,
        lines,
    )


def verdicts(found):
    lines = [
        (
            what,
            str(count),
            str(count - len(failing)),
            f"{100 * (1 - len(failing) / max(1, count)):.0f} %",
        )
        for what, count, failing in found
    ]
    return "What was promised", ("promise", "cells", "kept", "part"), lines
