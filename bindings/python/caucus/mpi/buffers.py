# SPDX-License-Identifier: BSD-3-Clause
"""The memory behind an object: NumPy arrays and whatever else has the buffer protocol, and what has
DLPack. Its datatype is told by the object, in the letters that mpi4py takes."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple, Optional

from mpi4py import MPI

# Kinds of devices of DLPack whose memory a processor can touch: its own, and memory of the host
# that CUDA or ROCm has pinned or manages.
TOUCHABLE = {1, 3, 11, 13}
DEVICES = {2: "CUDA", 4: "OpenCL", 7: "Vulkan", 8: "Metal", 10: "ROCm", 14: "oneAPI"}
# Letters of the buffer protocol, as kinds that a size in bytes follows.
KINDS = {
    **dict.fromkeys("bhilqn", "i"),
    **dict.fromkeys("BHILQN", "u"),
    **dict.fromkeys("efdg", "f"),
    **dict.fromkeys(("Zf", "Zd", "Zg", "F", "D", "G"), "c"),
    **dict.fromkeys("cs", "S"),
    "?": "b",
}
NATIVE_ORDER = "<" if sys.byteorder == "little" else ">"


class Memory(NamedTuple):
    address: int
    nbytes: int
    datatype: Optional[MPI.Datatype]  # None where the object does not tell one that MPI has
    why: str  # why there is none
    owner: Any  # as long as this lives, the memory stays where it is


NOTHING = Memory(0, 0, MPI.BYTE, "", None)


def memory(thing: Any, writable: bool, name: str) -> Memory:
    """Raises TypeError or ValueError, with the name of the argument, in one sentence."""
    refuse_devices(thing, name)
    try:
        view = memoryview(thing)
    except TypeError:
        return from_dlpack(thing, writable, name)
    except (ValueError, BufferError) as problem:
        raise ValueError(
            f"{name}: {problem}; give a view of it that MPI has a datatype for, such as "
            "array.view('i8')"
        ) from None
    if not view.contiguous:
        raise ValueError(f"{name}: the elements are not contiguous: give a copy, or describe them")
    if writable and view.readonly:
        raise ValueError(f"{name}: the memory is read-only, but is written to")
    address = MPI.Get_address(view)
    datatype, why = by_format(view.format, view.itemsize)
    return Memory(address, view.nbytes, datatype, why, view)


def refuse_devices(thing: Any, name: str) -> None:
    """An object of DLPack says where its memory lies."""
    where = getattr(thing, "__dlpack_device__", None)
    if where is not None:
        kind, number = where()
        if int(kind) not in TOUCHABLE:
            device = DEVICES.get(int(kind), f"DLPack's type {int(kind)}")
            raise ValueError(
                f"{name}: the memory lies on device {int(number)} of {device}, and only memory of "
                "the processor can be given: copy it there first"
            )
    elif getattr(thing, "__cuda_array_interface__", None) is not None:
        raise ValueError(
            f"{name}: the memory lies on a device of CUDA, and only memory of the processor can be "
            "given: copy it there first"
        )


def from_dlpack(thing: Any, writable: bool, name: str) -> Memory:
    """What has no buffer protocol, such as a tensor of PyTorch."""
    if not hasattr(thing, "__dlpack__"):
        raise TypeError(
            f"{name}: a {type(thing).__name__} has neither the buffer protocol nor DLPack"
        )
    try:
        held = MPI.buffer.frombuffer(thing, readonly=not writable)
        import numpy

        shown = numpy.from_dlpack(thing)
    except ImportError:
        raise TypeError(f"{name}: an object of DLPack takes NumPy to tell its datatype") from None
    except (TypeError, ValueError, BufferError, RuntimeError) as problem:
        raise ValueError(f"{name}: {problem}") from None
    if not (shown.flags.c_contiguous or shown.flags.f_contiguous):
        raise ValueError(f"{name}: the elements are not contiguous: give a copy")
    datatype, why = by_format(shown.data.format, shown.itemsize)
    return Memory(held.address, held.nbytes, datatype, why, (thing, held))


def by_format(letters: str, size: int) -> tuple[Optional[MPI.Datatype], str]:
    """The datatype for a format of the buffer protocol, or why there is none."""
    order = letters[:1] if letters[:1] in "@=<>!" else "@"
    kind = letters.lstrip("@=<>!")
    if order in ("<", ">", "!") and size > 1 and (">" if order == "!" else order) != NATIVE_ORDER:
        return None, f"its elements ('{letters}') have the other order of bytes"
    if kind not in KINDS:
        return None, f"MPI has no datatype for its elements ('{letters}')"
    # Letters have the sizes of C without an order, and fixed ones with it.
    code = kind if order == "@" and kind != "s" else f"{KINDS[kind]}{size}"
    return by_code(code)


def by_code(code: str) -> tuple[Optional[MPI.Datatype], str]:
    try:
        datatype = MPI.Datatype.fromcode(code)
    except (KeyError, ValueError):
        datatype = MPI.DATATYPE_NULL
    if datatype == MPI.DATATYPE_NULL:
        return None, f"this MPI has no datatype for its elements ('{code}')"
    return datatype, ""
