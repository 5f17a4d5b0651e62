# SPDX-License-Identifier: BSD-3-Clause
"""The page of bench/choices.py says what was run, and of which run."""

import re
from pathlib import Path

import pytest

import choices
from choices_experiment import measure
from intergroup_experiments.measure import ExperimentError

ROOT = Path(__file__).resolve().parents[2]


def one(name, seconds):
    return {"name": name, "seconds": seconds}


def test_what_is_run():
    assert measure.hopeful([one("ring", 1), one("tree", 5), one("chain", 5.1)], "bcast:8") == [
        "ring",
        "tree",
    ]
    with pytest.raises(ExperimentError, match="no algorithm"):
        measure.hopeful([], "bcast:8")


def test_no_way_is_left_out_without_a_word():
    program = (ROOT / "bench" / "algorithm_loop.c").read_text()
    assert re.search(rf"WAYS_MOST = {measure.MOST}\b", program)
    with pytest.raises(ExperimentError, match="room for"):
        measure.hopeful([one(str(n), 1) for n in range(measure.MOST)], "bcast:8")


def test_the_page_is_of_the_run():
    setting = str(next(iter(choices.sample.settings())))
    modes = dict.fromkeys(choices.MODES, 1.0)
    cell = {"collective": "bcast", "bytes": 8, "setting": setting, "library": "mpich"}
    cell |= {"ratio": modes, "mpi": modes, "best": "ring", "chosen": dict.fromkeys(modes, "ring")}
    raw = {"when": "then", "seed": 7, "count": 3, "cores": 2, "cells": [cell]}
    raw["problems"] = ["mpich: no end"]
    page = choices.written(raw, [choices.summary(raw["cells"])])
    assert "3 cells a setting" in page and "7, 2 cores; then" in page
    assert "more than 5 times as long" in page and "- mpich: no end" in page
