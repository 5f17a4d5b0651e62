# SPDX-License-Identifier: BSD-3-Clause
"""What may be given as a buffer, and what is said of what may not."""

import array
import contextlib

import numpy as np
from mpi4py import MPI

from caucus.mpi import (
    Allgather,
    Allgatherv,
    Allreduce,
    Bcast,
    Channel,
    Compute_dims,
    Group,
    Pool,
    Redistribute_init,
    Reduce_scatter,
    attach,
)

COMM = MPI.COMM_WORLD
LAST = COMM.size - 1


class Tensor:
    """Something that has DLPack and no buffer protocol."""

    def __init__(self, data, device=None):
        self.data, self.device = data, device

    def __dlpack__(self, stream=None, **options):
        return self.data.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device or self.data.__dlpack_device__()


@contextlib.contextmanager
def refused(kind, words):
    """On all ranks, and before any message."""
    try:
        yield
    except kind as problem:
        assert words in str(problem), problem
    else:
        raise AssertionError(f"'{words}' was expected")


def case_all_types():
    for code in "?bhilqBHILQfdgFDG":
        data = np.array([COMM.rank + 1, 2, 3]).astype(code)
        Bcast(COMM, data, root=LAST)
        assert (data == np.array([LAST + 1, 2, 3]).astype(code)).all(), code
        if code != "?":
            total = np.zeros_like(data)
            Allreduce(COMM, data, total)
            assert (total == data * COMM.size).all(), code


def case_other_objects():
    for make in (
        bytearray,
        lambda data: array.array("B", data),
        lambda d: memoryview(bytearray(d)),
    ):
        data = make(b"wrong" if COMM.rank else b"right")
        Bcast(COMM, data)
        assert bytes(data) == b"right"
    received = bytearray(2 * COMM.size)
    Allgather(COMM, bytes([COMM.rank, 9]), received)  # what is sent may be read-only
    assert bytes(received) == b"".join(bytes([rank, 9]) for rank in range(COMM.size))


def case_order_of_fortran():
    data = np.asfortranarray(np.full((3, 4), COMM.rank))
    Bcast(COMM, data, root=LAST)
    assert (data == LAST).all()


def case_dlpack():
    data, total = np.full(4, COMM.rank + 1.0, dtype="f4"), np.zeros(4, dtype="f4")
    Allreduce(COMM, Tensor(data), Tensor(total))
    assert (total == sum(range(1, COMM.size + 1))).all()
    pinned = Tensor(total, (3, 0))  # memory of the host, although CUDA's
    Bcast(COMM, [pinned, MPI.FLOAT])
    for kind, name in ((2, "CUDA"), (10, "ROCm"), (14, "oneAPI"), (99, "type 99")):
        with refused(ValueError, f"device 1 of {'DLPack' if kind == 99 else name}"):
            Bcast(COMM, Tensor(data, (kind, 1)))


def case_parts_of_a_buffer():
    data = np.arange(10)
    if COMM.rank:
        data[:] = 0
    Bcast(COMM, [data, (2, 3), MPI.INT64_T])
    expected = np.arange(10) if COMM.rank == 0 else np.array([0] * 3 + [3, 4] + [0] * 5)
    assert (data == expected).all(), data
    Bcast(COMM, [data, 10, "l"])
    assert (data == np.arange(10)).all()
    received = np.full(3 * COMM.size, -1)
    places = [3 * (COMM.size - 1 - rank) for rank in range(COMM.size)]
    Allgatherv(COMM, [np.array([COMM.rank] * 2), 2], [received, ([2] * COMM.size, places)])
    for rank, place in enumerate(places):
        assert list(received[place : place + 3]) == [rank, rank, -1]


def case_derived_types():
    column = MPI.INT64_T.Create_vector(3, 1, 4).Commit()
    data = np.arange(12).reshape(3, 4) * (COMM.rank == 0)
    Bcast(COMM, [data, 1, column])
    assert list(data[:, 0]) == [0, 4, 8]
    column.Free()
    record = np.zeros(2, [("a", "i4"), ("b", "f8")])
    with refused(ValueError, "give the datatype"):
        Bcast(COMM, record)
    Bcast(COMM, [record, record.nbytes, MPI.BYTE])


def case_numbers_that_c_has_no_room_for():
    """Of 2**32 an int would have a zero."""
    attach(COMM)
    data, wide = np.zeros(1), 2**32
    with Group.from_comm(COMM) as group:
        for call in (
            lambda: group.split(wide),
            lambda: group.split(0, -wide),
            lambda: group.Send(data, wide),
            lambda: Group.create(COMM, range(COMM.size), tag=wide),
            lambda: Group.create(COMM, [wide]),
            lambda: Bcast(COMM, data, root=wide),
            lambda: Channel(COMM, credits=wide),
            lambda: Channel(COMM, keeps=2**64),
            lambda: Pool(COMM, print, 8, passes=wide),
            lambda: Compute_dims(COMM, wide + 1, [0]),
            lambda: Redistribute_init(COMM, data, [(2**64, 1)], data, [(0, 1)]),
        ):
            with refused(OverflowError, "does not fit into"):
                call()


def calls_with(wrong):
    """As a count, a displacement, an index."""
    data, everybodys = np.zeros(2), np.zeros(2 * COMM.size)
    ones, wrongs = [1] * COMM.size, [wrong] * COMM.size
    return (
        lambda: Allgatherv(COMM, [data, 2], [everybodys, wrongs, MPI.DOUBLE]),
        lambda: Allgatherv(COMM, [data, 1], [everybodys, (ones, wrongs), MPI.DOUBLE]),
        lambda: Reduce_scatter(COMM, everybodys, data, wrongs),
        lambda: Redistribute_init(COMM, data, [(2, wrong)], data, [(2, 2)]),
        lambda: Redistribute_init(COMM, data, [(2, 2)], data, [(wrong, 2)]),
    )


def case_numbers_that_are_not_whole():
    for wrong, kind in ((2.5, TypeError), ("2", TypeError), (2**64 + 2, ValueError)):
        for call in calls_with(wrong):
            with refused((kind, OverflowError), ""):
                call()
    for wide in ((2**64 + 1, 0), (1, 2**62)):
        with refused(OverflowError, "does not fit into"):
            Bcast(COMM, [MPI.BOTTOM, wide, MPI.DOUBLE])


def case_elements_that_lie_before_their_place():
    """What is there must be the buffer's."""
    before = MPI.DOUBLE.Create_indexed_block(1, [-2]).Commit()
    backwards = MPI.DOUBLE.Create_resized(0, -8).Commit()
    data = np.arange(4.0) + COMM.rank
    with refused(ValueError, "its elements begin 16 bytes before the buffer"):
        Bcast(COMM, [data, 1, before])
    with refused(ValueError, "its elements begin 24 bytes before the buffer"):
        Bcast(COMM, [data, 4, backwards])
    if LAST == 0:
        with refused(ValueError, "its elements begin 8 bytes before the buffer"):
            Allgatherv(COMM, [data, 1], [data, ([1], [-1]), MPI.DOUBLE])
    before.Free()
    backwards.Free()


def case_what_is_refused():
    data = np.zeros(8)
    with refused(ValueError, "not contiguous"):
        Bcast(COMM, data[::2])
    with refused(ValueError, "read-only"):
        Allreduce(COMM, data, np.zeros(8).tobytes())
    with refused(ValueError, "72 bytes are needed for its counts, but it has 64"):
        Bcast(COMM, [data, 9, MPI.DOUBLE])
    with refused(ValueError, "other order of bytes"):
        Bcast(COMM, np.zeros(3, ">f8"))
    with refused(ValueError, "cannot include dtype 'M'"):
        Bcast(COMM, np.zeros(3, "M8[s]"))
    with refused(TypeError, "a str has neither"):
        Bcast(COMM, "text")
    with refused(ValueError, "different datatypes"):
        Allreduce(COMM, data, np.zeros(8, "f4"))
    with refused(ValueError, "8 and 4 elements"):
        Allreduce(COMM, data, np.zeros(4))
    with refused(ValueError, "at least 0"):
        Bcast(COMM, [data, -1, MPI.DOUBLE])
    with refused(ValueError, "None, but a count of 2"):
        Bcast(COMM, [None, 2, MPI.DOUBLE])
    with refused(ValueError, f"{COMM.size + 1} counts, but {COMM.size} ranks"):
        Allgatherv(COMM, data, [np.zeros(8 * COMM.size + 8), [8] * (COMM.size + 1)])
