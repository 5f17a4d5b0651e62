# SPDX-License-Identifier: BSD-3-Clause
"""What is made of the runs of bench/mcmc.py, and what collective balancing takes by itself."""

import pytest

from mcmc_experiment import figures, runs


def cell(mode, seconds, interval=1, mpi="smpi", noise=0):
    count = {"mean": 5.375, "deviation": 2.1176, "least": 2, "most": 8}
    return {
        "mpi": mpi,
        "noise": noise,
        "mode": mode,
        "interval": interval,
        "ranks": 32,
        "seconds": seconds,
        "ideal": 3.5,
        "baseline": 7.0,
        "regroupings": count,
    }


@pytest.mark.parametrize("way", [way for way in figures.PAPER if way.startswith("collective")])
def test_collective_balancing_regroups_as_in_the_paper(way):
    found = runs.without_cost(8192, ("collective", int(way.split()[1])))["regroupings"]
    mean, deviation, least, most = figures.PAPER[way]
    assert found["mean"] == pytest.approx(mean, abs=0.0051)
    assert found["deviation"] == pytest.approx(deviation, abs=0.0051)
    assert (found["least"], found["most"]) == (least, most)


def test_times_by_hand():
    assert runs.without_cost(32, ("none", 1))["seconds"] == pytest.approx(7)
    assert runs.without_cost(64, ("none", 1))["ideal"] == pytest.approx(3.5)
    # Walker 7 is alone for 240 steps, and all 32 processes have its last 40.
    assert runs.without_cost(32, ("collective", 8))["seconds"] == pytest.approx(6 + 40 * 0.1 / 32)
    assert runs.without_cost(32, ("collective", 128))["seconds"] == pytest.approx(6.475)


def test_what_is_promised():
    cells = [cell("none", 7), cell("collective", 6.2, 8), cell("collective", 6.1, 16)]
    assert figures.problems([*cells, cell("async", 3.6)]) == []
    found = figures.verdict([*cells, cell("async", 3.6)])
    assert found["over_ideal"] == pytest.approx(3.6 / 3.5)
    assert found["gain_over_collective"] == pytest.approx(1 - 3.6 / 6.1)
    assert figures.problems([*cells, cell("async", 4.25)]) == [
        "1.214 × ideal",
        "39% faster than none",
    ]
    assert figures.problems([cell("async", 9)]) == []  # nothing to compare with


def test_tables():
    cells = [cell("none", 7), cell("async", 3.6), cell("async", 3.7, mpi="planned", noise=20)]
    gains, simulated, planned, times = figures.tables(cells)
    assert gains[2] == [["smpi", "32", "1.029", "48.6%", ""]]
    assert simulated[2][1][:5] == ["async", "5.38", "2.12", "2", "8"]
    assert planned[2][0][0] == "async, noise 20 %"
    assert [line[2] for line in times[2]] == ["none", "async", "async"]


def test_intervals_that_the_paper_does_not_have():
    lines = figures.tables([cell("none", 7), cell("collective", 6, 10)])[1][2]
    assert lines[1][-4:] == ["–"] * 4
