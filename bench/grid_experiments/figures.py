# SPDX-License-Identifier: BSD-3-Clause
"""From raw measurements to figures: medians, ratios, and whether they are what the plan says."""

import statistics

from .cases import JUDGED_BYTES

KINDS = ("cart", "caucus")
TOLERANCE = 0.05


def _quantile(values, part):
    ordered = sorted(values)
    place = part * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def _of_kind(run, size, kind):
    """Figures of one communicator at one message size."""
    measured, plan = size[kind], run[kind]
    sent = size["bytes"] * measured["messages"] / run["ranks"] / 1e6
    rates = [sent / seconds for seconds in measured["seconds"]]
    single = size["bytes"] * measured["single_messages"] / 1e6
    seconds = statistics.median(measured["seconds"])
    figures = {
        "planned": plan["off_node"],
        "rate": sent / seconds,
        "rate_low": _quantile(rates, 0.1),
        "rate_high": _quantile(rates, 0.9),
        "single": single / statistics.median(measured["single_seconds"]) / (sent / seconds),
    }
    if measured["card_bytes"] and plan["off_node"]:
        stream = size["stream"]
        card = statistics.median(measured["card_bytes"])
        planned = plan["off_node"] * size["bytes"]
        least = plan["off_node_worst"] * size["bytes"] / stream["bytes_per_second"]
        figures["card_bytes"] = card
        figures["over_plan"] = card / planned / stream["bytes_per_byte"]
        figures["over_stream_time"] = seconds / least
    return figures


def halo_rows(runs):
    """One row for each run and message size."""
    rows = []
    for run in runs:
        for size in run["sizes"]:
            row = {name: run[name] for name in ("mpi", "case", "placement", "mapper", "bound")}
            row["bytes"] = size["bytes"]
            row["judged"] = size["bytes"] >= JUDGED_BYTES
            for kind in KINDS:
                row[kind] = _of_kind(run, size, kind)
            cart, caucus = row["cart"], row["caucus"]
            row["rate_ratio"] = caucus["rate"] / cart["rate"]
            if caucus["planned"] and "card_bytes" in caucus:
                row["plan_ratio"] = cart["planned"] / caucus["planned"]
                row["byte_ratio"] = cart["card_bytes"] / caucus["card_bytes"]
            rows.append(row)
    return rows


def verdicts(rows):
    """(what, how many rows were judged, the rows that fail) for each promise."""
    judged = [row for row in rows if row["judged"] and "byte_ratio" in row]
    far = [row for row in judged if row["case"] == "8x4 open" and row["placement"] == "cyclic"]
    promises = (
        (
            "bytes through the cards within 5 % of the plan",
            judged,
            lambda row: all(abs(row[kind]["over_plan"] - 1) <= TOLERANCE for kind in KINDS),
        ),
        (
            "never more bytes than without (but for 1 % of counting noise)",
            judged,
            lambda row: row["byte_ratio"] >= 0.99,
        ),
        (
            "bytes saved in the ratio of the plans, within 5 %",
            judged,
            lambda row: abs(row["byte_ratio"] / row["plan_ratio"] - 1) <= TOLERANCE,
        ),
        (
            "open 8x4 grid placed round-robin: at least 2 times fewer",
            far,
            lambda row: row["byte_ratio"] >= 2,
        ),
    )
    return [(what, len(rows), [r for r in rows if not keeps(r)]) for what, rows, keeps in promises]


def sweep_rows(runs):
    return [
        {
            "mpi": run["mpi"],
            "placement": run["placement"],
            "extent": size["extent"],
            **{kind: size[kind]["gflops"] for kind in KINDS},
            "ratio": size["caucus"]["gflops"] / size["cart"]["gflops"],
        }
        for run in runs
        for size in run["sizes"]
    ]


def placement_rows(rows):
    """As the paper's comparison with process mapping: both communicators under both placements."""
    found = {}
    for row in rows:
        key = (row["mpi"], row["case"], row["bytes"])
        found.setdefault(key, {})[row["placement"]] = row
    return [
        {"mpi": key[0], "case": key[1], "bytes": key[2], "by": by}
        for key, by in found.items()
        if len(by) == 2
    ]
