# SPDX-License-Identifier: BSD-3-Clause
"""Prints what the part on collectives between two groups found."""

from caucus.tables import Table
from intergroup_experiments.figures import BY_HAND, NATIVE, over, size_of

WAYS = {
    NATIVE[0]: "MPI",
    NATIVE[1]: "nonblocking",
    BY_HAND: "by roots",
    "persistent": "Caucus",
}


def _table(result):
    table = Table(
        f"Groups of {result['groups']} nodes: time over that of bare TCP streams; what the "
        "busiest card carried over what it must"
    )
    table.add_column("collective", no_wrap=True)
    for name in (*WAYS.values(), "card, MPI", "Caucus"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("algorithm", no_wrap=True)
    for row in result["rows"]:
        times = [over(row, row["times"].get(way)) for way in WAYS]
        cards = [row["busiest"].get(way) for way in (NATIVE[0], "persistent")]
        cells = [f"{value:.2f}" if value else "–" for value in times + cards]
        name = f"{row['collective']}, {row['shape']}, {size_of(row['bytes'])}"
        table.add_row(name, *cells, row["algorithm"])
    return table


def _checked(result):
    names = ", ".join(
        f"{row['collective']} {row['shape']} by {row['algorithm']}" for row in result["rows"]
    )
    return (
        f"Without virtual nodes there is no network to measure: {names} gave the right bytes "
        f"between groups of {result['groups']} nodes that this machine plays."
    )


def show(result):
    planned = result["planned"]
    first, nodes = planned["first"], planned["nodes"]
    return [
        _table(result) if result["timed"] else _checked(result),
        f"Simulated on {nodes} nodes of {planned['ppn']}, groups of {first}:{nodes - first}, "
        f"{size_of(planned['bytes'])} a node: {planned['algorithm']} takes "
        f"{1e3 * planned['seconds']:.2f} ms, {planned['seconds'] / planned['bound']:.2f} × what "
        f"the cards need; gathering at roots {planned['fastest_roots'] / planned['seconds']:.1f} × "
        f"as long, and {planned['simple_roots'] / planned['seconds']:.1f} × by a linear gather and "
        "a binomial broadcast. (Kang et al. 2019 measured up to 23.67 × on 256 nodes.)",
    ]
