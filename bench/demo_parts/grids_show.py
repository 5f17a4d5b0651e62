# SPDX-License-Identifier: BSD-3-Clause
"""Prints what the grids part found."""

from rich import box
from rich.table import Table

PLACED = {"blocks": "by blocks", "cyclic": "round-robin"}
RATE = "megabytes_per_second_and_process"


def _table(title):
    return Table(title=title, title_justify="left", box=box.SIMPLE, pad_edge=False)


def _change(before, after):
    return f"{before:.4g} → {after:.4g}"


def _neighbours(result):
    table = _table("What changed (messages between nodes in one exchange; bound: none can be less)")
    for name in ("program", "grid", "placed"):
        table.add_column(name, no_wrap=True)
    for name in ("on node", "off node", "messages", "bound"):
        table.add_column(name, justify="right", no_wrap=True)
    for name in ("mapper", "picture"):
        table.add_column(name, no_wrap=True)
    for scene in result["scenes"]:
        before, after = (scene["neighbours"][when] for when in ("before", "after"))
        same = scene["same_picture"] and scene["same_bits"]
        table.add_row(
            scene["program"],
            scene["grid"],
            PLACED[scene["placement"]],
            _change(before["on"], after["on"]),
            _change(before["off"], after["off"]),
            _change(scene["off_node"].get("before", 0), scene["off_node"].get("after", 0)),
            f"{scene['bound']:g}",
            scene["mapper"],
            "same bits" if same else "DIFFERS",
        )
    return table


def _traffic(result):
    table = _table(f"On {result['nodes']} virtual nodes with cards of {result['rate']}")
    for name in ("program", "placed"):
        table.add_column(name, no_wrap=True)
    for name in ("MB through cards", "fewer", "exchange MB/s per process", "faster"):
        table.add_column(name, justify="right")
    for scene in result["scenes"]:
        plain, mapped = scene["without"], scene["with"]
        table.add_row(
            scene["program"],
            PLACED[scene["placement"]],
            _change(plain["card_bytes"] / 1e6, mapped["card_bytes"] / 1e6),
            f"{plain['card_bytes'] / mapped['card_bytes']:.2f} ×",
            _change(plain[RATE], mapped[RATE]),
            f"{mapped[RATE] / plain[RATE]:.2f} ×",
        )
    return table


def show(result):
    parts = [_neighbours(result)]
    if result["rate"]:
        parts.append(_traffic(result))
        parts.append("The start of MPI is among the bytes. Rates are those of one run.")
    else:
        reason = result["why_no_virtual_nodes"]
        parts.append(f"Bytes and rates over a network are left out: {reason}")
        parts.append("CAUCUS_NODES made this one machine look like several nodes instead.")
    return parts
