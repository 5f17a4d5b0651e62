# SPDX-License-Identifier: BSD-3-Clause
"""caucus bench: what it makes of results, and how it compares them. Nothing is measured here; that
benchmarks run at all is a test of installations."""

import argparse
import json
import os
import re
import time
import xml.dom.minidom
from pathlib import Path

import pytest
from command_line import caucus

import run as make_bench
from caucus import bench_figures, bench_page, bench_plot, bench_raw, bench_run, benchmarks
from caucus.errors import Failure
from caucus.plan import Plan

UNITS = {"all cast": "casts/s"}


def result(cells, **more):
    """cells: {(table, size, way): samples}"""
    return {
        "format": bench_figures.FORMAT,
        "benchmark": "channels",
        "mpi": "mpich 5.0.2",
        "ranks": 2,
        "quick": True,
        "starts": 3,
        "version": "0.1.0",
        "commit": "abcdef0",
        "date": "2026-11-26 02:00",
        "seconds": 3.5,
        "cores": 2,
        "processor": "some processor",
        "load": 0.5,
        "left_out": [],
        "cells": [
            bench_figures.Cell(*key, UNITS.get(key[0], "µs"), samples)._asdict()
            for key, samples in cells.items()
        ],
        **more,
    }


BEFORE = {
    ("a lone cast", 10, "MPI_Bcast, known root"): [4.0, 4.1, 4.2],
    ("a lone cast", 10, "Caucus"): [2.0, 2.02, 2.04],
    ("a lone cast", 1000, "Caucus"): [3.0, 3.0, 3.0],
    ("all cast", 10, "Caucus"): [1000.0, 1010.0, 1020.0],
}


def changed(**samples):
    """BEFORE with other samples in the cells of lone and all."""
    keys = {"mpi": 0, "lone": 1, "long": 2, "all": 3}
    places = {list(BEFORE)[place]: samples[name] for name, place in keys.items() if name in samples}
    return {**BEFORE, **places}


def verdicts(after, before=BEFORE):
    found = bench_figures.compare(result(before), result(after))
    return [entry.verdict for entry in found if not entry.cell.of_mpi]


def test_the_same_is_neither_slower_nor_faster():
    assert verdicts(BEFORE) == ["", "", ""]


@pytest.mark.parametrize(
    "samples, wanted",
    [
        ({"lone": [2.2, 2.21, 2.22]}, ["slower", "", ""]),  # 9 %, and spreads of 2 % and 1 %
        ({"lone": [2.1, 2.11, 2.12]}, ["", "", ""]),  # 4 %
        ({"lone": [2.0, 2.2, 2.4]}, ["", "", ""]),  # 9 %, and spreads of 2 % and 20 %
        ({"long": [3.16, 3.16, 3.16]}, ["", "slower", ""]),
        ({"long": [3.14, 3.14, 3.14]}, ["", "", ""]),
        ({"long": [2.5, 2.5, 2.5]}, ["", "faster", ""]),
        ({"all": [900.0, 905.0, 910.0]}, ["", "", "slower"]),  # of casts a second more is better
        ({"all": [1200.0, 1210.0, 1220.0]}, ["", "", "faster"]),
        ({"lone": [9.0, 2.2, 2.22]}, ["", "", ""]),  # one start of three was disturbed, or of five
        ({"lone": [9.0, 2.0, 2.04, 2.02, 2.02]}, ["", "", ""]),
        ({"lone": [9.0, 2.2, 2.24, 2.22, 2.22]}, ["slower", "", ""]),
        ({"lone": [50.0, 90.0, 70.0]}, ["slower", "", ""]),  # far beyond a spread of 80 %
        ({"lone": [3.0, 3.0]}, ["unjudged", "", ""]),
        # MPI's own takes twice as long: the machine has changed, unless ours takes longer still.
        ({"mpi": [8.2, 8.2, 8.2], "lone": [4.0, 4.04, 4.08]}, ["", "", ""]),
        ({"mpi": [8.2, 8.2, 8.2], "lone": [6.0, 6.0, 6.0]}, ["slower", "", ""]),
        # MPI's own takes half as long: that excuses nothing, and accuses nothing.
        ({"mpi": [2.05, 2.05, 2.05]}, ["", "", ""]),
    ],
)
def test_what_is_slower_beyond_noise(samples, wanted):
    assert verdicts(changed(**samples)) == wanted


@pytest.mark.parametrize("name, value", [("ranks", 4), ("mpi", "openmpi 5.0.11"), ("quick", False)])
def test_what_cannot_be_compared(name, value):
    with pytest.raises(bench_figures.Failure, match=f"differ in '{name}'"):
        bench_figures.compare(result(BEFORE), result(BEFORE, **{name: value}))


def run(*words, status=0):
    return caucus("bench", *words, status=status)


@pytest.fixture
def files(tmp_path):
    """Results before, and after lone casts have become half as fast."""
    slower = changed(lone=[4.0, 4.04, 4.08])
    names = {"before": BEFORE, "after": slower}
    for name, cells in names.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(result(cells)))
    return [str(tmp_path / f"{name}.json") for name in names]


def test_exit_status_tells_of_what_is_slower(files):
    before, after = files
    said = run("channels", "--again", after, "--against", before, status=1).stdout
    assert re.search(r"^ *10 +2\.02 +2 % +4\.04 +2 % +2\.00 +slower +Caucus$", said, re.M)
    assert "Of 3 cells 1 are slower beyond noise" in " ".join(said.split())
    said = run("all", "--again", before, "--against", after).stdout
    assert "Of 3 cells 0 are slower" in " ".join(said.split()) and "faster" in said
    assert "Of 3 cells 0" in run("channels", "--again", before, "--against", before).stdout


def test_what_is_missing_is_told(files, tmp_path):
    """A way that fails now; what is new is no fault, nor that a way of MPI's own is gone."""
    less = {key: BEFORE[key] for key in list(BEFORE)[1:3]}
    (tmp_path / "less.json").write_text(json.dumps(result(less)))
    words = ("channels", "--again", tmp_path / "less.json", "--against", files[0])
    said = " ".join(run(*words, status=1).stdout.split())
    assert "0 are slower" in said
    assert "1 that were there before are missing: Caucus, all cast, 10." in said
    run("channels", "--again", files[0], "--against", tmp_path / "less.json")


@pytest.mark.parametrize(
    "name, more, said",
    [
        ("groups", {}, "has no result of groups"),
        ("channels", {"ranks": 4}, "differ in 'ranks' can't be compared: 4 before, 2 now"),
        ("channels", {"quick": False}, "differ in 'quick'"),
        ("channels", {"mpi": "an MPI"}, "differ in 'mpi' can't be compared: an MPI before"),
        ("all", {}, "has no result of halos"),
    ],
)
def test_what_cannot_be_compared_is_not_measured(tmp_path, monkeypatch, name, more, said):
    monkeypatch.setattr(benchmarks, "measure", None)
    monkeypatch.setattr(bench_run, "_mpi", lambda mpi: "mpich 5.0.2")
    file = tmp_path / "before.json"
    file.write_text(json.dumps(result(BEFORE, **more)))
    assert said in run(name, "--quick", "--against", file, status=1).stderr


def test_figures_are_printed_before_they_are_drawn(files, tmp_path, monkeypatch):
    """Which may fail, after minutes of measuring."""

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(bench_page, "page", full)
    done = run("channels", "--again", files[0], "--html", tmp_path / "page.html", status=1)
    assert "2 ranks, mpich 5.0.2" in done.stdout and "No space left" in done.stderr


def test_what_others_have_measured_is_not_lost(monkeypatch):
    def measure(name, wish, say):
        if name == "coupling":
            raise Failure("intergroup_loop ended")
        return result(BEFORE, benchmark=name)

    monkeypatch.setattr(bench_run, "run", measure)
    done = run("all", "--json", status=1)
    names = [each["benchmark"] for each in json.loads(done.stdout)]
    assert names == [name for name in benchmarks.BENCHMARKS if name != "coupling"]
    assert "coupling: intergroup_loop ended" in done.stderr


@pytest.mark.parametrize("ranks", [2, 3, 8])
def test_two_groups_are_nodes_of_all_ranks(ranks):
    (coupled,) = benchmarks._coupling(ranks, True)
    Plan([ranks], coupled.settings["CAUCUS_NODES"], ranks=ranks).close()


def test_a_busy_machine_is_told(files, tmp_path):
    busy = tmp_path / "busy.json"
    busy.write_text(json.dumps(result(BEFORE, load=7.5)))
    said = run("channels", "--again", busy, "--against", files[0]).stdout
    assert "other work: a load of 0.5 before and of 7.5 now, on 2 cores" in " ".join(said.split())
    assert "other work" not in run("channels", "--again", files[0], "--against", files[0]).stdout


def test_columns_of_sizes(files):
    said = run("channels", "--again", files[0]).stdout
    assert all(len(line) <= 80 for line in said.splitlines())
    words = [line.split() for line in said.splitlines()]
    assert ["#", "bytes", "known", "root", "Caucus"] in words
    assert ["10", "4.1", "2.02"] in words and ["1,000", "–", "3"] in words
    assert "2 ranks, mpich 5.0.2, medians of 3 starts" in said


def test_json_comes_back(files):
    printed = json.loads(run("channels", "--again", files[0], "--json").stdout)
    kept = bench_figures.cells_of(json.loads(open(files[0]).read()))
    assert bench_figures.cells_of(printed) == kept


def test_page_and_picture(files, tmp_path):
    page, picture = tmp_path / "page.html", tmp_path / "picture.svg"
    run("channels", "--again", files[0], "--html", page, "--svg", picture)
    text = page.read_text()
    assert text.count("<svg") == 2 and "width=device-width" in text and "some processor" in text
    drawn = xml.dom.minidom.parse(str(picture))
    assert len(drawn.getElementsByTagName("circle")) == 4
    for svg in re.findall(r"<svg.*?</svg>", text, re.S):
        xml.dom.minidom.parseString(svg)


@pytest.mark.parametrize(
    "text, words",
    [
        ("{}", "is no result of"),
        ("nothing", "is no result of"),
        ("[1]", "is no result of"),
        (json.dumps(result(BEFORE, format=99)), "is of format 99"),
        (json.dumps({**result(BEFORE), "benchmark": "dances"}), "a result of dances, which this"),
        (
            json.dumps({name: part for name, part in result(BEFORE).items() if name != "load"}),
            "has no 'load': another version of caucus wrote it",
        ),
        (json.dumps(result({("a", 1, "Caucus"): []})), "samples must be there"),
        (json.dumps(result({("a", 1, "Caucus"): [0.0]})), "samples must be there"),
    ],
)
def test_files_that_are_no_results(tmp_path, text, words):
    file = tmp_path / "result.json"
    file.write_text(text)
    assert words in run("channels", "--again", file, status=1).stderr


@pytest.mark.parametrize(
    "words, said, status",
    [
        (("groups", "-n", "1"), "at least 2 ranks", 2),
        (("groups", "--starts", "-1"), "at least one", 2),
        (("groups", "--starts", "0"), "--starts 0: at least one", 2),
        (("groups", "--html", "/nowhere/page.html"), "can't be written to /nowhere/page.html", 1),
        (("groups", "--nonsense"), "--nonsense", 2),
        (("groups", "--again", "nowhere.json"), "No such file", 1),
    ],
)
def test_wrong_words(words, said, status):
    assert said in run(*words, status=status).stderr


@pytest.mark.parametrize(
    "values, ticks", [((3, 70), (1, 100)), ((5, 5), (1, 10)), ((1, 1e9), (1, 1e10))]
)
def test_axes_hold_all_values(values, ticks):
    found = bench_plot._ticks(*values)
    assert (found[0], found[-1]) == ticks and len(found) <= bench_plot.MOST_LABELS + 2


def test_every_benchmark_asks_for_something():
    for name, benchmark in benchmarks.BENCHMARKS.items():
        quick, whole = (benchmark.starts(2, form) for form in (True, False))
        assert quick and whole and benchmark.seconds[0] < benchmark.seconds[1], name
        assert all(isinstance(word, str) for start in whole for word in start.words), name


RAW = {
    "conditions": "a machine",
    "cells": [
        {
            "mpi": "mpich",
            "members": 2,
            "samples": {"MPI_Comm_create": [5.0, 5.1], "light": [2.0, 2.5]},
        },
        {
            "mpi": "mpich",
            "pattern": "all",
            "bytes": 10,
            "samples": {"channel": [9.5], "casts": [3]},
        },
    ],
    "halo": [
        {"sizes": [{"bytes": 8, "cart": {"messages": 2, "seconds": [0.5, 0.25]}}], "dims": [2, 1]}
    ],
}


def test_raw_figures_of_experiments_are_cells():
    found = bench_figures.cells_of(bench_raw.result(RAW, "x"))
    assert found == [
        bench_figures.Cell("mpich", 2, "MPI_Comm_create", "time", [5.0, 5.1]),
        bench_figures.Cell("mpich", 2, "light", "time", [2.0, 2.5]),
        bench_figures.Cell("mpich, all", 10, "channel", "casts/s", [9.5]),
        bench_figures.Cell("figures", 8, "MPI, cart seconds", "time", [0.5, 0.25]),
    ]


def test_what_is_compared_may_come_by_a_pipe(files):
    """Which is read once."""
    reader, writer = os.pipe()
    os.write(writer, Path(files[0]).read_bytes())
    os.close(writer)
    assert bench_raw.read_any(Path(f"/dev/fd/{reader}")) == bench_raw.read_any(Path(files[0]))
    os.close(reader)


def test_two_files_are_compared(files, tmp_path):
    said = run("compare", *files, status=1).stdout
    assert "Of 3 cells 1 are slower" in " ".join(said.split())
    raw = [tmp_path / "old.json", tmp_path / "new.json"]
    for path, light in zip(raw, ([2.0, 2.01, 2.02], [3.0, 3.01, 3.02])):
        path.write_text(json.dumps([{"members": 2, "samples": {"light": light}}]))
    assert "Of 1 cells 1 are slower" in " ".join(run("compare", *raw, status=1).stdout.split())
    assert "Of 1 cells 0 are slower" in " ".join(run("compare", raw[0], raw[0]).stdout.split())
    assert "no benchmark in common" in run("compare", files[0], raw[0], status=1).stderr
    assert "takes two files" in run("compare", files[0], status=2).stderr


def options(**given):
    return argparse.Namespace(**{"mpi": "mpich", "only": "", "full": False, **given})


def test_what_make_bench_runs():
    quick = [job.name for job in make_bench.chosen(options())]
    assert quick == list(benchmarks.BENCHMARKS)
    whole = [job.name for job in make_bench.chosen(options(full=True))]
    assert whole[: len(quick)] == quick and {"grids", "selection"} <= set(whole)
    assert len(set(whole)) == len(whole)
    assert all("--quick" in job.words for job in make_bench.chosen(options()))
    (job,) = make_bench.chosen(options(only="mcmc"))
    assert job.words[1].endswith("/bench/mcmc.py") and job.words[2:4] == ["--simulated", ""]
    with pytest.raises(SystemExit, match="there is no benchmark 'nothing'"):
        make_bench.chosen(options(only="nothing"))


@pytest.mark.parametrize("words, why", [("exit 0", ""), ("exit 3", "exit status 3")])
def test_how_a_benchmark_ended(words, why):
    assert make_bench.Job("job", ["sh", "-c", words], 60).run() == why


def test_what_takes_too_long_is_ended(tmp_path):
    """With what it has started, which does not hear of an interrupt here."""
    file, begun = tmp_path / "pid", time.monotonic()
    job = make_bench.Job("job", ["sh", "-c", f"sleep 60 & echo $! > {file}; wait"], 2)
    assert job.run() == "ended after 2 s"
    assert time.monotonic() - begun < 30
    with pytest.raises(ProcessLookupError):
        while time.monotonic() - begun < 30:  # until whoever inherits it has taken notice
            os.kill(int(file.read_text()), 0)
            time.sleep(0.05)


def test_rows_of_programs_become_cells():
    row = {"collective": "barrier", "bytes": 4, "microseconds": {"native blocking": [1.0, 3.0]}}
    cells = list(benchmarks.BENCHMARKS["collectives"].cells(row))
    assert cells == [bench_figures.Cell("barrier", 0, "MPI", "µs", [1.0, 3.0])]
    row = {"pattern": "all", "bytes": 10, "samples": {"channel": [5.0], "loop of sends": [1.0]}}
    cells = list(benchmarks.BENCHMARKS["channels"].cells(row))
    assert cells == [bench_figures.Cell("all cast", 10, "Caucus", "casts/s", [5.0])]


def test_what_failed_is_not_in_the_report(monkeypatch, tmp_path):
    """Its file may be half-written."""
    jobs = [make_bench.Job("good", ["true"], 9, "a.json"), make_bench.Job("bad", ["false"], 9, "b")]
    reported = []
    monkeypatch.setattr(make_bench, "OUTPUT", tmp_path)
    monkeypatch.setattr(make_bench, "chosen", lambda _: jobs)
    monkeypatch.setattr(make_bench.Job, "run", lambda job: "it failed" * (job.name == "bad"))
    monkeypatch.setattr(make_bench, "report", lambda done, _: reported.extend(done))
    monkeypatch.setattr("sys.argv", ["run.py"])
    assert make_bench.main() == "failed: bad (it failed)"
    assert reported == jobs[:1]
