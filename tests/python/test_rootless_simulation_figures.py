# SPDX-License-Identifier: BSD-3-Clause
"""What is made of the cells of bench/rootless_simulated.py."""

import pytest

from rootless_simulation import figures, publish, runs
from rootless_simulation.plots import panels


def cell(ranks, rates, casts=1000, pattern="all", size=10, wrong=()):
    return {
        "pattern": pattern,
        "ranks": ranks,
        "bytes": size,
        "samples": {way: [rate] for way, rate in rates.items()},
        "casts": dict.fromkeys(rates, casts),
        "wrong": list(wrong),
    }


CELLS = [
    cell(512, {"coordinator": 400.0, "channel, each alone": 2000.0}),
    cell(512, {"coordinator": 300.0, "channel, each alone": 1000.0}, casts=500),
    cell(512, {"channel": 2600.0}, casts=10000),
    cell(16, {"coordinator": 1000.0}, pattern="fixed", wrong=["coordinator"]),
]


def test_most_casts_count():
    storm, lone = figures.rows(CELLS)
    assert storm["rates"] == {
        "coordinator": 400.0,
        "channel, each alone": 2000.0,
        "channel": 2600.0,
    }
    assert storm["casts"]["channel"] == 10000
    assert (lone["pattern"], lone["ranks"], lone["wrong"]) == ("fixed", 16, {"coordinator"})


def test_the_aim():
    rows = figures.rows(CELLS)
    assert figures.judged(rows) == [(10, "channel, each alone", 5.0), (10, "channel", 6.5)]
    assert "Short of it" not in publish.verdict(rows)
    short = figures.rows([cell(512, {"coordinator": 401.0, "channel, each alone": 2000.0})])
    assert publish.verdict(short).endswith("Short of it: channel, each alone, 10 bytes.")
    assert figures.judged(figures.rows(CELLS[3:])) == []


def test_fewer_and_more_casts():
    assert figures.steady(CELLS) == [
        ("all", 512, 10, "channel, each alone", 500, 1000.0, 1000, 2000.0),
        ("all", 512, 10, "coordinator", 500, 300.0, 1000, 400.0),
    ]


def test_tables_say_what_is_wrong():
    tables = {title: (columns, lines) for title, columns, lines in figures.tables(CELLS)}
    columns, lines = tables[figures.TITLES["fixed"]]
    assert lines == [["16", "10", "1,000", "1,000 WRONG", "–"]]
    columns, lines = tables[figures.TITLES["all"]]
    assert dict(zip(columns, lines[0]))["casts"] == "1,000 / 10,000"
    assert lines[0][-2:] == ["5.00", "6.50"]


def test_names_of_channels_that_know_no_nodes():
    made = runs.renamed(cell(16, {"channel": 5.0}, wrong=["channel"]))
    assert made["samples"] == {runs.FINGER_TOGETHER: [5.0]}
    assert made["wrong"] == [runs.FINGER_TOGETHER]
    assert set(figures.WAYS) >= set(runs.FINGERS.values())


@pytest.mark.parametrize(
    "ranks, pattern, casts", [(16, "all", 5000), (512, "all", 1024), (512, "fixed", 156)]
)
def test_how_many_casts(ranks, pattern, casts):
    assert runs.casts_of(ranks, 80000, 10000, pattern) == casts


def test_panels():
    more = [cell(16, {"channel": 1.0}), cell(512, {"channel": 1.0}, size=100)]
    titles = [title for _, _, title in panels(figures.rows(CELLS + more))]
    assert titles == ["all ranks cast, 10 bytes", "all of 512 ranks cast"]
    assert panels(figures.rows(CELLS)) == []


def test_what_is_wrong_falls_short():
    rates = {"coordinator": 100.0, "channel, each alone": 1000.0}
    wrong = figures.rows([cell(512, rates, wrong=["channel, each alone"])])
    assert figures.judged(wrong) == [(10, "channel, each alone", 0)]
    assert figures.judged(figures.rows([cell(512, rates, wrong=["coordinator"])])) == []
