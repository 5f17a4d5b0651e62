#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes phantom.nrrd: ellipsoids inside each other, like the test bodies of tomography. A voxel's
brightness is its temperature at the start and its conductivity."""

import pathlib
import sys

import numpy as np

PLANES, ROWS, COLUMNS = 48, 56, 64
# Brightness added, half axes (x, y, z), centre (x, y, z), turn around z in degrees; the volume
# reaches from -1 to 1 on every axis.
BODIES = (
    (230, (0.72, 0.92, 0.86), (0.00, 0.00, 0.00), 0),
    (-150, (0.65, 0.85, 0.79), (0.00, -0.01, 0.00), 0),
    (60, (0.44, 0.56, 0.55), (0.00, 0.12, 0.05), 12),
    (-60, (0.13, 0.34, 0.30), (0.24, 0.02, -0.05), -20),
    (-60, (0.15, 0.38, 0.34), (-0.24, 0.02, -0.05), 20),
    (110, (0.20, 0.22, 0.24), (0.00, 0.40, -0.20), 0),
    (90, (0.07, 0.07, 0.10), (0.12, -0.58, 0.12), 0),
    (90, (0.05, 0.09, 0.07), (-0.14, -0.56, -0.20), 30),
)


def phantom():
    z, y, x = (
        np.linspace(-1, 1, count)[index]
        for count, index in zip((PLANES, ROWS, COLUMNS), np.indices((PLANES, ROWS, COLUMNS)))
    )
    volume = np.zeros(x.shape)
    for brightness, axes, centre, turn in BODIES:
        dx, dy, dz = (a - c for a, c in zip((x, y, z), centre))
        cosine, sine = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        u, v = dx * cosine + dy * sine, dy * cosine - dx * sine
        inside = (u / axes[0]) ** 2 + (v / axes[1]) ** 2 + (dz / axes[2]) ** 2 <= 1
        volume[inside] += brightness
    return np.clip(volume, 0, 255).astype(np.uint8)


if __name__ == "__main__":
    default = pathlib.Path(__file__).with_name("phantom.nrrd")
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    header = (
        "NRRD0004\n# made by make_phantom.py\ntype: uint8\ndimension: 3\n"
        f"sizes: {COLUMNS} {ROWS} {PLANES}\nencoding: raw\n\n"
    )
    path.write_bytes(header.encode() + phantom().tobytes())
