# SPDX-License-Identifier: BSD-3-Clause
"""The judge of bench/rootless.py: what is wrong counts as no figure and breaks what was aimed at;
and MPI is run with both of its settings where every rank has a core."""

import time
from argparse import Namespace
from math import inf
from pathlib import Path

import pytest

import rootless
import rootless_deaths
from persistent_experiments import measure
from rootless_experiments import figures, publish, tables
from rootless_experiments.figures import ALONE, CHANNEL, COORDINATOR, FLOOR, TOTAL


def cell(rates, pattern="all", where="8×2 virtual nodes", wrong=(), late=None):
    samples = {way: [rate] for way, rate in rates.items()}
    found = {"mpi": "mpich", "where": where, "ranks": 16, "pattern": pattern, "bytes": 10}
    return {**found, "samples": samples, "late": late or {}, "wrong": list(wrong)}


def failing(*cells):
    found = figures.verdicts(figures.rows(cells))
    return {verdict["what"]: verdict["failing"] for verdict in found if verdict["failing"]}


GOOD = {ALONE: 1000, CHANNEL: 1000, COORDINATOR: 100}


def test_what_is_wrong_breaks_what_was_aimed_at():
    assert failing(cell(GOOD)) == {}
    found = failing(cell(GOOD, wrong=[ALONE, CHANNEL]))
    assert len(found) == 4  # both are in a promise of total order, too
    assert all(pairs[0][0] == 0 and pairs[0][1].endswith("WRONG") for pairs in found.values())
    lone = failing(cell({CHANNEL: 1, FLOOR: 1}, pattern="lone", wrong=[CHANNEL]))
    assert [pairs[0][0] for pairs in lone.values()] == [inf]


def test_a_rival_that_is_wrong_is_no_rival():
    rows = figures.rows([cell(GOOD, wrong=[COORDINATOR])])
    assert all(verdict["judged"] == [] for verdict in figures.verdicts(rows))


def test_what_is_wrong_is_shown_as_such():
    _, columns, lines = tables.of_pattern(figures.rows([cell(GOOD, wrong=[CHANNEL])]), "all")
    assert lines[0][columns.index(CHANNEL)] == "1,000 WRONG"
    assert lines[0][columns.index("channel / coord.")] == "–"
    assert lines[0][columns.index("alone / coord.")] == "10.00"


def test_a_page_says_what_is_missing(tmp_path):
    raw = {"cells": [cell(GOOD, wrong=[TOTAL])], "problems": ["openmpi: no end within 9 s"]}
    publish.write({**raw, "commit": "c", "command": "m", "conditions": "n"}, tmp_path)
    page = (tmp_path / "rootless.md").read_text()
    assert "- openmpi: no end within 9 s" in page and f": {TOTAL} is WRONG" in page


def test_the_better_of_both_settings():
    calm = cell({FLOOR: 3, CHANNEL: 1}, pattern="lone", late={FLOOR: [9], CHANNEL: [4]})
    spun = cell({FLOOR: 2, CHANNEL: 2, ALONE: 5}, "lone", wrong=[ALONE], late={FLOOR: [7]})
    (found,) = figures.better([[calm], [spun]])
    assert found["samples"] == {FLOOR: [2], CHANNEL: [1], ALONE: [5]}
    assert (found["late"], found["wrong"]) == ({FLOOR: [7], CHANNEL: [4]}, [ALONE])
    (found,) = figures.better([[cell({CHANNEL: 1})], [cell({CHANNEL: 2})]])
    assert found["samples"] == {CHANNEL: [2]}
    assert figures.better([[], [cell({CHANNEL: 2})]])[0]["samples"] == {CHANNEL: [2]}


@pytest.mark.parametrize("mpi", ["mpich", "openmpi"])
def test_mpi_has_both_settings_where_every_rank_has_a_core(monkeypatch, mpi):
    begun = []
    calm = {
        "mpich": ["-genv", "MPIR_CVAR_BCAST_POSIX_INTRA_ALGORITHM", "mpir"],
        "openmpi": ["--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"],
    }[mpi]
    monkeypatch.setattr(rootless, "words", lambda *_: [])
    monkeypatch.setattr(rootless.mpi_launch, "command", lambda *_: (["mpiexec", *calm], {}))
    monkeypatch.setattr(rootless, "start", lambda command, *_, **__: begun.append(command))
    rootless.here(Namespace(timeout=1), mpi, measure.CORES)
    assert begun == [["mpiexec", *calm], measure.dedicated(["mpiexec", *calm])]
    assert "mpir" not in begun[1] and "1" not in begun[1]
    rootless.here(Namespace(timeout=1), mpi, measure.CORES + 1)
    assert len(begun) == 3


def test_deaths_that_all_went_wrong_are_a_row():
    lost = {"ranks": 6, "deaths": 1, "seed": 1, "wrong": "ended after 60 s"}
    assert "| 6 | 1 | 2 | 0 | – |" in rootless_deaths.report([lost, lost])


def test_a_program_that_does_not_end_is_ended_with_its_children(tmp_path):
    kept = tmp_path / "child"
    script = f"trap '' TERM; sleep 60 & echo $! > {kept}; wait; wait"
    with pytest.raises(measure.ExperimentError, match="no end within 1 s"):
        measure.start(["sh", "-c", script], None, timeout=1)
    child, late = int(kept.read_text()), time.monotonic() + 10
    while lives(child) and time.monotonic() < late:
        time.sleep(0.01)
    assert not lives(child)


def lives(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
