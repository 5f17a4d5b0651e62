# SPDX-License-Identifier: BSD-3-Clause
"""Grids and redistributions."""

import os

import numpy as np
from mpi4py import MPI

from caucus.mpi import Cart_map, Compute_dims, Grid, Redistribute_init

COMM = MPI.COMM_WORLD
RANK, SIZE = COMM.rank, COMM.size


def case_grids():
    dims = Compute_dims(COMM, SIZE, [0, 0], extents=[100, 100], periods=[True, False])
    assert dims[0] * dims[1] == SIZE
    assert Compute_dims(COMM, SIZE, [SIZE, 0]) == [SIZE, 1]
    grid = Grid.create(COMM, dims, [True, False], weights=[1, 10])
    assert isinstance(grid, MPI.Cartcomm) and grid.dims == dims and grid.periods == [1, 0]
    report = grid.report()
    assert report == COMM.bcast(report) and report.nodes >= 1
    assert report.placed.off_node <= report.given.off_node
    grid.Free()


def case_all_dimensions_alike():
    """As mpi4py takes it."""
    for periods in (True, False):
        grid = Grid.create(COMM, [SIZE, 1], periods)
        assert grid.periods == [periods, periods]
        grid.Free()
    assert Cart_map(COMM, [SIZE], True) in range(SIZE)
    assert Compute_dims(COMM, SIZE, [SIZE, 0], periods=True) == [SIZE, 1]


def case_nodes_matter():
    """With these nodes, neighbours on a line are on different ones."""
    if SIZE < 4 or os.environ.get("CAUCUS_NODES") != "cyclic:2":
        return
    grid = Grid.create(COMM, [SIZE])
    report = grid.report()
    assert report.nodes == 2 and report.mapper != "given"
    assert report.given.off_node == report.given.all == 2 * (SIZE - 1)
    assert report.placed.off_node == 2 == report.bound
    assert Cart_map(COMM, [SIZE]) == grid.rank
    kept = Grid.create(COMM, [SIZE], reorder=False)
    assert kept.rank == RANK and Grid(kept).report().mapper == "given"
    grid.Free()
    kept.Free()


def case_left_over():
    grid = Grid.create(COMM, [1])
    assert COMM.allreduce(grid is not None) == 1
    if grid is not None:
        grid.Free()


def case_stencils():
    grid = Grid.stencil(COMM, [SIZE], [[1], [-1], [2]], [True], weights=[1, 2, 3])
    assert grid.size == SIZE
    grid.Free()


def case_errors():
    for make in (
        lambda: Grid.create(COMM, [SIZE + 1]),
        lambda: Compute_dims(COMM, SIZE + 1, [0]),
    ):
        try:
            make()
        except MPI.Exception as problem:
            assert problem.Get_error_class() == MPI.ERR_DIMS, problem
        else:
            raise AssertionError("no exception")
    for make, words in (
        (lambda: Grid.create(COMM, [SIZE, 1], [True]), "periods: 1 flags"),
        (lambda: Grid.create(COMM, [SIZE], weights=[1, 2]), "weights: 2 numbers"),
        (lambda: Grid.stencil(COMM, [SIZE], [[1, 2]]), "offsets: (1, 2)"),
    ):
        try:
            make()
        except ValueError as problem:
            assert words in str(problem), problem
        else:
            raise AssertionError(words)


def case_redistributed():
    """By blocks, then by turns."""
    n = 12 * SIZE
    have = range(12 * RANK, 12 * (RANK + 1))
    want = [(index, 1) for index in range(RANK, n, SIZE)]
    sent, received = np.empty(12), np.full(12, -1.0)
    with Redistribute_init(COMM, sent, [have], received, want) as request:
        for step in range(2):
            sent[:] = np.arange(have.start, have.stop) + 0.5 * step
            request.Start().Wait()
            assert list(received) == [index + 0.5 * step for index, _ in want]


def case_redistributed_between_groups():
    if SIZE < 2:
        return
    side = RANK % 2
    local = COMM.Split(side)
    inter = local.Create_intercomm(0, COMM, 1 - side)
    if side == 0:
        mine = range(10 * local.rank, 10 * local.rank + 10)
        given = [np.arange(mine.start, mine.stop), [mine], None, []]
    else:
        whole = np.zeros(10 * inter.remote_size, dtype=int)
        given = [None, [], whole, [(0, len(whole))]]
    with Redistribute_init(inter, *given) as request:
        request.Start().Wait()
    assert side == 0 or (whole == np.arange(len(whole))).all()
    inter.Free()
    local.Free()


def case_nobody_has_it():
    try:
        Redistribute_init(COMM, np.zeros(1), [(RANK, 1)], np.zeros(1), [(SIZE, 1)])
    except MPI.Exception as problem:
        assert problem.Get_error_class() == MPI.ERR_ARG and str(SIZE) in str(problem)
    else:
        raise AssertionError("no exception")
    try:
        Redistribute_init(COMM, np.zeros(1), [range(0, 4, 2)], None, [])
    except ValueError as problem:
        assert "has a step" in str(problem)
    else:
        raise AssertionError("no exception")
