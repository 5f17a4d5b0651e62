# SPDX-License-Identifier: BSD-3-Clause
"""Prints what the part on groups found."""

from caucus.console import number
from caucus.tables import Table
from create_group_experiment import figures


def show(result):
    rows = result["rows"]
    table = Table(f"Microseconds to make one out of {rows[0]['ranks']} ranks")
    table.add_column("way", no_wrap=True)
    table.add_column("who calls", no_wrap=True)
    for row in rows:
        table.add_column(f"{row['members']} members", justify="right", no_wrap=True)
    for name in figures.known(rows):
        times = [row["medians"].get(name) for row in rows]
        everybody = "(all ranks)" in figures.VARIANTS[name]
        table.add_row(
            figures.VARIANTS[name].replace(" (all ranks)", ""),
            "all ranks" if everybody else "the members",
            *("" if time is None else number(time, 3) for time in times),
        )
    faster = figures.faster(rows[-1], figures.CHECKED)
    return [
        table,
        f"A light group of {rows[-1]['members']} takes {faster:.2g} × less time than "
        f"{figures.NATIVE}; a range or lazy one no message at all. "
        f"It is drawn in {result['picture']}.",
    ]
