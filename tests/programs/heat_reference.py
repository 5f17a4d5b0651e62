# SPDX-License-Identifier: BSD-3-Clause
"""What examples/heat2d and examples/heat3d must compute, bit for bit, by one sequential program."""

import numpy as np

MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)


def read_pnm(data):
    """Samples of a PGM or PPM as (rows, columns, channels), and their maximum."""
    words, at = [], 0
    while len(words) < 4:
        line = data[at : data.index(b"\n", at)]
        at += len(line) + 1
        words += line.partition(b"#")[0].split()
    width, height, maximum = map(int, words[1:])
    channels = 3 if words[0] == b"P6" else 1
    samples = np.frombuffer(data[at:], ">u2" if maximum > 255 else "u1")
    return samples[: height * width * channels].reshape(height, width, channels), maximum


def read_nrrd(data):
    """Samples of an NRRD volume as (planes, rows, columns, 1), and their maximum."""
    header, _, rest = data.partition(b"\n\n")
    lines = [line.decode().partition(": ") for line in header.splitlines()[1:]]
    fields = {name: value for name, _, value in lines if value}
    sizes = [int(word) for word in fields["sizes"].split()][::-1]
    order = ">" if fields.get("endian") == "big" else "<"
    kind = {"uint8": "u1", "uint16": order + "u2"}[fields["type"]]
    samples = np.frombuffer(rest, kind)[: np.prod(sizes)]
    return samples.reshape(*sizes, 1), 255 if kind == "u1" else 65535


def pnm_bytes(picture):
    rows, columns = picture.shape
    return b"P5\n%d %d\n65535\n" % (columns, rows) + picture.astype(">u2").tobytes()


def nrrd_bytes(picture):
    sizes = " ".join(str(size) for size in picture.shape[::-1])
    header = f"NRRD0004\ntype: uint16\ndimension: 3\nsizes: {sizes}\nencoding: raw\nendian: big\n\n"
    return header.encode() + picture.astype(">u2").tobytes()


def material(samples, maximum):
    """Temperature, conductivity and rate of every cell."""
    ndims = samples.ndim - 1
    temperature = samples[..., 0] / float(maximum)
    rate = np.full(temperature.shape, 0.2 if ndims == 2 else 0.15)
    if samples.shape[-1] == 1:
        return temperature, 0.25 + 0.75 * temperature, rate
    rate[2 * samples[..., 2].astype(int) > maximum] = 0.0
    return temperature, samples[..., 1] / float(maximum), rate


def with_ghosts(cells, periodic):
    return np.pad(cells, 1, mode="wrap") if periodic else np.pad(cells, 1)


def side(cells, axis, step):
    """The neighbours of all inner cells along an axis."""
    index = [slice(1, -1)] * cells.ndim
    index[axis] = slice(1 + step, cells.shape[axis] - 1 + step)
    return cells[tuple(index)]


def coupling(a, b):
    with np.errstate(invalid="ignore"):
        return np.where(a + b > 0.0, 2.0 * a * b / (a + b), 0.0)


def solve(samples, maximum, steps, periodic=False, refine=1):
    """The temperature after so many steps."""
    for axis in range(samples.ndim - 1):
        samples = samples.repeat(refine, axis)
    temperature, conductivity, rate = material(samples, maximum)
    around = with_ghosts(conductivity, periodic)
    axes = range(temperature.ndim)
    lower = [coupling(side(around, axis, -1), conductivity) for axis in axes]
    upper = [coupling(conductivity, side(around, axis, 1)) for axis in axes]
    for _ in range(steps):
        old = with_ghosts(temperature, periodic)
        flow = [
            lower[axis] * (side(old, axis, -1) - temperature)
            + upper[axis] * (side(old, axis, 1) - temperature)
            for axis in axes
        ]
        temperature = temperature + rate * sum(flow[1:], flow[0])
    return temperature


def picture(temperature):
    return np.floor(np.clip(temperature * 65535.0, 0.0, 65535.0) + 0.5).clip(0, 65535)


def stir(bits):
    bits = (bits ^ bits >> np.uint64(31)) * MIX[0]
    bits = (bits ^ bits >> np.uint64(29)) * MIX[1]
    return bits ^ bits >> np.uint64(32)


def checksum(temperature):
    bits = np.ascontiguousarray(temperature).view(np.uint64).ravel()
    places = np.arange(1, bits.size + 1, dtype=np.uint64)
    return f"{int(stir(bits ^ stir(places)).sum(dtype=np.uint64)):016x}"
