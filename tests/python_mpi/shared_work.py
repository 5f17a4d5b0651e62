# SPDX-License-Identifier: BSD-3-Clause
"""Pools of tasks, and groups that help each other."""

import struct

import numpy as np
from mpi4py import MPI

from caucus.mpi import Balance, News, Pool

COMM = MPI.COMM_WORLD
RANK, SIZE = COMM.rank, COMM.size
WORKERS = max(SIZE - 1, 1)


def case_tasks():
    done = []

    def body(group, task):
        number, ranks = struct.unpack("ii", task)
        total = np.zeros(1, dtype=int)
        group.Allreduce(np.array([1]), total)
        assert total[0] == group.size == ranks
        if group.rank == 0:
            done.append(number)
            if number < 100:
                pool.submit(1, struct.pack("ii", number + 100, 1))

    with Pool(COMM, body, task_bytes=8, passes=2) as pool:
        if RANK == SIZE - 1:
            for number in range(7):
                ranks = number % WORKERS + 1
                pool.submit(ranks, struct.pack("ii", number, ranks))
        pool.run()
        assert sum(COMM.allgather(pool.statistics.tasks)) >= 14
        pool.run()
    found = sorted(number for part in COMM.allgather(done) for number in part)
    assert found == [*range(7), *range(100, 107)]


def case_groups_are_lent():
    kept = []

    def body(group, task):
        assert task == b""
        kept.append(group)
        with group:
            assert group.size == 1
        group.free()

    with Pool(COMM, body, task_bytes=0) as pool:
        if RANK == 0:
            pool.submit(1)
        pool.run()
    assert not any(kept) and len(COMM.allreduce(kept and [RANK] or [])) == 1


def case_body_raises():
    def body(group, task):
        raise KeyError("bad")

    pool = Pool(COMM, body, 1)
    if RANK == 0:
        pool.submit(1, b"x")
    try:
        pool.run()
    except KeyError:
        raised = 1
    except MPI.Exception as problem:
        assert problem.Get_error_class() == MPI.ERR_OTHER
        raised = 0
    else:
        raise AssertionError("no exception")
    assert COMM.allreduce(raised) == 1
    pool.close()
    try:
        pool.submit(1, b"xx")
    except ValueError as problem:
        assert "2 bytes, but a task has 1" in str(problem)
    else:
        raise AssertionError("a task of another length")


def case_balance():
    """The second half has nothing to do, and joins the first one."""
    half = (SIZE + 1) // 2
    left, sizes = np.zeros(1, dtype=int), []
    with Balance(COMM, half) as balance:
        if balance.place.work == 0:
            left[0] = 50
        try:
            balance.close()
        except MPI.Exception as problem:
            assert problem.Get_error_class() == MPI.ERR_PENDING and balance.place.group
        else:
            raise AssertionError("it was closed before it was over")
        news = News.GROWN
        while news != News.OVER:
            if news == News.GROWN:
                group, source, work = balance.place
                sizes.append(group.size)
                group.Bcast(left, source)
            total = np.zeros(1, dtype=int)
            group.Allreduce(np.array([1]), total)
            assert total[0] == group.size
            left[0] -= left[0] > 0 and group.size == SIZE  # so that they do come
            news = balance.poll(left[0] > 0)
        assert balance.statistics.polls > 0
    assert sizes[-1] == SIZE and not group
    assert SIZE == 1 or sizes[0] < SIZE
