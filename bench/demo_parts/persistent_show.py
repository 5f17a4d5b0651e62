# SPDX-License-Identifier: BSD-3-Clause
"""Prints what the part on persistent collectives found."""

from caucus.console import number
from caucus.tables import Table


def show(result):
    table = Table("Conjugate gradients, two persistent reductions of 8 bytes in each iteration")
    table.add_column("where", no_wrap=True)
    for name in ("µs per iteration", "faster", "steps", "error"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("algorithm", no_wrap=True)
    for scene in result["scenes"]:
        before, after = scene["microseconds"]
        table.add_row(
            scene["name"],
            f"{number(before, 3)} → {number(after, 3)}",
            f"{before / after:.2f} ×",
            "{:.0f} → {:.0f}".format(*scene["iterations"]),
            f"{max(scene['errors']):.1g}",
            ", ".join(scene["algorithms"]),
        )
    without = "This MPI has no persistent collectives, so the solver was not built."
    parts = [table if result["scenes"] else without]
    if result["explained"]:
        parts.append("Why an algorithm is chosen, on a machine that need not be at hand:\n")
        parts.append(result["explained"])
    if result["picture"]:
        parts.append(f"What every rank does there is drawn in {result['picture']}.")
    return parts
