# SPDX-License-Identifier: BSD-3-Clause
"""The example that outlives a death: where MPI reports deaths the others end with the sum of those
who are left; elsewhere nobody dies."""

import subprocess

import programs
import pytest

import mpi_launch


@pytest.mark.parametrize("ranks", [1, 3])
@pytest.mark.parametrize("mpi", programs.parameters())
def test_nobody_dies_where_deaths_are_not_reported(mpi, ranks):
    said = programs.start(mpi, ranks, [programs.program(mpi, "after_death"), 5]).stdout
    total = ranks * (ranks + 1) // 2
    assert f"5 steps; {ranks} of {ranks} ranks are left, and their sum is {total}" in said


@pytest.mark.skipif("openmpi" not in programs.mpis(), reason="Open MPI is not built")
@pytest.mark.parametrize(("ranks", "steps"), [(2, 4), (5, 9)])
def test_the_others_go_on(ranks, steps):
    words = [programs.program("openmpi", "after_death"), steps]
    command, outer = mpi_launch.command("openmpi", ranks, words, {}, [], True)
    done = subprocess.run(command, env=outer, capture_output=True, text=True, timeout=120)
    left = ranks - 1
    told = (
        f"{steps} steps; {left} of {ranks} ranks are left, and their sum is {left * ranks // 2}\n"
    )
    assert told in done.stdout, done.stdout + done.stderr
