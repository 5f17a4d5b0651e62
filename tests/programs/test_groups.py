# SPDX-License-Identifier: BSD-3-Clause
"""The example of groups: an array that some of the processes have among themselves."""

import programs
import pytest

# Open MPI's wheel says on standard error that one of its ways to do windows is not there.
ENV = {"OMPI_MCA_osc": "^ucx"}


@pytest.fixture(params=programs.parameters())
def mpi(request):
    return programs.chosen(request)


@pytest.mark.parametrize(("ranks", "length"), [(1, 10), (2, 3), (4, 1003), (5, 1000)])
def test_the_array_has_what_was_added(mpi, tmp_path, ranks, length):
    path = tmp_path / "array"
    words = [programs.program(mpi, "global_array"), length, path]
    said = programs.start(mpi, ranks, words, ENV)
    members = (ranks + 1) // 2
    total = length * (length - 1) // 2 + members * length
    assert said.stdout.strip() == f"{members} members, {length} elements, sum {total}, 0 wrong"
    assert path.stat().st_size == 8 * length
