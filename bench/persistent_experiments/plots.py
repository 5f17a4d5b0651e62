# SPDX-License-Identifier: BSD-3-Clause
"""Plots: time over ranks and over sizes, and heat maps of the ratio to MPI's persistent calls."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.colors import LogNorm
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter

from .figures import OURS

STYLES = {
    "native blocking": ("#7f7f7f", "o:", "MPI blocking"),
    "native nonblocking": ("#e0a030", "s:", "MPI nonblocking"),
    "native persistent": ("#c0504d", "^-", "MPI persistent"),
    "schedule kept": ("#4f9d69", "<--", "schedule kept"),
    "requests kept, made at init": ("#2f6f4f", ">--", "requests kept"),
    OURS: ("#2e75b6", "D-", "Caucus persistent"),
}
NOT_KEPT = ("native blocking", "native nonblocking", "native persistent", OURS)


def _bytes(count, _=None):
    for unit, name in ((1 << 20, " Mi"), (1 << 10, " Ki")):
        if count >= unit:
            return f"{count / unit:g}{name}"
    return f"{count:g}"


def _panel(panel, rows, across, names):
    for name in names:
        color, line, label = STYLES[name]
        chosen = [row for row in rows if name in row["times"]]
        places = [row[across] for row in chosen]
        low, high = ([row["bands"][name][end] for row in chosen] for end in (0, 1))
        panel.fill_between(places, low, high, color=color, alpha=0.12, linewidth=0)
        times = [row["times"][name] for row in chosen]
        panel.plot(places, times, line, color=color, label=label, markersize=4, linewidth=1.2)
    panel.set_yscale("log")
    panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    panel.yaxis.set_minor_formatter(NullFormatter())
    panel.tick_params(labelsize=8)
    panel.grid(True, color="#e5e5e5", linewidth=0.6)


def _group(row, across):
    return row["mpi"] if across == "ranks" else f"{row['mpi']}, {row['ranks']} ranks"


def lines(rows, across, title, path, names=tuple(STYLES)):
    """A panel for each collective (across) and MPI (down), and number of ranks if over sizes."""
    groups = list(dict.fromkeys(_group(row, across) for row in rows))
    collectives = list(dict.fromkeys(row["collective"] for row in rows))
    size = (1.5 + 2.6 * len(collectives), 1.4 + 2.6 * len(groups))
    figure, axes = plt.subplots(
        len(groups), len(collectives), figsize=size, squeeze=False, layout="constrained"
    )
    for down, group in enumerate(groups):
        for at, collective in enumerate(collectives):
            panel = axes[down][at]
            chosen = [
                row
                for row in rows
                if row["collective"] == collective and _group(row, across) == group
            ]
            chosen.sort(key=lambda row: row[across])
            _panel(panel, chosen, across, names)
            panel.set_title(f"{collective}, {group}", fontsize=10)
            if down == len(groups) - 1:
                label = "bytes of a block" if across == "bytes" else across
                panel.set_xlabel(label, fontsize=9)
            if across == "bytes":
                panel.set_xscale("log")
                panel.xaxis.set_major_locator(FixedLocator([r["bytes"] for r in chosen][::2]))
                panel.xaxis.set_major_formatter(FuncFormatter(_bytes))
                panel.xaxis.set_minor_locator(FixedLocator([]))
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.suptitle(title)
    figure.supylabel("µs, slowest rank")
    figure.legend(handles, labels, ncols=len(labels), loc="outside lower center", fontsize=8)
    figure.savefig(path, dpi=85)
    plt.close(figure)


def heat(rows, mpi, path):
    """The ratio to MPI's persistent call: sizes across, collective and ranks down."""
    chosen = [row for row in rows if row["mpi"] == mpi]
    sizes = sorted({row["bytes"] for row in chosen})
    groups = list(dict.fromkeys((row["collective"], row["ranks"]) for row in chosen))
    ratio = {
        (row["collective"], row["ranks"], row["bytes"]): row["over_persistent"] for row in chosen
    }
    table = [[ratio.get((*group, size), float("nan")) for size in sizes] for group in groups]
    figure, panel = plt.subplots(
        figsize=(2.6 + 0.8 * len(sizes), 1.2 + 0.34 * len(groups)), layout="constrained"
    )
    image = panel.imshow(table, aspect="auto", cmap="RdYlBu", norm=LogNorm(0.1, 10))
    for down, line in enumerate(table):
        for across, value in enumerate(line):
            if value == value:
                text = f"{value:.1f}" if value < 10 else f"{value:.0f}"
                panel.text(across, down, text, ha="center", va="center", fontsize=8)
    panel.set_xticks(range(len(sizes)), map(_bytes, sizes), fontsize=8)
    names = [f"{collective}, {ranks} ranks" for collective, ranks in groups]
    panel.set_yticks(range(len(groups)), names, fontsize=8)
    panel.set_xlabel("bytes of a block")
    panel.set_title(f"{mpi}: time of MPI's persistent call over Caucus's", fontsize=10)
    figure.colorbar(image, format=FuncFormatter(lambda value, _: f"{value:g}"))
    figure.savefig(path, dpi=85)
    plt.close(figure)
