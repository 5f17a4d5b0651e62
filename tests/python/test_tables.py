# SPDX-License-Identifier: BSD-3-Clause
"""Nothing that is printed is ever cut: every command at several widths, on a terminal and in a
pipe; and numbers as people read them."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios

import pytest
from command_line import PACKAGE, caucus, caucus_json

import demo_parts
from caucus.commands import COMMANDS, tune
from caucus.console import number, print_json, show
from caucus.tables import Table

WIDTHS = (60, 80, 200)
REPORT = {
    "ranks": 8,
    "nodes": [[node, 1] for node in (0, 1, 2, 3, 0, 1, 2, 3)],
    "calls": {
        "MPI_Neighbor_alltoallw_init": {
            "taken": 24,
            "passed": 8,
            "algorithms": {"direct": 16, "node_striped_ring": 8},
            "bytes": 6400000,
            "taken_by_a_rank": [2, 4],
            "passed_by_a_rank": [1, 1],
            "why": {"its communicator was not attached where it was made": 8},
        },
    },
    "communicators": [
        {
            "dims": [4, 2],
            "nodes": 4,
            "mapper": "slabs",
            "off_node": {"before": 20, "after": 12},
            "bound": 12,
        }
    ],
}
# With a part of a long line: what has no space in it may be longer than the terminal.
LINES = {
    "map": ("map", "50x48", "--ppn", 48),
    "map with bytes": ("map", "16x32", "--ppn", 16, "--weights", "123456789,2e9"),
    "map a graph": ("map", "--graph", "ring.graph", "--ppn", 4),
    "dims": ("dims", 2400, "--ndims", 2, "--ppn", 48),
    "report": ("report", "report.json"),
    "schedule list": ("schedule", "list"),
    "schedule explain": ("schedule", "explain", "allreduce", "--ranks", 96, "--ppn", 24),
    "schedule simulate": ("schedule", "simulate", "bcast", "--ranks", 96, "--ppn", 24, "--all"),
    "schedule groups": ("schedule", "explain", "allgather", "--groups", "16+48", "--ppn", 4),
    "schedule verify": ("schedule", "verify", "bcast", "--ranks", "1-4"),
    "bench": ("bench",),
    "info": ("info",),
}


def names(case):
    """What must be there whole."""
    if case == "map a graph":
        return ["ring.graph", "given", "Jsum", "Jmax"]
    if case.startswith("map"):
        return [entry["name"] for entry in caucus_json(*LINES[case])["mappers"]]
    if case == "info":
        return [setting["environment"] for setting in caucus_json("info")["settings"]]
    if case == "schedule list":
        return [entry["name"] for entry in caucus_json("schedule", "list")]
    if case in ("schedule explain", "schedule groups"):
        return [entry["name"] for entry in caucus_json(*LINES[case])["candidates"]]
    if case == "schedule simulate":
        return [entry["algorithm"] for entry in caucus_json(*LINES[case])["simulated"]]
    if case == "report":
        return ["MPI_Neighbor_alltoallw_init", "node_striped_ring", "slabs", "20 → 12"]
    if case == "bench":
        return ["rootless_simulated", "intergroup_planned"]
    return []


def check_whole(output, width, wanted):
    assert not re.search(r"\S…", output)  # as what cuts words marks it
    for line in output.splitlines():
        longest = max((len(word) for word in line.split()), default=0)
        assert len(line) <= width or longest > width // 2, line
    assert [name for name in wanted if name not in output] == []


def on_terminal(words, width):
    """What a terminal of that width gets."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    drop = ("COLUMNS", "LINES")
    env = {name: value for name, value in os.environ.items() if name not in drop}
    env.update({"PYTHONPATH": str(PACKAGE), "TERM": "xterm", "NO_COLOR": "1"})
    command = [sys.executable, "-m", "caucus", *map(str, words)]
    process = subprocess.Popen(command, stdout=follower, env=env)
    os.close(follower)
    parts = []
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:  # how a terminal says that nobody writes to it any more
            break
        if not part:
            break
        parts.append(part)
    os.close(leader)
    assert process.wait(60) == 0
    text = b"".join(parts).decode().replace("\r\n", "\n")
    for code in ("\x1b[0m", "\x1b[1m", "\x1b[2m"):
        text = text.replace(code, "")
    return text


def test_json_has_finite_numbers_alone(capsys):
    print_json({"seconds": [float("inf"), -float("inf"), float("nan"), 2.0], "left": 0.5})
    said = capsys.readouterr().out
    assert json.loads(said, parse_constant=pytest.fail) == {
        "seconds": [None, None, None, 2],
        "left": 0.5,
    }


def test_every_command_is_looked_at():
    """run, tune and check need an MPI: what they print is looked at below, and as reports."""
    looked_at = {words[0] for words in LINES.values()} | {"run", "tune", "check"}
    assert {command.NAME for command in COMMANDS} == looked_at


@pytest.mark.parametrize("case", LINES)
def test_nothing_is_cut(case, tmp_path, monkeypatch):
    (tmp_path / "report.json").write_text(json.dumps(REPORT))
    ring = "".join(f"{(i - 1) % 16 + 1} {(i + 1) % 16 + 1}\n" for i in range(16))
    (tmp_path / "ring.graph").write_text(f"16 16\n{ring}")
    monkeypatch.chdir(tmp_path)
    wanted = names(case)
    for width in WIDTHS:
        check_whole(caucus(*LINES[case], env={"COLUMNS": str(width)}).stdout, width, wanted)
    check_whole(caucus(*LINES[case], env={"COLUMNS": ""}).stdout, 80, wanted)


@pytest.mark.parametrize("case", ["map", "schedule simulate"])
def test_nothing_is_cut_on_a_narrow_terminal(case):
    check_whole(on_terminal(LINES[case], 50), 50, names(case))


@pytest.mark.parametrize("command", [command.NAME for command in COMMANDS])
def test_help_fits(command):
    for width in (60, 80):
        output = caucus(command, "--help", env={"COLUMNS": str(width)}).stdout
        check_whole(output, width, [f"caucus {command}"])


def test_what_was_not_measured_is_marked(capsys, monkeypatch):
    found = {"latency_within": (5e-7, "within"), "card_byte": (1e-10, "cards"), "ports": (1, "p")}
    remarks = ["Not measured, because there is one node: latency_between, card_byte."]
    for width in WIDTHS:
        monkeypatch.setenv("COLUMNS", str(width))
        show(*tune.shown(found, remarks))
        output = capsys.readouterr().out
        check_whole(output, width, list(found))
        lines = [line.split() for line in output.splitlines()]
        assert ["latency_within", "0.500", "µs", "yes", "within"] in lines
        assert ["card_byte", "10.00", "GB/s", "no,", "default", "cards"] in lines
        assert ["ports", "1", "no,", "default", "p"] in lines


def printed(table, width, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    show(table)
    return capsys.readouterr().out


def example():
    table = Table("Of two rows")
    table.add_column("name", no_wrap=True)
    table.add_column("bytes", justify="right", long="bytes between nodes")
    table.add_column("what it is")
    table.add_row("first", "1,234", "words that are wrapped where there is little room")
    table.add_row("a_very_long_name", "", "short")
    return table


WIDE = """\
Of two rows
name              bytes  what it is
first             1,234  words that are wrapped where there is little room
a_very_long_name         short
"""
WRAPPED = """\
Of two rows
name              bytes  what it is
first             1,234  words that are wrapped
                         where there is little room
a_very_long_name         short
"""
BLOCKS = """\
Of two rows
first
    bytes between nodes  1,234
    what it is           words that are wrapped
                         where there is little
                         room
a_very_long_name
    what it is           short
"""


@pytest.mark.parametrize("width, expected", [(80, WIDE), (52, WRAPPED), (48, BLOCKS)])
def test_a_table_that_is_too_wide(width, expected, capsys, monkeypatch):
    assert printed(example(), width, capsys, monkeypatch) == expected


def test_a_word_that_is_too_long_stays_whole(capsys, monkeypatch):
    path = "/a/path/that/is/longer/than/the/line"
    table = Table()
    table.add_row("place", path)
    assert path in printed(table, 20, capsys, monkeypatch)
    show(f"Written to {path}, which may be read by all.")
    assert path in capsys.readouterr().out.splitlines()[1]


@pytest.mark.parametrize(
    "value, digits, words",
    [
        (34816.0, 6, "34,816"),
        (3141.6, 3, "3,140"),
        (3.14159, 3, "3.14"),
        (1234567.25, 6, "1,234,570"),
        (0.00012345, 3, "0.000123"),
        (9.9996, 3, "10"),
        (0.5, 6, "0.5"),
        (-1234.5, 6, "-1,234.5"),
        (0, 6, "0"),
        (1e20, 6, "1e+20"),
        (float("nan"), 6, "nan"),
    ],
)
def test_numbers_as_people_read_them(value, digits, words):
    assert number(value, digits) == words


def test_benchmarks_are_told_in_a_line():
    lines = [
        line for line in caucus("bench", env={"COLUMNS": "200"}).stdout.splitlines()[1:] if line
    ]
    assert lines == [line for line in caucus("bench").stdout.splitlines()[1:] if line]
    told = {line.split()[0]: line.split(None, 1)[1:] for line in lines}
    assert {"groups", "channels", "grids", "persistent", "rootless"} <= set(told)
    assert not [name for name in told if name.startswith("common")]
    assert all(words and len(words[0]) > 20 for words in told.values()), told


def test_experiments_find_their_packages():
    """Also where the Python that starts them has none: here one that looks nowhere else."""
    bench = PACKAGE.parents[1] / "bench"
    words = [sys.executable, "-S", str(bench / "selection.py"), "--help"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    expected = (0, "usage: selection.py")
    if not (PACKAGE.parents[1] / ".venv").exists():
        expected = (1, "")
        assert "make build" in done.stderr and done.stderr.count("\n") == 1
    assert (done.returncode, done.stdout[: len(expected[1])]) == expected, done.stderr


def demonstration():
    """What the parts of the demonstration might find, with long names and large numbers."""
    sides = {"before": {"on": 1.5, "off": 1.75}, "after": {"on": 2.0, "off": 1.25}}
    rates = {"card_bytes": 3141592653, "megabytes_per_second_and_process": 3141.59}
    scene = {
        "program": "heat2d",
        "grid": "2x4x4",
        "placement": "cyclic",
        "neighbours": sides,
        "off_node": {"before": 104, "after": 40},
        "bound": 40,
        "mapper": "multijagged",
        "same_picture": True,
        "same_bits": True,
        "without": rates,
        "with": rates,
    }
    grids = {"scenes": [scene], "nodes": 8, "rate": "20mbit"}
    loop = {
        "name": "32 ranks, 8 virtual nodes",
        "microseconds": [31415.9, 3141.59],
        "iterations": [400, 400],
        "errors": [2e-14],
        "algorithms": ["node_aware_ordered"],
    }
    persistent = {"scenes": [loop], "explained": "", "picture": ""}
    between = {
        "collective": "allgatherv",
        "shape": "one-heavy",
        "bytes": 1 << 20,
        "streams": 1.0,
        "times": {"native blocking": 31.4, "native nonblocking": 5.1, "persistent": 1.0},
        "busiest": {"native blocking": 3.0, "persistent": 1.0},
        "algorithm": "node_striped_ring",
    }
    planned = {
        "first": 64,
        "nodes": 256,
        "ppn": 4,
        "bytes": 1 << 20,
        "algorithm": "node_striped_ring",
        "seconds": 0.02,
        "bound": 0.008,
        "fastest_roots": 0.06,
        "simple_roots": 0.2,
    }
    ways = {"a coordinator": 3141.5, "a channel, everybody in the same order": 3141592.6}
    casts = {"name": "32 ranks, 8 virtual nodes", "rates": ways}
    return {
        "story": story(scene),
        "grids": grids,
        "persistent": persistent,
        "intergroup": {"groups": "2:6", "rows": [between], "timed": True, "planned": planned},
        "rootless": {"scenes": [dict(casts, name="4 ranks, one node"), casts]},
    }


def story(scene):
    run = {"card_bytes": 3141592653, "exchange_seconds": 31.4159}
    gain = {
        "what": "making a group of 1,024 ranks, by these alone",
        "factor": 0.5,
        "values": {"MPI_Comm_create_group": 3141592.6, "light, checked": 6283185.2},
        "unit": "µs",
        "picture": "groups.svg",
        "page": "docs/problems/anyone-may-have-news.md",
    }
    return {
        "nodes": 8,
        "ranks": 32,
        "rate": "20mbit",
        "rows": 8,
        "before": [cell % 8 for cell in range(32)],
        "after": [cell // 4 for cell in range(32)],
        "scene": dict(scene, **{"without": run, "with": run}),
        "mapping": "heat2d-cyclic-mapping.svg",
        "heat": "heat2d.png",
        "gains": [gain],
    }


DEMONSTRATED = {
    "story": [
        "A B C D A A A A",
        "3,140 MB",
        "6,280,000 µs",
        "(slower here)",
        "and fewer can't",
        "Next, if you",
    ],
    "grids": ["multijagged", "104 → 40", "3,142 → 3,142", "same to the last bit"],
    "persistent": ["node_aware_ordered", "31,400 → 3,140", "32 ranks, 8 virtual nodes"],
    "intergroup": ["allgatherv, one-heavy", "node_striped_ring", "31.40"],
    "rootless": ["a channel, everybody in the same order", "3,141,593", "8 virtual nodes"],
}


@pytest.mark.parametrize("part", DEMONSTRATED)
def test_nothing_of_the_demonstration_is_cut(part, capsys, monkeypatch):
    for width in WIDTHS:
        monkeypatch.setenv("COLUMNS", str(width))
        show(*demo_parts.load()[part].show(demonstration()[part]))
        output = capsys.readouterr().out
        whole = " ".join(output.split())
        check_whole(output, width, [])
        assert [words for words in DEMONSTRATED[part] if words not in whole] == [], output
