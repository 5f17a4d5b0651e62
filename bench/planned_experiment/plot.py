# SPDX-License-Identifier: BSD-3-Clause
"""Times of root gathering over those of what is chosen, and these over the bound."""

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot  # noqa: E402

WAYS = (
    ("simple_roots", "root gathering of simple parts", "o"),
    ("fastest_roots", "root gathering of the fastest parts", "s"),
)


def draw(cells, counts, headline, path):
    figure, (gains, bounds) = pyplot.subplots(2, 1, figsize=(8, 7), sharex=True)
    machines = sorted({(key.nodes, key.ppn, key.bytes) for key, _ in cells})
    place = {machine: number for number, machine in enumerate(machines)}
    colours = {name: f"C{number}" for number, name in enumerate(counts)}
    shift = {name: (number - 1.5) * 0.15 for number, name in enumerate(counts)}
    for key, cell in cells:
        x = place[key.nodes, key.ppn, key.bytes] + shift[key.counts]
        for way, _, marker in WAYS:
            gain = cell[way] / cell["seconds"]
            gains.plot(x, gain, marker, color=colours[key.counts], markersize=4, alpha=0.7)
        ratio = cell["seconds"] / cell["bound"]
        bounds.plot(x, ratio, "o", color=colours[key.counts], markersize=4, alpha=0.7)
    gains.axhline(headline, color="black", linestyle=":", label="the paper's headline, on Cori")
    gains.axhline(1, color="grey", linewidth=0.8)
    bounds.axhline(1, color="grey", linewidth=0.8)
    for _, label, marker in WAYS:
        gains.plot([], [], marker, color="grey", label=label)
    for name in counts:
        bounds.plot([], [], "o", color=colours[name], label=name)
    gains.set_yscale("log")
    bounds.set_yscale("log")
    gains.set_ylabel("times as long as what is chosen")
    bounds.set_ylabel("times the bound")
    bounds.set_xticks(range(len(machines)), [_label(machine) for machine in machines], fontsize=8)
    for axes in (gains, bounds):
        axes.legend(fontsize=8, ncols=3, loc="upper left")
        axes.grid(axis="y", alpha=0.3)
        low, high = axes.get_ylim()
        axes.set_ylim(low, high * 2)
        axes.yaxis.set_major_formatter(matplotlib.ticker.FormatStrFormatter("%g"))
        axes.yaxis.set_minor_formatter(matplotlib.ticker.NullFormatter())
        axes.set_yticks([tick for tick in (1, 2, 5, 10, 20, 50) if low <= tick <= 2 * high])
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def _label(machine):
    nodes, ppn, size = machine
    text = f"{size >> 20} MiB" if size >= 1 << 20 else f"{size >> 10} KiB"
    return f"{nodes} × {ppn}\n{text} a node"
