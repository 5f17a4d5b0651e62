# SPDX-License-Identifier: BSD-3-Clause
"""The coupled example moves its field exactly, whoever has what, and wherever the ranks lie."""

import programs
import pytest


@pytest.fixture(params=programs.parameters())
def mpi(request):
    return programs.chosen(request)


@pytest.mark.parametrize(
    ("first", "ranks", "rows", "columns", "env"),
    [
        (1, 2, 40, 30, {}),
        (2, 6, 33, 57, {}),
        (3, 4, 5, 200, {"CAUCUS_NODES": "cyclic:2"}),
        (4, 5, 3, 2, {"CAUCUS_SHARED_MEMORY": "0"}),  # more ranks than rows
        (2, 4, 300, 300, {"CAUCUS_NODES": "1,3"}),
    ],
)
def test_every_value_is_right(mpi, first, ranks, rows, columns, env):
    words = [programs.program(mpi, "coupled_field"), first, rows, columns, 5]
    said = programs.start(mpi, ranks, words, env).stdout
    assert f"{rows} x {columns} cells from {first} ranks to {ranks - first}" in said
    assert " 0 values are wrong" in said
