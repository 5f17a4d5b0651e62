# SPDX-License-Identifier: BSD-3-Clause
"""Prints what the grids part found."""

from caucus.console import number
from caucus.tables import Table

PLACED = {"blocks": "by blocks", "cyclic": "round-robin"}
RATE = "megabytes_per_second_and_process"


def _change(before, after):
    return f"{number(before, 4)} → {number(after, 4)}"


def _neighbours(result):
    table = Table("What changed (messages between nodes in one exchange; bound: none can be less)")
    for name in ("program", "grid", "placed"):
        table.add_column(name, no_wrap=True)
    for name, long in (
        ("on node", "neighbours of a rank on its node"),
        ("off node", "neighbours on other nodes"),
        ("messages", "messages between nodes"),
        ("bound", "fewest possible"),
    ):
        table.add_column(name, justify="right", no_wrap=True, long=long)
    table.add_column("mapper", no_wrap=True)
    for scene in result["scenes"]:
        before, after = (scene["neighbours"][when] for when in ("before", "after"))
        table.add_row(
            scene["program"],
            scene["grid"],
            PLACED[scene["placement"]],
            _change(before["on"], after["on"]),
            _change(before["off"], after["off"]),
            _change(scene["off_node"].get("before", 0), scene["off_node"].get("after", 0)),
            number(scene["bound"]),
            scene["mapper"],
        )
    return table


def _traffic(result):
    table = Table(f"On {result['nodes']} virtual nodes with cards of {result['rate']}")
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


def _pictures(result):
    scenes = result["scenes"]
    differing = [
        f"{scene['program']} placed {PLACED[scene['placement']]}"
        for scene in scenes
        if not (scene["same_picture"] and scene["same_bits"])
    ]
    if differing:
        return f"The pictures DIFFER: {', '.join(differing)}."
    return "The pictures are the same to the last bit, with Caucus and without."


def show(result):
    parts = [_neighbours(result), _pictures(result)]
    if result["rate"]:
        parts.append(_traffic(result))
        parts.append("The start of MPI is among the bytes. Rates are those of one run.")
    else:
        reason = result["why_no_virtual_nodes"]
        parts.append(f"Bytes and rates over a network are left out: {reason}")
        parts.append("CAUCUS_NODES made this one machine look like several nodes instead.")
    return parts
