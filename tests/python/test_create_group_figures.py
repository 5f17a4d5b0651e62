# SPDX-License-Identifier: BSD-3-Clause
"""What is made of the samples of bench/create_group.py."""

from create_group_experiment import figures


def cell(mpi="mpich", members=2, **samples):
    return {"mpi": mpi, "ranks": 16, "members": members, "samples": samples}


def test_medians_and_ratios():
    native, ours = {figures.NATIVE: [4, 2, 30]}, {figures.OURS: [6, 1, 9]}
    times, ratios = figures.tables(figures.rows([cell(**native, **ours)]))
    assert times[1] == ["MPI", "ranks", "members", "MPI_Comm_create_group", "Caucus, native"]
    assert times[2] == [["mpich", "16", "2", "4", "6"]]
    assert ratios[2] == [["mpich", "16", "2", "1.50"]]


def test_a_way_that_one_mpi_lacks():
    native, other = {figures.NATIVE: [4]}, {"caucus parentless": [8]}
    cells = [cell(**native, **other), cell("openmpi", **native)]
    times, ratios = figures.tables(figures.rows(cells))
    assert [line[-1] for line in times[2]] == ["8", ""]
    assert [line[-1] for line in ratios[2]] == ["2.00", ""]
