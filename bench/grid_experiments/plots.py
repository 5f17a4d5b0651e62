# SPDX-License-Identifier: BSD-3-Clause
"""Plots: log-log medians with the band from the 10th to the 90th percentile, and bars of bytes."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter

from .cases import PLACEMENTS

NAMES = {"cart": "MPI_Cart_create", "caucus": "Caucus"}
COLORS = {"cart": "#c0504d", "caucus": "#2e75b6"}


def _unique(rows, name):
    return list(dict.fromkeys(row[name] for row in rows))


def _finish(figure, path):
    figure.savefig(path, dpi=85)
    plt.close(figure)


def _bytes(count, _=None):
    return f"{count / 1024:g} Ki" if count >= 1024 else f"{count:g}"


def _log_axes(panel, places, name):
    """Plain numbers at 1, 2, 5 up, and the measured places across."""
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.yaxis.set_major_locator(LogLocator(10, subs=(1, 2, 5)))
    panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    panel.xaxis.set_major_locator(FixedLocator(places))
    panel.xaxis.set_major_formatter(FuncFormatter(name))
    for axis in (panel.xaxis, panel.yaxis):
        axis.set_minor_formatter(NullFormatter())
    panel.xaxis.set_minor_locator(FixedLocator([]))
    panel.tick_params(labelsize=8)
    panel.grid(True, color="#e5e5e5", linewidth=0.6)


def _panels(mpi, rows, title):
    """A figure, and a (panel, rows) for each grid (across) and placement (down)."""
    cases, placements = _unique(rows, "case"), _unique(rows, "placement")
    size = (1.2 + 2.9 * len(cases), 1.2 + 2.6 * len(placements))
    figure, axes = plt.subplots(
        len(placements), len(cases), figsize=size, squeeze=False, sharex=True, layout="constrained"
    )
    figure.suptitle(f"{title}, {mpi}")
    panels = []
    for down, placement in enumerate(placements):
        for across, case in enumerate(cases):
            panel = axes[down][across]
            panel.set_title(f"{case}, {PLACEMENTS[placement]}", fontsize=10)
            chosen = [r for r in rows if (r["case"], r["placement"]) == (case, placement)]
            panels.append((panel, chosen))
    return figure, panels


def rates(mpi, rows, path):
    figure, panels = _panels(mpi, rows, "Halo exchange")
    for panel, chosen in panels:
        sizes = [row["bytes"] for row in chosen]
        for kind, name in NAMES.items():
            values = [row[kind] for row in chosen]
            low, high = ([value[end] for value in values] for end in ("rate_low", "rate_high"))
            panel.fill_between(sizes, low, high, color=COLORS[kind], alpha=0.18, linewidth=0)
            middle = [value["rate"] for value in values]
            panel.plot(sizes, middle, "o-", color=COLORS[kind], label=name, markersize=4)
        _log_axes(panel, sizes, _bytes)
    figure.axes[0].legend(fontsize=8)
    figure.supxlabel("bytes of a message")
    figure.supylabel("MB/s for each process")
    _finish(figure, path)


def single(mpi, rows, path):
    figure, panels = _panels(mpi, rows, "One sender over all sending")
    for panel, chosen in panels:
        sizes = [row["bytes"] for row in chosen]
        for kind, name in NAMES.items():
            ratios = [row[kind]["single"] for row in chosen]
            panel.plot(sizes, ratios, "o-", color=COLORS[kind], label=name, markersize=4)
        _log_axes(panel, sizes, _bytes)
    figure.axes[0].legend(fontsize=8)
    figure.supxlabel("bytes of a message")
    figure.supylabel("rate of a single sender / rate of all")
    _finish(figure, path)


def card_bytes(rows, path):
    """What the plan says against what the cards counted, for the largest message."""
    largest = max(row["bytes"] for row in rows)
    chosen = [row for row in rows if row["bytes"] == largest and "byte_ratio" in row]
    figure, panel = plt.subplots(figsize=(7.5, 0.9 + 0.5 * len(chosen)), layout="constrained")
    for place, row in enumerate(reversed(chosen)):
        for shift, kind in ((0.2, "cart"), (-0.2, "caucus")):
            figures = row[kind]
            counted = figures["over_plan"] * figures["planned"]
            panel.barh(place + shift, counted, 0.36, color=COLORS[kind])
            at = [figures["planned"]] * 2
            panel.plot(at, [place + shift - 0.2, place + shift + 0.2], color="black", linewidth=1.5)
    names = [f"{row['mpi']}, {row['case']}, {PLACEMENTS[row['placement']]}" for row in chosen]
    panel.set_yticks(range(len(chosen)), reversed(names), fontsize=8)
    panel.set_xlabel(f"messages of {largest} bytes through the cards in an exchange")
    handles = [plt.Rectangle((0, 0), 1, 1, color=color) for color in COLORS.values()]
    handles.append(plt.Line2D([], [], color="black", linewidth=1.5))
    figure.legend(handles, [*NAMES.values(), "planned"], ncols=3, loc="outside upper center")
    _finish(figure, path)


def sweeps(rows, path):
    mpis, placements = _unique(rows, "mpi"), _unique(rows, "placement")
    size = (1.2 + 3.2 * len(placements), 1.0 + 2.6 * len(mpis))
    figure, axes = plt.subplots(
        len(mpis), len(placements), figsize=size, squeeze=False, layout="constrained"
    )
    for down, mpi in enumerate(mpis):
        for across, placement in enumerate(placements):
            panel = axes[down][across]
            chosen = [r for r in rows if (r["mpi"], r["placement"]) == (mpi, placement)]
            extents = [row["extent"] for row in chosen]
            for kind, name in NAMES.items():
                values = [row[kind] for row in chosen]
                panel.plot(extents, values, "o-", color=COLORS[kind], label=name, markersize=4)
            panel.set_title(f"{mpi}, {PLACEMENTS[placement]}", fontsize=10)
            _log_axes(panel, extents, lambda extent, _: f"{extent:g}")
    axes[0][0].legend(fontsize=8)
    figure.supxlabel("N, for a mesh of N × N")
    figure.supylabel("GFLOP/s of all processes")
    _finish(figure, path)
