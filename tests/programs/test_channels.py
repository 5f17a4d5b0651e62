# SPDX-License-Identifier: BSD-3-Clause
"""The examples of channels come to the right end, whatever comes in which order."""

import re

import programs
import pytest


@pytest.fixture(params=programs.parameters())
def mpi(request):
    return programs.chosen(request)


@pytest.mark.parametrize(
    ("ranks", "words", "env"),
    [
        (1, (30, 1), {}),
        (2, (34, 2), {}),
        (4, (34, 3), {"CAUCUS_NODES": "2x2"}),
        (3, (30, 4, "alone"), {}),
    ],
)
def test_the_shared_incumbent_is_the_optimum(mpi, ranks, words, env):
    said = programs.start(mpi, ranks, [programs.program(mpi, "shared_incumbent"), *words], env)
    assert re.search(
        rf"^{words[0]} items, {ranks} processes: best value \d+, the same on all, optimal; "
        r"\d+ nodes, \d+ casts$",
        said.stdout,
        re.MULTILINE,
    )


def test_a_wrong_number_of_items_is_refused(mpi):
    said = programs.start(mpi, 1, [programs.program(mpi, "shared_incumbent"), 5], check=False)
    assert said.returncode != 0
    assert "items must be from 10 to 60" in said.stderr


@pytest.mark.parametrize(
    ("ranks", "changes", "files", "env"),
    [
        (1, 200, 5, {}),
        (2, 500, 1, {}),
        (4, 300, 40, {"CAUCUS_NODES": "cyclic:2"}),
        (3, 0, 3, {}),
    ],
)
def test_the_tables_are_the_same(mpi, ranks, changes, files, env):
    words = [programs.program(mpi, "replicated_table"), changes, files]
    said = programs.start(mpi, ranks, words, env).stdout
    found = re.search(r"(\d+) created, (\d+) refused, tables the same everywhere", said)
    assert f"{changes * ranks} changes of {ranks} processes to {files} files" in said
    created, refused = map(int, found.groups())
    assert (created > 0) == (changes > 0)
    assert created + refused <= changes * ranks


def test_a_rank_that_is_stopped_costs_no_memory_and_no_message(mpi):
    words = [programs.program(mpi, "rootless_frozen")]
    words += ["--before", 0.7, "--stopped", 2, "--after", 0.7]
    said = programs.start(mpi, 3, words).stdout
    assert "0 wrong or lost, memory flat" in said
    assert re.search(r"after [1-9]", said)
