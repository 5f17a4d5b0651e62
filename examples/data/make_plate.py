#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws plate.ppm, a metal plate over a landscape: red is the temperature at the start, green the
conductivity, blue marks what is held at its temperature."""

import io
import pathlib
import sys

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt

WIDTH, HEIGHT = 384, 256


def landscape():
    """Hills of all sizes from 0 to 1: waves of random directions, weaker the shorter they are."""
    random = np.random.default_rng(2018)
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH] / HEIGHT
    land = np.zeros((HEIGHT, WIDTH))
    for waves in (1, 2, 3, 5, 8, 13, 21):
        for _ in range(4):
            angle, phase = random.uniform(0, 2 * np.pi, 2)
            along = x * np.cos(angle) + y * np.sin(angle)
            land += np.sin(2 * np.pi * waves * along + phase) / waves**1.2
    return (land - land.min()) / (land.max() - land.min())


def engraving():
    """Where the letters and the frame are, from 0 to 1."""
    figure = plt.figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=100)
    figure.text(0.5, 0.54, "CAUCUS", ha="center", va="center", fontsize=52, fontweight="bold")
    small = {"fontsize": 20, "fontweight": "bold"}
    figure.text(0.5, 0.24, "halos stay on the node", ha="center", va="center", **small)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="raw", dpi=100)
    plt.close(figure)
    pixels = np.frombuffer(buffer.getvalue(), np.uint8).reshape(HEIGHT, WIDTH, 4)
    return 1 - pixels[:, :, 0] / 255


def plate():
    land, letters = landscape(), engraving()
    level = np.abs((land * 8) % 1 - 0.5) < 0.06  # contour lines
    temperature = 0.15 + 0.55 * land
    conductivity = np.where(level, 0.35, 0.9)
    held = np.zeros_like(land)
    conductivity = conductivity * (1 - letters) + 0.02 * letters  # letters keep their heat
    temperature = temperature * (1 - letters) + 0.95 * letters
    for y, x, radius, heat in ((40, 60, 9, 1.0), (232, 335, 11, 1.0), (48, 335, 10, 0.0)):
        rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH]
        spot = (rows - y) ** 2 + (columns - x) ** 2 <= radius**2
        temperature[spot], conductivity[spot], held[spot] = heat, 1.0, 1.0
    return np.rint(255 * np.dstack((temperature, conductivity, held))).astype(np.uint8)


if __name__ == "__main__":
    default = pathlib.Path(__file__).with_name("plate.ppm")
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    path.write_bytes(b"P6\n%d %d\n255\n" % (WIDTH, HEIGHT) + plate().tobytes())
