# SPDX-License-Identifier: BSD-3-Clause
"""Groups: made, split, merged, grown, asked, freed; their messages and communicators."""

import asyncio
import gc
import weakref

import numpy as np
from mpi4py import MPI

from caucus.mpi import Group, attach, create_comm, leftovers

COMM = MPI.COMM_WORLD
RANK, SIZE = COMM.rank, COMM.size
HALF = max(SIZE // 2, 1)
attach(COMM)


def lower_or_upper(tag=0):
    return Group.create(COMM, range(HALF) if RANK < HALF else range(HALF, SIZE), tag)


def summed(group):
    total = np.zeros(1, dtype=int)
    group.Allreduce(np.array([RANK]), total)
    return total[0] == sum(group.members)


def case_made_in_all_ways():
    backwards = list(reversed(range(SIZE)))
    makers = [
        lambda: Group.create(COMM, backwards, 3),
        lambda: Group.create_unchecked(COMM, backwards, 4),
        lambda: Group.create_lazy(COMM, backwards),
        lambda: Group.create_range(COMM, range(SIZE - 1, -1, -1)),
        lambda: Group.icreate(COMM, backwards, 5).Wait(),
        lambda: asyncio.run(awaited(Group.icreate(COMM, backwards, 6))),
    ]
    for make in makers:
        with make() as group:
            assert group.members == backwards and group.rank == SIZE - 1 - RANK
            assert len(group) == group.size == SIZE and summed(group)
        assert not group


def case_none_is_made_of_lists_that_differ():
    """Nor does a second wait say that this rank is no member."""
    if SIZE < 2:
        return
    request = Group.icreate(COMM, range(SIZE)[:: 1 if RANK else -1], 7)
    for _ in range(2):
        try:
            request.Wait()
        except MPI.Exception as problem:
            assert problem.Get_error_class() == MPI.ERR_ARG, problem
        else:
            raise AssertionError("no exception")


async def awaited(request):
    return await request


def case_no_member():
    if SIZE > 1:
        group = Group.create(COMM, [SIZE - 1], 9)
        assert (group is None) == (RANK != SIZE - 1)


def case_split_and_merged():
    with Group.from_comm(COMM) as everybody:
        with everybody.split(RANK % 2, -RANK) as part:
            assert part.members == [r for r in reversed(range(SIZE)) if r % 2 == RANK % 2]
        assert everybody.split(MPI.UNDEFINED) is None
        with everybody.isplit(0).Wait() as same:
            assert same.members == everybody.members
        with everybody.create_within(list(range(SIZE)), 11) as within:
            assert within.size == SIZE
        rest = everybody.shrink([SIZE - 1]) if SIZE > 1 and RANK < SIZE - 1 else None
        assert rest is None or rest.members == list(range(SIZE - 1)) and summed(rest)
    group = lower_or_upper(12)
    firsts = [0, HALF] if SIZE > 1 else [0]
    with group.merge(firsts if group.rank == 0 else [], 13) as merged:
        assert merged.members == list(range(SIZE)) and summed(merged)


def case_grown_and_asked():
    if SIZE < 2:
        return
    if RANK < SIZE - 1:
        with Group.create(COMM, range(SIZE - 1), 14) as group:
            grown = group.grow([SIZE - 1] if group.rank == 0 else [], 15)
    else:
        grown = Group.join(COMM, 0, 15)
    assert grown.members == list(range(SIZE)) and summed(grown)
    with lower_or_upper(16) as group:
        merged = asks(group) if RANK >= HALF else takes(group)
        assert merged.members == list(range(SIZE)) and summed(merged)


def asks(group):
    first = group.ask(0, 17)
    assert first.group is None  # refused
    return group.ask(0, 18).group


def takes(group):
    askers = np.zeros(1, dtype=int)
    for tag in (17, 18):
        while group.rank == 0 and not askers[0]:
            askers[:] = (group.poll(tag) or [0])[0]
        if tag == 17 and group.rank == 0:
            group.refuse(int(askers[0]), tag)
            askers[:] = 0
    group.Bcast(askers)
    return group.take([int(askers[0])], 18)


def case_messages():
    with Group.from_comm(COMM) as group:
        right, left = (RANK + 1) % SIZE, (RANK - 1) % SIZE
        received, status = np.zeros(2, dtype=int), MPI.Status()
        request = group.Irecv(received, left, 3)
        group.Isend(np.array([RANK, 5]), right, 3).Wait()
        request.Wait(status)
        assert list(received) == [left, 5]
        assert (status.source, status.tag, status.Get_count(MPI.INT64_T)) == (left, 3, 2)
        sending = group.Isend(np.array([7, RANK]), left, 4)
        group.Recv(received, MPI.ANY_SOURCE, 4, status)
        assert list(received) == [7, right] and status.source == right
        while not sending.Test():
            pass
        if RANK == 0:
            group.Send(b"last", SIZE - 1, 1) if SIZE > 1 else None
        elif RANK == SIZE - 1:
            group.Recv(text := bytearray(4), 0, 1)
            assert text == b"last"


def case_messages_outlive_their_group():
    received = np.zeros(1, dtype=int)
    with Group.from_comm(COMM) as group:
        receiving = group.Irecv(received, (RANK - 1) % SIZE, 8)
        sending = group.Isend(np.array([RANK]), (RANK + 1) % SIZE, 8)
        COMM.Barrier()  # nobody frees the group before all have begun
    try:
        receiving.Wait(MPI.Status())
    except ValueError as problem:
        assert "which was freed" in str(problem)
    else:
        raise AssertionError("a status of a group that there is no more")
    receiving.Wait()
    while not sending.Test():
        pass
    assert received[0] == (RANK - 1) % SIZE and receiving.Test(MPI.Status())


def case_communicators():
    with lower_or_upper(20) as group:
        for comm in (group.to_comm(), group.ito_comm().Wait()):
            assert comm.allreduce(RANK) == sum(group.members)
            comm.Free()
        if SIZE > 1:
            inter = group.intercomm(HALF if RANK < HALF else 0, tag=21)
            assert inter.remote_size == SIZE - group.size
            inter.Free()
    comm = create_comm(COMM, COMM.Get_group(), 22)
    assert comm.size == SIZE
    comm.Free()


def case_alive():
    with Group.create_alive(COMM, range(SIZE), 60.0) as group:
        with group.shrink_alive(60.0) as again:
            assert again.members == list(range(SIZE))


def case_forgotten():
    for _ in range(10):
        Group.from_comm(COMM)
    gc.collect()
    with Group.from_comm(COMM) as group:
        assert summed(group)
    assert not leftovers._left


def case_forgotten_with_its_own_request():
    group = Group.from_comm(COMM)
    group.sum = group.Allreduce_init(np.ones(1), total := np.zeros(1))
    alive = weakref.ref(group)
    group.sum.Start().Wait()
    assert total[0] == SIZE
    del group
    gc.collect()
    assert alive() is None


def case_forgotten_before_its_request():
    total = np.zeros(1000)
    pending = Group.from_comm(COMM).Iallreduce(np.ones(1000), total)
    persistent = Group.from_comm(COMM).Allreduce_init(np.ones(1000), other := np.zeros(1000))
    gc.collect()
    pending.Wait()
    persistent.Start().Wait()
    assert (total == SIZE).all() and (other == SIZE).all()
    persistent.Free()


def case_messages_see_to_what_was_forgotten():
    with Group.from_comm(COMM) as group:
        right, left, received = (RANK + 1) % SIZE, (RANK - 1) % SIZE, np.zeros(2)
        waited, tested = (group.Irecv(received[i : i + 1], left, 6 + i) for i in range(2))
        for call in (
            lambda: group.Send(np.ones(1), right, 6),
            lambda: group.Isend(np.ones(1), right, 7).Wait(),
            waited.Wait,
            tested.Test,
            lambda: attach(COMM),
            lambda: create_comm(COMM, COMM.Get_group(), 23).Free(),
            lambda: group.to_comm().Free(),
        ):
            seen = []
            leftovers.leave(lambda seen=seen: seen.append(1) or True)
            call()
            assert seen
        tested.Wait()
        assert list(received) == [1, 1]


def case_message_forgotten_in_flight():
    with Group.from_comm(COMM) as group:
        received = Array(100000)
        alive = weakref.ref(received)
        group.Irecv(received, (RANK - 1) % SIZE, 5)
        del received
        gc.collect()
        group.Barrier()
        assert alive() is not None  # nothing was sent yet
        group.Barrier()
        group.Isend(np.zeros(100000), (RANK + 1) % SIZE, 5)
        for _ in range(1000):
            group.Barrier()
            gc.collect()
            if COMM.allreduce(alive() is None, MPI.LAND):
                break
        assert alive() is None


class Array(np.ndarray):
    """Can be referred to weakly."""


def case_errors():
    for wrong in ([0, 0], [SIZE]):
        try:
            Group.create(COMM, wrong)
        except MPI.Exception as problem:
            assert problem.Get_error_class() == MPI.ERR_ARG and "caucus_group_create" in str(
                problem
            )
        else:
            raise AssertionError(wrong)
