# SPDX-License-Identifier: BSD-3-Clause
"""Several runs of bench/redistribute.py are put together cell by cell."""

import pytest

from redistribute_experiments import figures


def cell(size, seconds):
    found = {"mpi": "mpich", "where": "one node", "groups": [1, 1], "bytes": size}
    found |= {"length": 0, "both": 0}
    for name in figures.VARIANTS:
        found[name] = found[f"start of {name}"] = [seconds]
    return found


def run(*cells, when="then"):
    return {"cells": list(cells), "conditions": when}


def test_the_same_cells_are_pooled_in_any_order():
    other = run(cell(4096, 4.0), cell(1024, 3.0), when="later")
    found = figures.pooled([run(cell(1024, 1.0), cell(4096, 2.0)), other])
    assert [one[figures.OURS] for one in found["cells"]] == [[1.0, 3.0], [2.0, 4.0]]
    assert found["conditions"] == "then later Samples of 2 runs."


def test_a_cell_that_is_not_there_is_a_gap():
    rows = figures.rows([cell(1024, 1.0), {**cell(4096, 2.0), "length": 16}])
    _, columns, lines = figures.tables(rows)[2]
    assert columns[4:] == ["whole, one", "16, one"]
    assert [line[4:] for line in lines] == [["1.00", "–"], ["–", "1.00"]]


def test_other_cells_are_not():
    for other in (run(cell(4096, 1.0)), run(cell(1024, 1.0), cell(4096, 1.0))):
        with pytest.raises(SystemExit):
            figures.pooled([run(cell(1024, 1.0)), other])
