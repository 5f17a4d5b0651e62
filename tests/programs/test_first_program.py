# SPDX-License-Identifier: BSD-3-Clause
"""The first program: a group, a sum that is set up once, and a cast that all hear once."""

import programs
import pytest


@pytest.fixture(params=programs.parameters())
def mpi(request):
    return programs.chosen(request)


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_all_hear_the_sum(mpi, ranks):
    said = programs.start(mpi, ranks, [programs.program(mpi, "first_program")])
    total = 1000 * sum(range(0, ranks, 2))
    assert sorted(said.stdout.splitlines()) == [
        f"rank {rank} heard from rank 0: the sum is {total}" for rank in range(1, ranks)
    ]
