# SPDX-License-Identifier: BSD-3-Clause
"""What is made of the samples of bench/create_group.py."""

from create_group_experiment import figures


def cell(mpi="mpich", members=2, **samples):
    return {"mpi": mpi, "ranks": 16, "members": members, "samples": samples}


def test_medians_and_ratios():
    native, ours = {figures.NATIVE: [4, 2, 30]}, {"caucus native": [8, 1, 9]}
    _, times, ratios, *_ = figures.tables(figures.rows([cell(**native, **ours)]))
    assert times[1] == ["MPI", "ranks", "members", "MPI_Comm_create_group", "Caucus, native"]
    assert times[2] == [["mpich", "16", "2", "4.0", "8.0"]]
    assert ratios[2] == [["mpich", "16", "2", "0.5"]]


def test_a_way_that_one_mpi_lacks():
    native, other = {figures.NATIVE: [4]}, {"caucus parentless": [8]}
    cells = [cell(**native, **other), cell("openmpi", **native)]
    _, times, ratios, *_ = figures.tables(figures.rows(cells))
    assert [line[-1] for line in times[2]] == ["8.0", ""]
    assert [line[-1] for line in ratios[2]] == ["0.5", ""]


def test_promises_tell_the_worst():
    ways = {figures.NATIVE: [40], figures.CHECKED: [10]}
    cells = [cell(members=8, **ways), cell(members=16, **{**ways, figures.CHECKED: [25]})]
    promises, *_ = figures.tables(figures.rows(cells))
    assert promises[2] == [
        [
            "light, checked",
            "MPI_Comm_create_group",
            "mpich",
            "8 members or more",
            "2 ×",
            "1.6 × (16 members)",
            "no",
        ]
    ]


def test_the_better_of_both_settings():
    def run(native, ours):
        samples = {figures.NATIVE: native, figures.RANGE: ours}
        return [{"mpi": "mpich", "ranks": 2, "members": 2, "samples": samples}]

    (found,) = figures.better([run([3, 3, 9], [1]), run([2, 8, 2], [2])])
    assert found["samples"] == {figures.NATIVE: [2, 8, 2], figures.RANGE: [1]}
