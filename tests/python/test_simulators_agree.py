# SPDX-License-Identifier: BSD-3-Clause
"""The simulator of schedules against another one, which knows GOAL text and the rules of LogGOPS
alone (bench/simulator_experiment/loggops.py)."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(1, str(ROOT / "bench"))

from simulator_experiment import loggops  # noqa: E402
from simulator_experiment.cases import PLAYED, Case  # noqa: E402
from simulator_experiment.play import Network, by_loggops, simulated  # noqa: E402

NETWORK = Network(L=2.5e-6, o=1.5e-6, G=6e-9)
SMALL = [case for case in PLAYED if case.ranks * case.bytes < 300_000]
TWO = """num_ranks 2
rank 0 {
l1: send 1000b to 1 tag 0
l2: send 1000b to 1 tag 0
l3: calc 500
l3 requires l1
}
rank 1 {
l1: recv 1000b from 0 tag 0
l2: recv 1000b from 0 tag 0
l2 requires l1
l3: send 10b to 0 tag 7
l3 requires l2
}
"""


def play(text, **rules):
    return loggops.Machine(loggops.read(text), L=1.0, o=0.25, G=0.001, **rules).play()


def test_by_hand():
    text = TWO.replace("l3: calc 500", "l4: recv 10b from 1 tag 7\nl3: calc 500")
    # The second message leaves when the card is free, at 1, and is there at 1 + 0.25 + 1 + 1,
    # taken up at 3.5; the word back leaves then.
    assert play(text) == pytest.approx(3.5 + 0.25 + 1 + 0.01 + 0.25)
    # As each overhead of the receiver falls between two messages, the processor is free at 2.5
    # and takes the second one up then.
    assert play(text, held=True) == pytest.approx(3.75 + 0.25 + 1 + 0.01 + 0.25)


def test_ranks_that_wait_for_each_other():
    with pytest.raises(ValueError):
        play(TWO.replace("l3: calc 500", "l4: recv 10b from 1 tag 8\nl3: calc 500"))


@pytest.mark.parametrize("case", SMALL, ids=str)
def test_they_agree(case, tmp_path):
    model = tmp_path / "model.txt"
    NETWORK.write(model)
    ours, theirs = simulated(case, model), by_loggops(case, model, NETWORK)
    assert 0.95 * ours < theirs < 1.001 * ours


def test_the_rule_that_tells_them_apart(tmp_path):
    """With LogGOPSim's own rule, what it says: 264 µs where we say 158."""
    model, case = tmp_path / "model.txt", Case("reduce_scatter", "circulant", 4, 8192)
    NETWORK.write(model)
    assert simulated(case, model) == pytest.approx(158.46e-6, rel=1e-3)
    held = by_loggops(case, model, NETWORK, held=True, buffered=True)
    assert held == pytest.approx(264e-6, rel=2e-3)
