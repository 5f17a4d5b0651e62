# SPDX-License-Identifier: BSD-3-Clause
"""MPI implementations from the package index, each in a prefix of its own: their files clash."""

import ctypes
import os
import shutil
import sys
import tempfile
from pathlib import Path

from . import apt, fortran, pins, python, shell
from .paths import MPI
from .problem import Problem

# By what the real name of a command tells whose it is.
SIGNS = {
    "mpich": ("mpich", "hydra"),
    "openmpi": ("openmpi", "opal_wrapper", "orterun", "prterun"),
}
WORDS = ("mpich", "openmpi", "intel", "abi", "system", "smpi")


def prefix(name):
    """The folder of an MPI that is brought; the standard ABI is that of MPICH."""
    return MPI / ("mpich" if name == "abi" else name)


def cmake_options(name):
    """What leads CMake's FindMPI to the MPI `name`, without its mpicc: Intel's wants an
    environment. Also {"CAUCUS_MPI": ...}, which says whether there is anything to find."""
    if name in fortran.BUILDS:
        return fortran.cmake_options(name)
    if name not in pins.MPI and name != "abi":
        return {"CAUCUS_MPI": name}
    home, library = prefix(name), "mpi_abi" if name == "abi" else "mpi"
    return {
        "CAUCUS_MPI": "system",
        "MPI_SKIP_COMPILER_WRAPPER": "ON",
        # Else FindMPI adds the headers of Debian's Open MPI, which has a module mpi-c.
        "CMAKE_DISABLE_FIND_PACKAGE_PkgConfig": "ON",
        "MPI_HOME": str(home),
        "MPI_C_HEADER_DIR": str(home / "include"),
        "MPI_C_LIB_NAMES": library,
        f"MPI_{library}_LIBRARY": str(home / "lib" / f"lib{library}.so"),
        "MPI_C_COMPILE_DEFINITIONS": "MPI_ABI" if name == "abi" else "",
        "MPIEXEC_EXECUTABLE": str(home / "bin" / "mpiexec"),
    }


def bring(name):
    """Makes the MPI `name` usable, or says why it is not."""
    if name not in WORDS:
        raise Problem(f"MPI={name} is unknown: use one of {', '.join(WORDS)}.")
    if name == "system":
        _find_system()
        return
    if name == "smpi":
        if not shutil.which("smpirun"):
            apt.bring(["libsimgrid-dev"])
        return
    name = prefix(name).name
    if _recorded(prefix(name), name):
        return
    print(f"-- bringing {name} {', '.join(pins.MPI[name]['packages'].values())}", flush=True)
    python.bring_pip()
    partial = MPI / f"{name}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    wanted = [f"{package}=={version}" for package, version in pins.MPI[name]["packages"].items()]
    options = ["--ignore-installed", "--no-deps", "--only-binary", ":all:", "--prefix", partial]
    shell.fetch(
        f"MPI={name} ({', '.join(wanted)})",
        python.pip("install", *options, *wanted),
        "check the network, or use another MPI= (system is the mpicc on the PATH).",
    )
    _verify(partial, name)
    shutil.rmtree(prefix(name), ignore_errors=True)
    partial.rename(prefix(name))


def _find_system():
    """The machine's own MPI must be able to compile: Debian keeps the headers, and mpicc, apart."""
    found = shutil.which("mpicc")
    if not found:
        raise Problem(f"MPI=system needs an mpicc on the PATH: {_headers('mpiexec')}")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "probe.c"
        source.write_text("#include <mpi.h>\nint main(void) { return MPI_Finalize(); }\n")
        compiled = shell.run([found, source, "-o", Path(folder) / "probe"], limit=120)
    if compiled.good:
        return
    if "mpi.h" in compiled.output:
        raise Problem(f"MPI=system: {found} finds no mpi.h: {_headers('mpicc')}")
    raise Problem(f"MPI=system: {found} cannot compile ({compiled.last_line()}): mend it.")


def _headers(command):
    """What to install, by the MPI that a command belongs to."""
    whose = os.path.realpath(shutil.which(command) or "")
    named = [mpi for mpi, signs in SIGNS.items() if any(sign in whose for sign in signs)]
    debian = " or ".join(f"lib{mpi}-dev" for mpi in named or SIGNS)
    others = " or ".join(f"{mpi}-devel" for mpi in named or SIGNS)
    return (
        f"install {debian} (Debian, Ubuntu) or {others} (Fedora, openSUSE), put the mpicc of "
        "another MPI on the PATH, or use MPI=mpich, which is brought into the tree."
    )


def _recorded(folder, name):
    """Whether the folder has just the versions asked for, by the records that pip left."""
    for package, version in pins.MPI[name]["packages"].items():
        record = f"lib/python*/site-packages/{package.replace('-', '_')}-{version}.dist-info/RECORD"
        if not list(folder.glob(record)):
            return False
    return (folder / pins.MPI[name]["library"]).exists()


def _verify(folder, name):
    """The library itself must say that it is the version asked for."""
    code = f"import sys; sys.path.insert(0, {str(MPI.parent / 'tools')!r}); " + (
        f"from provision import mpi; print(mpi.library_version({str(folder)!r}, {name!r}))"
    )
    environment = dict(os.environ, LD_LIBRARY_PATH=str(folder / "lib"), I_MPI_ROOT=str(folder))
    said = shell.run([sys.executable, "-c", code], limit=120, env=environment)
    if not said.good or not all(word in said.output for word in pins.MPI[name]["says"]):
        raise Problem(
            f"the {name} that came is not the version asked for (it says: {said.last_line()}): "
            f"remove {folder} and try again."
        )


def library_version(folder, name):
    """What MPI_Get_library_version() says; MPI lets it be called before MPI_Init."""
    library = ctypes.CDLL(os.path.join(folder, pins.MPI[name]["library"]), mode=ctypes.RTLD_GLOBAL)
    text, length = ctypes.create_string_buffer(8192), ctypes.c_int()
    library.MPI_Get_library_version(text, ctypes.byref(length))
    return text.value.decode(errors="replace")
