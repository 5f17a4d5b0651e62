# SPDX-License-Identifier: BSD-3-Clause
"""The names in a shared library: its own, those of the libraries that it needs, and the folders in
which it looks for them. 64-bit little-endian files only, and of these the dynamic section."""

from __future__ import annotations

import mmap
import struct
from pathlib import Path
from typing import NamedTuple, Optional

LOAD, DYNAMIC = 1, 2  # kinds of segments
NEEDED, STRINGS, SONAME, RPATH, RUNPATH = 1, 5, 14, 15, 29  # kinds of entries in the section


class Names(NamedTuple):
    own: Optional[str]
    needed: list[str]
    folders: list[str]


def names(path: Path) -> Names:
    """Raises ValueError for anything else than such a library, OSError where it can't be read."""
    with path.open("rb") as file:
        if file.read(6) != b"\x7fELF\x02\x01":
            raise ValueError(f"{path} is no shared library of a 64-bit machine")
        try:
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as image:
                return _names(image)
        except (struct.error, OverflowError, ValueError, StopIteration):
            raise ValueError(f"{path} is a damaged library") from None


def _names(image: mmap.mmap) -> Names:
    (table,) = struct.unpack_from("<Q", image, 32)
    size, count = struct.unpack_from("<HH", image, 54)
    headers = [struct.unpack_from("<IIQQQQ", image, table + i * size) for i in range(count)]
    segments = [(kind, start, address, length) for kind, _, start, address, _, length in headers]
    start, length = next((s, n) for kind, s, _, n in segments if kind == DYNAMIC)
    entries = [struct.unpack_from("<qQ", image, start + i) for i in range(0, length, 16)]
    strings = next(value for kind, value in entries if kind == STRINGS)
    strings = next(
        start + strings - address
        for kind, start, address, length in segments
        if kind == LOAD and address <= strings < address + length
    )

    def text(offset: int) -> str:
        begin = strings + offset
        return image[begin : image.find(b"\0", begin)].decode()

    def texts(*kinds: int) -> list[str]:
        return [text(value) for kind, value in entries if kind in kinds]

    folders = ":".join(texts(RPATH, RUNPATH)).split(":")
    own = texts(SONAME)
    return Names(own[0] if own else None, texts(NEEDED), [path for path in folders if path])
