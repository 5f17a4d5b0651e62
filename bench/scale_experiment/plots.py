# SPDX-License-Identifier: BSD-3-Clause
"""Bytes of a rank, and time, over ranks."""

from statistics import median

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from .tables import NAMES

MARKERS = {"mpich": "o", "openmpi": "^", "simulated": "s"}
STEPS = {
    "attach": "#2e75b6",
    "grid": "#e0a030",
    "init allreduce 8 B": "#4f9d69",
    "init alltoall 8 B": "#c0504d",
    "group, a list": "#8064a2",
    "channel": "#7f7f7f",
}
PLANNED = {
    "allreduce 8 B": "#4f9d69",
    "alltoall 8 B": "#c0504d",
    "allgather 8 B": "#d98f5f",
    "group of all, a list": "#8064a2",
    "channel, a rank's state": "#7f7f7f",
}
BEFORE = 16  # bytes of every rank's map of nodes for each rank, before it was a formula
LEAST = 8


def _style(panel, title, above):
    panel.set_xscale("log", base=2)
    panel.set_yscale("log")
    panel.set_title(title, fontsize=10)
    panel.set_xlabel("ranks", fontsize=9)
    panel.set_ylabel(above, fontsize=9)
    panel.tick_params(labelsize=8)
    panel.grid(True, color="#e5e5e5", linewidth=0.6)


def _loops(panel, raw, told):
    for where, marker in MARKERS.items():
        for what, color in STEPS.items():
            points = sorted(
                (loop["ranks"], told(step))
                for loop in raw["loops"]
                for step in loop["steps"]
                if loop["where"] == where and step["what"] == what
            )
            points = [point for point in points if point[1] > 0]
            if points:
                panel.plot(*zip(*points), color=color, marker=marker, markersize=4, linewidth=1.0)


def _plans(panel, raw, key, least):
    for what, color in PLANNED.items():
        points = sorted(
            (line["ranks"], max(line[key], least))
            for line in raw["planned"]
            if line["what"] == what
        )
        if points:
            panel.plot(*zip(*points), color=color, marker=".", linestyle="--", linewidth=1.0)


def _before(panel, raw):
    ranks = sorted({line["ranks"] for line in raw["planned"]})
    if ranks:
        panel.plot(
            ranks, [BEFORE * count for count in ranks], color="black", linestyle=":", linewidth=1.2
        )


def _legend(figure):
    lines = [plt.Line2D([], [], color=color, label=what) for what, color in STEPS.items()]
    lines.append(plt.Line2D([], [], color=PLANNED["allgather 8 B"], label="allgather 8 B"))
    lines += [
        plt.Line2D([], [], color="#404040", marker=marker, linestyle="", label=NAMES[where])
        for where, marker in MARKERS.items()
    ]
    lines.append(plt.Line2D([], [], color="#404040", linestyle="--", label="planned"))
    lines.append(plt.Line2D([], [], color="black", linestyle=":", label="map of nodes, as it was"))
    figure.legend(handles=lines, ncols=4, loc="outside lower center", fontsize=8)


def draw(raw, path):
    figure, (memory, clock) = plt.subplots(1, 2, figsize=(9.6, 4.6), layout="constrained")
    _style(memory, "heap of a rank at the peak", "bytes")
    _style(clock, "time", "seconds")
    _loops(memory, raw, lambda step: step["peak"])
    _plans(memory, raw, "peak", LEAST)
    _before(memory, raw)
    _loops(clock, raw, lambda step: median(step["seconds"]) if step["seconds"] else 0)
    _plans(clock, raw, "seconds", 1e-7)
    _legend(figure)
    figure.savefig(path, dpi=85)
    plt.close(figure)
