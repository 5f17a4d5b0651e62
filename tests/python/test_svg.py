# SPDX-License-Identifier: BSD-3-Clause
"""The picture: well-formed, right in what it shows, and such that nodes can be told apart."""

import random
import re
import xml.etree.ElementTree

import pytest
from command_line import caucus, caucus_json

from caucus import coloring, raster

SVG = "{http://www.w3.org/2000/svg}"


def picture(*words):
    return xml.etree.ElementTree.fromstring(caucus("map", *words, "--svg", "-").stdout)


def panels(root):
    """The groups that hold a table of cells each."""
    return [group for group in root.iter(f"{SVG}g") if "scale(" in group.get("transform", "")]


def cells_of(panel):
    """The colour of each cell of a panel."""
    colors = {}
    for path in panel.find(f"{SVG}g").iter(f"{SVG}path"):
        for words in re.findall(r"M(\d+) (\d+)h(\d+)v(\d+)h", path.get("d")):
            x, y, width, height = map(int, words)
            for down in range(y, y + height):
                for across in range(x, x + width):
                    assert (across, down) not in colors, "two rectangles on one cell"
                    colors[across, down] = path.get("fill")
    return colors


def cut_length(panel):
    """How many cell sides the dark lines cover."""
    path = next(path for path in panel.iter(f"{SVG}path") if path.get("class") == "cut")
    return sum(int(length) for length in re.findall(r"[hv](\d+)", path.get("d")))


@pytest.mark.parametrize(
    "words", [("12x10", "--ppn", 8), ("20x9", "--nodes", "cyclic:7"), ("40", "--ppn", 7)]
)
def test_cells_and_cuts(words):
    report = caucus_json("map", *words)
    found = panels(picture(*words))
    assert len(found) == 2
    best = next(m for m in report["mappers"] if m["name"] == report["best"])
    for panel, numbers in zip(found, (report["given"], best)):
        colors = cells_of(panel)
        assert len(colors) == report["ranks"]
        assert 2 * cut_length(panel) == numbers["jsum"]  # Jsum counts an edge both ways


def test_cuts_of_a_periodic_border_show_on_both_sides():
    report = caucus_json("map", "12x10", "--ppn", 10, "--periodic")
    row_major = panels(picture("12x10", "--ppn", 10, "--periodic"))[0]
    across_the_border = 10  # the first row against the last one
    assert 2 * (cut_length(row_major) - across_the_border) == report["given"]["jsum"]


def test_cuts_follow_the_stencil(tmp_path):
    stencil = tmp_path / "stencil"
    stencil.write_text("1 0\n-1 0\n")
    words = ("6x6", "--ppn", 3, "--stencil", stencil)
    given = caucus_json("map", *words)["given"]
    assert 2 * cut_length(panels(picture(*words))[0]) == given["jsum"]


def test_nodes_that_touch_differ():
    for words in (("24x20", "--ppn", 6), ("16x16", "--nodes", "cyclic:16")):
        for panel in panels(picture(*words)):
            dark, colors = cut_length(panel), cells_of(panel)
            sides = sum(
                colors[x, y] != colors[other]
                for x, y in colors
                for other in ((x + 1, y), (x, y + 1))
                if other in colors
            )
            assert sides == dark


def test_three_axes_are_slices():
    assert len(panels(picture("4x6x5", "--ppn", 8))) == 2 * 4
    assert len(panels(picture("1x6x5", "--ppn", 5))) == 2


def test_large_grids_are_cut_short_and_say_so():
    text = caucus("map", "400x300", "--ppn", 32, "--mapper", "slabs", "--svg", "-").stdout
    assert "of 400 cells along axis 0" in text and "of 300 cells along axis 1" in text
    assert len(text) < 400_000


def test_ranks_are_written_where_there_is_room():
    root = picture("4x6", "--ppn", 4)
    groups = [group for group in root.iter(f"{SVG}g") if group.get("text-anchor") == "middle"]
    numbers = [text.text for group in groups for text in group]
    assert sorted(map(int, numbers)) == sorted(2 * list(range(24)))


def test_names_are_escaped(tmp_path):
    machine = tmp_path / "machine"
    machine.write_text("<&>\n<&>\nb\nb\n")
    words = [text.text for text in picture("2x2", "--nodes", machine).iter(f"{SVG}text")]
    assert "<&>" in words


def test_corners_touch():
    pairs = {frozenset(pair) for pair in raster.neighbors([[0, 1], [2, 3]])}
    assert {frozenset((0, 3)), frozenset((1, 2)), frozenset((0, 1)), frozenset((1, 3))} <= pairs


def test_coloring_of_random_graphs():
    choose = random.Random(1)
    for nodes in (3, 12, 40, 150):
        pairs = [(choose.randrange(nodes), choose.randrange(nodes)) for _ in range(6 * nodes)]
        colors = coloring.color_nodes(coloring.touching(pairs))
        assert all(colors[a] != colors[b] for a, b in pairs if a != b)
        assert all(re.fullmatch("#[0-9a-f]{6}", color) for color in colors.values())


def test_rectangles_cover_random_tables_once():
    choose = random.Random(2)
    for _ in range(50):
        width, height = choose.randint(1, 9), choose.randint(1, 9)
        rows = [[choose.randrange(3) for _ in range(width)] for _ in range(height)]
        seen = [[None] * width for _ in range(height)]
        for x, y, across, down, node in raster.rectangles(rows):
            for at in range(y, y + down):
                assert seen[at][x : x + across] == [None] * across
                seen[at][x : x + across] = [node] * across
        assert seen == rows
