# SPDX-License-Identifier: BSD-3-Clause
"""Casts a second over ranks and over bytes."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter

from rootless_experiments.figures import ALONE, CHANNEL, COORDINATOR, FLOOR, LOOP

from .runs import FINGER, FINGER_TOGETHER

STYLES = {
    FLOOR: ("#7f7f7f", "o:"),
    COORDINATOR: ("#c0504d", "^-"),
    LOOP: ("#e0a030", "s:"),
    ALONE: ("#2e75b6", "D-"),
    FINGER: ("#4f9d69", "v--"),
    CHANNEL: ("#8064a2", "p-"),
    FINGER_TOGETHER: ("#b39ac4", "h--"),
}
SAID = {"all": "all ranks cast", "fixed": "one rank casts", "varied": "ranks cast by turns"}


def _panel(panel, rows, across, title):
    for way, (color, line) in STYLES.items():
        chosen = sorted((row[across], row["rates"][way]) for row in rows if way in row["rates"])
        if chosen:
            panel.plot(*zip(*chosen), line, color=color, label=way, markersize=4, linewidth=1.2)
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.xaxis.set_major_locator(FixedLocator(sorted({row[across] for row in rows})))
    panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    panel.xaxis.set_minor_formatter(NullFormatter())
    panel.set_xlabel("ranks" if across == "ranks" else "bytes of a cast", fontsize=9)
    panel.set_title(title, fontsize=10)
    panel.tick_params(labelsize=8)
    panel.grid(True, color="#e5e5e5", linewidth=0.6)


def panels(rows):
    """(rows, over what, title) of each panel that has more than one place."""
    found = []
    for pattern, said in SAID.items():
        chosen = [row for row in rows if row["pattern"] == pattern]
        if chosen:
            size = min(row["bytes"] for row in chosen)
            short = [row for row in chosen if row["bytes"] == size]
            found.append((short, "ranks", f"{said}, {size} bytes"))
    storms = [row for row in rows if row["pattern"] == "all"]
    if storms:
        most = max(row["ranks"] for row in storms)
        large = [row for row in storms if row["ranks"] == most]
        found.append((large, "bytes", f"all of {most} ranks cast"))
    return [panel for panel in found if len({row[panel[1]] for row in panel[0]}) > 1]


def draw(rows, path):
    """False where there is nothing to draw."""
    found = panels(rows)
    if not found:
        return False
    figure, axes = plt.subplots(
        1, len(found), figsize=(3.4 * len(found), 3.9), squeeze=False, layout="constrained"
    )
    for panel, (chosen, across, title) in zip(axes[0], found):
        _panel(panel, chosen, across, title)
    axes[0][0].set_ylabel("casts a second", fontsize=9)
    known = {}
    for panel in axes[0]:
        known.update(zip(*reversed(panel.get_legend_handles_labels())))
    labels = [way for way in STYLES if way in known]
    figure.legend(
        [known[way] for way in labels],
        labels,
        ncols=4,
        loc="outside lower center",
        fontsize=8,
    )
    figure.savefig(path, dpi=85)
    plt.close(figure)
    return True
