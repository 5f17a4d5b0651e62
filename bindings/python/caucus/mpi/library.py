# SPDX-License-Identifier: BSD-3-Clause
"""Finds the libcaucus.so that was built for the MPI on which mpi4py runs, and loads it."""

from __future__ import annotations

import ctypes
import functools
import re
from collections.abc import Iterable
from pathlib import Path

from mpi4py import MPI

from .. import library as planner
from ..errors import Failure
from . import elf

NAMES = ("libcaucus.so", "libcaucus.so.0")
MPI_LIBRARY = re.compile(r"libmpi(ch|_abi|_cxx)?\.so(\.\d+)*$")
MAPS = Path("/proc/self/maps")
ADVICE = (
    "build Caucus with the MPI that mpi4py uses, and put the folder of that libcaucus.so on "
    "LD_LIBRARY_PATH (in the source tree of Caucus: make build MPI=mpich, or MPI=openmpi)"
)


def mpi_files() -> set[Path]:
    """The libraries of MPI in this process."""
    mapped = (line.split(maxsplit=5)[5:] for line in MAPS.read_text().splitlines())
    paths = {Path(words[0]) for words in mapped if words}
    return {path for path in paths if re.match(r"libmpi[\w.-]*\.so", path.name)}


def running() -> tuple[str, set[str]]:
    """The MPI of this process: what it says that it is, and the names of its libraries."""
    found = set()
    for path in mpi_files():
        try:
            found.add(elf.names(path).own or path.name)
        except (OSError, ValueError):
            found.add(path.name)
    said = MPI.Get_library_version().replace("\0", "").splitlines() or ["an unknown MPI"]
    return " ".join(said[0].replace(",", " ").split()), found


def candidates() -> list[Path]:
    """Where a libcaucus.so lies, those first that the user has named, then those of the tree, of
    the prefix of Python, of the prefix of the MPI."""
    folders = [*planner.folders(NAMES[0])]
    folders += [path.resolve().parent for path in mpi_files()]
    found = (folder / name for folder in folders for name in NAMES)
    return list(dict.fromkeys(file for file in found if file.exists()))


def choose(files: Iterable[Path]) -> Path:
    """The first that needs the MPI of this process. Raises Failure in one sentence."""
    version, loaded = running()
    others = []
    for file in files:
        try:
            needed = [name for name in elf.names(file).needed if MPI_LIBRARY.match(name)]
        except (OSError, ValueError) as problem:
            others.append(str(problem))
            continue
        if not loaded or loaded.intersection(needed):
            return file
        others.append(f"{file} is for another one ({', '.join(needed) or 'none'})")
    have = f"mpi4py runs on {version} ({', '.join(sorted(loaded))})"
    if others:
        raise Failure(f"{have}, but {'; '.join(others)}: {ADVICE}")
    raise Failure(f"{have}, and there is no {NAMES[0]} for it: {ADVICE}")


@functools.lru_cache(maxsize=None)
def load() -> ctypes.CDLL:
    """The library, with its place as .path. Calls of its functions let other threads run."""
    if not MPI.Is_initialized():
        raise Failure("MPI is not initialised: call MPI.Init first")
    if MPI.COUNT.Get_size() != ctypes.sizeof(ctypes.c_int64):
        raise Failure("this MPI has an MPI_Count of other than 64 bits, which Caucus does not take")
    path = choose(candidates())
    try:
        library = ctypes.CDLL(str(path))
    except OSError as problem:
        raise Failure(f"{path} can't be loaded: {problem}; {ADVICE}") from None
    library.caucus_version.restype = ctypes.c_char_p
    library.caucus_error_text.restype = ctypes.c_char_p
    library.path = str(path)
    return library
