# SPDX-License-Identifier: BSD-3-Clause
"""The picture of creation cost against group size, as the paper's Figure 1 has it."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter

from . import figures

STYLES = {
    "MPI_Comm_create": ("#7f7f7f", "o:"),
    "MPI_Comm_split": ("#b0b0b0", "s:"),
    figures.NATIVE: ("#c0504d", "^-"),
    "caucus native": ("#e0a030", "v--"),
    figures.ALGORITHM: ("#8064a2", "p-"),
    figures.CHECKED: ("#2e75b6", "D-"),
    figures.UNCHECKED: ("#63a0d4", "d--"),
    figures.LAZY: ("#4f9d69", "x--"),
    figures.RANGE: ("#2c6e49", "+-"),
}


def _panel(panel, rows, title):
    for name, (color, line) in STYLES.items():
        chosen = sorted(
            (row["members"], row["medians"][name]) for row in rows if name in row["medians"]
        )
        if chosen:
            label = figures.VARIANTS[name]
            panel.plot(*zip(*chosen), line, color=color, label=label, markersize=4, linewidth=1.2)
    panel.set_xscale("log", base=2)
    panel.set_yscale("log")
    panel.xaxis.set_major_locator(FixedLocator(sorted({row["members"] for row in rows})))
    panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    panel.xaxis.set_minor_formatter(NullFormatter())
    panel.set_xlabel("members of the group", fontsize=9)
    panel.set_title(title, fontsize=10)
    panel.tick_params(labelsize=8)
    panel.grid(True, color="#e5e5e5", linewidth=0.6)


def draw(rows, path):
    """A panel for each MPI, of its largest parent."""
    mpis = list(dict.fromkeys(row["mpi"] for row in rows))
    shape = {"figsize": (5.2 * len(mpis), 4.2), "squeeze": False, "sharey": True}
    picture, panels = plt.subplots(1, len(mpis), **shape)
    for mpi, panel in zip(mpis, panels[0]):
        ranks = max(row["ranks"] for row in rows if row["mpi"] == mpi)
        chosen = [row for row in rows if row["mpi"] == mpi and row["ranks"] == ranks]
        _panel(panel, chosen, f"{mpi}, {ranks} ranks")
    panels[0][0].set_ylabel("µs for one", fontsize=9)
    panels[0][-1].legend(fontsize=7, loc="center left", bbox_to_anchor=(1.0, 0.5))
    picture.tight_layout()
    picture.savefig(path, dpi=110)
    plt.close(picture)
