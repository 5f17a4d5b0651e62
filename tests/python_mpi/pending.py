# SPDX-License-Identifier: BSD-3-Clause
"""Requests: waiting for one, for several, in coroutines; what nobody waits for; errors."""

import asyncio
import gc
import os
import pickle
import time
import warnings
import weakref

import numpy as np
from mpi4py import MPI

import caucus.mpi
from caucus.mpi import Allreduce_init, Error, Iallreduce, Ibarrier, PersistentRequest, Request
from caucus.mpi.waiting import LONGEST, pause

COMM = MPI.COMM_WORLD
ALL = COMM.size * (COMM.size - 1) / 2
caucus.mpi.attach(COMM)


def case_started_often():
    sent, received = np.empty(3), np.empty(3)
    request = Allreduce_init(COMM, sent, received)
    assert not request.active and request.Test()
    for step in range(5):
        sent[:] = COMM.rank + step
        assert request.Start() is request and request.active
        request.Wait()
        assert (received == ALL + COMM.size * step).all() and not request.active
    request.Free()
    request.Free()
    try:
        request.Start()
    except MPI.Exception as problem:
        assert problem.Get_error_class() == MPI.ERR_REQUEST
    else:
        raise AssertionError("a request that was freed was started")


def case_tested():
    received = np.empty(1)
    request = Iallreduce(COMM, np.array([float(COMM.rank)]), received)
    while not request.Test():
        pass
    assert request.Test() and received[0] == ALL and request.Wait() is None


def made(count, comm=COMM):
    pairs = [(np.full(2, float(COMM.rank + i)), np.empty(2)) for i in range(count)]
    return pairs, [Allreduce_init(comm, *pair) for pair in pairs]


def right(pairs):
    return all((pair[1] == ALL + COMM.size * i).all() for i, pair in enumerate(pairs))


def case_several():
    pairs, requests = made(4)
    assert Request.Waitsome(requests) is None and Request.Waitany(requests) == MPI.UNDEFINED
    PersistentRequest.Startall(requests)
    Request.Waitall(requests)
    assert right(pairs) and not any(request.active for request in requests)
    for pair in pairs:
        pair[1][:] = 0
    PersistentRequest.Startall(requests)
    left = {0, 1, 2, 3}
    left.remove(Request.Waitany(requests))
    while left:
        left.difference_update(Request.Waitsome(requests))
    assert right(pairs) and Request.Testall(requests)
    PersistentRequest.Startall(requests)
    while not Request.Testall(requests):
        pass
    assert right(pairs)
    for request in requests:
        request.Free()


def case_several_that_end():
    received = np.empty((3, 1))
    requests = [Iallreduce(COMM, np.array([float(i)]), received[i]) for i in range(3)]
    assert Request.Waitany(requests) in range(3)
    Request.Waitall(requests)
    assert list(received[:, 0]) == [0, COMM.size, 2 * COMM.size]
    del requests
    gc.collect()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Request.Testall([])  # there is nothing left to free


def case_several_of_which_one_cannot_start():
    """Those before it have begun: their buffers are in use until they are awaited."""
    comm = hasty_duplicate(0.2)
    pairs, (bad, good) = made(2, comm)
    if COMM.rank:
        try:
            bad.Start().Wait()
        except MPI.Exception as problem:
            assert "after 0.2 seconds" in str(problem), problem
        else:
            raise AssertionError("rank 0 did not take part")
    COMM.Barrier()
    if COMM.rank == 0:
        good.Start()
    else:
        try:
            PersistentRequest.Startall([good, bad])
        except MPI.Exception as problem:
            assert "requests[1]" in str(problem), problem
        else:
            raise AssertionError("an operation that has failed was started")
        assert good.active
    good.Wait()
    assert right([(None, np.full(2, ALL)), pairs[1]]) and not good.active
    assert bad.Test() and not bad.active
    COMM.Barrier()


def hasty_duplicate(seconds):
    """A communicator on which waits fail after some seconds."""
    before = os.environ.get("CAUCUS_TIMEOUT")
    os.environ["CAUCUS_TIMEOUT"] = str(seconds)
    comm = COMM.Dup()
    caucus.mpi.attach(comm)
    if before is None:
        del os.environ["CAUCUS_TIMEOUT"]
    else:
        os.environ["CAUCUS_TIMEOUT"] = before
    return comm


def case_with_ends_it():
    received = np.empty(1)
    with Allreduce_init(COMM, np.array([1.0]), received) as request:
        request.Start()
    assert received[0] == COMM.size and not request.active


def case_pauses_are_bounded():
    assert pause(1) == 0 and pause(10**6) == LONGEST == 0.002


def case_awaited():
    async def work():
        pairs, requests = made(3)
        await asyncio.gather(*(wait(request.Start()) for request in requests), ticking())
        assert right(pairs)
        assert await Ibarrier(COMM) is None

    async def wait(request):
        await request

    async def ticking():
        for _ in range(5):
            await asyncio.sleep(0)

    asyncio.run(work())


def case_forgotten_in_flight():
    """Its buffers stay until it is complete, which later calls see to."""

    class Array(np.ndarray):
        pass

    sent, received = np.full(50000, float(COMM.rank)).view(Array), np.empty(50000).view(Array)
    alive = weakref.ref(received)
    if COMM.rank == 0:
        COMM.Barrier()  # the others have begun, and can't have ended
    Iallreduce(COMM, sent, received)
    del sent, received
    gc.collect()
    if COMM.rank:
        assert alive() is not None
        COMM.Barrier()
    end = time.monotonic() + 60
    while alive() is not None and time.monotonic() < end:
        Request.Testall([])
    assert alive() is None
    COMM.Barrier()


def case_forgotten_and_not_started():
    received = np.empty(3)
    for _ in range(20):
        Allreduce_init(COMM, np.ones(3), received)
    gc.collect()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        caucus.mpi.Barrier(COMM)
    from caucus.mpi import leftovers

    assert not leftovers._left


def case_forgotten_and_failed():
    """A persistent one is freed then, too."""
    from caucus.mpi import leftovers
    from caucus.mpi import requests as module

    _, operations = made(1, hasty_duplicate(0.2))
    if COMM.rank:
        freed, free = [], module.call
        module.call = lambda name, *given: (freed.append(name), free(name, *given))
        operations.pop().Start()
        gc.collect()
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            while leftovers._left:
                Request.Testall([])
        module.call = free
        assert freed == ["caucus_request_free"] and "after 0.2 seconds" in str(told[0].message)
    COMM.Barrier()


def case_failed_and_awaited_again():
    """It has not become a success."""
    comm, received = hasty_duplicate(0.2), np.empty(1)
    if COMM.rank:
        one, other = (Iallreduce(comm, np.ones(1), received) for _ in range(2))
        for again in (
            one.Wait,
            one.Wait,
            one.Test,
            lambda: Request.Waitall([one, other]),
            lambda: Request.Waitall([one, other]),
            other.Wait,
            lambda: asyncio.run(awaited(other)),
        ):
            try:
                again()
            except Error as problem:
                assert "after 0.2 seconds" in str(problem), problem
            else:
                raise AssertionError("a request that has failed became a success")
    COMM.Barrier()


async def awaited(request):
    return await request


def case_errors_are_those_of_mpi4py():
    try:
        caucus.mpi.Bcast(COMM, np.zeros(2), root=COMM.size)
    except MPI.Exception as problem:
        assert isinstance(problem, Error) and problem.Get_error_class() == MPI.ERR_ROOT
        expected = f"rank {COMM.rank}: root is {COMM.size}: it must be from 0 to {COMM.size - 1}"
        assert str(problem) == problem.text == f"caucus_bcast_c: {expected}", str(problem)
        again = pickle.loads(pickle.dumps(problem))
        assert str(again) == str(problem) and again.Get_error_code() == problem.Get_error_code()
    else:
        raise AssertionError("no exception")


def case_errors_of_all():
    """A set-up that differs between ranks fails on all of them, and says what differs."""
    if COMM.size < 2:
        return
    try:
        caucus.mpi.Bcast_init(COMM, np.zeros(2), root=COMM.rank % 2)
    except MPI.Exception as problem:
        assert "root" in str(problem), problem
    else:
        raise AssertionError("no exception")


def case_null_communicator():
    try:
        caucus.mpi.Barrier(MPI.COMM_NULL)
    except MPI.Exception as problem:
        assert problem.Get_error_class() == MPI.ERR_COMM
    else:
        raise AssertionError("no exception")
