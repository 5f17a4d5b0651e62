# SPDX-License-Identifier: BSD-3-Clause
"""The builds of Caucus that can be found: one per MPI."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from . import library

LIBRARIES = ("caucus", "caucus_dropin")


class Build(NamedTuple):
    mpi: str  # mpich, openmpi, intel, abi, system, or "installed"
    folder: str  # has lib/ and bin/
    libraries: list[str]  # of LIBRARIES, those that are there


def _look(mpi: str, folder: Path, libraries: Path) -> Build:
    there = [name for name in LIBRARIES if library.file_of(libraries, name).exists()]
    return Build(mpi, str(folder), there)


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
