# SPDX-License-Identifier: BSD-3-Clause
"""Whatever is asked wrongly gets one sentence that names it, and the right exit status."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import PACKAGE, caucus

from caucus.commands import map as map_command
from caucus.commands import report as report_command

LONG = "9" * 5000  # which Python does not convert
USAGE = [
    ((), "command"),
    (("nonsense",), "nonsense"),
    (("map",), "grid"),
    (("map", "4xx", "--ppn", 4), "'4xx'"),
    (("map", "-4x4", "--ppn", 4), "-4x4"),
    (("map", "0x4", "--ppn", 4), "dims[0]"),
    (("map", "65536x65536", "--ppn", 4), "product"),
    (("map", "99999999999x2", "--ppn", 4), "99999999999"),
    (("map", "x".join(["2"] * 11), "--ppn", 4), "10"),
    (("map", "4x4"), "--ppn"),
    (("map", "4x4", "--ppn", 0), "ppn:0"),
    (("map", "4x4", "--ppn", "-1"), "-1"),
    (("map", "4x4", "--ppn", "four"), "four"),
    (("map", "4x4", "--ppn", 4, "--nodes", "4x4"), "not both"),
    (("map", "4x4", "--nodes", "3,4"), "only 7 ranks"),
    (("map", "4x4", "--nodes", "40**3"), "40**3"),
    (("map", "4x4", "--nodes", "no/such/file"), "no/such/file"),
    (("map", "4x4", "--ppn", 4, "--ranks", 15), "16 cells"),
    (("map", "4x4", "--ppn", 4, "--ranks", "-2"), "-2"),
    (("map", "4x4", "--ppn", 4, "--ranks", 2**64 + 18), str(2**64 + 18)),
    (("map", "4x4", "--ppn", 4, "--periodic", "2"), "'2'"),
    (("map", "4x4", "--ppn", 4, "--weights", "1e308,1e308"), "add up"),
    (("map", "4x4", "--ppn", 4, "--stencil", os.fsdecode(b"\xff")), "can't be opened"),
    (("map", "4x4", "--ppn", 4, "--weights", "1"), "2 axes"),
    (("map", "4x4", "--ppn", 4, "--weights", "1,nan"), "nan"),
    (("map", "4x4", "--ppn", 4, "--weights", "1,-1"), "-1"),
    (("map", "4x4", "--ppn", 4, "--weights", "1,2", "--stencil", "box"), "star"),
    (("map", "4x4", "--ppn", 4, "--stencil", "no-such-stencil"), "no-such-stencil"),
    (("map", "4x4", "--ppn", 4, "--mapper", "magic"), "magic"),
    (("map", "4x4", "--ppn", 4, "--write", "magic"), "magic"),
    (("map", "4x4", "--ppn", 4, "--json", "--svg", "-"), "--svg"),
    (("map", "4x4", "--ppn", 4, "--output", "x"), "--write"),
    (("map", "2x2x2x2", "--ppn", 4, "--svg", "-"), "3 axes"),
    (("map", "4x4", "--ppn", 4, "--write", "cray-rank-order", "--hosts", "a,b"), "4 nodes"),
    (("map", "4x4", "--ppn", 8, "--write", "cray-rank-order", "--hosts", "a,a"), "twice"),
    (("map", "8x8", "--nodes", "3*20,4", "--placement", "cyclic"), "cyclic"),
    (("dims", 0, "--ppn", 4), "0 ranks"),
    (("dims", 12, "--ppn", 4, "--fixed", "5x0"), "5"),
    (("dims", 12, "--ppn", 4, "--ndims", 2, "--extents", "1,0"), "positive"),
    (("dims", 12, "--ppn", 4, "--ndims", 0), "--ndims 0"),
    (("dims", 64, "--ppn", 4, "--extents", "1e308,1e308"), "extents"),
    (("dims", 64, "--ppn", 4, "--fixed", f"{2**32 + 4}x0"), str(2**32 + 4)),
    (("dims", 2**64 + 64, "--ppn", 4), str(2**64 + 64)),
    (("map", f"{LONG}x2", "--ppn", 4), "is no grid"),
    (("map", "4x4", "--ppn", LONG), "invalid int value"),
    (("map", "4x4", "--ppn", 4, "--periodic", LONG), "is no axis"),
    (("map", "4x4", "--nodes", f"{LONG}x4"), "neither a file"),
    (("map", "4x4", "--nodes", f"ppn:{LONG}", "--placement", "cyclic"), "--placement cyclic"),
    (("dims", 12, "--ppn", 4, "--fixed", f"0x{LONG}"), "0x48"),
    (("bench", "magic"), "magic"),
    (("run", "-n", 2), "program"),
    (("run", "--env", "A", "--", "true"), "NAME=VALUE"),
    (("run", "-n", 0, "--", "true"), "-n 0"),
    (("run", "--nodes", f"{LONG}x2", "--", "true"), "neither a file"),
]


def check_sentence(text, word):
    assert text.startswith("caucus: ") and text.count("\n") == 1, text
    assert word in text


@pytest.mark.parametrize("words, word", USAGE, ids=lambda value: str(value)[:40])
def test_usage(words, word):
    done = caucus(*words, status=2)
    assert done.stdout == ""
    check_sentence(done.stderr, word)


def test_failures(tmp_path):
    missing = tmp_path / "missing" / "file.svg"
    done = caucus("map", "4x4", "--ppn", 4, "--svg", missing, status=1)
    check_sentence(done.stderr, str(missing))
    done = caucus("map", "5x3", "--nodes", "7,8", "--mapper", "nodecart", status=1)
    check_sentence(done.stderr, "nodecart")


@pytest.mark.parametrize(
    "words, option",
    [
        (("map", "4x4", "--ppn", 4, "--json"), "--svg"),
        (("map", "4x4", "--ppn", 4, "--write", "lammps"), "--output"),
        (("map", "--graph", "ring", "--ppn", 4, "--json"), "--svg"),
        (("report", "report.json", "--json"), "--html"),
    ],
)
def test_what_cannot_be_written_is_said_before_the_work(tmp_path, monkeypatch, words, option):
    def work(*_):
        raise AssertionError("the work was begun")

    for name in ("survey", "place"):
        monkeypatch.setattr(map_command, name, work)
    monkeypatch.setattr(report_command.reports, "read", work)
    monkeypatch.chdir(tmp_path)
    Path("ring").write_text("0 1\n1 2\n2 3\n3 0\n")
    Path("report.json").touch()
    done = caucus(*words, option, "missing/file", status=1)
    check_sentence(done.stderr, "can't be written to missing/file: No such file or directory")
    assert done.stdout == ""


@pytest.mark.parametrize("columns", ["\u00b2", LONG, "0", "-1"], ids=lambda value: value[:9])
def test_a_width_that_is_none(columns):
    lines = caucus("map", "8x8", "--ppn", 8, env={"COLUMNS": columns}).stdout.splitlines()
    assert lines[-3].startswith("* slabs: ") and lines[-3].endswith(" has less")  # 80 letters


@pytest.mark.parametrize(
    "text, word", [("a b c d\n", ":1:"), ("a\nb c\n", ":2:"), ("", "no rank"), ("\x00\n", "text")]
)
def test_malformed_machine(tmp_path, text, word):
    path = tmp_path / "machine"
    path.write_text(text)
    check_sentence(caucus("map", "1x1", "--nodes", path, status=2).stderr, word)


def test_malformed_stencil(tmp_path):
    path = tmp_path / "stencil"
    path.write_text("0 1\n0 0\n")
    words = ("map", "4x4", "--ppn", 4, "--stencil", path)
    check_sentence(caucus(*words, status=2).stderr, "zero")


def test_no_library(tmp_path):
    """Copied away from the tree, the package finds no library and says what to do."""
    shutil.copytree(PACKAGE / "caucus", tmp_path / "a" / "b" / "c" / "d" / "e" / "caucus")
    elsewhere = {"PYTHONPATH": str(tmp_path / "a" / "b" / "c" / "d" / "e"), "LD_LIBRARY_PATH": ""}
    if subprocess.run(["sh", "-c", "ldconfig -p | grep -q libcaucus_plan"]).returncode == 0:
        pytest.skip("a libcaucus_plan.so is installed on this machine")
    check_sentence(caucus("info", status=1, env=elsewhere).stderr, "make build")


@pytest.mark.parametrize(
    "closed, words, said",
    [
        (">&-", "map 8x8 --ppn 8", ""),
        (">&-", "map 8x8 --ppn 8 --json", ""),
        ("2>&-", "map 8x8 --ppn 8", "8x8 open"),
        ("2>&-", "map 8xx", ""),
        (">&- 2>&-", "map 8x8 --ppn 8", ""),
    ],
)
def test_streams_that_are_closed(closed, words, said):
    """As cron and daemons have them."""
    shell = f"exec '{sys.executable}' -m caucus {words} {closed}"
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    done = subprocess.run(shell, shell=True, capture_output=True, text=True, env=environment)
    assert done.returncode == (2 if words.endswith("xx") else 0)
    assert done.stderr == "" and (said in done.stdout if said else done.stdout == "")


def test_interrupt_is_quiet():
    words = [sys.executable, "-m", "caucus", "map", "1000x1000", "--nodes", "1000*999,1000"]
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    process = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True
    )
    while "libcaucus_plan" not in Path(f"/proc/{process.pid}/maps").read_text():
        time.sleep(0.01)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=20)
    assert (process.returncode, output, errors) == (130, "", "")


@pytest.mark.parametrize(
    "words",
    ["info", "schedule export alltoall --ranks 64", "schedule draw bcast --ranks 3000 --svg -"],
)
def test_reader_that_goes_away(words):
    shell = f"('{sys.executable}' -m caucus {words}; echo $? >&2) | true"
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    done = subprocess.run(shell, shell=True, capture_output=True, text=True, env=environment)
    ended = f"{128 + signal.SIGPIPE}\n"
    assert done.stderr == ended or (words == "info" and done.stderr == "0\n")  # it was quick
