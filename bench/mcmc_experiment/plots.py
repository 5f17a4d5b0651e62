# SPDX-License-Identifier: BSD-3-Clause
"""Times over processes, as in Figure 2 of the paper, and times over the interval."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter

from .figures import name

STYLES = {
    "none": ("#7f7f7f", "o-", "no balancing"),
    "collective 1": ("#c0504d", "^-", "collective, every step"),
    "collective 16": ("#e0a030", "s--", "collective, every 16 steps"),
    "collective 128": ("#8064a2", "v:", "collective, every 128 steps"),
    "async": ("#2e75b6", "D-", "asynchronous (caucus_balance)"),
}
# What the paper's text says of 8,192 processes: baseline 7 s, ideal 3.5 s, "roughly 15 %" and
# "over 40 %" better.
PAPER = {"none": 7.0, "collective": 5.95, "async": 4.2}


def _axis(panel, places, label):
    panel.set_xscale("log", base=2)
    panel.xaxis.set_major_locator(FixedLocator(places))
    panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    panel.xaxis.set_minor_formatter(NullFormatter())
    panel.set_xlabel(label, fontsize=9)
    panel.set_ylabel("seconds", fontsize=9)
    panel.set_ylim(0, 8)
    panel.tick_params(labelsize=8)
    panel.grid(True, color="#e5e5e5", linewidth=0.6)


def _points(cells, way):
    return sorted((cell["ranks"], cell["seconds"]) for cell in cells if name(cell) == way)


def _scaling(panel, cells, simulated):
    """Lines are planned, rings simulated by SMPI."""
    for way, (color, line, label) in STYLES.items():
        points = _points(cells, way)
        if points:
            panel.plot(*zip(*points), line, color=color, label=label, markersize=3, linewidth=1.2)
        rings = _points(simulated, way)
        if rings:
            panel.plot(*zip(*rings), "o", color=color, markersize=8, fillstyle="none")
    if simulated:
        panel.plot([], [], "ko", markersize=8, fillstyle="none", label="simulated (SMPI)")
    places = sorted({cell["ranks"] for cell in cells})
    panel.axhline(cells[0]["ideal"], color="#4f9d69", linewidth=1, label="ideal")
    for way, seconds in PAPER.items():
        color = STYLES.get(way, STYLES["collective 1"])[0]
        panel.plot([places[-1]], [seconds], "x", color=color, markersize=8, markeredgewidth=1.8)
    panel.plot([], [], "kx", label="the paper, 8,192 cores")
    _axis(panel, places, "processes (planned)")
    panel.set_title("Time of all chains", fontsize=10)
    panel.legend(fontsize=6.5, loc="lower left", ncols=2)


def _intervals(panel, cells):
    most = max(cell["ranks"] for cell in cells)
    chosen = [cell for cell in cells if cell["ranks"] == most]
    points = sorted(
        (cell["interval"], cell["seconds"]) for cell in chosen if cell["mode"] == "collective"
    )
    if points:
        panel.plot(*zip(*points), "^-", color="#c0504d", label="collective", markersize=4)
    for way in ("none", "async"):
        color, _, label = STYLES[way]
        for cell in chosen:
            if cell["mode"] == way:
                panel.axhline(cell["seconds"], color=color, label=label, linewidth=1.2)
    panel.axhline(chosen[0]["ideal"], color="#4f9d69", linewidth=1, label="ideal")
    _axis(panel, [point[0] for point in points] or [1], "steps between regroupings")
    panel.set_title(f"{most:,} processes, by the interval", fontsize=10)
    panel.legend(fontsize=7, loc="lower left")


def draw(cells, path):
    """False where there is nothing to draw."""
    quiet = [cell for cell in cells if not cell["noise"]]
    simulated = [cell for cell in quiet if cell["mpi"] == "smpi"]
    planned = [cell for cell in quiet if cell["mpi"] == "planned"]
    if not planned:
        return False
    figure, panels = plt.subplots(1, 2, figsize=(9, 3.6))
    _scaling(panels[0], planned, simulated)
    _intervals(panels[1], planned)
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=140)
    plt.close(figure)
    return True
