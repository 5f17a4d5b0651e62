# SPDX-License-Identifier: BSD-3-Clause
"""Placement files, read back as the launchers read them: rank r of a program that does not reorder
gets the node that the mapping wants for cell r."""

import re

import pytest
from command_line import caucus, caucus_json, judge, refused

CASES = [
    ("8x6", (False, False), ("--ppn", 6)),
    ("8x6", (True, True), ("--nodes", "5*6,3*4,6", "--periodic")),
    ("4x3x5", (False, True, False), ("--nodes", "cyclic:7", "--periodic", "1")),
    ("6x5", (False, False), ("--nodes", "3*4,4*8", "--ranks", "44")),
    ("5x5", (False, False), ("--nodes", "cyclic:5", "--ranks", "40")),
]


def rankfile(text):
    """node and slot of each rank"""
    places = {}
    for line in text.splitlines():
        rank, host, slot = re.fullmatch(r"rank (\d+)=node(\d+) slot=(\d+)", line).groups()
        places[int(rank)] = (int(host), int(slot))
    assert sorted(places) == list(range(len(places)))
    assert len(set(places.values())) == len(places), "two ranks in one slot"
    return [places[rank][0] for rank in range(len(places))]


def hostfile(text):
    nodes = []
    for line in text.splitlines():
        host, count = re.fullmatch(r"node(\d+):(\d+)", line).groups()
        nodes += [int(host)] * int(count)
    return nodes


def rankmap(text):
    hosts, ranks = re.fullmatch(r"-hosts (\S+) -rankmap (\S+)\n", text).groups()
    nodes = [int(node) for node in ranks.split(",")]
    for node, host in enumerate(hosts.split(",")):
        assert host == f"node{node}:{nodes.count(node)}"
    return nodes


def rank_order(text, sizes):
    """The ranks fill the nodes one after the other."""
    order = [int(rank) for rank in re.split(r"[,\n]+", text.strip())]
    assert sorted(order) == list(range(len(order)))
    nodes, at = [None] * len(order), 0
    for node, size in enumerate(sizes):
        for rank in order[at : at + size]:
            nodes[rank] = node
        at += size
    return nodes


@pytest.mark.parametrize("name", ["openmpi-rankfile", "mpich-hostfile", "mpich-rankmap"])
@pytest.mark.parametrize("grid, periods, words", CASES)
def test_nodes_of_the_ranks_give_the_jsum_planned(grid, periods, words, name, tmp_path):
    path = tmp_path / "placement"
    report = caucus_json("map", grid, *words, "--write", name, "--output", path)
    read = {"openmpi-rankfile": rankfile, "mpich-hostfile": hostfile, "mpich-rankmap": rankmap}
    check(report, periods, read[name](path.read_text()))


@pytest.mark.parametrize("grid, periods, words", CASES)
def test_rank_order_gives_the_jsum_planned(grid, periods, words, tmp_path):
    path = tmp_path / "MPICH_RANK_ORDER"
    words = (grid, *words)
    report = caucus_json("map", *words, "--write", "cray-rank-order", "--output", path)
    nodes = hostfile(caucus("map", *words, "--write", "mpich-hostfile").stdout)
    sizes = [nodes.count(node) for node in range(report["nodes"])]
    check(report, periods, rank_order(path.read_text(), sizes))


def check(report, periods, nodes):
    assert len(nodes) == report["ranks"]
    best = next(m for m in report["mappers"] if m["name"] == report["best"])
    cells = 1
    for size in report["dims"]:
        cells *= size
    jsum, jmax, on, off = judge(report["dims"], periods, nodes[:cells])
    assert (jsum, jmax) == (best["jsum"], best["jmax"])
    for side, counts in (("on", on), ("off", off)):
        assert (best[side]["min"], best[side]["max"]) == (min(counts), max(counts))
        assert best[side]["mean"] == pytest.approx(sum(counts) / cells)


def test_slots_of_a_node_follow_its_packages(tmp_path):
    """Slot k of a node is the node's k-th rank of the machine file."""
    machine = tmp_path / "machine"
    machine.write_text("".join(f"n{n} p{p}\n" for n in (0, 1) for p in (0, 1) for _ in range(4)))
    report = caucus_json("map", "4x4", "--nodes", machine)
    best = next(m for m in report["mappers"] if m["name"] == report["best"])
    done = caucus("map", "4x4", "--nodes", machine, "--write", "openmpi-rankfile")
    places = re.findall(r"rank \d+=n(\d) slot=(\d)", done.stdout)
    packages = [int(node) * 2 + int(slot) // 4 for node, slot in places]
    assert judge((4, 4), (False, False), packages)[0] == best["levels"][1]["jsum"]


def test_names_of_hosts(tmp_path):
    words = (
        "map",
        "2x4",
        "--ppn",
        4,
        "--mapper",
        "row-major",
        "--write",
        "mpich-hostfile",
        "--hosts",
    )
    assert caucus(*words, "a,b").stdout == "a:4\nb:4\n"
    path = tmp_path / "hosts"
    path.write_text("# the nodes\nfirst.example\n\nsecond.example\n")
    assert caucus(*words, path).stdout == "first.example:4\nsecond.example:4\n"
    path.write_text("first.example\nsecond.example\n", encoding="utf-8-sig")
    assert caucus(*words, path).stdout == "first.example:4\nsecond.example:4\n"


def test_unnamed_nodes_are_said_to_be_so():
    done = caucus("map", "2x4", "--ppn", 4, "--write", "openmpi-rankfile")
    assert "--hosts" in done.stderr and "rank 0=node0 slot=0\n" in done.stdout


def as_lammps_reads(text):
    """The sizes of the axes, and the rank of each cell, x slowest as MPI_Cart_create has it."""
    lines = text.splitlines()
    while not lines[0].split("#")[0].strip():  # initial comments alone
        lines.pop(0)
    assert all(len(line) < 128 for line in lines)
    dims = [int(size) for size in lines.pop(0).split()]
    x, y, z = dims
    assert len(lines) == x * y * z
    rank_of_cell = [None] * len(lines)
    for line in lines:
        rank, i, j, k = (int(word) for word in line.split())
        assert 1 <= i <= x and 1 <= j <= y and 1 <= k <= z
        rank_of_cell[((i - 1) * y + j - 1) * z + k - 1] = rank
    assert sorted(rank_of_cell) == list(range(len(lines)))
    return dims, rank_of_cell


@pytest.mark.parametrize(
    "grid, periods, words, sizes",
    [
        ("8x6", (False, False), ("--ppn", 6), [6] * 8),
        (
            "4x3x5",
            (False, True, False),
            ("--nodes", "7,20,13,20", "--periodic", "1"),
            [7, 20, 13, 20],
        ),
        ("12", (True,), ("--nodes", "5,4,3", "--periodic"), [5, 4, 3]),
    ],
)
def test_lammps_file_gives_the_jsum_planned(grid, periods, words, sizes, tmp_path):
    path = tmp_path / "processors"
    report = caucus_json("map", grid, *words, "--write", "lammps", "--output", path)
    dims, ranks = as_lammps_reads(path.read_text())
    assert dims == (report["dims"] + [1, 1])[:3]
    node_of_rank = [node for node, size in enumerate(sizes) for _ in range(size)]
    check(report, periods, [node_of_rank[rank] for rank in ranks])


def test_what_lammps_has_no_words_for():
    words = ("--write", "lammps")
    assert "3 axes, this one 4" in refused("map", "2x2x2x2", "--ppn", 4, *words)
    assert "40 ranks for 25 cells" in refused("map", "5x5", "--ppn", 5, "--ranks", 40, *words)
    assert "names no hosts" in refused("map", "4x4", "--ppn", 4, *words, "--hosts", "a,b,c,d")
