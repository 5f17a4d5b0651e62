# SPDX-License-Identifier: BSD-3-Clause
"""Turns what the heat solvers write into pictures that every viewer opens."""

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from caucus.console import number


def _picture(data):
    """A PGM of 16 bits."""
    _, size, _, samples = data.split(b"\n", 3)
    width, height = map(int, size.split())
    return np.frombuffer(samples, ">u2").reshape(height, width)


def _slices(data, count=8):
    """Planes of an NRRD volume of 16 bits, side by side in two lines."""
    header, _, samples = data.partition(b"\n\n")
    fields = dict(line.split(": ", 1) for line in header.decode().splitlines()[1:])
    sizes = [int(word) for word in fields["sizes"].split()][::-1]
    volume = np.frombuffer(samples, ">u2").reshape(sizes)
    chosen = volume[np.linspace(0, sizes[0] - 1, count + 2).astype(int)[1:-1]]
    lines = np.split(chosen, 2)
    return np.vstack([np.hstack(list(line)) for line in lines])


def draw(path, target):
    """Heat in colours: black is the coldest, pale yellow the hottest."""
    data = path.read_bytes()
    heat = _picture(data) if data.startswith(b"P5") else _slices(data)
    plt.imsave(target, heat / 65535, cmap="inferno", vmin=0, vmax=1)


def bars(path, title, unit, values):
    """What was measured, {name: value}, the last one ours."""
    figure, axes = plt.subplots(figsize=(6.4, 0.6 + 0.55 * len(values)))
    names = list(values)
    colours = ["#8c959f"] * (len(names) - 1) + ["#2da44e"]
    drawn = axes.barh(names, list(values.values()), color=colours)
    axes.bar_label(drawn, [number(value, 3) for value in values.values()], padding=3)
    axes.invert_yaxis()
    axes.set_title(title, loc="left", fontsize=10)
    axes.set_xlabel(unit)
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(x=0.15)
    figure.savefig(path, bbox_inches="tight")
    plt.close(figure)
