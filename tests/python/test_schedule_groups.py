# SPDX-License-Identifier: BSD-3-Clause
"""caucus schedule --groups: collectives between two groups."""

import re
import xml.etree.ElementTree

import pytest
from command_line import caucus, caucus_json, refused

from caucus.study import Question, Study, algorithms

SVG = "{http://www.w3.org/2000/svg}"
SMALL = ("--groups", "5+7", "--ppn", 4, "--bytes", 64)
COLLECTIVES = list(dict.fromkeys(entry.collective for entry in algorithms(2)))


def schedule(*words):
    return caucus("schedule", *words).stdout


def schedule_json(*words):
    return caucus_json("schedule", *words)


def test_list():
    found = schedule_json("list", "--groups")
    names = {(entry["collective"], entry["name"]) for entry in found}
    assert len(names) == len(found) == len(list(algorithms(2))) and len(COLLECTIVES) == 15
    assert all(entry["groups"] == 2 for entry in found)
    assert all(entry["groups"] == 1 for entry in schedule_json("list"))
    assert ("allgather", "striped_ring") in names and ("scan", "chain") not in names
    of_one = schedule_json("list", "allgather", "--groups")
    assert of_one == [entry for entry in found if entry["collective"] == "allgather"]
    assert "node_striped_ring" in schedule("list", "--groups")


def test_explain():
    words = ("explain", "allgather", "--groups", "16+48", "--ppn", 4, "--bytes", 65536)
    found = schedule_json(*words)
    seconds = {c["name"]: c["seconds"] for c in found["candidates"] if c["seconds"] is not None}
    assert found["chosen"] == min(seconds, key=seconds.get)
    assert (found["ranks"], found["nodes"], found["groups"]) == (64, 16, [16, 48])
    assert (found["bytes"], found["second_bytes"]) == (65536, 65536)
    table = {e.name for e in algorithms(2) if e.collective == "allgather"}
    assert {c["name"] for c in found["candidates"]} == table
    text = schedule(*words)
    assert text.startswith("allgather, 64 KiB, 16+48 ranks on 16 nodes\n")
    assert f"* {found['chosen']} is chosen." in text


@pytest.mark.parametrize("collective", COLLECTIVES)
def test_simulate_all(collective):
    found = schedule_json("simulate", collective, *SMALL, "--all")
    names = [row["algorithm"] for row in found["simulated"]]
    assert found["chosen"] in names and "direct" in names and found["nodes"] == 4
    for row in found["simulated"]:
        assert 0 < row["predicted"] < 10 * row["seconds"]


def test_every_block_crosses_once():
    """What direct moves follows from the sizes alone."""
    words = ("--groups", "5+7", "--bytes", "64+8", "--algorithm", "direct", "--nodes", "5+7")
    row = schedule_json("simulate", "allgather", *words)["simulated"][0]
    assert (row["messages_between"], row["messages_within"]) == (70, 0)
    assert row["bytes_between"] == 5 * 7 * (64 + 8)


def test_each_group_has_nodes_of_its_own():
    words = (
        "simulate",
        "allgather",
        "--groups",
        "5+7",
        "--bytes",
        64,
        "--algorithm",
        "striped_ring",
    )
    by_ppn = schedule_json(*words, "--ppn", 4)
    assert by_ppn["nodes"] == 4
    assert schedule_json(*words, "--nodes", "4,1+4,3") == by_ppn
    assert schedule_json(*words, "--nodes", "4,1,4,3") == by_ppn
    union = schedule_json(*words, "--nodes", "ppn:4")
    assert union["nodes"] == 3 and union["simulated"] != by_ppn["simulated"]
    cyclic = schedule_json(*words, "--ppn", 4, "--placement", "cyclic")
    assert cyclic == schedule_json(*words, "--nodes", "cyclic:2+cyclic:2")
    assert cyclic["nodes"] == 4 and cyclic["simulated"] != by_ppn["simulated"]
    assert schedule_json(*words)["nodes"] == 12


def test_counts():
    words = ("simulate", "allgatherv", "--groups", "3+5", "--bytes", "30+70", "--algorithm")
    for counts in ("regular", "linear", "one-heavy+with-zeros"):
        found = schedule_json(*words, "direct", "--counts", counts)
        assert found["counts"] == counts
        assert found["simulated"][0]["bytes_between"] == 3 * 30 * 5 + 5 * 70 * 3
    even = schedule_json(*words, "crossing")["simulated"][0]
    uneven = schedule_json(*words, "crossing", "--counts", "one-heavy")["simulated"][0]
    assert uneven["card_bytes"] > even["card_bytes"]
    text = schedule("explain", "allgatherv", "--groups", "3+5", "--counts", "linear")
    assert text.startswith("allgatherv, 8 B linear, 3+5 ranks")


@pytest.mark.parametrize("collective", ("gatherv", "scatterv", "allgatherv", "reduce_scatter"))
def test_counts_of_one_group(collective):
    for counts in ("linear", "nearly", "with-zeros"):
        asked = Question(collective, ranks=7, machine="ppn:3", bytes=64, element=8, counts=counts)
        with Study(asked) as study:
            for candidate in study.candidates():
                if candidate.seconds is not None:
                    study.use(candidate.name)
                    assert study.verify()["bytes"] > 0


def test_table_of_steps():
    lines = schedule("draw", "allgather", "--groups", "3+5", "--ppn", 2).splitlines()
    assert re.fullmatch(r"allgather by \w+: 3\+5 ranks on 5 nodes, 8 bytes", lines[0])
    assert lines[2].split() == ["rank", *map(str, range(8))]
    assert lines[3].split() == ["group", "A0", "A1", "A2", "B0", "B1", "B2", "B3", "B4"]
    assert lines[4].split() == ["node", "0", "0", "1", "2", "2", "3", "3", "4"]
    assert [line.find("B0") for line in lines if "B0" in line] == [lines[2].find("3")]


@pytest.mark.parametrize("first, second", [(3, 5), (1, 100), (90, 40)])
def test_picture_tells_the_groups(first, second):
    words = ("draw", "allgatherv", "--groups", f"{first}+{second}", "--ppn", 2, "--svg", "-")
    root = xml.etree.ElementTree.fromstring(schedule(*words))
    group = next(g for g in root.iter(f"{SVG}g") if g.get("class") == "groups")
    height = dict.fromkeys((r.get("fill") for r in group), 0.0)
    for stripe in group:
        height[stripe.get("fill")] += float(stripe.get("height"))
    assert len(height) == 2
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert f"B0 to B{second - 1}, the second group" in texts
    if first + second <= 64:  # a row each
        first_height, second_height = height.values()
        assert second_height / first_height == pytest.approx(second / first, rel=0.01)
        assert {f"A{first - 1}", "B0", f"B{second - 1}"} <= set(texts)


@pytest.mark.parametrize("collective", COLLECTIVES)
def test_goal_has_every_message(collective, tmp_path):
    path = tmp_path / "goal"
    told = schedule_json("export", collective, *SMALL, "--output", path)
    assert told["groups"] == [5, 7]
    row = schedule_json("simulate", collective, *SMALL)["simulated"][0]
    tags = [int(tag) for tag in re.findall(r"send \d+b to \d+ tag (\d+)", path.read_text())]
    messages = [tag for tag in tags if tag < 2**30]  # beyond are flags
    assert len(messages) == row["messages_within"] + row["messages_between"]


def test_verify():
    found = schedule_json("verify", "--groups", "3+2-4")
    assert found["groups"] == [[3, 3], [2, 4]]
    names = {(row["collective"], row["name"]) for row in found["algorithms"]}
    assert names == {(entry.collective, entry.name) for entry in algorithms(2)}
    assert all(row["failure"] == "" and row["cases"] > 0 for row in found["algorithms"])
    one = schedule("verify", "allgather", "--algorithm", "striped_ring", "--groups", "1-3+1-3")
    assert "striped_ring" in one and "are right" in one and "crossing" not in one


def test_roots_of_both_groups():
    """A gather to a rank of either group takes the blocks of the other one."""
    for root, senders in ((0, 7), (4, 7), (5, 5), (11, 5)):
        asked = Question("gather", ranks=12, first_group=5, bytes=64, root=root, algorithm="direct")
        with Study(asked) as study:
            assert study.verify()["bytes"] == 64 * senders
            assert study.predicted > 0


USAGE = [
    (("explain", "allgather", "--groups", "0+3"), "each group has at least one rank"),
    (("explain", "allgather", "--groups", "3"), "like 16+48"),
    (("explain", "allgather", "--groups", "3+"), "like 16+48"),
    (("explain", "allgather", "--groups", "3+4+5"), "like 16+48"),
    (("explain", "allgather", "--groups", "-3+4"), "--groups"),
    (("explain", "allgather", "--groups", "1-3+4"), "for verify alone"),
    (("explain", "allgather", "--groups", f"{2**31}+4"), "more than"),
    (("explain", "allgather", "--groups", "3+5", "--ranks", 8), "not both"),
    (("explain", "allgather", "--groups", "3+5", "--in-place"), "--in-place"),
    (("explain", "scan", "--groups", "3+5"), "MPI has no scan between two groups: there are"),
    (("draw", "neighbor_alltoall", "--groups", "3+5"), "no neighbor_alltoall between two groups"),
    (("explain", "allgather", "--groups", "3+5", "--ppn", 0), "ppn:0"),
    (("explain", "allgather", "--groups", "3+5", "--nodes", "2x2+1x5"), "2x2"),
    (("explain", "allgather", "--groups", "3+5", "--nodes", "3+5+1"), "there are 2 groups"),
    (("explain", "allgather", "--groups", "3+5", "--nodes", "3+5", "--ppn", 2), "not both"),
    (("explain", "allgather", "--groups", "3+5", "--bytes", "8+8+8"), "two sizes"),
    (("explain", "bcast", "--groups", "3+5", "--bytes", "8+16"), "two sizes are for allgather"),
    (("explain", "allgather", "--ranks", 8, "--bytes", "8+8"), "two sizes are for allgather"),
    (("explain", "allgatherv", "--groups", "3+5", "--counts", "magic"), "'magic': there are"),
    (("explain", "bcast", "--groups", "3+5", "--counts", "linear"), "the same length"),
    (("explain", "bcast", "--groups", "3+5", "--root", 8), "root 8: there are ranks 0 to 7"),
    (("explain", "bcast", "--groups", "3+5", "--algorithm", "lanes"), "'lanes' of bcast"),
    (("list", "scan", "--groups"), "MPI has no scan"),
    (("verify", "--groups", "0+3"), "each group has at least one rank"),
    (("verify", "--groups", "5-3+3"), "not downwards"),
    (("verify", "scan", "--groups", "3+3"), "MPI has no scan"),
    (("verify", "--groups", "3+3", "--ranks", 6), "not both"),
    (("verify", "bcast", "--groups", "3+3", "--algorithm", "lanes"), "'lanes'"),
]


def test_files_of_nodes(tmp_path, monkeypatch):
    """One file describes both groups; of two parts the second one may be a file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "first").write_text("a\na\nb\n")
    (tmp_path / "second").write_text("c\nc\nd\nd\nd\n")
    (tmp_path / "one+two").write_text("a\na\nb\nc\nc\nd\nd\nd\n")
    words = ("explain", "allgather", "--groups", "3+5", "--nodes")
    assert schedule_json(*words, "one+two") == schedule_json(*words, "2,1+second")
    for nodes in ("first+second", "first+5"):
        assert f"--nodes {nodes}: a file can't describe the first group alone" in refused(
            "schedule", *words, nodes
        )


@pytest.mark.parametrize("words, word", USAGE, ids=lambda value: str(value)[:50])
def test_usage(words, word):
    assert word in refused("schedule", *words)


def test_failures():
    words = ("simulate", "reduce", *SMALL, "--non-commutative", "--algorithm", "node_circulant")
    assert "not commutative" in caucus("schedule", *words, status=1).stderr
    words = ("simulate", "allgatherv", *SMALL, "--not-persistent", "--algorithm", "crossing")
    assert "exchanges counts first" in caucus("schedule", *words, status=1).stderr
