# SPDX-License-Identifier: BSD-3-Clause
"""The numbers that are known: Gropp's table (Using Node Information to Implement MPI Cartesian
Topologies, EuroMPI 2018), and open grids."""

import pytest
from command_line import caucus_json


def by_name(report):
    return {mapper["name"]: mapper for mapper in report["mappers"]}


@pytest.mark.parametrize(
    "grid, plain, tiled",
    [
        # jsum, then (min, max, mean) of the neighbours on the node and off it
        (
            "128x128",
            (34816, (1, 2, 1.875), (2, 3, 2.125)),
            (16384, (2, 4, 3.0), (0, 2, 1.0)),
        ),
        ("16x32x32", (67584, None, None), (40960, None, None)),
    ],
)
def test_table_of_the_paper(grid, plain, tiled):
    mappers = by_name(caucus_json("map", grid, "--ppn", 16, "--periodic"))
    for name, (jsum, on, off) in (("row-major", plain), ("nodecart", tiled)):
        assert mappers[name]["jsum"] == jsum
        for side, expected in (("on", on), ("off", off)):
            if expected:
                assert tuple(mappers[name][side][key] for key in ("min", "max", "mean")) == expected


def test_means_of_the_paper_in_three_dimensions():
    mappers = by_name(caucus_json("map", "16x32x32", "--ppn", 16, "--periodic"))
    assert (mappers["row-major"]["on"]["mean"], mappers["row-major"]["off"]["mean"]) == (
        1.875,
        4.125,
    )
    assert (mappers["nodecart"]["on"]["mean"], mappers["nodecart"]["off"]["mean"]) == (3.5, 2.5)


@pytest.mark.parametrize(
    "words, row_major, most",
    [
        (("50x48", "--ppn", 48), (4704, 96), 1204),
        (("75x64", "--ppn", 48), (9622, 98), 2538),
        (("12x16x20", "--ppn", 48), (10144, 138), 4896),
        (("50x48", "--ppn", 48, "--stencil", "box"), (13916, 284), 3416),
        (("50x48", "--ppn", 48, "--weights", "1,0"), (4704, 96), 96),
        (("50x48", "--nodes", "40*48,15*32"), (4724, 96), 1284),
    ],
)
def test_open_grids(words, row_major, most):
    report = caucus_json("map", *words)
    mappers = by_name(report)
    assert (mappers["row-major"]["jsum"], mappers["row-major"]["jmax"]) == row_major
    best = mappers[report["best"]]
    assert report["bound"] <= best["jsum"] <= most
    assert best["jsum"] == min(mapper["jsum"] for mapper in report["mappers"])


def test_dims():
    found = caucus_json("dims", 2400, "--ndims", 2, "--ppn", 48, "--extents", "4,1")
    assert found["dims"] == [100, 24]
    kept = caucus_json("dims", 2400, "--ppn", 48, "--fixed", "0x48x1")
    assert kept["dims"] == [50, 48, 1]
