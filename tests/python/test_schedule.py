# SPDX-License-Identifier: BSD-3-Clause
"""caucus schedule: what it says of collectives, and that it says it in each form alike."""

import argparse
import itertools
import os
import re
import resource
import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path

import pytest
from command_line import PACKAGE, caucus, caucus_json, refused

from caucus.commands import schedule as schedule_command
from caucus.study import Question, Study, algorithms, parameters

SVG = "{http://www.w3.org/2000/svg}"
SMALL = ("--ranks", 12, "--ppn", 4, "--bytes", 64)
REDUCTIONS = ("reduce", "allreduce", "scan", "exscan", "reduce_scatter", "reduce_scatter_block")
COLLECTIVES = list(dict.fromkeys(entry.collective for entry in algorithms()))


def schedule(*words):
    return caucus("schedule", *words).stdout


def schedule_json(*words):
    return caucus_json("schedule", *words)


@pytest.mark.parametrize(
    "words, pairs, last",
    [
        ({"ranks": "1-2000000000", "groups": None}, [(1, 0), (2, 0), (3, 0)], 2000000000),
        ({"ranks": None, "groups": "1-9+2-1000000000"}, [(3, 1), (4, 1), (5, 1)], 1000000000),
    ],
)
def test_numbers_of_ranks_are_not_all_made_before_the_first(words, pairs, last):
    """The first cases are checked though memory does not hold all."""
    limit = resource.getrlimit(resource.RLIMIT_AS)
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + 2**28, limit[1]))
    try:
        sizes, told = schedule_command._sizes(argparse.Namespace(**words))
        assert list(itertools.islice(schedule_command._pairs(sizes), 3)) == pairs
        assert [range_[-1] for range_ in sizes][1] == last and str(last) in str(told)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limit)


def small(collective):
    """What SMALL asks for, without a process of its own."""
    return Study(
        Question(
            collective,
            ranks=12,
            machine="ppn:4",
            bytes=0 if collective == "barrier" else 64,
            element=8 if collective in REDUCTIONS else 1,
            sides=(4, 3) if collective.startswith("neighbor") else (),
            periodic=(False, False),
        )
    )


def test_list():
    everything = schedule_json("list")
    names = [(entry["collective"], entry["name"]) for entry in everything]
    assert len(set(names)) == len(names) and len(COLLECTIVES) == 22
    of_one = schedule_json("list", "allreduce")
    assert of_one == [entry for entry in everything if entry["collective"] == "allreduce"]
    text = schedule("list")
    for entry in everything:
        assert entry["name"] in text and entry["summary"].split()[0] in text
    assert "Needs commutative operations." in text


def test_explain_what_the_issue_asks():
    words = ("explain", "allreduce", "--bytes", 65536, "--ranks", 96, "--ppn", 24)
    found = schedule_json(*words)
    seconds = {c["name"]: c["seconds"] for c in found["candidates"] if c["seconds"] is not None}
    assert found["chosen"] == min(seconds, key=seconds.get)
    assert (found["ranks"], found["nodes"], found["bytes"]) == (96, 4, 65536)
    assert any("several nodes" in c["why"] for c in found["candidates"])
    assert f"* {found['chosen']} is chosen." in schedule(*words)
    assert schedule_json(*words[:3], "64K", *words[4:]) == found


@pytest.mark.parametrize("collective", COLLECTIVES)
def test_simulate_all(collective):
    found = schedule_json("simulate", collective, *SMALL, "--all")
    names = [row["algorithm"] for row in found["simulated"]]
    assert found["chosen"] in names
    with small(collective) as study:
        assert found["chosen"] == study.algorithm
    seconds = [row["seconds"] for row in found["simulated"]]
    assert seconds == sorted(seconds) and seconds[0] > 0
    for row in found["simulated"]:
        assert 0 < row["predicted"] < 10 * row["seconds"]


def test_simulated_time_by_hand():
    model = {name: value for name, _, value in parameters()}
    rounds = 4  # of 16 ranks
    flight = 2 * model["overhead_between"] + model["latency_between"] + model["byte_between"]
    with Study(Question("barrier", ranks=16, algorithm="dissemination")) as study:
        expected = rounds * (2 * model["operation"] + flight)
        assert study.simulate()["seconds"] == pytest.approx(expected)


def test_model_file(tmp_path):
    usual = schedule_json("simulate", "bcast", *SMALL, "--algorithm", "binomial")
    path = tmp_path / "model"
    path.write_text("# slow\nlatency_between 1\nlatency_within 0.5\n")
    words = ("simulate", "bcast", *SMALL, "--algorithm", "binomial")
    slow = schedule_json(*words, "--model", path)["simulated"][0]
    assert slow["seconds"] > 1 > usual["simulated"][0]["seconds"]
    by_environment = caucus("schedule", *words, "--json", env={"CAUCUS_MODEL": str(path)}).stdout
    assert f'"seconds": {slow["seconds"]}' in by_environment
    path.write_text("latency_between 1\nlatency 2\n")
    done = caucus("schedule", *words, "--model", path, status=2)
    assert f"{path}:2: there is no parameter 'latency'" in done.stderr
    path.write_text("ports 1.5\n")
    assert "whole number" in caucus("schedule", *words, "--model", path, status=2).stderr


def test_nodes_that_can_be_read_once():
    reading, writing = os.pipe()
    os.write(writing, b"a\na\nb\n")
    os.close(writing)
    words = ("explain", "bcast", "--nodes", f"/dev/fd/{reading}")
    assert schedule_json(*words, "--ranks", 3)["nodes"] == 2
    os.close(reading)


def strokes(root, kind):
    group = next((g for g in root.iter(f"{SVG}g") if g.get("class") == kind), None)
    return [] if group is None else list(group)


@pytest.mark.parametrize("collective", COLLECTIVES)
def test_picture_shows_every_message(collective, tmp_path):
    path = tmp_path / "svg"
    with small(collective) as study:
        row = study.simulate()
        study.write("svg", str(path))
    root = xml.etree.ElementTree.parse(path)
    for kind in ("within", "between"):
        drawn = len(strokes(root, kind))
        assert drawn <= row[f"messages_{kind}"]  # two that look alike are one
        assert bool(drawn) == bool(row[f"messages_{kind}"])
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert texts[0].startswith(f"{collective} by ")
    assert {"node 0", "node 2", "0", "11"} <= set(texts)


def test_picture_ends_with_the_simulation():
    words = ("bcast", "--algorithm", "binomial", "--ranks", 16, "--ppn", 4, "--bytes", 1024)
    root = xml.etree.ElementTree.fromstring(schedule("draw", *words, "--svg", "-"))
    lines = [stroke.get("d") for kind in ("within", "between") for stroke in strokes(root, kind)]
    ends = [float(re.search(r"L([\d.]+)", line).group(1)) for line in lines]
    frame = next(r for r in root.iter(f"{SVG}rect") if r.get("width") == "880")
    assert len(lines) == 15 and max(ends) == float(frame.get("x")) + 880


def test_large_pictures_are_small_files(tmp_path):
    path = tmp_path / "large.svg"
    caucus("schedule", "draw", "bcast", "--ranks", 5000, "--ppn", 64, "--svg", path)
    assert path.stat().st_size < 2_000_000
    texts = [text.text for text in xml.etree.ElementTree.parse(path).iter(f"{SVG}text")]
    assert any("several ranks" in text for text in texts)


def test_table_of_steps():
    words = ("draw", "bcast", "--algorithm", "binomial", "--ranks", 4, "--ppn", 2)
    lines = schedule(*words).splitlines()
    assert lines[0] == "bcast by binomial: 4 ranks on 2 nodes, 8 bytes"
    assert lines[2].split() == ["rank", "0", "1", "2", "3"]
    assert lines[3].split() == ["node", "0", "0", "1", "1"]
    assert "→2" in lines[4] and "←0" in lines[4]
    wide = schedule("draw", "alltoall", "--algorithm", "linear", "--ranks", 40)
    assert max(len(line) for line in wide.splitlines()) <= 100


@pytest.mark.parametrize("collective", COLLECTIVES)
def test_goal_has_every_message(collective, tmp_path):
    path = tmp_path / "goal"
    with small(collective) as study:
        row = study.simulate()
        study.write("goal", str(path))
    text = path.read_text()
    tags = [int(tag) for tag in re.findall(r"send \d+b to \d+ tag (\d+)", text)]
    assert len(tags) == len(re.findall(r": recv ", text))
    messages = [tag for tag in tags if tag < 2**30]  # beyond are flags
    assert len(messages) == row["messages_within"] + row["messages_between"]
    assert text.startswith("num_ranks 12\n") and text.count("rank ") == 12


def test_export(tmp_path):
    path = tmp_path / "goal"
    told = schedule_json("export", "bcast", *SMALL, "--output", path)
    assert (told["collective"], told["file"], told["format"]) == ("bcast", str(path), "goal")
    assert path.read_text() == schedule("export", "bcast", *SMALL)


@pytest.mark.parametrize("words", [("draw", "--svg"), ("export", "--output")])
def test_an_older_file_stays_where_a_new_one_fails(words, tmp_path):
    model, old = tmp_path / "model", tmp_path / "old"
    model.write_text("ports 2000\n")
    old.write_text("of an earlier run")
    asked = (words[0], "bcast", *SMALL, words[1], old)
    if words[0] == "draw":
        caucus("schedule", *asked, "--model", model, status=2)
    limited = f"ulimit -f 0; exec '{sys.executable}' -m caucus schedule {' '.join(map(str, asked))}"
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(limited, shell=True, capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stderr) == (1, f"caucus: {old}: File too large\n")
    assert old.read_text() == "of an earlier run"
    assert {path.name for path in tmp_path.iterdir()} == {"model", "old"}
    caucus("schedule", *asked)
    assert "bcast" in old.read_text() or old.read_text().startswith("num_ranks 12\n")


def test_what_is_printed_is_what_is_written(tmp_path):
    words = ("draw", "bcast", *SMALL, "--svg")
    caucus("schedule", *words, tmp_path / "svg")
    assert schedule(*words, "-") == (tmp_path / "svg").read_text()
    assert schedule(*words, "/dev/stdout") == (tmp_path / "svg").read_text()


def test_verify():
    found = schedule_json("verify", "--all", "--ranks", "1-3")
    names = {(row["collective"], row["name"]) for row in found["algorithms"]}
    assert names == {(entry.collective, entry.name) for entry in algorithms()}
    assert all(row["failure"] == "" for row in found["algorithms"])
    assert sum(row["cases"] for row in found["algorithms"]) > 1000
    one = schedule("verify", "bcast", "--algorithm", "binomial", "--ranks", 7)
    assert "binomial" in one and "are right" in one and "circulant" not in one


def test_nodes_in_every_form(tmp_path):
    machine = tmp_path / "machine"
    machine.write_text("a\nb\n" * 4)
    words = ("simulate", "allgather", "--bytes", 64, "--algorithm", "ring")
    by_file = schedule_json(*words, "--nodes", machine)["simulated"]
    assert by_file == schedule_json(*words, "--nodes", "cyclic:2", "--ranks", 8)["simulated"]
    blocks = schedule_json(*words, "--nodes", "2x4")["simulated"]
    assert blocks == schedule_json(*words, "--ranks", 8, "--ppn", 4)["simulated"]
    assert blocks[0]["messages_between"] < by_file[0]["messages_between"] == 56
    placed = (*words, "--nodes", "2x4", "--placement", "cyclic")
    assert schedule_json(*placed)["simulated"] == by_file


def test_ranks_of_a_file_that_begins_with_a_byte_order_mark(tmp_path):
    machine = tmp_path / "machine"
    told = []
    for encoding in ("utf-8", "utf-8-sig"):
        machine.write_text("# where the ranks are\n" + "a\nb\n" * 4, encoding=encoding)
        told.append(schedule_json("explain", "allgather", "--nodes", machine))
    assert told[0] == told[1] and told[0]["ranks"] == 8


def test_ranks_of_a_pipe_are_not_counted(tmp_path):
    """It can be read once, by the library; an endless device is not read at all."""
    words = ("explain", "allgather", "--nodes")
    assert "Say --ranks" in refused("schedule", *words, "/dev/zero")
    reader, writer = os.pipe()
    os.write(writer, b"a\nb\n" * 4)
    os.close(writer)
    pipe = f"/proc/self/fd/{reader}"
    assert schedule_json(*words, pipe, "--ranks", 8)["nodes"] == 2
    os.close(reader)


LONG = "9" * 5000  # which Python does not convert
USAGE = [
    ((), "caucus schedule --help"),
    (("nonsense",), "nonsense"),
    (("list", "broadcast"), "'broadcast' is no collective"),
    (("explain",), "COLLECTIVE"),
    (("explain", "allreduce"), "--ranks"),
    (("explain", "allreduce", "--ranks", 0), "--ranks"),
    (("explain", "allreduce", "--ranks", -4), "-4"),
    (("explain", "allreduce", "--ranks", 2**40), str(2**40)),
    (("explain", "allreduce", "--ranks", 4, "--bytes", "1T"), "1T"),
    (("explain", "allreduce", "--ranks", 4, "--bytes", "-1"), "--bytes"),
    (("explain", "allreduce", "--ranks", 4, "--bytes", 2**63), str(2**63)),
    (("explain", "allreduce", "--ranks", 4, "--bytes", 10), "10 bytes"),
    (("explain", "allreduce", "--ranks", 4, "--model", "no/such"), "no/such"),
    (("simulate", "bcast", "--ranks", 4, "--root", 4), "root 4"),
    (("simulate", "bcast", "--ranks", 4, "--root", -1), "root is -1"),
    (("simulate", "bcast", "--ranks", 4, "--algorithm", "magic"), "'magic' of bcast"),
    (("simulate", "bcast", "--ranks", 4, "--all", "--algorithm", "binomial"), "not both"),
    (("simulate", "bcast", "--nodes", "2x2", "--ppn", 2), "not both"),
    (("simulate", "bcast", "--ppn", 2), "--ranks"),
    (("simulate", "bcast", "--nodes", "2x2", "--ranks", 5), "5"),
    (("simulate", "neighbor_alltoall", "--ranks", 4, "--grid", "3x3"), "9 cells"),
    (("simulate", "neighbor_alltoall", "--ranks", 4, "--degree", -1), "-1"),
    (("draw", "bcast", "--ranks", 4, "--json"), "give it a file"),
    (("export", "bcast", "--ranks", 4, "--json"), "give it a file"),
    (("verify",), "--all"),
    (("verify", "bcast", "--all"), "--all"),
    (("verify", "bcast", "--ranks", "5-2"), "5-2"),
    (("verify", "bcast", "--ranks", "0-2"), "0-2"),
    (("verify", "bcast", "--ranks", "x"), "x"),
    (("verify", "bcast", "--algorithm", "magic"), "magic"),
    (("verify", "bcast", "--ranks", LONG), "write a number or a range"),
    (("explain", "bcast", "--ranks", LONG), "invalid int value"),
    (("explain", "bcast", "--ranks", 4, "--bytes", LONG), "write a number of bytes"),
    (("explain", "bcast", "--ranks", 4, "--segment", f"{LONG}K"), "write a number of bytes"),
    (("explain", "bcast", "--nodes", f"{LONG}x2"), "neither a file nor like"),
    (("explain", "bcast", "--nodes", f"2*{LONG},1"), "neither a file nor like"),
    (("explain", "bcast", "--nodes", "file:no/such"), "no/such: it can't be opened"),
    (("explain", "neighbor_alltoall", "--grid", f"2x{LONG}"), "is no grid"),
    (("explain", "neighbor_alltoall", "--grid", "x".join(["2147483647"] * 500)), "is no grid"),
]


@pytest.mark.parametrize("words, word", USAGE, ids=lambda value: str(value)[:50])
def test_usage(words, word):
    assert word in refused("schedule", *words)


def test_failures(tmp_path):
    missing = tmp_path / "missing" / "file"
    for words in (("draw", "bcast", *SMALL, "--svg"), ("export", "bcast", *SMALL, "--output")):
        assert str(missing) in caucus("schedule", *words, missing, status=1).stderr
    words = ("simulate", "allreduce", *SMALL, "--non-commutative", "--algorithm", "ring")
    assert "not commutative" in caucus("schedule", *words, status=1).stderr
    words = ("simulate", "barrier", "--algorithm", "node_lines", *SMALL)
    assert "several nodes" in caucus("schedule", *words, status=1).stderr
