# SPDX-License-Identifier: BSD-3-Clause
"""Plots: casts a second over bytes and over ranks, and what a lone cast takes."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter

from .figures import ALONE, CHANNEL, COORDINATOR, FLOOR, LOOP, TOTAL

STYLES = {
    FLOOR: ("#7f7f7f", "o:"),
    COORDINATOR: ("#c0504d", "^-"),
    LOOP: ("#e0a030", "s:"),
    ALONE: ("#4f9d69", "v--"),
    CHANNEL: ("#2e75b6", "D-"),
    TOTAL: ("#8064a2", "p-"),
}
BYTES = 100  # of the plots over ranks


def _panel(panel, rows, across, title, unit):
    for way, (color, line) in STYLES.items():
        chosen = sorted((row[across], row["medians"][way]) for row in rows if way in row["medians"])
        if chosen:
            panel.plot(*zip(*chosen), line, color=color, label=way, markersize=4, linewidth=1.2)
    panel.set_xscale("log")
    panel.set_yscale("log")
    places = sorted({row[across] for row in rows})
    panel.xaxis.set_major_locator(FixedLocator(places))
    panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    panel.xaxis.set_minor_formatter(NullFormatter())
    panel.set_xlabel("ranks" if across == "ranks" else "bytes of a cast", fontsize=9)
    panel.set_ylabel(unit, fontsize=9)
    panel.set_title(title, fontsize=10)
    panel.tick_params(labelsize=8)
    panel.grid(True, color="#e5e5e5", linewidth=0.6)


def _panels(rows):
    """What is drawn of an MPI: (rows, over what, title, unit)."""
    nodes = [row for row in rows if row["where"] != "one node"]
    here = [row for row in rows if row["where"] == "one node"]
    where = nodes[0]["where"] if nodes else ""

    def of(chosen, pattern):
        return [row for row in chosen if row["pattern"] == pattern]

    short = [row for row in of(here, "all") if row["bytes"] == BYTES]
    found = [
        (of(nodes, "all"), "bytes", f"all cast, {where}", "casts a second"),
        (of(nodes, "lone"), "bytes", f"a lone cast, {where}", "µs until all have heard"),
        (short, "ranks", f"all cast {BYTES} bytes, one node", "casts a second"),
    ]
    return [panel for panel in found if panel[0]]


def draw(rows, path):
    """A row of panels for each MPI; False where there is nothing to draw."""
    mpis = list(dict.fromkeys(row["mpi"] for row in rows))
    panels = {mpi: _panels([row for row in rows if row["mpi"] == mpi]) for mpi in mpis}
    most = max((len(found) for found in panels.values()), default=0)
    if not most:
        return False
    figure, axes = plt.subplots(
        len(mpis),
        most,
        figsize=(3.9 * most, 0.7 + 3.1 * len(mpis)),
        squeeze=False,
        layout="constrained",
    )
    for down, (mpi, found) in enumerate(panels.items()):
        for panel, (chosen, across, title, unit) in zip(axes[down], found):
            _panel(panel, chosen, across, f"{mpi}: {title}", unit)
        for panel in axes[down][len(found) :]:
            panel.set_axis_off()
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, ncols=len(labels), loc="outside lower center", fontsize=8)
    figure.savefig(path, dpi=85)
    plt.close(figure)
    return True
