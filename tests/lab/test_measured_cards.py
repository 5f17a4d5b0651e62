# SPDX-License-Identifier: BSD-3-Clause
"""What CAUCUS_MODEL=auto finds of cards on virtual nodes: their rate, and one that is slower."""

import os
import re
import sys
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("TEST_BUILD", TREE / "build"))
sys.path.insert(0, str(TREE / "bench"))

from lab import Lab, available  # noqa: E402

there, why_not = available()
pytestmark = pytest.mark.skipif(not there, reason=why_not)


def card_of(mpi, slow):
    """Seconds for a byte."""
    program = BUILD / mpi / "tests" / "measured_model"
    if not program.exists():
        pytest.skip(f"there is no {mpi}/tests/measured_model: run 'make test'")
    env = {"CAUCUS_MODEL": "auto", "CAUCUS_CACHE": "none"}
    with Lab(nodes=6, rate="50mbit", burst=1600, slow=slow) as lab:
        done = lab.run([program], mpi=mpi, ppn=1, env=env, timeout=100)
    return float(re.search(r"^card_byte ([^ ,]+)", done.stdout, re.MULTILINE)[1])


@pytest.mark.parametrize("mpi", ["mpich", "openmpi"])
def test_the_slowest_card_counts_if_it_is_much_slower(mpi):
    for slow, wanted in (({}, 8 / 50e6), ({5: "25mbit"}, 8 / 25e6)):
        assert 0.9 * wanted < card_of(mpi, slow) < 1.5 * wanted
