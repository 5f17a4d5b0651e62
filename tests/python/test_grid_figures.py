# SPDX-License-Identifier: BSD-3-Clause
"""The judge of bench/grids.py: what must pass passes, and every broken promise is seen."""

import pytest

from grid_experiments import figures

HEADERS = 1.06


def kind(off_node, worst):
    return {"off_node": off_node, "off_node_worst": worst}


def run(bytes_of, size=65536, case="8x4 open", placement="cyclic"):
    """A made-up run in which a communicator puts bytes_of[kind] messages through the cards."""
    result = {
        "mpi": "mpich",
        "case": case,
        "placement": placement,
        "mapper": "slabs",
        "bound": 40,
        "ranks": 32,
        "cart": kind(104, 15),
        "caucus": kind(40, 6),
    }
    stream = {"bytes": 10**6, "bytes_per_byte": HEADERS, "bytes_per_second": 2e7}
    measured = {"bytes": size, "iterations": 4, "stream": stream}
    for name, messages in bytes_of.items():
        measured[name] = {
            "messages": 104,
            "single_messages": 4,
            "single_seconds": [0.01],
            "seconds": [0.1, 0.2, 0.3],
            "card_worst": [],
            "card_bytes": [messages * size * HEADERS] * 3,
        }
    return {**result, "sizes": [measured]}


def failing(*runs):
    found = figures.verdicts(figures.halo_rows(runs))
    return [place for place, (_, _, rows) in enumerate(found) if rows]


def test_as_planned():
    rows = figures.halo_rows([run({"cart": 104, "caucus": 40})])
    assert failing(run({"cart": 104, "caucus": 40})) == []
    assert rows[0]["byte_ratio"] == pytest.approx(2.6)
    assert rows[0]["cart"]["rate"] == pytest.approx(104 / 32 * 65536 / 0.2 / 1e6)
    assert rows[0]["cart"]["over_stream_time"] == pytest.approx(0.2 / (15 * 65536 / 2e7))


@pytest.mark.parametrize(
    "cart, caucus, broken",
    [
        (104, 42.5, [0, 2]),  # 6 % above the plan
        (97.5, 37.5, [0]),  # 6 % below the plan, both of them
        (104, 106, [0, 1, 2, 3]),  # more than without
        (104, 60, [0, 2, 3]),  # less than half is asked for
    ],
)
def test_broken_promises(cart, caucus, broken):
    assert failing(run({"cart": cart, "caucus": caucus})) == broken


def test_short_messages_are_shown_but_not_judged():
    assert failing(run({"cart": 204, "caucus": 140}, size=128)) == []
