# SPDX-License-Identifier: BSD-3-Clause
"""From samples to medians, ratios, verdicts and tables."""

import sys
from statistics import median

from caucus.console import number

OURS = "redistribute"
MESSAGES = "redistribute, messages only"
NATIVE = "alltoallw"
BY_HAND = ("messages typed", "messages packed")
VARIANTS = (NATIVE, *BY_HAND, OURS, MESSAGES)
WITHIN = 5.0  # microseconds over messages by hand
SHORT = 1 << 10  # bytes of a rank where that is judged: longer runs differ by more from run to run


def _key(cell):
    return (
        cell["mpi"],
        cell["where"],
        *cell["groups"],
        cell["bytes"],
        cell["length"],
        cell["both"],
    )


def _pairs(first, other):
    """The same cells of two runs."""
    by_key = {_key(cell): cell for cell in other}
    if len(first) != len(other) or any(_key(cell) not in by_key for cell in first):
        sys.exit("redistribute: these runs do not have the same cells.")
    return [(cell, by_key[_key(cell)]) for cell in first]


def better(runs):
    """Of several runs of the same cells, the one with the lower median, for each variant."""
    found = runs[0]
    for run in runs[1:]:
        for kept, other in _pairs(found, run):
            for name in VARIANTS:
                if median(other[name]) < median(kept[name]):
                    for key in (name, f"start of {name}"):
                        kept[key] = other[key]
    return found


def pooled(runs):
    """Several runs with the same cells: the samples of all."""
    found = runs[0]
    for run in runs[1:]:
        for kept, other in _pairs(found["cells"], run["cells"]):
            for name in VARIANTS:
                for key in (name, f"start of {name}"):
                    kept[key] = kept[key] + other[key]
    found["conditions"] = " ".join(dict.fromkeys(run["conditions"] for run in runs))
    found["conditions"] += f" Samples of {len(runs)} runs." if len(runs) > 1 else ""
    return found


def rows(cells):
    """Each cell with its medians in microseconds."""
    found = []
    for cell in cells:
        row = {key: cell[key] for key in ("mpi", "where", "bytes", "length", "both")}
        row["groups"] = "+".join(map(str, cell["groups"]))
        for name in VARIANTS:
            row[name] = median(cell[name])
            row[f"start of {name}"] = median(cell[f"start of {name}"])
        row["ratio"] = row[NATIVE] / row[OURS]
        row["samples"] = len(cell[OURS])
        row["slower"] = sum(ours >= native for ours, native in zip(cell[OURS], cell[NATIVE]))
        row["over"] = row[MESSAGES] - min(row[name] for name in BY_HAND)
        found.append(row)
    return found


def _what(row):
    length = f"ranges of {row['length']}" if row["length"] else "one range for each pair"
    return (
        f"{row['mpi']}, {row['groups']} ranks on {row['where']}, {row['bytes']} B, {length}, "
        f"{'both ways' if row['both'] else 'one way'}"
    )


def behind(rows):
    return [row for row in rows if row["ratio"] <= 1]


def clearly_behind(rows):
    """Where the samples, compared by turns, say so as well: above three in four are slower."""
    return [row for row in behind(rows) if row["slower"] > 0.75 * row["samples"]]


def bare(rows):
    """Where nothing is packed, and each rank has a core: what a start costs over messages."""
    return [
        row
        for row in rows
        if row["length"] == 0 and row["bytes"] == SHORT and row["groups"] == "1+1"
    ]


def is_kept(rows):
    return not behind(rows) and all(row["over"] <= WITHIN for row in bare(rows))


def verdicts(rows):
    worst = min(rows, key=lambda row: row["ratio"])
    slow = max(bare(rows), key=lambda row: row["over"], default=None)
    lines = [
        [
            "faster than MPI_Alltoallw",
            str(len(rows)),
            str(len(rows) - len(behind(rows))),
            f"{worst['ratio']:.2f} × ({_what(worst)})",
        ]
    ]
    clear = clearly_behind(rows)
    worst = min(clear, key=lambda row: row["ratio"], default=None)
    lines.append(
        [
            "not slower in more than three of four samples",
            str(len(rows)),
            str(len(rows) - len(clear)),
            f"{worst['ratio']:.2f} × ({_what(worst)})" if worst else "",
        ]
    )
    if slow:
        kept = [row for row in bare(rows) if row["over"] <= WITHIN]
        lines.append(
            [
                f"start and wait at most {WITHIN:g} µs over bare messages",
                str(len(bare(rows))),
                str(len(kept)),
                f"{slow['over']:+.2f} µs ({_what(slow)})",
            ]
        )
    return ("What was promised", ["promise", "cells", "kept", "worst"], lines)


def _grid(rows, title, text):
    kinds = sorted({(row["length"], row["both"]) for row in rows})
    columns = ["MPI", "where", "ranks", "bytes"]
    for length, both in kinds:
        columns.append(f"{length or 'whole'}, {'both' if both else 'one'}")
    lines = []
    for key in dict.fromkeys((r["mpi"], r["where"], r["groups"], r["bytes"]) for r in rows):
        cells = {
            (r["length"], r["both"]): r
            for r in rows
            if (r["mpi"], r["where"], r["groups"], r["bytes"]) == key
        }
        lines.append(
            [*map(str, key), *(text(cells[kind]) if kind in cells else "–" for kind in kinds)]
        )
    return (title, columns, lines)


def _starts(rows):
    columns = ["MPI", "direction", "start by hand", "start", "run by hand", "run", "over by hand"]
    lines = []
    for row in bare(rows):
        hand = min(BY_HAND, key=lambda name: row[name])
        lines.append(
            [
                row["mpi"],
                "both" if row["both"] else "one",
                f"{row[f'start of {hand}']:.2f}",
                f"{row[f'start of {MESSAGES}']:.2f}",
                f"{row[hand]:.2f}",
                f"{row[MESSAGES]:.2f}",
                f"{row['over']:+.2f}",
            ]
        )
    return ("Messages only, 1 KiB, 1 + 1 ranks, µs: start is the call alone", columns, lines)


def tables(rows):
    return [
        verdicts(rows),
        _starts(rows),
        _grid(rows, "MPI_Alltoallw's time over ours", lambda row: f"{row['ratio']:.2f}"),
        _grid(rows, "Our time, µs", lambda row: number(row[OURS], 4)),
        _grid(rows, "MPI_Alltoallw, µs", lambda row: number(row[NATIVE], 4)),
        _grid(
            rows,
            "Ours without node memory (messages only), µs",
            lambda row: number(row[MESSAGES], 4),
        ),
    ]


def shortfalls(rows):
    lines = [
        f"- {_what(row)}: {row['ratio']:.2f}, slower in {row['slower']} of {row['samples']} samples"
        for row in behind(rows)
    ]
    lines += [
        f"- {_what(row)}: {row['over']:+.2f} µs" for row in bare(rows) if row["over"] > WITHIN
    ]
    return "\n".join(lines) or "- none"
