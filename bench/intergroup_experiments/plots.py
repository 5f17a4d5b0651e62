# SPDX-License-Identifier: BSD-3-Clause
"""Plots: times over that of bare TCP streams, for all sizes of groups and forms."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, NullFormatter

from .figures import over, size_of

STYLES = {
    "native blocking": ("#7f7f7f", "o:", "MPI blocking"),
    "native nonblocking": ("#e0a030", "s:", "MPI nonblocking"),
    "root by hand": ("#c0504d", "^--", "gathered at roots by hand"),
    "blocking": ("#4f9d69", "v-", "Caucus blocking"),
    "persistent": ("#2e75b6", "D-", "Caucus persistent"),
}


def _panel(panel, rows):
    places = range(len(rows))
    for way, (color, line, label) in STYLES.items():
        values = [over(row, row["times"].get(way)) or float("nan") for row in rows]
        panel.plot(places, values, line, color=color, label=label, markersize=4, linewidth=1.1)
    panel.axhline(1, color="black", linewidth=0.8)
    panel.set_yscale("log")
    panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    panel.yaxis.set_minor_formatter(NullFormatter())
    names = [f"{row['groups']} {row['shape']} {size_of(row['bytes'])}" for row in rows]
    panel.set_xticks(list(places), names, rotation=90, fontsize=7)
    panel.grid(True, color="#e5e5e5", linewidth=0.6)


def draw(rows, collective, path):
    """A panel for each MPI and number of nodes; False where there is nothing to draw."""
    chosen = [
        row
        for row in rows
        if row["collective"] == collective and row["model"] == "tuned" and row["streams"]
    ]
    groups = list(dict.fromkeys((row["mpi"], row["nodes"]) for row in chosen))
    if not groups:
        return False
    most = max(sum((r["mpi"], r["nodes"]) == group for r in chosen) for group in groups)
    size = (2.5 + 0.26 * most, 0.8 + 3.1 * len(groups))
    figure, axes = plt.subplots(len(groups), 1, figsize=size, squeeze=False, layout="constrained")
    for (mpi, nodes), panel in zip(groups, axes[:, 0]):
        _panel(panel, [row for row in chosen if (row["mpi"], row["nodes"]) == (mpi, nodes)])
        panel.set_title(f"{collective} between two groups, {mpi}, {nodes} nodes", fontsize=10)
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.supylabel("time over that of bare TCP streams")
    figure.legend(handles, labels, ncols=len(labels), loc="outside lower center", fontsize=8)
    figure.savefig(path, dpi=85)
    plt.close(figure)
    return True
