# SPDX-License-Identifier: BSD-3-Clause
"""The builds of Caucus that can be found: one per MPI."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from . import library, linked
from .errors import Failure

LIBRARIES = ("caucus", "caucus_dropin")


class Build(NamedTuple):
    mpi: str  # mpich, openmpi, intel, abi, system, or "installed"
    folder: str  # has lib/ and bin/
    libraries: list[str]  # of LIBRARIES, those that are there
    built_for: str  # MPICH 4.0.2 (/usr/lib/libmpi.so.12); empty without libraries


def _look(mpi: str, folder: Path, libraries: Path) -> Build:
    there = [name for name in LIBRARIES if library.file_of(libraries, name).exists()]
    file = library.file_of(libraries, there[0]) if there else None
    own = linked.of_file(file, os.environ) if file else None
    return Build(mpi, str(folder), there, _spoken(own) if own else "")


def _spoken(own: linked.Linked) -> str:
    version = linked.version(own.path) if own.path else ""
    return f"{version} ({own.path})" if version else own.spoken


def known_builds() -> list[Build]:
    """Those of the source tree, and the one that libcaucus_plan.so was found in."""
    root = library.tree()
    folders = sorted(root.glob("build/*")) if root else []
    libraries = {folder: folder / "lib" for folder in folders if (folder / "lib").is_dir()}
    builds = [_look(folder.name, folder, inside) for folder, inside in libraries.items()]
    loaded = Path(library.load().path)
    if loaded.is_absolute() and loaded.parent.parent not in folders:
        builds.append(_look("installed", loaded.parent.parent, loaded.parent))
    return builds


def program(mpi: str, name: str) -> Path:
    """A program that commands start: of a build in the source tree, else as installed."""
    root = library.tree()
    if root:
        folders, remedy = [root / "build" / mpi / "bin"], f"run 'make build MPI={mpi}'"
    else:  # libraries may lie in lib or in a folder of it for each architecture
        above = Path(library.load().path).resolve().parents[1:3]
        folders = [prefix / "libexec" / "caucus" for prefix in above]
        remedy = "install a Caucus built for an MPI, with its benchmarks"
    programs = [folder / name for folder in folders]
    for found in programs:
        if found.exists():
            return found
    raise Failure(f"there is no {programs[0]}: {remedy}")
