# SPDX-License-Identifier: BSD-3-Clause
"""gfortran, and Debian's MPIs, which have libraries and modules for Fortran; those that the machine
lacks are unpacked into a folder of their own, where they run without being installed."""

import os
import platform
from dataclasses import dataclass
from pathlib import Path

from . import apt, pins, shell, stamp
from .paths import CACHE
from .problem import Problem

FOLDER = CACHE / "fortran"
MULTIARCH = f"{platform.machine()}-linux-gnu"
LIBRARIES = Path("usr/lib") / MULTIARCH


@dataclass
class Mpi:
    """Of Debian's packages, below the root. The library for C comes last."""

    headers: Path
    libraries: tuple
    mpiexec: str


MPIS = {
    "mpich": Mpi(
        Path("usr/include") / MULTIARCH / "mpich", ("mpichfort", "mpich"), "mpiexec.hydra"
    ),
    "openmpi": Mpi(
        LIBRARIES / "openmpi" / "include",
        ("mpi_usempif08", "mpi_usempi_ignore_tkr", "mpi_mpifh", "mpi"),
        "mpiexec.openmpi",
    ),
}
BUILDS = tuple(f"debian-{name}" for name in MPIS)


def bring():
    """Raises Problem with one sentence where it can't be had."""
    with stamp.one_at_a_time():
        if not stamp.fresh("fortran", pins.FORTRAN):
            print(f"-- bringing {', '.join(pins.FORTRAN)}", flush=True)
            apt.unpack(pins.FORTRAN, FOLDER)
            compiler()
            for mpi in MPIS:
                mpiexec(mpi)
            stamp.write("fortran", pins.FORTRAN)
        _mend_links()


def _mend_links():
    """A library that the machine has already was not unpacked, but what the linker looks for leads
    to where it would lie."""
    for link in (FOLDER / "usr/lib/gcc" / MULTIARCH).glob("*/*.so"):
        if not link.is_symlink() or link.exists():
            continue
        there = Path(os.path.normpath(link.parent / os.readlink(link)).removeprefix(str(FOLDER)))
        if there.exists():
            link.unlink()
            link.symlink_to(there)


def _place(pattern):
    """The newest file of that name, of what was unpacked or else of the machine."""
    for root in (FOLDER, Path("/")):
        found = sorted(root.glob(str(pattern)))
        if found:
            return found[-1]
    raise Problem(f"there is no {pattern}: install {', '.join(pins.FORTRAN)} by hand.")


def library_folders():
    """Of the libraries that programs, compilers and mpiexec need."""
    places = (LIBRARIES, Path("lib") / MULTIARCH, LIBRARIES / "openmpi" / "lib")
    return [FOLDER / place for place in places if (FOLDER / place).is_dir()]


def search_path():
    """LD_LIBRARY_PATH."""
    own = [str(folder) for folder in library_folders()]
    return ":".join(filter(None, [*own, os.environ.get("LD_LIBRARY_PATH", "")]))


def compiler():
    """gfortran as a list of words. One that was unpacked finds itself, but start files and libgcc
    are those of the machine's gcc."""
    found = _place(f"usr/bin/{MULTIARCH}-gfortran-*")
    version = found.name.rpartition("-")[2]
    own = Path("usr/lib/gcc") / MULTIARCH / version
    words = [str(found), f"-B/{own}", f"-L/{own}", f"-L{FOLDER / own}", f"-L{FOLDER / LIBRARIES}"]
    if not shell.run([*words, "--version"]).good:
        raise Problem(f"{found} does not run: install gfortran by hand.")
    return words


def compiling(mpi):
    """What gfortran is told for a program of one of Debian's MPIs; the libraries, by their paths,
    come last."""
    modules = _place(LIBRARIES / "fortran" / "gfortran-mod-*" / mpi)
    entry = MPIS[mpi]
    libraries = [_place(LIBRARIES / f"lib{name}.so.*") for name in entry.libraries]
    return [f"-I{modules}", f"-I{_place(entry.headers)}", "-Wl,--allow-shlib-undefined", *libraries]


def headers(mpi):
    """Of MPI for C."""
    return _place(MPIS[mpi].headers)


def binding():
    """The folder of ISO_Fortran_binding.h."""
    version = Path(compiler()[0]).name.rpartition("-")[2]
    return _place(
        Path("usr/lib/gcc") / MULTIARCH / version / "include/ISO_Fortran_binding.h"
    ).parent


def mpiexec(mpi):
    return _place(f"usr/bin/{MPIS[mpi].mpiexec}")


def environment(mpi):
    """What Debian's MPI takes where it lies, for mpiexec and for the ranks."""
    settings = {"LD_LIBRARY_PATH": search_path()}
    if mpi == "openmpi":
        settings["OPAL_PREFIX"] = str(mpiexec(mpi).parents[1])
        settings["OMPI_MCA_mca_base_component_show_load_errors"] = "0"  # of cards that are not here
    return settings


def cmake_options(build):
    """As those of provision.mpi."""
    mpi = build.removeprefix("debian-")
    entry = MPIS[mpi]
    library = entry.libraries[-1]
    modules, headers, _, *libraries = compiling(mpi)
    words = compiler()
    linking = "-Wl," + ",".join(f"-rpath-link,{folder}" for folder in library_folders())
    return {
        "CAUCUS_MPI": "system",
        "MPI_SKIP_COMPILER_WRAPPER": "ON",
        "CMAKE_DISABLE_FIND_PACKAGE_PkgConfig": "ON",  # as in mpi.py
        "MPI_C_HEADER_DIR": str(_place(entry.headers)),
        "MPI_C_LIB_NAMES": library,
        f"MPI_{library}_LIBRARY": str(_place(LIBRARIES / f"lib{library}.so.*")),
        "MPIEXEC_EXECUTABLE": str(mpiexec(mpi)),
        "CAUCUS_FORTRAN": "ON",
        "CAUCUS_FORTRAN_MPI_INCLUDES": f"{modules[2:]};{headers[2:]}",
        "CAUCUS_FORTRAN_MPI_LIBRARIES": ";".join(str(library) for library in libraries),
        "CMAKE_Fortran_COMPILER": words[0],
        "CMAKE_Fortran_FLAGS": " ".join(words[1:]),
        "CMAKE_EXE_LINKER_FLAGS": linking,
        "CMAKE_SHARED_LINKER_FLAGS": linking,
    }
