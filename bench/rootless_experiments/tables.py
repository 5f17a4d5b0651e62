# SPDX-License-Identifier: BSD-3-Clause
"""The figures as tables: each is (title, columns, rows of texts)."""

from . import figures
from .figures import ALONE, CHANNEL, COORDINATOR, FLOOR, TOTAL, WAYS

TITLES = {
    "all": "All ranks cast at once: casts a second",
    "fixed": "One rank casts, one message after the other: casts a second",
    "varied": "Ranks cast by turns, each when it has heard the cast before: casts a second",
    "lone": "A lone cast, until the last rank has heard it: µs, medians, and 99 of 100",
}


def _number(value):
    return "–" if value is None else f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def _ratio(row, way, other):
    times = row["medians"]
    return f"{times[way] / times[other]:.2f}" if way in times and other in times else "–"


def _line(row, ways):
    found = [row["mpi"], row["where"], str(row["ranks"]), f"{row['bytes']:,}"]
    for way in ways:
        text = _number(row["shown"].get(way))
        if row["late"]:
            text += f" ({_number(row['late'].get(way))})"
        found.append(text + (" WRONG" if way in row["wrong"] else ""))
    if row["pattern"] == "lone":
        return [*found, _ratio(row, CHANNEL, FLOOR)]
    return [
        *found,
        _ratio(row, ALONE, COORDINATOR),
        _ratio(row, CHANNEL, COORDINATOR),
        _ratio(row, TOTAL, CHANNEL),
    ]


def of_pattern(rows, pattern):
    chosen = [row for row in rows if row["pattern"] == pattern]
    ways = [way for way in WAYS if any(way in row["shown"] for row in chosen)]
    columns = ["MPI", "where", "ranks", "bytes", *ways]
    if pattern == "lone":
        columns.append("channel / MPI_Bcast")
    else:
        columns += ["alone / coord.", "channel / coord.", "total / channel"]
    return TITLES[pattern], columns, [_line(row, ways) for row in chosen]


def planned(models):
    columns = ["nodes", "bytes", "casts to a message", "coordinator", "node-aware one"]
    columns += ["skip ring", "channel", "total order", "channel / coord.", "total / channel"]
    lines = [
        [
            f"{model['nodes']}×{model['ppn']}",
            f"{model['bytes']:,}",
            str(model["together"]),
            *(
                _number(model[name])
                for name in ("relay", "relay_node_aware", "skip_ring", "channel", "total")
            ),
            f"{model['channel'] / figures.relay(model):.2f}",
            f"{model['total'] / model['channel']:.2f}",
        ]
        for model in models
    ]
    return "Planned, all ranks cast at once: casts a second of a model", columns, lines


def verdicts(found):
    lines = []
    for verdict in found:
        count, failing = len(verdict["judged"]), len(verdict["failing"])
        value, name = verdict["worst"] or (None, "–")
        lines.append(
            [
                verdict["what"],
                str(count),
                str(count - failing),
                "–" if value is None else f"{value:.2f}",
                name,
            ]
        )
    return "What was aimed at", ["aim", "cells", "kept", "worst", "which"], lines


def everything(rows, models):
    found = [of_pattern(rows, name) for name in TITLES if any(r["pattern"] == name for r in rows)]
    return found + ([planned(models)] if models else [])
