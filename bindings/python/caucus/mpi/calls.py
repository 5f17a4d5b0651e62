# SPDX-License-Identifier: BSD-3-Clause
"""A collective, from its shape and the arguments of Python to the function of C. All go to the
versions with counts of MPI_Count."""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from mpi4py import MPI

from . import messages
from .errors import call
from .handles import Aint, Count, handle, handles, integers, number
from .leftovers import look_after
from .requests import PersistentRequest, Request

if TYPE_CHECKING:
    from .groups import Group

Over = Union[MPI.Comm, "Group"]


class Shape(NamedTuple):
    """What MPI's function takes, by the names of its parameters, and what of each buffer is used:
    one block, each rank's block, varying and typed ones, a total of which each has its own part;
    "-root" where it matters on the root alone."""

    name: str
    parameters: str
    send: str
    receive: str
    in_place: str  # the side that may be MPI.IN_PLACE: "send", "receive" or ""


class Given(NamedTuple):
    """The arguments of Python."""

    sendbuf: Any = None
    recvbuf: Any = None
    op: MPI.Op = MPI.SUM
    root: int = 0
    recvcounts: Optional[Sequence[int]] = None


class Place(NamedTuple):
    """Where a collective runs, as seen by this rank."""

    handle: Any
    size: int  # ranks of its own group
    sources: int  # ranks that it has blocks from
    destinations: int
    between: bool  # two groups
    rank: int
    prefix: str


def place_of(over: Over, neighbors: bool) -> Place:
    if not isinstance(over, MPI.Comm):
        return Place(over._carried(), over.size, over.size, over.size, False, over.rank, "group_")
    if over == MPI.COMM_NULL:
        return Place(handle(over), 0, 0, 0, False, 0, "")
    size, between = over.Get_size(), over.Is_inter()
    sources = destinations = MPI.Intercomm(over).Get_remote_size() if between else size
    if neighbors:
        sources, destinations = _degrees(over)
    return Place(handle(over), size, sources, destinations, between, over.Get_rank(), "")


def _degrees(comm: MPI.Comm) -> tuple[int, int]:
    """(sources, destinations) of a neighbourhood. Without one the library says what is wrong."""
    kinds = {MPI.CART: MPI.Cartcomm, MPI.GRAPH: MPI.Graphcomm, MPI.DIST_GRAPH: MPI.Distgraphcomm}
    kind = kinds.get(comm.Get_topology())
    return kind(comm).degrees if kind else (0, 0)


def _matters(side: str, rooted: bool, root: int, where: Place) -> bool:
    """Whether this rank uses a side of a call."""
    if not rooted:
        return True
    on_root = side.endswith("-root")
    if where.between:
        return root == MPI.ROOT if on_root else root not in (MPI.ROOT, MPI.PROC_NULL)
    return root == where.rank or not on_root


def _read(kind: str, spec: Any, blocks: int, writable: bool, name: str) -> Any:
    """A side, as a Block or as Blocks."""
    if kind == "varying":
        return messages.varying(spec, blocks, writable, name)
    if kind == "typed":
        return messages.typed(spec, blocks, writable, name)
    return messages.one(spec, writable, name, blocks if kind == "each" else min(blocks, 1))


ABSENT = messages.Block(0, 0, MPI.BYTE, None)


def _side(shape: Shape, which: str, given: Given, where: Place) -> Any:
    """What one of the two sides has: a Block or Blocks, ABSENT, or MPI.IN_PLACE."""
    side = shape.send if which == "send" else shape.receive
    spec, name = (given.sendbuf, "sendbuf") if which == "send" else (given.recvbuf, "recvbuf")
    rooted = "root" in shape.parameters.split()
    kind = side.partition("-")[0]
    if not _matters(side, rooted, given.root, where):
        return ABSENT
    may_be = which == shape.in_place and not where.between
    if spec is None and may_be and (not rooted or given.root == where.rank):
        spec = MPI.IN_PLACE  # as with mpi4py
    if spec is MPI.IN_PLACE:
        return MPI.IN_PLACE
    blocks = where.destinations if which == "send" else where.sources
    return _read(kind, spec, blocks, which == "receive", name)


def _broadcast(given: Given, where: Place) -> Any:
    """The one buffer of a broadcast, which is only read on the root."""
    if where.between and given.root == MPI.PROC_NULL:
        return ABSENT
    on_root = given.root == (MPI.ROOT if where.between else where.rank)
    return messages.one(given.recvbuf, not on_root, "buf")


def _words_of(which: str, found: Any, kind: str) -> dict[str, Any]:
    """The values of the parameters that describe a side."""
    buffer = {"send": "sendbuf", "recv": "recvbuf"}[which]
    place = "sdispls" if which == "send" else "rdispls"
    if found is MPI.IN_PLACE or found is ABSENT:
        at = int(MPI.IN_PLACE) if found is MPI.IN_PLACE else 0
        return {
            buffer: ctypes.c_void_p(at),
            f"{which}count": Count(0),
            f"{which}type": handle(MPI.BYTE),
            f"{which}counts": None,
            f"{which}types": None,
            place: None,
        }
    if kind not in ("varying", "typed"):
        return {
            buffer: ctypes.c_void_p(found.address),
            f"{which}count": number(found.elements, Count),
            f"{which}type": handle(found.datatype),
        }
    return {
        buffer: ctypes.c_void_p(found.address),
        f"{which}counts": integers(found.counts, Count),
        place: integers(found.displacements, Aint),
        f"{which}type": handle(found.datatypes[0]) if found.datatypes else None,
        f"{which}types": handles(found.datatypes),
    }


def _reduction(shape: Shape, send: Any, receive: Any, given: Given, where: Place) -> dict[str, Any]:
    """Count and datatype that both sides of a reduction have, and the counts of its parts."""
    there = [side for side in (send, receive) if side not in (MPI.IN_PLACE, ABSENT)]
    if not there:
        there = [ABSENT]
    datatype = there[0].datatype
    if any(side.datatype != datatype for side in there):
        raise ValueError("sendbuf and recvbuf have different datatypes")
    words = {"datatype": handle(datatype), "op": handle(given.op)}
    if shape.name == "reduce_scatter":
        counts = _parts(send, receive, given, where)
        return {**words, "recvcounts": integers(counts, Count)}
    if shape.name == "reduce_scatter_block":
        count = receive.elements // (max(where.size, 1) if send is MPI.IN_PLACE else 1)
        whole = receive.elements if send is MPI.IN_PLACE else send.elements
        if whole != count * where.size:
            raise ValueError(f"{whole} elements, but {count} for each of {where.size} ranks")
        return {**words, "recvcount": number(count, Count)}
    if any(side.elements != there[0].elements for side in there):
        found = " and ".join(str(side.elements) for side in there)
        raise ValueError(f"sendbuf and recvbuf have {found} elements, but as many are needed")
    return {**words, "count": number(there[0].elements, Count)}


def _parts(send: Any, receive: Any, given: Given, where: Place) -> list[int]:
    """How many elements of the result each rank gets."""
    whole = receive.elements if send is MPI.IN_PLACE else send.elements
    if given.recvcounts is None:
        counts = messages.shares(whole, where.size)
    else:
        counts = [operator.index(count) for count in given.recvcounts]
    if len(counts) != where.size or sum(counts) != whole or any(count < 0 for count in counts):
        raise ValueError(f"recvcounts: {counts} for {whole} elements and {where.size} ranks")
    if send is not MPI.IN_PLACE and where.size and receive.elements != counts[where.rank]:
        raise ValueError(f"recvbuf has {receive.elements} elements, but gets {counts[where.rank]}")
    return counts


def _arguments(shape: Shape, given: Given, where: Place) -> tuple[list[Any], Any]:
    """What the function takes up to its communicator, and what must stay until it is complete."""
    if not shape.parameters:
        return [where.handle], None
    parameters = shape.parameters.split()
    words: dict[str, Any] = {"root": number(given.root)}
    if shape.send:
        send, receive = (_side(shape, which, given, where) for which in ("send", "receive"))
        words.update(_words_of("send", send, shape.send.partition("-")[0]))
        words.update(_words_of("recv", receive, shape.receive.partition("-")[0]))
        varying_send = shape.send.startswith("varying")
        words["displs"] = words.get("sdispls" if varying_send else "rdispls")
    else:
        send, receive = None, _broadcast(given, where)
        words.update(
            buffer=ctypes.c_void_p(receive.address),
            count=number(receive.elements, Count),
            datatype=handle(receive.datatype),
        )
    if "op" in parameters:
        words.update(_reduction(shape, send, receive, given, where))
    keep = (getattr(send, "keep", None), getattr(receive, "keep", None), given.op)
    return [*(words[name] for name in parameters), where.handle], keep


def _suffix(shape: Shape) -> str:
    return "_c" if "count" in shape.parameters else ""


def _prepare(shape: Shape, over: Over, given: Given) -> tuple[str, list[Any], Any]:
    look_after()
    where = place_of(over, shape.name.startswith("neighbor"))
    arguments, keep = _arguments(shape, given, where)
    # Not over: a group that has a request on itself would live for ever, and the library keeps what
    # the request needs of it.
    return where.prefix, arguments, keep


def blocking(shape: Shape, over: Over, given: Given) -> None:
    prefix, arguments, _ = _prepare(shape, over, given)
    call(f"caucus_{prefix}{shape.name}{_suffix(shape)}", *arguments)


def nonblocking(shape: Shape, over: Over, given: Given) -> Request[None]:
    prefix, arguments, keep = _prepare(shape, over, given)
    made = ctypes.c_void_p()
    call(f"caucus_{prefix}i{shape.name}{_suffix(shape)}", *arguments, ctypes.byref(made))
    return Request(made, keep)


def persistent(shape: Shape, over: Over, given: Given, info: MPI.Info) -> PersistentRequest:
    prefix, arguments, keep = _prepare(shape, over, given)
    made = ctypes.c_void_p()
    function = f"caucus_{prefix}{shape.name}_init{_suffix(shape)}"
    call(function, *arguments, handle(info), ctypes.byref(made))
    return PersistentRequest(made, keep)
