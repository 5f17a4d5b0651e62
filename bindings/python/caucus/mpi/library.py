# SPDX-License-Identifier: BSD-3-Clause
"""Finds the libcaucus.so that was built for the MPI on which mpi4py runs, and loads it."""

from __future__ import annotations

import ctypes
import functools
import os
import re
from collections.abc import Iterable
from pathlib import Path

from mpi4py import MPI

from .. import __version__
from .. import library as planner
from ..errors import Failure
from . import elf

NAMES = tuple(f"libcaucus{suffix}" for suffix in planner.SUFFIXES)
MPI_LIBRARY = re.compile(r"libmpi(ch|_abi|_cxx)?\.so(\.\d+)*$")
MPI_FILE = r"libmpi[\w.-]*\.so"
MAPS = Path("/proc/self/maps")
ADVICE = (
    "build Caucus with the MPI that mpi4py uses, and put the folder of that libcaucus.so on "
    "LD_LIBRARY_PATH (in the source tree of Caucus: make build MPI=mpich, or MPI=openmpi)"
)


class NoLibrary(Failure, ImportError):
    """There is no libcaucus.so for this process."""


def in_process(name: str) -> list[Path]:
    """The files in this process with such names."""
    lines = os.fsdecode(MAPS.read_bytes()).split("\n")
    mapped = (line.split(maxsplit=5)[5:] for line in lines)
    paths = dict.fromkeys(Path(words[0]) for words in mapped if words)
    return [path for path in paths if re.match(name, path.name)]


def running() -> tuple[str, set[str]]:
    """The MPI of this process: what it says that it is, and the names of its libraries."""
    found = set()
    for path in in_process(MPI_FILE):
        try:
            found.add(elf.names(path).own or path.name)
        except (OSError, ValueError):
            found.add(path.name)
    said = MPI.Get_library_version().replace("\0", "").splitlines() or ["an unknown MPI"]
    return " ".join(said[0].replace(",", " ").split()), found


def candidates() -> list[Path]:
    """Where a libcaucus.so lies: the one that a drop-in has brought, those that the user has named,
    of the tree, of the prefix of Python, of the prefix of the MPI."""
    folders = [*planner.folders(NAMES[0])]
    folders += [path.resolve().parent for path in in_process(MPI_FILE)]
    found = (folder / name for folder in folders for name in NAMES)
    there = [file for file in found if file.exists()]
    return list(dict.fromkeys([*in_process(r"libcaucus\.so"), *there]))


def fitting(files: Iterable[Path]) -> list[Path]:
    """Those that need the MPI of this process, first those that were linked with this very one, as
    MPIs share names. Raises NoLibrary in one sentence if there are none."""
    version, loaded = running()
    here = {path.resolve().parent for path in in_process(MPI_FILE)}
    fit, others = [], []
    for file in files:
        try:
            found = elf.names(file)
        except (OSError, ValueError) as problem:
            others.append(str(problem))
            continue
        needed = [name for name in found.needed if MPI_LIBRARY.match(name)]
        if not loaded or loaded.intersection(needed):
            fit.append((here.isdisjoint(Path(path).resolve() for path in found.folders), file))
        else:
            others.append(f"{file} is for another one ({', '.join(needed) or 'none'})")
    if fit:
        return [file for _, file in sorted(fit, key=lambda pair: pair[0])]
    have = f"mpi4py runs on {version} ({', '.join(sorted(loaded))})"
    if others:
        raise NoLibrary(f"{have}, but {'; '.join(others)}: {ADVICE}")
    raise NoLibrary(f"{have}, and there is no {NAMES[0]} for it: {ADVICE}")


class Library(ctypes.CDLL):
    """libcaucus.so. Calls of its functions let other threads run."""

    path: str


def _open(files: list[Path]) -> Library:
    problems = []
    for file in files:
        try:
            library = Library(str(file))
        except OSError as problem:
            problems.append(f"{file} can't be loaded: {problem}")
            continue
        library.path = str(file)
        library.caucus_version.restype = ctypes.c_char_p
        library.caucus_error_text.restype = ctypes.c_char_p
        version = library.caucus_version().decode()
        if version.split(".")[:2] == __version__.split(".")[:2]:
            return library
        problems.append(f"{file} is of version {version}, but this package of {__version__}")
    raise NoLibrary(f"{'; '.join(problems)}: {ADVICE}")


@functools.lru_cache(maxsize=None)
def load() -> Library:
    """The library."""
    if not MPI.Is_initialized():
        raise NoLibrary("MPI is not initialised: call MPI.Init first")
    if MPI.COUNT.Get_size() != ctypes.sizeof(ctypes.c_int64):
        raise NoLibrary(
            "this MPI has an MPI_Count of other than 64 bits, which Caucus does not take"
        )
    return _open(fitting(candidates()))
