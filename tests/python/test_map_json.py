# SPDX-License-Identifier: BSD-3-Clause
"""What caucus map --json promises, whatever the grid."""

import pytest
from command_line import caucus, caucus_json, judge

CASES = [
    ("12x10", "--ppn", 8),
    ("7x5x3", "--ppn", 4, "--periodic", "0,2"),
    ("2x1x6", "--nodes", "3,4,5", "--periodic"),
    ("30", "--nodes", "cyclic:4"),
    ("6x6", "--ppn", 36),
    ("8x8", "--ppn", 8, "--placement", "cyclic"),
    ("9x9", "--ppn", 8, "--ranks", 100),
    ("19x23", "--ppn", 19),  # the best is not one of the mappers', but refined
]


def numbers_of(mapper):
    yield from (mapper["jsum"], mapper["jmax"], mapper["total"], mapper["seconds"])
    for side in ("on", "off"):
        assert set(mapper[side]) == {"min", "max", "mean"}
        assert mapper[side]["min"] <= mapper[side]["mean"] <= mapper[side]["max"]
        yield from mapper[side].values()


@pytest.mark.parametrize("words", CASES, ids=lambda words: words[0])
def test_shape(words):
    report = caucus_json("map", *words)
    assert report["dims"] == [int(size) for size in words[0].split("x")]
    assert isinstance(report["ranks"], int) and isinstance(report["nodes"], int)
    names = [mapper["name"] for mapper in report["mappers"]]
    assert len(set(names)) == len(names) and report["best"] in names
    assert not set(names) & set(report["not_applicable"])
    for mapper in report["mappers"]:
        assert all(isinstance(value, (int, float)) and value >= 0 for value in numbers_of(mapper))
        assert report["bound"] <= mapper["jsum"] + 1e-9
        assert mapper["jmax"] <= mapper["jsum"] <= mapper["total"]
    best = report["mappers"][names.index(report["best"])]
    assert best["jsum"] == min(mapper["jsum"] for mapper in report["mappers"])
    assert best["jsum"] <= report["given"]["jsum"]


@pytest.mark.parametrize("words", CASES, ids=lambda words: words[0])
def test_rank0_has_cell_0_or_a_price(words):
    rank0 = caucus_json("map", *words)["rank0"]
    assert rank0["kept"] is (rank0["cost"] == 0)
    table = caucus("map", *words).stdout
    assert ("Rank 0 has cell 0." in table) is rank0["kept"]


def test_rank0_out_of_the_grid():
    words = ("map", "4x4", "--nodes", "2,8,8", "--ranks", 18)
    assert caucus_json(*words)["rank0"] == {"kept": False, "cost": 1}
    assert "to keep cell 0 would cost 100.0 % more between nodes" in caucus(*words).stdout


def test_same_answer_every_time():
    def answer():
        report = caucus_json("map", "23x17", "--nodes", "13*23,4*23")
        for mapper in [report["given"], *report["mappers"]]:
            del mapper["seconds"]
        return report

    assert answer() == answer()


def test_one_mapper():
    report = caucus_json("map", "12x12", "--ppn", 12, "--mapper", "strips")
    assert report["best"] == "strips"
    assert {mapper["name"] for mapper in report["mappers"]} <= {"strips", "given"}


def test_given_is_what_the_machine_gives():
    report = caucus_json("map", "8x4", "--nodes", "cyclic:8", "--periodic", "1")
    jsum, jmax, on, off = judge((8, 4), (False, True), [cell % 8 for cell in range(32)])
    given = report["given"]
    assert (given["jsum"], given["jmax"]) == (jsum, jmax)
    assert (given["on"]["max"], given["off"]["min"]) == (max(on), min(off))
    assert "given" in [mapper["name"] for mapper in report["mappers"]]


def test_cyclic_placement_fills_no_node_too_full():
    report = caucus_json("map", "5x2", "--ppn", 4, "--placement", "cyclic")
    assert report["nodes"] == 3  # of 4, 3 and 3 ranks
    assert report["given"]["jsum"] == judge((5, 2), (0, 0), [cell % 3 for cell in range(10)])[0]


def test_refined():
    report = caucus_json("map", "19x23", "--ppn", 19)
    assert report["best"] == "annealed"
    others = [m["jsum"] for m in report["mappers"] if m["name"] != "annealed"]
    assert report["mappers"][-1]["jsum"] < min(others)


def test_levels(tmp_path):
    machine = tmp_path / "machine"
    lines = [f"n{n} p{p}" for n in range(3) for p in range(2) for _ in range(6)]
    machine.write_text("# node package\n" + "\n".join(lines) + "\n")
    report = caucus_json("map", "6x6", "--nodes", machine)
    for mapper in report["mappers"]:
        node, package = mapper["levels"]
        assert (node["level"], package["level"]) == ("node", "package")
        assert node["jsum"] == mapper["jsum"] <= package["jsum"]
    table = caucus("map", "6x6", "--nodes", machine).stdout
    assert table.count("    package ") == len(report["mappers"])


def test_a_misspelt_setting_earns_a_warning():
    for words in (("map", "4x4", "--ppn", 4), ("dims", 16, "--ppn", 4), ("info",)):
        told = caucus(*words, env={"CAUCUS_NODS": "4x4"}).stderr
        assert told.count("\n") == 1 and "did you mean CAUCUS_NODES?" in told


def test_nodes_from_the_environment():
    done = caucus("map", "4x4", env={"CAUCUS_NODES": "4x4"})
    assert "16 ranks on 4 nodes of 4" in done.stdout


@pytest.mark.parametrize("grid", ["128x128", "12x16x20", "7x1x1x5x3"])
def test_table_is_plain_and_narrow_in_a_pipe(grid):
    table = caucus("map", grid, "--nodes", "cyclic:3", "--periodic").stdout
    assert "\x1b" not in table
    assert max(map(len, table.splitlines())) <= 80
    assert not any(line.endswith(" ") for line in table.splitlines())


@pytest.mark.parametrize("weights", ["8388608,1048576", "1.5e200,3.7e250"])
def test_table_of_bytes_is_whole(weights):
    table = caucus("map", "96x96", "--ppn", 16, "--weights", weights).stdout
    assert "…" not in table
    assert max(map(len, table.splitlines())) <= 80
