# SPDX-License-Identifier: BSD-3-Clause
"""The figures as tables: each is (title, columns, rows of texts)."""

from .figures import BY_HAND, NATIVE, OURS, name_of, size_of, worst

WAYS = (*NATIVE, BY_HAND, *OURS)


def _ms(seconds):
    if seconds is None:
        return "–"
    value = 1e3 * seconds
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def _ratio(value):
    return "–" if value is None else f"{value:.2f}"


def _head(row):
    return (row["mpi"], f"{row['nodes']}×{row['ppn']}", row["groups"], row["shape"])


def _line(row):
    persistent = "persistent"
    return (
        *_head(row),
        size_of(row["bytes"]),
        _ms(row["stream"]),
        _ms(row["streams"]),
        *(_ms(row["times"].get(way)) for way in WAYS),
        _ratio(row["over"]),
        _ratio(row["ours"] / row["stream"] if row["ours"] and row["stream"] else None),
        _ratio(row["faster"]),
        _ratio(row["busiest"].get(persistent) if row["streams"] else None),
        _ratio(row["card_in"].get(persistent) if row["streams"] else None),
        row["algorithm"],
    )


COLUMNS = ("MPI", "nodes", "groups", "counts", "bytes", "TCP: one", "all", "MPI: bl.", "nonbl.")
COLUMNS += ("root", "ours: bl.", "pers.", "/ TCP all", "/ one", "faster", "busiest", "cards")
COLUMNS += ("algorithm",)


def times(rows, collective, model="tuned"):
    chosen = [row for row in rows if row["collective"] == collective and row["model"] == model]
    known = {"tuned": "", "auto": ", machine measured when attached"}.get(
        model, ", default machine"
    )
    return f"{collective}{known}: ms at the slowest rank", COLUMNS, [_line(row) for row in chosen]


def verdicts(found):
    lines = []
    for verdict in found:
        count, failing = len(verdict["judged"]), len(verdict["failing"])
        pair = worst(verdict)
        lines.append(
            (
                verdict["what"],
                str(count),
                str(count - failing),
                f"{pair[0]:.2f}" if pair else "–",
                name_of(pair[1]) if pair else "–",
            )
        )
    return "What was promised", ("promise", "cells", "kept", "worst", "which"), lines
