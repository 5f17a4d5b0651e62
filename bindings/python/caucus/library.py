# SPDX-License-Identifier: BSD-3-Clause
"""Finds libcaucus_plan.so and declares its functions (include/caucus/plan.h) to ctypes."""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from collections.abc import Iterator
from ctypes import POINTER, c_char_p, c_double, c_int, c_int32, c_int64, c_void_p
from pathlib import Path
from typing import Optional

from .errors import Failure

# The builds of a source tree that a plain Python can load; a sanitizer's can't be.
BUILDS = ("mpich", "openmpi", "intel", "abi", "system", "plan", "none", "release", "debug")
# Without what compilers need, the second is all that an installation has.
SUFFIXES = (".so", ".so.0.1")
NAMES = tuple(f"libcaucus_plan{suffix}" for suffix in SUFFIXES)
PACKAGE = Path(__file__).resolve().parent


class CTraffic(ctypes.Structure):
    """caucus_cart_traffic"""

    _fields_ = [
        ("off_node", c_double),
        ("off_node_worst", c_double),
        ("all", c_double),
        ("on_min", c_int),
        ("on_max", c_int),
        ("off_min", c_int),
        ("off_max", c_int),
        ("on_mean", c_double),
        ("off_mean", c_double),
    ]


class CGraphOutcome(ctypes.Structure):
    """caucus_plan_graph_outcome"""

    _fields_ = [
        ("method", ctypes.c_char * 32),
        ("ranks", c_int64),
        ("nodes", c_int32),
        ("levels", c_int),
        ("given", CTraffic),
        ("placed", CTraffic),
        ("inner_given", c_double * 2),
        ("inner_placed", c_double * 2),
    ]


class CSetting(ctypes.Structure):
    """caucus_plan_setting"""

    _fields_ = [
        (name, c_char_p)
        for name in ("environment", "info_key", "default_value", "syntax", "help", "value")
    ]


INTS, DOUBLES = POINTER(c_int), POINTER(c_double)
NUMBERS, LONGS = POINTER(c_int32), POINTER(c_int64)
PROTOTYPES = {
    "caucus_version": (c_char_p, []),
    "caucus_error_text": (c_char_p, []),
    "caucus_plan_create": (
        c_int,
        [c_int, INTS, INTS, c_char_p, DOUBLES, c_char_p, c_int64, POINTER(c_void_p)],
    ),
    "caucus_plan_free": (None, [c_void_p]),
    "caucus_plan_cells": (c_int64, [c_void_p]),
    "caucus_plan_ranks": (c_int64, [c_void_p]),
    "caucus_plan_levels": (c_int, [c_void_p]),
    "caucus_plan_parts": (c_int32, [c_void_p, c_int]),
    "caucus_plan_node_name": (c_char_p, [c_void_p, c_int32]),
    "caucus_plan_map": (c_int, [c_void_p, c_char_p]),
    "caucus_plan_keep_rank0": (c_int, [c_void_p, c_double, INTS, DOUBLES]),
    "caucus_plan_mapper": (c_char_p, [c_void_p]),
    "caucus_plan_measure": (c_int, [c_void_p, c_int, POINTER(CTraffic)]),
    "caucus_plan_bound": (c_int, [c_void_p, DOUBLES]),
    "caucus_plan_node_of_cell": (c_int, [c_void_p, POINTER(c_int32)]),
    "caucus_plan_rank_of_cell": (c_int, [c_void_p, POINTER(c_int32)]),
    "caucus_plan_part_of_rank": (c_int, [c_void_p, c_int, POINTER(c_int32)]),
    "caucus_plan_stencil": (None, [c_void_p, INTS, POINTER(INTS), POINTER(DOUBLES)]),
    "caucus_plan_dims": (c_int, [c_char_p, c_int64, c_int, DOUBLES, INTS, INTS]),
    "caucus_plan_graph": (
        c_int,
        [c_int32, LONGS, NUMBERS, NUMBERS, c_char_p, c_int64, NUMBERS, NUMBERS]
        + [POINTER(CGraphOutcome)],
    ),
    "caucus_plan_mapper_entry": (c_int, [c_int, POINTER(c_char_p), POINTER(c_char_p)]),
    "caucus_plan_setting_entry": (c_int, [c_int, POINTER(CSetting)]),
    "caucus_plan_warn_unknown_settings": (c_int, []),
}


def tree() -> Optional[Path]:
    """The source tree that this package lies in, None for an installed one."""
    root = PACKAGE.parents[2]
    return root if (root / "CMakeLists.txt").exists() and (root / "src" / "plan").is_dir() else None


def file_of(folder: Path, name: str) -> Path:
    """Where a library of an installation lies, or should lie."""
    files = [folder / f"lib{name}{suffix}" for suffix in SUFFIXES]
    return next((file for file in files if file.exists()), files[0])


def folders(library: str) -> Iterator[Path]:
    """Where to look for a library, the user's own wish first; of several builds the newest."""
    for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":"):
        if folder:
            yield Path(folder)
    root = tree()
    if root:
        builds = [root / "build" / name / "lib" / library for name in BUILDS]
        builds = [file for file in builds if file.exists()]
        for file in sorted(builds, key=lambda file: file.stat().st_mtime, reverse=True):
            yield file.parent
    yield PACKAGE / "lib"  # where pip has it
    for prefix in (*list(PACKAGE.parents)[:5], Path(sys.prefix)):
        yield prefix  # CMake installs the package below the library's folder
        yield prefix / "lib"
        yield prefix / "lib64"


def _open(name: str) -> ctypes.CDLL:
    library = ctypes.CDLL(name)
    for function, (result, arguments) in PROTOTYPES.items():
        entry = getattr(library, function)
        entry.restype = result
        entry.argtypes = arguments
    library.path = name
    return library


@functools.lru_cache(maxsize=None)
def load() -> ctypes.CDLL:
    """The library, with its place as .path."""
    problem = ""
    found = (folder / name for folder in folders(NAMES[0]) for name in NAMES)
    for name in (*(str(file) for file in found if file.exists()), *NAMES):
        try:
            return _open(name)
        except (OSError, AttributeError) as error:
            problem = problem if "No such file" in str(error) else f": {error}"
    raise Failure(
        f"{NAMES[0]} can't be loaded{problem}; run 'make build', or put its folder on "
        "LD_LIBRARY_PATH"
    )
