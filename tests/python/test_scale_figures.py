# SPDX-License-Identifier: BSD-3-Clause
"""What bench/scale.py says: formulas against bytes that were counted."""

import pytest

from scale_experiment import formulas, growth, page, tables


def loop(where, ranks, **own):
    steps = [{"what": "attach", "own": 13592, "peak": 13592, "shared": own.pop("shared", 0)}]
    steps += [
        {"what": what, "own": count, "peak": count, "shared": 0} for what, count in own.items()
    ]
    return {
        "where": where,
        "ranks": ranks,
        "steps": [{**step, "seconds": [1e-5]} for step in steps],
    }


@pytest.mark.parametrize(
    "ranks, counted", [(2, 4311296), (8, 4413440), (16, 8743936), (32, 17404928)]
)
def test_the_memory_of_a_node_is_exact(ranks, counted):
    assert formulas.node_memory(ranks) == counted


@pytest.mark.parametrize(
    "ranks, per_node, simulated, counted",
    [
        (2, 2, False, 285214),
        (32, 32, False, 1344484),
        (64, 16, True, 1658800),
        (256, 16, True, 2189072),
    ],
)
def test_a_channel_is_predicted_to_a_kilobyte(ranks, per_node, simulated, counted):
    assert abs(formulas.channel(ranks, per_node, simulated) - counted) < 1024


def test_links_follow_logarithms():
    assert formulas.links(1 << 20, 64) == 14 + 6
    assert formulas.links(64, 64) == 6


def test_rows_compare_what_was_counted():
    raw = {"loops": [loop("mpich", 8, shared=4413440, channel=814804)]}
    assert formulas.rows(raw) == [
        ("attach, shared memory of a node", "mpich", 8, 4413440, 4413440),
        ("channel", "mpich", 8, formulas.channel(8, 8, False), 814804),
    ]


def test_sizes_and_spans_are_short():
    assert tables.size(0) == "0 B"
    assert tables.size(13592) == "13.3 KiB"
    assert tables.size(17404928) == "16.6 MiB"
    assert tables.span(1.5e-5) == "15 µs"
    assert tables.span(0.25) == "250 ms"


def test_the_page_is_filled_in(tmp_path):
    own = {"group, a range": 2304, "channel": 814804}
    raw = {
        "loops": [loop("mpich", 8, shared=4413440, **own), loop("simulated", 64, **own)],
        "planned": [],
        "cyclic": [],
        "commit": "0",
        "conditions": "",
        "problems": ["512 simulated ranks: no end"],
    }
    page.write(raw, tmp_path)
    told = (tmp_path / "scale.md").read_text()
    assert all(row[0] in told for row in growth.ROWS)
    assert "{" not in told and "- 512 simulated ranks: no end" in told
    assert (tmp_path / "images" / "scale.png").exists()
