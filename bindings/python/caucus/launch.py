# SPDX-License-Identifier: BSD-3-Clause
"""Starting a program on this machine under any of the MPIs, with libraries preloaded or not."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Optional

from . import library
from .errors import Failure

# The MPIs that a source tree has in .mpi/, by the name of their build.
BROUGHT = {"mpich": "mpich", "openmpi": "openmpi", "intel": "intel", "abi": "mpich"}
MPIS = (*BROUGHT, "system")

Command = tuple[list[str], dict[str, str], dict[str, str]]


def mpiexec_of(mpi: str) -> Path:
    """The mpiexec of an MPI."""
    tree = library.tree()
    if mpi == "system" or not tree:
        found = shutil.which("mpiexec")
        if not found:
            raise Failure(
                "there is no mpiexec on the PATH: install an MPI or, in a source tree, "
                "run 'make build MPI=mpich' and name it with --mpi mpich"
            )
        return Path(found)
    path = tree / ".mpi" / BROUGHT[mpi] / "bin" / "mpiexec"
    if not path.exists():
        raise Failure(f"there is no {path}: run 'make build MPI={mpi}'")
    return path


def kind_of(mpi: str) -> str:
    """Whose mpiexec it is: mpich, openmpi or intel."""
    if mpi != "system" and library.tree():
        return BROUGHT[mpi]
    said = subprocess.run(
        [str(mpiexec_of(mpi)), "--version"], capture_output=True, text=True, timeout=30
    )
    for sign, kind in (("Intel", "intel"), ("Open MPI", "openmpi"), ("OpenRTE", "openmpi")):
        if sign in said.stdout + said.stderr:
            return kind
    return "mpich"


def command(
    mpi: str,
    ranks: int,
    program: Sequence,
    env: Optional[Mapping[str, object]] = None,
    preload: Sequence = (),
    deaths: bool = False,
) -> tuple[list[str], dict[str, str]]:
    """The command line and the environment that start a program (a list of words) on so many
    ranks; env and the libraries of preload reach the ranks, not mpiexec itself. With deaths, the
    others go on where a rank dies, and are told of it, if the MPI can do that."""
    kind = kind_of(mpi)
    words, outer, ours = _KINDS[kind](mpiexec_of(mpi))
    if deaths:
        words += _DEATHS[kind]
    settings = {**ours, **(env or {})}
    if preload:
        settings["LD_PRELOAD"] = ":".join(str(file) for file in preload)
    for name, value in settings.items():
        words += ["-x", f"{name}={value}"] if kind == "openmpi" else ["-genv", name, str(value)]
    return [*words, "-n", str(ranks), *map(str, program)], {**os.environ, **outer}


def _mpich(mpiexec: Path) -> Command:
    # Its collectives on shared memory spin through whole time slices where ranks outnumber cores.
    names = ("BCAST", "REDUCE", "ALLREDUCE", "BARRIER")
    calm = {f"MPIR_CVAR_{name}_POSIX_INTRA_ALGORITHM": "mpir" for name in names}
    return [str(mpiexec)], {}, calm


def _openmpi(mpiexec: Path) -> Command:
    words = [str(mpiexec), "--oversubscribe", "--bind-to", "none"]
    if os.geteuid() == 0:
        words.append("--allow-run-as-root")
    return words + ["--mca", "mpi_yield_when_idle", "1"], {}, {}


def _intel(mpiexec: Path) -> Command:
    prefix = mpiexec.parents[1]
    paths = [str(prefix / "lib"), os.environ.get("LD_LIBRARY_PATH", "")]
    outer = {
        "I_MPI_ROOT": str(prefix),
        "FI_PROVIDER_PATH": str(prefix / "lib"),
        "LD_LIBRARY_PATH": ":".join(path for path in paths if path),
    }
    ours = {"I_MPI_FABRICS": "shm", "I_MPI_PIN": "0", "I_MPI_WAIT_MODE": "1"}
    return [str(mpiexec)], outer, ours


# MPICH's and Intel's mpiexec end the others whatever they are told.
_DEATHS = {"mpich": [], "openmpi": ["--with-ft", "ulfm"], "intel": []}

_KINDS = {"mpich": _mpich, "openmpi": _openmpi, "intel": _intel}


def manners(mpi: str, mpiexec: Path) -> tuple[list[str], dict[str, str], list[str]]:
    """What starting on one machine takes with an MPI, for those who start it themselves: flags of
    its mpiexec, settings of the ranks, and flags for where ranks may die."""
    kind = BROUGHT[mpi]
    words, _, ours = _KINDS[kind](mpiexec)
    return words[1:], ours, _DEATHS[kind]


def dropin(mpi: str) -> Path:
    """The drop-in for an MPI: of its build in a source tree, else beside the planner's library."""
    tree = library.tree()
    folder = tree / "build" / mpi / "lib" if tree else Path(library.load().path).parent
    return library.file_of(folder, "caucus_dropin")


def mpi_of_program(program: str) -> Optional[str]:
    """The MPI that a program is linked with; None where that can't be told, as for a script."""
    path, ldd = shutil.which(program), shutil.which("ldd")
    if not path or not ldd:
        return None
    said = subprocess.run([ldd, path], capture_output=True, text=True, timeout=30).stdout
    if "libmpi_abi.so" in said:
        return "abi"
    found = re.search(r"/\.mpi/(\w+)/lib/libmpi\.so", said)
    if found and found.group(1) in BROUGHT:
        return found.group(1)
    return "system" if re.search(r"libmpi(ch)?\.so", said) else None
