# SPDX-License-Identifier: BSD-3-Clause
"""caucus map --graph: the three formats, what is printed and drawn, and what is refused."""

import json
import os
import re
import resource
import subprocess
import sys
import xml.etree.ElementTree as xml

import pytest
from command_line import PACKAGE, caucus, refused

from caucus.errors import UsageError
from caucus.graph import place
from caucus.graph_files import read_graph

ESCAPE = "surrogateescape"
SVG = "{http://www.w3.org/2000/svg}"
RING = [(i, (i + 1) % 8) for i in range(8)]
BOTH_WAYS = sorted([(a, b, 1) for a, b in RING] + [(b, a, 1) for a, b in RING])


def edge_list():
    return "# a ring\n" + "".join(f"{a} {b}\n" for a, b in RING)


def metis():
    lines = [f"{(i - 1) % 8 + 1} {(i + 1) % 8 + 1}" for i in range(8)]
    return "% a ring\n8 8\n" + "\n".join(lines) + "\n"


def metis_with_weights():
    lines = [f"5 {(i - 1) % 8 + 1} 1 {(i + 1) % 8 + 1} 1" for i in range(8)]
    return "8 8 011\n" + "\n".join(lines) + "\n"


def matrix(symmetry):
    pairs = RING if symmetry == "symmetric" else [(a, b) for a, b, _ in BOTH_WAYS]
    entries = [f"{a + 1} {b + 1} 0.5" for a, b in pairs] + ["3 3 1.0"]
    title = f"%%MatrixMarket matrix coordinate real {symmetry}\n% a ring\n"
    return title + f"8 8 {len(entries)}\n" + "\n".join(entries) + "\n"


FILES = {
    "ring.txt": edge_list(),
    "ring.graph": metis(),
    "weighted.metis": metis_with_weights(),
    "ring.mtx": matrix("symmetric"),
    "general.mtx": matrix("general"),
}


@pytest.fixture(params=FILES)
def ring(request, tmp_path):
    file = tmp_path / request.param
    file.write_text(FILES[request.param])
    return file


def test_every_format(ring):
    graph = read_graph(str(ring))
    assert graph.vertices == 8
    assert sorted(graph.edges) == BOTH_WAYS


def test_a_graph_may_come_by_a_pipe(ring):
    """Which is read once."""
    reader, writer = os.pipe()
    os.write(writer, ring.read_bytes())
    os.close(writer)
    kind = {".graph": "metis", ".metis": "metis", ".mtx": "matrix-market"}.get(ring.suffix)
    assert read_graph(f"/dev/fd/{reader}", kind) == read_graph(str(ring))
    os.close(reader)


def test_a_byte_order_mark_is_no_word(ring):
    graph = read_graph(str(ring))
    ring.write_text(ring.read_text(), encoding="utf-8-sig")
    assert ring.read_bytes().startswith(b"\xef\xbb\xbf")
    assert read_graph(str(ring)) == graph


def test_weights_and_lone_vertices(tmp_path):
    edges = tmp_path / "edges"
    edges.write_text("0 4 7\n")
    assert read_graph(str(edges)) == (5, [(0, 4, 7), (4, 0, 7)])
    metis_file = tmp_path / "lone.graph"
    metis_file.write_text("3 1 1\n3 9\n\n1 9\n")
    assert read_graph(str(metis_file)) == (3, [(0, 2, 9), (2, 0, 9)])


def test_places_a_ring(ring):
    placed = place(read_graph(str(ring)), "cyclic:2")
    assert (placed.given.jsum, placed.given.jmax) == (16, 8)
    assert (placed.placed.jsum, placed.placed.jmax, placed.placed.total) == (4, 2, 16)
    assert sorted(placed.rank_of_vertex) == list(range(8))
    assert placed.nodes_given == [0, 1] * 4
    assert placed.nodes_placed == [rank % 2 for rank in placed.rank_of_vertex]


def test_table_and_json(ring):
    said = caucus("map", "--graph", ring, "--nodes", "cyclic:2")
    assert "8 vertices, 16 messages, 8 ranks on 2 nodes" in said.stdout
    assert "75 % less between nodes than without reordering" in said.stdout
    said = json.loads(caucus("map", "--graph", ring, "--nodes", "cyclic:2", "--json").stdout)
    assert (said["given"]["jsum"], said["placed"]["jsum"]) == (16, 4)
    assert said["method"] == "exchanged" and said["nodes"] == 2
    said = caucus("map", "--graph", ring, "--nodes", "2x4")
    assert "* given: nothing to gain between nodes by reordering" in said.stdout


def test_levels(tmp_path):
    machine, file = tmp_path / "machine", tmp_path / "ring"
    machine.write_text("".join(f"n{i // 4} p{i % 2}\n" for i in range(8)))
    file.write_text(edge_list())
    said = json.loads(caucus("map", "--graph", file, "--nodes", machine, "--json").stdout)
    assert said["method"] == "within-node"
    assert said["placed"]["jsum"] == 4
    assert said["inner"]["package"] == {"given": 12, "placed": 4}


def test_picture(ring, tmp_path):
    picture = tmp_path / "ring.svg"
    caucus("map", "--graph", ring, "--nodes", "cyclic:2", "--svg", picture)
    root = xml.parse(picture).getroot()
    found = root.iter("{http://www.w3.org/2000/svg}path")
    cells = [path.get("d").count("z") for path in found if path.get("class")]
    assert cells == [0, 16, 12, 4]  # on a node and off it, before and after


def test_a_name_that_is_no_text(tmp_path):
    """XML has no place for control characters and some others, not even as numbers."""
    file, picture = (
        tmp_path / b"a\x01\x1b\xef\xbf\xbe\xff<&".decode("utf-8", ESCAPE),
        tmp_path / "svg",
    )
    file.write_text(edge_list())
    caucus("map", "--graph", file, "--nodes", "2x4", "--svg", picture)
    root = xml.parse(picture).getroot()
    titles = [root.find(f"{SVG}title"), root.find(f"{SVG}text")]
    assert all(title.text.startswith("a\ufffd\ufffd\ufffd\ufffd<&: 8 vertices") for title in titles)


def test_names_of_nodes_that_are_no_text(tmp_path):
    machine = tmp_path / "machine"
    machine.write_bytes(b"a\xef\xbf\xbe\n" * 2 + b"b\xff\n" * 2)
    said = caucus("map", "2x2", "--nodes", machine, "--svg", "-").stdout
    words = [text.text for text in xml.fromstring(said).iter(f"{SVG}text")]
    assert {"a\ufffd", "b\ufffd"} <= set(words)


def in_little_memory(*words):
    """Of a process that gets no more than a gigabyte."""
    most = (2**30, 2**30)
    return subprocess.run(
        [sys.executable, "-m", "caucus", *map(str, words)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, most),
    )


@pytest.mark.parametrize("nodes", [("4x8",), ("machine",), ("cyclic:4", "--ranks", 32)])
def test_a_large_number_in_a_small_file_is_refused_in_little_memory(nodes, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "machine").write_text("a\n" * 32)
    (tmp_path / "large").write_text("0 2147483645\n")
    done = in_little_memory("map", "--graph", "large", "--nodes", *nodes)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "caucus: the graph has 2147483646 vertices, but there are only 32 ranks\n"
    )


REFUSED = {
    "empty": ("", "there are no vertices"),
    "words": ("0 a\n", "line 1: 'a' is no whole number"),
    "negative": ("0 -1\n", "line 1: -1 is not from 0"),
    "four": ("0 1 2 3\n", "two ranks are expected"),
    "few.graph": ("3 1\n2\n1\n", "3 vertices are announced, 2 are there"),
    "many.graph": ("1 0\n\n1\n", "there are more than 1 vertices"),
    "beyond.graph": ("2 1\n3\n1\n", "line 2: 3 is not from 1 to 2"),
    "weight.graph": ("2 1 1\n2\n1 1\n", "a weight is missing"),
    "edges.graph": ("3 99\n2\n1 3\n2\n", "99 edges are announced, .* 198 neighbours, and not 4"),
    "cut.graph": ("3 2\n2\n1 3\n", "3 vertices are announced, 2 are there"),
    "cut-line.graph": ("3 3\n2 3\n1 3\n1\n", "3 edges are announced, .* not 5"),
    "no-number.graph": ("3 xyz\n2\n1 3\n2\n", "line 1: 'xyz' is no whole number"),
    "digit.graph": ("3 2 2\n2\n1 3\n2\n", "line 1: '2' is no format"),
    "letters.graph": ("3 2 abc\n2\n1 3\n2\n", "line 1: 'abc' is no format"),
    "digits.graph": ("3 2 0011\n2\n1 3\n2\n", "line 1: '0011' is no format"),
    "python.graph": ("3 2\n2\n1 0_3\n2\n", "line 3: '0_3' is no whole number"),
    "arabic": ("0 \u0661\n", "line 1: '\u0661' is no whole number"),
    "long": (f"0 {'9' * 5000}\n", "line 1: 9+ is not from 0"),
    "title.mtx": ("1 1 1\n", "does not begin with"),
    "array.mtx": ("%%MatrixMarket matrix array real general\n1 1\n1\n", "does not begin with"),
    "wide.mtx": ("%%MatrixMarket matrix coordinate real general\n1 2 0\n", "must be square"),
    "short.mtx": (
        "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n",
        "2 entries are announced, 1 are there",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_files(name, tmp_path):
    text, problem = REFUSED[name]
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(UsageError, match=problem):
        read_graph(str(file))


@pytest.mark.parametrize(
    "arguments, problem",
    [
        (["8x8"], "--graph and GRID don't go together"),
        (["--write", "mpich-rankmap"], "--graph and --write don't go together"),
        (["--nodes", "2x3"], "the graph has 8 vertices, but there are only 6 ranks"),
        (["--format", "metis"], "line 2: there are more than 0 vertices"),
        (["--json", "--svg", "-"], "both print"),
    ],
)
def test_refused_arguments(arguments, problem, tmp_path):
    file = tmp_path / "ring"
    file.write_text(edge_list().replace("# a ring\n", ""))
    nodes = [] if "--nodes" in arguments else ["--ppn", "4"]
    assert re.search(problem, refused("map", "--graph", file, *nodes, *arguments))


def test_no_file():
    assert "No such file" in refused("map", "--graph", "/nowhere", "--ppn", "4")
