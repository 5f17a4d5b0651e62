# SPDX-License-Identifier: BSD-3-Clause
"""Every function of mpi.h is in one of the tables of tools/mpi_functions.py, and what these tables
say is made is in the drop-in."""

import os
import re
from pathlib import Path

import pytest

import mpi_functions
from generate_dropin import names_in
from provision.mpi import prefix

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("TEST_BUILD", ROOT / "build"))
PROTOTYPE = re.compile(
    r"\b(?:int|double|void|MPI_Aint|MPI_Fint|MPI_Count|MPI_[A-Z][a-z]+)\s+\*?"
    r"(MPIX?_[A-Z][a-z]\w*)\s*\("
)


def headers():
    """Of the MPIs at hand, and the standard ABI's."""
    folders = [prefix(mpi) / "include" for mpi in ("mpich", "openmpi", "intel")]
    folders += [Path("/usr/include/x86_64-linux-gnu/mpich")]
    names = ("mpi.h", "mpi_proto.h", "mpi_abi.h")
    return [folder / name for folder in folders for name in names if (folder / name).exists()]


def functions_of(header):
    return set(PROTOTYPE.findall(header.read_text(errors="replace")))


@pytest.mark.parametrize("header", headers(), ids=lambda path: "/".join(path.parts[-3:]))
def test_every_function_has_its_place(header):
    functions = functions_of(header)
    missing = {name for name in functions if not mpi_functions.places(name)}
    several = {name for name in functions if len(mpi_functions.places(name)) > 1}
    assert not missing, f"tools/mpi_functions.py lacks {sorted(missing)}"
    assert not several, f"tools/mpi_functions.py has several places for {sorted(several)}"


def test_headers_are_read():
    assert {"MPI_Wtime", "MPI_Aint_add", "MPI_Comm_f2c", "MPI_Win_fence"} <= set().union(
        *map(functions_of, headers())
    )


def defined_by(library):
    words = os.popen(f"nm -D --defined-only {library}").read().split()
    return {word for word in words if word.startswith("MPI_")}


@pytest.mark.parametrize("mpi", ["mpich", "openmpi", "intel", "abi"])
def test_what_is_said_to_be_made_is_made(mpi):
    dropin = BUILD / mpi / "lib" / "libcaucus_dropin.so"
    library = prefix(mpi) / "lib" / "libmpi.so"
    if not dropin.exists() or not library.exists():
        pytest.skip(f"there is no {dropin} or no {library}: run 'make test'")
    names, defined = names_in([library]), defined_by(dropin)
    detaching = {words[0] for words in mpi_functions.lines_of(mpi_functions.FLUSHES)}
    left = set() if "MPI_Buffer_iflush" in names else detaching
    places = {name: mpi_functions.places(name) for name in names}
    made = {name for name, where in places.items() if where and where != ["LEFT"]}
    assert len(made) > 150
    assert made - left <= defined, f"the drop-in lacks {sorted(made - left - defined)}"
