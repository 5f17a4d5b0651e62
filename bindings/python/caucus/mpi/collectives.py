# SPDX-License-Identifier: BSD-3-Clause
# Made by tools/generate_python.py, of the table in tools/generate_collectives.py.
"""All of MPI's collectives on buffers, with the names, arguments and defaults of mpi4py's methods.

The first argument is a communicator of mpi4py or a Group of Caucus, which has all but those of
neighbourhoods as methods too. Names that begin with I return a request that is active, names
that end with _init one that is set up once and started as often as one likes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional, Union

from mpi4py import MPI
from mpi4py.typing import BufSpec, BufSpecB, BufSpecV, BufSpecW, InPlace

from .calls import Given, Over, Shape, blocking, nonblocking, persistent
from .requests import PersistentRequest, Request

__all__ = [
    "Allgather",
    "Allgather_init",
    "Allgatherv",
    "Allgatherv_init",
    "Allreduce",
    "Allreduce_init",
    "Alltoall",
    "Alltoall_init",
    "Alltoallv",
    "Alltoallv_init",
    "Alltoallw",
    "Alltoallw_init",
    "Barrier",
    "Barrier_init",
    "Bcast",
    "Bcast_init",
    "Exscan",
    "Exscan_init",
    "Gather",
    "Gather_init",
    "Gatherv",
    "Gatherv_init",
    "Iallgather",
    "Iallgatherv",
    "Iallreduce",
    "Ialltoall",
    "Ialltoallv",
    "Ialltoallw",
    "Ibarrier",
    "Ibcast",
    "Iexscan",
    "Igather",
    "Igatherv",
    "Ineighbor_allgather",
    "Ineighbor_allgatherv",
    "Ineighbor_alltoall",
    "Ineighbor_alltoallv",
    "Ineighbor_alltoallw",
    "Ireduce",
    "Ireduce_scatter",
    "Ireduce_scatter_block",
    "Iscan",
    "Iscatter",
    "Iscatterv",
    "Neighbor_allgather",
    "Neighbor_allgather_init",
    "Neighbor_allgatherv",
    "Neighbor_allgatherv_init",
    "Neighbor_alltoall",
    "Neighbor_alltoall_init",
    "Neighbor_alltoallv",
    "Neighbor_alltoallv_init",
    "Neighbor_alltoallw",
    "Neighbor_alltoallw_init",
    "Reduce",
    "Reduce_init",
    "Reduce_scatter",
    "Reduce_scatter_block",
    "Reduce_scatter_block_init",
    "Reduce_scatter_init",
    "Scan",
    "Scan_init",
    "Scatter",
    "Scatter_init",
    "Scatterv",
    "Scatterv_init",
]

BARRIER = Shape("barrier", "", "", "", "")
BCAST = Shape("bcast", "buffer count datatype root", "", "one", "")
REDUCE = Shape("reduce", "sendbuf recvbuf count datatype op root", "one", "one-root", "send")
ALLREDUCE = Shape("allreduce", "sendbuf recvbuf count datatype op", "one", "one", "send")
GATHER = Shape(
    "gather",
    "sendbuf sendcount sendtype recvbuf recvcount recvtype root",
    "one",
    "each-root",
    "send",
)
GATHERV = Shape(
    "gatherv",
    "sendbuf sendcount sendtype recvbuf recvcounts displs recvtype root",
    "one",
    "varying-root",
    "send",
)
SCATTER = Shape(
    "scatter",
    "sendbuf sendcount sendtype recvbuf recvcount recvtype root",
    "each-root",
    "one",
    "receive",
)
SCATTERV = Shape(
    "scatterv",
    "sendbuf sendcounts displs sendtype recvbuf recvcount recvtype root",
    "varying-root",
    "one",
    "receive",
)
ALLGATHER = Shape(
    "allgather",
    "sendbuf sendcount sendtype recvbuf recvcount recvtype",
    "one",
    "each",
    "send",
)
ALLGATHERV = Shape(
    "allgatherv",
    "sendbuf sendcount sendtype recvbuf recvcounts displs recvtype",
    "one",
    "varying",
    "send",
)
ALLTOALL = Shape(
    "alltoall",
    "sendbuf sendcount sendtype recvbuf recvcount recvtype",
    "each",
    "each",
    "send",
)
ALLTOALLV = Shape(
    "alltoallv",
    "sendbuf sendcounts sdispls sendtype recvbuf recvcounts rdispls recvtype",
    "varying",
    "varying",
    "send",
)
ALLTOALLW = Shape(
    "alltoallw",
    "sendbuf sendcounts sdispls sendtypes recvbuf recvcounts rdispls recvtypes",
    "typed",
    "typed",
    "send",
)
REDUCE_SCATTER = Shape(
    "reduce_scatter",
    "sendbuf recvbuf recvcounts datatype op",
    "total",
    "own",
    "send",
)
REDUCE_SCATTER_BLOCK = Shape(
    "reduce_scatter_block",
    "sendbuf recvbuf recvcount datatype op",
    "total",
    "own",
    "send",
)
SCAN = Shape("scan", "sendbuf recvbuf count datatype op", "one", "one", "send")
EXSCAN = Shape("exscan", "sendbuf recvbuf count datatype op", "one", "one", "send")
NEIGHBOR_ALLGATHER = Shape(
    "neighbor_allgather",
    "sendbuf sendcount sendtype recvbuf recvcount recvtype",
    "one",
    "each",
    "",
)
NEIGHBOR_ALLGATHERV = Shape(
    "neighbor_allgatherv",
    "sendbuf sendcount sendtype recvbuf recvcounts displs recvtype",
    "one",
    "varying",
    "",
)
NEIGHBOR_ALLTOALL = Shape(
    "neighbor_alltoall",
    "sendbuf sendcount sendtype recvbuf recvcount recvtype",
    "each",
    "each",
    "",
)
NEIGHBOR_ALLTOALLV = Shape(
    "neighbor_alltoallv",
    "sendbuf sendcounts sdispls sendtype recvbuf recvcounts rdispls recvtype",
    "varying",
    "varying",
    "",
)
NEIGHBOR_ALLTOALLW = Shape(
    "neighbor_alltoallw",
    "sendbuf sendcounts sdispls sendtypes recvbuf recvcounts rdispls recvtypes",
    "typed",
    "typed",
    "",
)


def Barrier(over: Over) -> None:
    """Completes on no rank before all ranks have called it."""
    given = Given()
    blocking(BARRIER, over, given)


def Ibarrier(over: Over) -> Request[None]:
    """Completes on no rank before all ranks have called it.

    Nonblocking: buffers must not be touched until the request completes.
    """
    given = Given()
    return nonblocking(BARRIER, over, given)


def Barrier_init(over: Over, info: MPI.Info = MPI.INFO_NULL) -> PersistentRequest:
    """Completes on no rank before all ranks have called it.

    Persistent: set up by all ranks together, for any number of starts.
    """
    given = Given()
    return persistent(BARRIER, over, given, info)


def Bcast(over: Over, buf: BufSpec, root: int = 0) -> None:
    """Sends the root's data to all ranks."""
    given = Given(recvbuf=buf, root=root)
    blocking(BCAST, over, given)


def Ibcast(over: Over, buf: BufSpec, root: int = 0) -> Request[None]:
    """Sends the root's data to all ranks.

    Nonblocking: buffers must not be touched until the request completes.
    """
    given = Given(recvbuf=buf, root=root)
    return nonblocking(BCAST, over, given)


def Bcast_init(
    over: Over,
    buf: BufSpec,
    root: int = 0,
    info: MPI.Info = MPI.INFO_NULL,
) -> PersistentRequest:
    """Sends the root's data to all ranks.

    Persistent: set up by all ranks together, for any number of starts.
    """
    given = Given(recvbuf=buf, root=root)
    return persistent(BCAST, over, given, info)


def Reduce(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: Union[BufSpec, None],
    op: MPI.Op = MPI.SUM,
    root: int = 0,
) -> None:
    """Combines the operands of all ranks; the root gets the result."""
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, op=op, root=root)
    blocking(REDUCE, over, given)


def Ireduce(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: Union[BufSpec, None],
    op: MPI.Op = MPI.SUM,
    root: int = 0,
) -> Request[None]:
    """Combines the operands of all ranks; the root gets the result.

    Nonblocking: buffers must not be touched until the request completes.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, op=op, root=root)
    return nonblocking(REDUCE, over, given)


def Reduce_init(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: Union[BufSpec, None],
    op: MPI.Op = MPI.SUM,
    root: int = 0,
    info: MPI.Info = MPI.INFO_NULL,
) -> PersistentRequest:
    """Combines the operands of all ranks; the root gets the result.

    Persistent: set up by all ranks together, for any number of starts.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, op=op, root=root)
    return persistent(REDUCE, over, given, info)


def Allreduce(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: BufSpec,
    op: MPI.Op = MPI.SUM,
) -> None:
    """Combines the operands of all ranks; all get the result."""
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, op=op)
    blocking(ALLREDUCE, over, given)


def Iallreduce(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: BufSpec,
    op: MPI.Op = MPI.SUM,
) -> Request[None]:
    """Combines the operands of all ranks; all get the result.

    Nonblocking: buffers must not be touched until the request completes.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, op=op)
    return nonblocking(ALLREDUCE, over, given)


def Allreduce_init(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: BufSpec,
    op: MPI.Op = MPI.SUM,
    info: MPI.Info = MPI.INFO_NULL,
) -> PersistentRequest:
    """Combines the operands of all ranks; all get the result.

    Persistent: set up by all ranks together, for any number of starts.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, op=op)
    return persistent(ALLREDUCE, over, given, info)


def Gather(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: Union[BufSpecB, None],
    root: int = 0,
) -> None:
    """Sends a block of each rank to the root."""
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, root=root)
    blocking(GATHER, over, given)


def Igather(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: Union[BufSpecB, None],
    root: int = 0,
) -> Request[None]:
    """Sends a block of each rank to the root.

    Nonblocking: buffers must not be touched until the request completes.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, root=root)
    return nonblocking(GATHER, over, given)


def Gather_init(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: Union[BufSpecB, None],
    root: int = 0,
    info: MPI.Info = MPI.INFO_NULL,
) -> PersistentRequest:
    """Sends a block of each rank to the root.

    Persistent: set up by all ranks together, for any number of starts.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, root=root)
    return persistent(GATHER, over, given, info)


def Gatherv(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: Union[BufSpecV, None],
    root: int = 0,
) -> None:
    """Sends a block of any length of each rank to the root."""
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, root=root)
    blocking(GATHERV, over, given)


def Igatherv(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: Union[BufSpecV, None],
    root: int = 0,
) -> Request[None]:
    """Sends a block of any length of each rank to the root.

    Nonblocking: buffers must not be touched until the request completes.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, root=root)
    return nonblocking(GATHERV, over, given)


def Gatherv_init(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: Union[BufSpecV, None],
    root: int = 0,
    info: MPI.Info = MPI.INFO_NULL,
) -> PersistentRequest:
    """Sends a block of any length of each rank to the root.

    Persistent: set up by all ranks together, for any number of starts.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, root=root)
    return persistent(GATHERV, over, given, info)


def Scatter(
    over: Over,
    sendbuf: Union[BufSpecB, None],
    recvbuf: Union[BufSpec, InPlace],
    root: int = 0,
) -> None:
    """Sends a block of the root to each rank."""
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, root=root)
    blocking(SCATTER, over, given)


def Iscatter(
    over: Over,
    sendbuf: Union[BufSpecB, None],
    recvbuf: Union[BufSpec, InPlace],
    root: int = 0,
) -> Request[None]:
    """Sends a block of the root to each rank.

    Nonblocking: buffers must not be touched until the request completes.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, root=root)
    return nonblocking(SCATTER, over, given)


def Scatter_init(
    over: Over,
    sendbuf: Union[BufSpecB, None],
    recvbuf: Union[BufSpec, InPlace],
    root: int = 0,
    info: MPI.Info = MPI.INFO_NULL,
) -> PersistentRequest:
    """Sends a block of the root to each rank.

    Persistent: set up by all ranks together, for any number of starts.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, root=root)
    return persistent(SCATTER, over, given, info)


def Scatterv(
    over: Over,
    sendbuf: Union[BufSpecV, None],
    recvbuf: Union[BufSpec, InPlace],
    root: int = 0,
) -> None:
    """Sends a block of the root, of any length, to each rank."""
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, root=root)
    blocking(SCATTERV, over, given)


def Iscatterv(
    over: Over,
    sendbuf: Union[BufSpecV, None],
    recvbuf: Union[BufSpec, InPlace],
    root: int = 0,
) -> Request[None]:
    """Sends a block of the root, of any length, to each rank.

    Nonblocking: buffers must not be touched until the request completes.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, root=root)
    return nonblocking(SCATTERV, over, given)


def Scatterv_init(
    over: Over,
    sendbuf: Union[BufSpecV, None],
    recvbuf: Union[BufSpec, InPlace],
    root: int = 0,
    info: MPI.Info = MPI.INFO_NULL,
) -> PersistentRequest:
    """Sends a block of the root, of any length, to each rank.

    Persistent: set up by all ranks together, for any number of starts.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, root=root)
    return persistent(SCATTERV, over, given, info)


def Allgather(over: Over, sendbuf: Union[BufSpec, InPlace], recvbuf: BufSpecB) -> None:
    """Sends a block of each rank to all ranks."""
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    blocking(ALLGATHER, over, given)


def Iallgather(over: Over, sendbuf: Union[BufSpec, InPlace], recvbuf: BufSpecB) -> Request[None]:
    """Sends a block of each rank to all ranks.

    Nonblocking: buffers must not be touched until the request completes.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    return nonblocking(ALLGATHER, over, given)


def Allgather_init(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: BufSpecB,
    info: MPI.Info = MPI.INFO_NULL,
) -> PersistentRequest:
    """Sends a block of each rank to all ranks.

    Persistent: set up by all ranks together, for any number of starts.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    return persistent(ALLGATHER, over, given, info)


def Allgatherv(over: Over, sendbuf: Union[BufSpec, InPlace], recvbuf: BufSpecV) -> None:
    """Sends a block of any length of each rank to all ranks."""
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    blocking(ALLGATHERV, over, given)


def Iallgatherv(over: Over, sendbuf: Union[BufSpec, InPlace], recvbuf: BufSpecV) -> Request[None]:
    """Sends a block of any length of each rank to all ranks.

    Nonblocking: buffers must not be touched until the request completes.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    return nonblocking(ALLGATHERV, over, given)


def Allgatherv_init(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: BufSpecV,
    info: MPI.Info = MPI.INFO_NULL,
) -> PersistentRequest:
    """Sends a block of any length of each rank to all ranks.

    Persistent: set up by all ranks together, for any number of starts.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    return persistent(ALLGATHERV, over, given, info)


def Alltoall(over: Over, sendbuf: Union[BufSpecB, InPlace], recvbuf: BufSpecB) -> None:
    """Sends a block of each rank to each rank."""
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    blocking(ALLTOALL, over, given)


def Ialltoall(over: Over, sendbuf: Union[BufSpecB, InPlace], recvbuf: BufSpecB) -> Request[None]:
    """Sends a block of each rank to each rank.

    Nonblocking: buffers must not be touched until the request completes.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    return nonblocking(ALLTOALL, over, given)


def Alltoall_init(
    over: Over,
    sendbuf: Union[BufSpecB, InPlace],
    recvbuf: BufSpecB,
    info: MPI.Info = MPI.INFO_NULL,
) -> PersistentRequest:
    """Sends a block of each rank to each rank.

    Persistent: set up by all ranks together, for any number of starts.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    return persistent(ALLTOALL, over, given, info)


def Alltoallv(over: Over, sendbuf: Union[BufSpecV, InPlace], recvbuf: BufSpecV) -> None:
    """Sends a block of any length of each rank to each rank."""
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    blocking(ALLTOALLV, over, given)


def Ialltoallv(over: Over, sendbuf: Union[BufSpecV, InPlace], recvbuf: BufSpecV) -> Request[None]:
    """Sends a block of any length of each rank to each rank.

    Nonblocking: buffers must not be touched until the request completes.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    return nonblocking(ALLTOALLV, over, given)


def Alltoallv_init(
    over: Over,
    sendbuf: Union[BufSpecV, InPlace],
    recvbuf: BufSpecV,
    info: MPI.Info = MPI.INFO_NULL,
) -> PersistentRequest:
    """Sends a block of any length of each rank to each rank.

    Persistent: set up by all ranks together, for any number of starts.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    return persistent(ALLTOALLV, over, given, info)


def Alltoallw(over: Over, sendbuf: Union[BufSpecW, InPlace], recvbuf: BufSpecW) -> None:
    """Sends a block of any length and datatype of each rank to each rank."""
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    blocking(ALLTOALLW, over, given)


def Ialltoallw(over: Over, sendbuf: Union[BufSpecW, InPlace], recvbuf: BufSpecW) -> Request[None]:
    """Sends a block of any length and datatype of each rank to each rank.

    Nonblocking: buffers must not be touched until the request completes.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    return nonblocking(ALLTOALLW, over, given)


def Alltoallw_init(
    over: Over,
    sendbuf: Union[BufSpecW, InPlace],
    recvbuf: BufSpecW,
    info: MPI.Info = MPI.INFO_NULL,
) -> PersistentRequest:
    """Sends a block of any length and datatype of each rank to each rank.

    Persistent: set up by all ranks together, for any number of starts.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    return persistent(ALLTOALLW, over, given, info)


def Reduce_scatter(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: BufSpec,
    recvcounts: Optional[Sequence[int]] = None,
    op: MPI.Op = MPI.SUM,
) -> None:
    """Combines the operands of all ranks; each rank gets its part of the result."""
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, recvcounts=recvcounts, op=op)
    blocking(REDUCE_SCATTER, over, given)


def Ireduce_scatter(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: BufSpec,
    recvcounts: Optional[Sequence[int]] = None,
    op: MPI.Op = MPI.SUM,
) -> Request[None]:
    """Combines the operands of all ranks; each rank gets its part of the result.

    Nonblocking: buffers must not be touched until the request completes.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, recvcounts=recvcounts, op=op)
    return nonblocking(REDUCE_SCATTER, over, given)


def Reduce_scatter_init(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: BufSpec,
    recvcounts: Optional[Sequence[int]] = None,
    op: MPI.Op = MPI.SUM,
    info: MPI.Info = MPI.INFO_NULL,
) -> PersistentRequest:
    """Combines the operands of all ranks; each rank gets its part of the result.

    Persistent: set up by all ranks together, for any number of starts.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, recvcounts=recvcounts, op=op)
    return persistent(REDUCE_SCATTER, over, given, info)


def Reduce_scatter_block(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: BufSpec,
    op: MPI.Op = MPI.SUM,
) -> None:
    """Combines the operands of all ranks; each rank gets an equal part of the result."""
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, op=op)
    blocking(REDUCE_SCATTER_BLOCK, over, given)


def Ireduce_scatter_block(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: BufSpec,
    op: MPI.Op = MPI.SUM,
) -> Request[None]:
    """Combines the operands of all ranks; each rank gets an equal part of the result.

    Nonblocking: buffers must not be touched until the request completes.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, op=op)
    return nonblocking(REDUCE_SCATTER_BLOCK, over, given)


def Reduce_scatter_block_init(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: BufSpec,
    op: MPI.Op = MPI.SUM,
    info: MPI.Info = MPI.INFO_NULL,
) -> PersistentRequest:
    """Combines the operands of all ranks; each rank gets an equal part of the result.

    Persistent: set up by all ranks together, for any number of starts.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, op=op)
    return persistent(REDUCE_SCATTER_BLOCK, over, given, info)


def Scan(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: BufSpec,
    op: MPI.Op = MPI.SUM,
) -> None:
    """Combines, for each rank, the operands of the ranks up to and including it."""
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, op=op)
    blocking(SCAN, over, given)


def Iscan(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: BufSpec,
    op: MPI.Op = MPI.SUM,
) -> Request[None]:
    """Combines, for each rank, the operands of the ranks up to and including it.

    Nonblocking: buffers must not be touched until the request completes.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, op=op)
    return nonblocking(SCAN, over, given)


def Scan_init(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: BufSpec,
    op: MPI.Op = MPI.SUM,
    info: MPI.Info = MPI.INFO_NULL,
) -> PersistentRequest:
    """Combines, for each rank, the operands of the ranks up to and including it.

    Persistent: set up by all ranks together, for any number of starts.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, op=op)
    return persistent(SCAN, over, given, info)


def Exscan(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: BufSpec,
    op: MPI.Op = MPI.SUM,
) -> None:
    """Combines, for each rank, the operands of the ranks before it; rank 0 gets nothing."""
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, op=op)
    blocking(EXSCAN, over, given)


def Iexscan(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: BufSpec,
    op: MPI.Op = MPI.SUM,
) -> Request[None]:
    """Combines, for each rank, the operands of the ranks before it; rank 0 gets nothing.

    Nonblocking: buffers must not be touched until the request completes.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, op=op)
    return nonblocking(EXSCAN, over, given)


def Exscan_init(
    over: Over,
    sendbuf: Union[BufSpec, InPlace],
    recvbuf: BufSpec,
    op: MPI.Op = MPI.SUM,
    info: MPI.Info = MPI.INFO_NULL,
) -> PersistentRequest:
    """Combines, for each rank, the operands of the ranks before it; rank 0 gets nothing.

    Persistent: set up by all ranks together, for any number of starts.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf, op=op)
    return persistent(EXSCAN, over, given, info)


def Neighbor_allgather(over: Over, sendbuf: BufSpec, recvbuf: BufSpecB) -> None:
    """Sends this rank's block to each destination; gets one of each source."""
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    blocking(NEIGHBOR_ALLGATHER, over, given)


def Ineighbor_allgather(over: Over, sendbuf: BufSpec, recvbuf: BufSpecB) -> Request[None]:
    """Sends this rank's block to each destination; gets one of each source.

    Nonblocking: buffers must not be touched until the request completes.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    return nonblocking(NEIGHBOR_ALLGATHER, over, given)


def Neighbor_allgather_init(
    over: Over,
    sendbuf: BufSpec,
    recvbuf: BufSpecB,
    info: MPI.Info = MPI.INFO_NULL,
) -> PersistentRequest:
    """Sends this rank's block to each destination; gets one of each source.

    Persistent: set up by all ranks together, for any number of starts.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    return persistent(NEIGHBOR_ALLGATHER, over, given, info)


def Neighbor_allgatherv(over: Over, sendbuf: BufSpec, recvbuf: BufSpecV) -> None:
    """Sends this rank's block, of any length, to each destination."""
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    blocking(NEIGHBOR_ALLGATHERV, over, given)


def Ineighbor_allgatherv(over: Over, sendbuf: BufSpec, recvbuf: BufSpecV) -> Request[None]:
    """Sends this rank's block, of any length, to each destination.

    Nonblocking: buffers must not be touched until the request completes.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    return nonblocking(NEIGHBOR_ALLGATHERV, over, given)


def Neighbor_allgatherv_init(
    over: Over,
    sendbuf: BufSpec,
    recvbuf: BufSpecV,
    info: MPI.Info = MPI.INFO_NULL,
) -> PersistentRequest:
    """Sends this rank's block, of any length, to each destination.

    Persistent: set up by all ranks together, for any number of starts.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    return persistent(NEIGHBOR_ALLGATHERV, over, given, info)


def Neighbor_alltoall(over: Over, sendbuf: BufSpecB, recvbuf: BufSpecB) -> None:
    """Sends a block to each destination; gets one of each source."""
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    blocking(NEIGHBOR_ALLTOALL, over, given)


def Ineighbor_alltoall(over: Over, sendbuf: BufSpecB, recvbuf: BufSpecB) -> Request[None]:
    """Sends a block to each destination; gets one of each source.

    Nonblocking: buffers must not be touched until the request completes.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    return nonblocking(NEIGHBOR_ALLTOALL, over, given)


def Neighbor_alltoall_init(
    over: Over,
    sendbuf: BufSpecB,
    recvbuf: BufSpecB,
    info: MPI.Info = MPI.INFO_NULL,
) -> PersistentRequest:
    """Sends a block to each destination; gets one of each source.

    Persistent: set up by all ranks together, for any number of starts.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    return persistent(NEIGHBOR_ALLTOALL, over, given, info)


def Neighbor_alltoallv(over: Over, sendbuf: BufSpecV, recvbuf: BufSpecV) -> None:
    """Sends a block of any length to each destination."""
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    blocking(NEIGHBOR_ALLTOALLV, over, given)


def Ineighbor_alltoallv(over: Over, sendbuf: BufSpecV, recvbuf: BufSpecV) -> Request[None]:
    """Sends a block of any length to each destination.

    Nonblocking: buffers must not be touched until the request completes.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    return nonblocking(NEIGHBOR_ALLTOALLV, over, given)


def Neighbor_alltoallv_init(
    over: Over,
    sendbuf: BufSpecV,
    recvbuf: BufSpecV,
    info: MPI.Info = MPI.INFO_NULL,
) -> PersistentRequest:
    """Sends a block of any length to each destination.

    Persistent: set up by all ranks together, for any number of starts.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    return persistent(NEIGHBOR_ALLTOALLV, over, given, info)


def Neighbor_alltoallw(over: Over, sendbuf: BufSpecW, recvbuf: BufSpecW) -> None:
    """Sends a block of any length and datatype to each destination."""
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    blocking(NEIGHBOR_ALLTOALLW, over, given)


def Ineighbor_alltoallw(over: Over, sendbuf: BufSpecW, recvbuf: BufSpecW) -> Request[None]:
    """Sends a block of any length and datatype to each destination.

    Nonblocking: buffers must not be touched until the request completes.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    return nonblocking(NEIGHBOR_ALLTOALLW, over, given)


def Neighbor_alltoallw_init(
    over: Over,
    sendbuf: BufSpecW,
    recvbuf: BufSpecW,
    info: MPI.Info = MPI.INFO_NULL,
) -> PersistentRequest:
    """Sends a block of any length and datatype to each destination.

    Persistent: set up by all ranks together, for any number of starts.
    """
    given = Given(sendbuf=sendbuf, recvbuf=recvbuf)
    return persistent(NEIGHBOR_ALLTOALLW, over, given, info)


class OnGroups:
    """The collectives as methods of a group."""

    Barrier = Barrier
    Ibarrier = Ibarrier
    Barrier_init = Barrier_init
    Bcast = Bcast
    Ibcast = Ibcast
    Bcast_init = Bcast_init
    Reduce = Reduce
    Ireduce = Ireduce
    Reduce_init = Reduce_init
    Allreduce = Allreduce
    Iallreduce = Iallreduce
    Allreduce_init = Allreduce_init
    Gather = Gather
    Igather = Igather
    Gather_init = Gather_init
    Gatherv = Gatherv
    Igatherv = Igatherv
    Gatherv_init = Gatherv_init
    Scatter = Scatter
    Iscatter = Iscatter
    Scatter_init = Scatter_init
    Scatterv = Scatterv
    Iscatterv = Iscatterv
    Scatterv_init = Scatterv_init
    Allgather = Allgather
    Iallgather = Iallgather
    Allgather_init = Allgather_init
    Allgatherv = Allgatherv
    Iallgatherv = Iallgatherv
    Allgatherv_init = Allgatherv_init
    Alltoall = Alltoall
    Ialltoall = Ialltoall
    Alltoall_init = Alltoall_init
    Alltoallv = Alltoallv
    Ialltoallv = Ialltoallv
    Alltoallv_init = Alltoallv_init
    Alltoallw = Alltoallw
    Ialltoallw = Ialltoallw
    Alltoallw_init = Alltoallw_init
    Reduce_scatter = Reduce_scatter
    Ireduce_scatter = Ireduce_scatter
    Reduce_scatter_init = Reduce_scatter_init
    Reduce_scatter_block = Reduce_scatter_block
    Ireduce_scatter_block = Ireduce_scatter_block
    Reduce_scatter_block_init = Reduce_scatter_block_init
    Scan = Scan
    Iscan = Iscan
    Scan_init = Scan_init
    Exscan = Exscan
    Iexscan = Iexscan
    Exscan_init = Exscan_init
