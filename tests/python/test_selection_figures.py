# SPDX-License-Identifier: BSD-3-Clause
"""What is made of bench/selection.py: shares are of all cells, those left out among them."""

import subprocess

import selection
from selection_experiment import page


def found(seconds, reasons=None, when="yesterday"):
    """Cells of a broadcast in which what is chosen takes so long, and the fastest one second."""
    algorithms = [{"ring": {"simulated": 1.0}, "tree": {"simulated": value}} for value in seconds]
    cells = [
        {"collective": "bcast", "bytes": size, "chosen": "tree", "best": "ring", "algorithms": of}
        for size, of in zip(page.SIZES, algorithms)
    ]
    return page.Found([{"cells": cells, "when": when}], reasons)


def test_shares_are_of_the_whole_grid():
    everything = len(list(page.grid()))
    said = page.verdict(found([1.0, 1.05, 1.3]))
    assert said.startswith(f"In 2 of {everything} cells")
    assert f"{everything - 3} were left out" in said


def test_the_page_says_why_cells_are_missing():
    said = page.missing(found([1.0], {("bcast", 64): "not done in 600 s"}))
    assert "not done in 600 s: bcast 64 B." in said and "not run: barrier 8 B, " in said


def test_reasons_are_kept(tmp_path):
    crash = subprocess.CalledProcessError(-11, "plan_selection", stderr=b"")
    (tmp_path / "reduce_scatter-8.failed").write_text(selection.reason(crash))
    assert selection.reasons(tmp_path) == {("reduce_scatter", 8): "failed (status -11)"}
    short = "plan_selection: out of memory: 9 elements of 8 bytes\n"
    full = subprocess.CalledProcessError(1, "plan_selection", stderr=short.encode())
    assert selection.reason(full) == "out of memory"
    late = subprocess.TimeoutExpired("plan_selection", 600)
    assert selection.reason(late) == "not done in 600 s"


def test_when_is_that_of_the_measurements():
    assert found([1.0]).measured == ["yesterday"]
    assert page.Found([{"cells": []}]).measured == ["at a time that was not noted"]
