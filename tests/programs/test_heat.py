# SPDX-License-Identifier: BSD-3-Clause
"""The heat solvers give the same picture, to the last bit, on any number of ranks, wherever these
lie, with the drop-in and without, with scrambled ranks too."""

import functools
import json

import heat_reference
import numpy as np
import programs
import pytest

from testing import turn

STEPS = 12
RANKS = (1, 2, 3, 4, 6, 7, 8)
INPUT = {"heat2d": "plate.ppm", "heat3d": "phantom.nrrd"}
READ = {"heat2d": heat_reference.read_pnm, "heat3d": heat_reference.read_nrrd}
PICTURE = {"heat2d": heat_reference.pnm_bytes, "heat3d": heat_reference.nrrd_bytes}
WAYS = {
    "plain": None,
    "drop-in": {"CAUCUS_NODES": "cyclic:2"},
    "chaos": {"CAUCUS_CHAOS": "1"},
    "chaos on nodes, of rank 0 too": {
        "CAUCUS_CHAOS": "20181",
        "CAUCUS_NODES": "cyclic:3",
        "CAUCUS_CART_RANK0": "never",
    },
}


@functools.lru_cache
def expected(name, periodic, refine=1):
    """The bytes of the picture and the checksum."""
    samples, maximum = READ[name]((programs.DATA / INPUT[name]).read_bytes())
    heat = heat_reference.solve(samples, maximum, STEPS, periodic, refine)
    return PICTURE[name](heat_reference.picture(heat)), heat_reference.checksum(heat)


def heat(mpi, name, ranks, path, *options, env=None, check=True, source=None):
    words = [programs.program(mpi, name), source or programs.DATA / INPUT[name]]
    words += ["--steps", STEPS, "--output", path, *options]
    preload = [programs.dropin(mpi)] if env is not None else []
    return programs.start(mpi, ranks, words, env, preload, check=check)


@pytest.fixture(params=programs.parameters())
def mpi(request):
    return programs.chosen(request)


def ranks_of(mpi, name, way):
    """Today's number of ranks."""
    nodes = int((WAYS[way] or {}).get("CAUCUS_NODES", "cyclic:1").partition(":")[2])
    return turn.of([ranks for ranks in RANKS if ranks >= nodes], f"{mpi} {name} {way}")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", INPUT)
def test_same_picture(mpi, name, way, tmp_path):
    env, ranks = WAYS[way], ranks_of(mpi, name, way)
    periodic = (ranks + len(way)) % 2 == 1
    options = ["--periodic"] if periodic else []
    done = heat(mpi, name, ranks, tmp_path / "picture", *options, env=env)
    picture, checksum = expected(name, periodic)
    assert f"checksum {checksum}" in done.stdout.splitlines()
    assert (tmp_path / "picture").read_bytes() == picture


@pytest.mark.parametrize("name, dims", [("heat2d", "7x1"), ("heat2d", "1x5"), ("heat3d", "1x1x6")])
def test_uneven_blocks_and_idle_ranks(mpi, name, dims, tmp_path):
    path = tmp_path / "picture"
    path.write_bytes(b"x" * 10_000_000)  # a longer file of before must not show through
    heat(mpi, name, 8, path, "--dims", dims)
    assert path.read_bytes() == expected(name, False)[0]


@pytest.mark.parametrize("name", INPUT)
def test_refined(mpi, name, tmp_path):
    heat(mpi, name, 6, tmp_path / "picture", "--refine", "2")
    assert (tmp_path / "picture").read_bytes() == expected(name, False, 2)[0]


def test_formats(mpi, tmp_path):
    """A grey picture of 16 bits and a volume of 16 bits of either byte order."""
    random = np.random.default_rng(1)
    grey = random.integers(0, 5000, (23, 31, 1), dtype=np.uint16)
    source, path = tmp_path / "source", tmp_path / "picture"
    source.write_bytes(b"P5 # grey\n31 23\n5000\n" + grey.astype(">u2").tobytes())
    heat(mpi, "heat2d", 4, path, source=source)
    result = heat_reference.picture(heat_reference.solve(grey, 5000, STEPS))
    assert path.read_bytes() == heat_reference.pnm_bytes(result)
    volume = random.integers(0, 65536, (5, 7, 9, 1), dtype=np.uint16)
    result = heat_reference.picture(heat_reference.solve(volume, 65535, STEPS))
    for order, code in (("big", ">u2"), ("little", "<u2")):
        header = "NRRD0005\n# made up\ntype: uint16\ndimension: 3\nsizes: 9 7 5\n"
        header += f"endian: {order}\nencoding: raw\n\n"
        source.write_bytes(header.encode() + volume.astype(code).tobytes())
        heat(mpi, "heat3d", 5, path, "--dims", "5x1x1", source=source)
        assert path.read_bytes() == heat_reference.nrrd_bytes(result)


BAD = {
    "there is no such file": ("heat2d", None, [], "can't be opened"),
    "another format": ("heat2d", b"GIF89a", [], "is no binary PGM or PPM"),
    "no numbers": ("heat2d", b"P6\nten 10\n255\n", [], "malformed header"),
    "too short": ("heat2d", b"P6\n10 10\n255\n" + bytes(299), [], "ends early"),
    "huge": ("heat2d", b"P6\n99999 99999\n255\n" + bytes(99), [], "too large"),
    "no volume": ("heat3d", b"P6\n", [], "is no NRRD"),
    "text": ("heat3d", b"NRRD0004\nencoding: ascii\n\n", [], "raw is wanted"),
    "no sizes": ("heat3d", b"NRRD0004\ntype: uint8\n\n", [], "its type or its sizes"),
    "a header without an end": ("heat3d", b"NRRD0004\ntype: uint8\n", [], "without an end"),
    "floats": ("heat3d", b"NRRD0004\ntype: float\n\n", [], "uint8 or uint16"),
    "more rows of ranks than rows": (
        "heat2d",
        b"P5\n9 1\n255\n" + bytes(9),
        ["--dims", "2x1"],
        "too many",
    ),
    "more than there are": (
        "heat2d",
        b"P5\n9 9\n255\n" + bytes(81),
        ["--dims", "2x2"],
        "wants more",
    ),
    "half a grid": ("heat2d", b"", ["--dims", "2x"], "2 positive numbers"),
    "an unknown word": ("heat2d", b"", ["--quickly"], "--quickly is unknown"),
    "negative steps": ("heat2d", b"", ["--steps", "-1"], "from 0 on"),
    "no folder": ("heat2d", b"P5\n9 9\n255\n" + bytes(81), ["--output", "/no/x"], "for writing"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_ends_with_one_sentence(case, tmp_path):
    name, content, options, text = BAD[case]
    mpi = turn.of(programs.mpis(), case)
    source = tmp_path / "source"
    if content is not None:
        source.write_bytes(content)
    done = heat(mpi, name, 2, tmp_path / "picture", *options, source=source, check=False)
    assert done.returncode != 0
    said = [line for line in done.stderr.splitlines() if text in line]
    assert len(said) == 1 and said[0].endswith("."), done.stderr
    assert "checksum" not in done.stdout


def test_the_drop_in_was_there(mpi, tmp_path):
    """Four ranks of a line, dealt out to two nodes: the drop-in has something to gain."""
    report = tmp_path / "report.json"
    env = {"CAUCUS_NODES": "cyclic:2", "CAUCUS_REPORT": report}
    heat(mpi, "heat2d", 4, tmp_path / "picture", "--dims", "4x1", env=env)
    told = json.loads(report.read_text())
    assert told["calls"]["MPI_Cart_create"]["taken"] == 4  # summed over the ranks
    assert told["communicators"][0]["off_node"] == {"before": 6, "after": 2}
