# SPDX-License-Identifier: BSD-3-Clause
"""Every collective in every form does what mpi4py's own does: on a communicator, a group, between
two groups, among neighbours."""

import numpy as np
from mpi4py import MPI

import caucus.mpi
from caucus.mpi import Group, attach

COMM = MPI.COMM_WORLD
ROOTED = ("Bcast", "Reduce", "Gather", "Gatherv", "Scatter", "Scatterv")
REDUCING = ("Reduce", "Allreduce", "Reduce_scatter", "Reduce_scatter_block", "Scan", "Exscan")
BLOCKS = ("Gather", "Gatherv", "Scatter", "Scatterv", "Allgather", "Allgatherv")
BLOCKS += ("Alltoall", "Alltoallv", "Alltoallw")
LENGTH = 3


def numbers(count, seed):
    return np.arange(count, dtype="i8") * 7 + 1000 * seed + 1


def counts(rank, ranks, seed=1):
    """How many elements a rank exchanges with each other: the same seen from both sides."""
    return [(rank + other) * seed % 4 + 1 for other in range(ranks)]


def typed(data, each):
    """As Alltoallw takes it: displacements in bytes."""
    places = [8 * sum(each[:i]) for i in range(len(each))]
    return [data, (each, places), [MPI.INT64_T] * len(each)]


def buffers(name, rank, size, remote):
    """(what is sent, what is received as it is given, the array that gets it)."""
    if name == "Bcast":
        return None, None, numbers(LENGTH, rank)
    if name in REDUCING:
        whole = LENGTH * size if name.startswith("Reduce_scatter") else LENGTH
        received = np.zeros(LENGTH, dtype="i8")
        return numbers(whole, rank), received, received
    sent, received = numbers(LENGTH, rank), np.zeros((remote, LENGTH), dtype="i8")
    if name == "Scatter":
        return numbers(LENGTH * remote, rank), received[0].copy(), None
    if name == "Alltoall":
        return numbers(LENGTH * remote, rank), received, received
    if name in ("Gather", "Allgather"):
        return sent, received, received
    each = [LENGTH + other for other in range(remote)]
    if name in ("Gatherv", "Allgatherv"):
        received = np.zeros(sum(each), dtype="i8")
        return numbers(LENGTH + rank, rank), [received, each], received
    if name == "Scatterv":
        received = np.zeros(LENGTH + rank, dtype="i8")
        return [numbers(sum(each), rank), each], received, received
    each = counts(rank, remote)
    sent, received = numbers(sum(each), rank), np.zeros(sum(each), dtype="i8")
    if name == "Alltoallw":
        return typed(sent, each), typed(received, each), received
    return [sent, each], [received, each], received


def arguments(name, rank, size, remote, root):
    """(arguments, keywords, the array to look at)."""
    sent, given, received = buffers(name, rank, size, remote)
    received = given if received is None else received
    keywords = {"root": root} if name in ROOTED else {}
    if name == "Bcast":
        return [received], keywords, received
    return [sent, given], keywords, received


def ours(over, name, form, given, keywords):
    if form == "blocking":
        getattr(caucus.mpi, name)(over, *given, **keywords)
    elif form == "nonblocking":
        getattr(caucus.mpi, "I" + name.lower())(over, *given, **keywords).Wait()
    else:
        with getattr(caucus.mpi, name + "_init")(over, *given, **keywords) as request:
            request.Start().Wait()


def compare(comm, over, name, root, remote):
    """All forms on `over` with mpi4py's own on comm."""
    given, keywords, expected = arguments(name, comm.rank, comm.size, remote, root)
    getattr(comm, name)(*given, **keywords)
    for form in ("blocking", "nonblocking", "persistent"):
        given, keywords, received = arguments(name, comm.rank, comm.size, remote, root)
        ours(over, name, form, given, keywords)
        assert (received == expected).all(), (name, form, received, expected)


def case_on_a_communicator():
    for name in (*REDUCING, *BLOCKS, "Bcast"):
        compare(COMM, COMM, name, COMM.size - 1, COMM.size)
    for form in ("blocking", "nonblocking", "persistent"):
        ours(COMM, "Barrier", form, [], {})


def case_on_a_group():
    attach(COMM)
    with Group.from_comm(COMM) as group:
        for name in (*REDUCING, *BLOCKS, "Bcast"):
            compare(COMM, group, name, COMM.size - 1, COMM.size)
        total = np.zeros(2)
        group.Iallreduce(np.ones(2), total).Wait()
        assert list(total) == [COMM.size] * 2


def case_between_two_groups():
    if COMM.size < 2:
        return
    side = int(COMM.rank >= (COMM.size + 1) // 2)
    local = COMM.Split(side)
    leader = 0 if side else (COMM.size + 1) // 2
    inter = local.Create_intercomm(0, COMM, leader)
    for name in (*BLOCKS, "Bcast", "Reduce", "Allreduce"):
        if name.startswith("Alltoall") and name != "Alltoall":
            continue  # counts must be those of the other side
        root = 0 if side == 0 else MPI.ROOT if local.rank == 0 else MPI.PROC_NULL
        compare(inter, inter, name, root, inter.remote_size)
    inter.Free()
    local.Free()


def neighbour_buffers(name, comm):
    sources, destinations = comm.degrees
    each = LENGTH if name.startswith("Neighbor_allgather") else LENGTH * destinations
    sent, received = numbers(each, comm.rank), np.zeros(LENGTH * sources, dtype="i8")
    if name in ("Neighbor_allgather", "Neighbor_alltoall"):
        return sent, received, received
    blocks = [received, [LENGTH] * sources]
    if name == "Neighbor_allgatherv":
        return sent, blocks, received
    if name == "Neighbor_alltoallv":
        return [sent, [LENGTH] * destinations], blocks, received
    each = [LENGTH] * destinations
    return typed(sent, each), typed(received, [LENGTH] * sources), received


def neighbour_communicators():
    """Not periodic where a dimension has one or two ranks: MPIs differ there."""
    yield COMM.Create_cart([COMM.size], [COMM.size > 2])
    ring = [(COMM.rank + 1) % COMM.size], [(COMM.rank - 1) % COMM.size]
    yield COMM.Create_dist_graph_adjacent(ring[1], ring[0])
    if COMM.size > 2:
        both = [((r - 1) % COMM.size, (r + 1) % COMM.size) for r in range(COMM.size)]
        index = [2 * (rank + 1) for rank in range(COMM.size)]
        yield COMM.Create_graph(index, [other for pair in both for other in pair])


def case_among_neighbours():
    kinds = ("allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw")
    for comm in neighbour_communicators():
        for name in (f"Neighbor_{kind}" for kind in kinds):
            sent, given, expected = neighbour_buffers(name, comm)
            getattr(comm, name)(sent, given)
            for form in ("blocking", "nonblocking", "persistent"):
                sent, given, received = neighbour_buffers(name, comm)
                ours(comm, name, form, [sent, given], {})
                assert (received == expected).all(), (name, form)
        comm.Free()


def case_without_neighbours_on_one_side():
    """All others send to rank 0, which sends to nobody and which nobody else receives from."""
    sources = list(range(1, COMM.size)) if COMM.rank == 0 else []
    comm = COMM.Create_dist_graph_adjacent(sources, [0] if COMM.rank else [])
    expected = [number for rank in sources for number in numbers(LENGTH, rank)]
    for kind in ("allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw"):
        name = f"Neighbor_{kind}"
        for form in ("blocking", "nonblocking", "persistent"):
            sent, given, received = neighbour_buffers(name, comm)
            ours(comm, name, form, [sent, given], {})
            assert list(received) == expected, (name, form, received)
    comm.Free()


def case_counts_where_there_is_nobody():
    """Every rank gives the same count, also those without a neighbour on one side."""
    others, first = (list(range(1, COMM.size)), []) if COMM.rank == 0 else ([], [0])
    for sources, destinations in ((others, first), (first, others)):
        comm = COMM.Create_dist_graph_adjacent(sources, destinations)
        for name in ("Neighbor_allgather", "Neighbor_alltoall"):
            blocks = len(destinations) if name == "Neighbor_alltoall" else bool(destinations)
            sent = numbers(LENGTH * blocks, comm.rank)
            expected = np.zeros(LENGTH * len(sources), dtype="i8")
            getattr(comm, name)([sent, LENGTH], [expected, LENGTH])
            for form in ("blocking", "nonblocking", "persistent"):
                received = np.zeros_like(expected)
                ours(comm, name, form, [[sent, LENGTH], [received, LENGTH]], {})
                assert (received == expected).all(), (name, form, received)
        comm.Free()


def case_in_place():
    rank, size = COMM.rank, COMM.size
    data = numbers(LENGTH, rank)
    caucus.mpi.Allreduce(COMM, MPI.IN_PLACE, data, op=MPI.MAX)
    assert (data == numbers(LENGTH, size - 1)).all()
    caucus.mpi.Allreduce(COMM, None, data)  # the same in other words
    assert (data == size * numbers(LENGTH, size - 1)).all()
    data = np.zeros((size, LENGTH), dtype="i8")
    data[rank] = numbers(LENGTH, rank)
    caucus.mpi.Allgather(COMM, MPI.IN_PLACE, data)
    assert all((data[other] == numbers(LENGTH, other)).all() for other in range(size))
    data = np.array([rank, 10, 20, 30][:size], dtype="i8")
    caucus.mpi.Reduce_scatter_block(COMM, MPI.IN_PLACE, data)
    expected = [size * (size - 1) // 2, 10 * size, 20 * size, 30 * size]
    assert data[0] == expected[rank]
    data = numbers(LENGTH, rank)
    given = [MPI.IN_PLACE, data] if rank == 0 else [data, None]
    caucus.mpi.Reduce(COMM, *given, op=MPI.MIN, root=0)
    assert (data == numbers(LENGTH, rank)).all()
    data = np.zeros((size, 2), dtype="i8")
    data[0] = 5
    given = [np.full(2, rank + 5), None] if rank else [MPI.IN_PLACE, data]
    caucus.mpi.Gather(COMM, *given, root=0)
    assert rank or (data[:, 0] == np.arange(size) + 5).all()
    data = np.arange(2 * size) if rank == 0 else np.zeros(2, dtype=int)
    caucus.mpi.Scatter(COMM, *([data, None] if rank == 0 else [None, data]), root=0)
    assert list(data[:2]) == [2 * rank, 2 * rank + 1]


def case_operations_of_python():
    """An operation may be written in Python, and is called in its right order."""

    def first(left, right, _):
        np.frombuffer(right, "i8")[:] = np.frombuffer(left, "i8")

    def last(left, right, _):
        assert len(left) == len(right) == 8

    for function, expected in ((first, 1), (last, COMM.size)):
        op = MPI.Op.Create(function, commute=False)
        result = np.zeros(1, dtype="i8")
        caucus.mpi.Allreduce(COMM, np.array([COMM.rank + 1]), result, op=op)
        assert result[0] == expected, result
        op.Free()


def case_parts_of_different_lengths():
    parts = [rank + 1 for rank in range(COMM.size)]
    received = np.zeros(parts[COMM.rank], dtype="i8")
    caucus.mpi.Reduce_scatter(COMM, np.arange(sum(parts)), received, parts)
    begin = sum(parts[: COMM.rank])
    assert (received == COMM.size * np.arange(begin, begin + len(received))).all()


def case_without_counts():
    """Blocks are as even as can be, the first of them longer by one, as with mpi4py."""
    rank, size = COMM.rank, COMM.size
    each = [3] + [2] * (size - 1)
    begin = sum(each[:rank])
    whole = numbers(sum(each), 5)
    own = whole[begin : begin + each[rank]]
    for name in ("Scatterv", "Gatherv", "Allgatherv", "Reduce_scatter"):
        gathers = "gather" in name.lower()
        for form in ("mpi4py", "blocking", "nonblocking", "persistent"):
            received = np.zeros_like(whole if gathers else own)
            given = [own if gathers else whole, received]
            keywords = {"root": size - 1} if name in ROOTED else {}
            if form == "mpi4py":
                getattr(COMM, name)(*given, **keywords)
                expected = received
            else:
                ours(COMM, name, form, given, keywords)
                assert (received == expected).all(), (name, form, received)


def case_only_the_root_is_asked():
    """What others give for the root's buffer is ignored, whatever it is."""
    root = COMM.rank == 0
    received = np.zeros((COMM.size, 2)) if root else "nothing"
    caucus.mpi.Gather(COMM, np.full(2, COMM.rank + 1.0), received)
    assert not root or list(received[:, 1]) == list(range(1, COMM.size + 1))
    received = np.zeros(2)
    caucus.mpi.Scatter(COMM, np.arange(2.0 * COMM.size) if root else "nothing", received)
    assert list(received) == [2 * COMM.rank, 2 * COMM.rank + 1]


def case_nothing_of_a_rank_that_is_not_the_root():
    """None has another meaning than in place there."""
    rank, size = COMM.rank, COMM.size
    root, each = size - 1, [0] * (size - 1) + [LENGTH]
    whole = numbers(LENGTH, 1)
    received = np.zeros_like(whole) if rank == root else None
    given = whole if rank == root else None
    caucus.mpi.Gatherv(COMM, given, [received, each] if rank == root else None, root=root)
    assert rank != root or (received == whole).all()
    received = np.zeros_like(whole) if rank == root else None
    caucus.mpi.Scatterv(COMM, [whole, each] if rank == root else None, received, root=root)
    assert rank != root or (received == whole).all()


def case_empty_messages():
    caucus.mpi.Allreduce(COMM, np.empty(0), np.empty(0))
    caucus.mpi.Bcast(COMM, bytearray())
    caucus.mpi.Bcast(COMM, [None, 0, MPI.INT])
    caucus.mpi.Allgatherv(COMM, np.empty(0), [np.empty(0), [0] * COMM.size])
