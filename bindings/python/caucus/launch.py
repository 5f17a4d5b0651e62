# SPDX-License-Identifier: BSD-3-Clause
"""Starting a program under any of the MPIs, with libraries preloaded or not."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Optional

from . import library
from .errors import Failure
from .linked import ABI, MPICH, OPENMPI, Linked, of_file

# The MPIs that a source tree has in .mpi/, by the name of their build.
BROUGHT = {"mpich": "mpich", "openmpi": "openmpi", "intel": "intel", "abi": "mpich"}
MPIS = (*BROUGHT, "system")

AS_ROOT = "--allow-run-as-root"
Command = tuple[list[str], dict[str, str], dict[str, str]]


def mpiexec_of(mpi: str) -> Path:
    """The mpiexec of an MPI."""
    tree = library.tree()
    if mpi == "system" or not tree:
        return _mpiexec_of_system()
    path = tree / ".mpi" / BROUGHT[mpi] / "bin" / "mpiexec"
    if not path.exists():
        raise Failure(f"there is no {path}: run 'make build MPI={mpi}'")
    return path


def _mpiexec_of_system() -> Path:
    """The first one that starts programs of the drop-in's MPI: on the PATH, beside that MPI's
    library, or as Debian calls it where there are several."""
    names = ("mpiexec", "mpiexec.mpich", "mpiexec.hydra", "mpiexec.openmpi")
    found = [Path(path) for path in map(shutil.which, names) if path]
    own = of_file(dropin("system"), os.environ)
    if own and own.path:
        beside = own.path.resolve().parents[1] / "bin" / "mpiexec"
        found[1:1] = [beside] if beside.exists() else []
    if not found:
        raise Failure(
            "there is no mpiexec on the PATH: install an MPI or, in a source tree, "
            "run 'make build MPI=mpich' and name it with --mpi mpich"
        )
    if not own:
        return found[0]
    fitting = (path for path in found if fits(kind_of_mpiexec(str(path)), own.family))
    return next(fitting, found[0])


SIGNS = (
    ("Intel", "intel"),
    ("Open MPI", "openmpi"),
    ("OpenRTE", "openmpi"),
    ("PRRTE", "openmpi"),
    ("HYDRA", "mpich"),
)


FAMILY_OF_KIND = {"mpich": MPICH, "intel": MPICH, "openmpi": OPENMPI}


def fits(kind: Optional[str], family: str) -> bool:
    """Whether an mpiexec of this kind starts programs of this family, as far as can be told: newer
    ones of MPICH those for the standard ABI, too."""
    of_kind = FAMILY_OF_KIND.get(kind or "")
    return of_kind in (None, family) or (family == ABI and of_kind == MPICH)


@functools.lru_cache(maxsize=None)
def kind_of_mpiexec(mpiexec: str) -> Optional[str]:
    """Whose it is: mpich, openmpi or intel; None where it does not tell."""
    try:
        said = subprocess.run(
            [mpiexec, "--version"], capture_output=True, text=True, errors="replace", timeout=30
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return next((kind for sign, kind in SIGNS if sign in said.stdout + said.stderr), None)


def kind_of(mpi: str) -> str:
    """Whose mpiexec it is: mpich, openmpi or intel."""
    if mpi != "system" and library.tree():
        return BROUGHT[mpi]
    return kind_of_mpiexec(str(mpiexec_of(mpi))) or "mpich"


def command(
    mpi: str,
    ranks: Optional[int],
    program: Sequence,
    env: Optional[Mapping[str, object]] = None,
    preload: Sequence = (),
    deaths: bool = False,
    mpiexec: Optional[Path] = None,
    crowded: bool = True,
    more: Sequence[str] = (),
) -> tuple[list[str], dict[str, str]]:
    """The command line and the environment that start a program (a list of words) on so many
    ranks, None: as many as the MPI takes; env and the libraries of preload reach the ranks, not
    mpiexec itself. With deaths, the others go on where a rank dies, and are told of it, if the MPI
    can do that. mpiexec: another one of the same kind. crowded: ranks may outnumber the cores of
    this machine, so none is bound, and those that wait give way; otherwise the MPI does as it
    always does. more: words for mpiexec."""
    kind = kind_of(mpi)
    words, outer, ours = _KINDS[kind](mpiexec or mpiexec_of(mpi))
    if not crowded:
        words, ours = [words[0], *(word for word in words if word == AS_ROOT)], {}
    if deaths:
        words += _DEATHS[kind]
    words += more
    settings = {**ours, **(env or {})}
    if preload:
        settings["LD_PRELOAD"] = ":".join(str(file) for file in preload)
    for name, value in settings.items():
        words += ["-x", f"{name}={value}"] if kind == "openmpi" else ["-genv", name, str(value)]
    words += [] if ranks is None else ["-n", str(ranks)]
    return [*words, *map(str, program)], {**os.environ, **outer}


def hostfile(mpi: str, file: str) -> list[str]:
    """The words with which mpiexec takes its hosts from a file."""
    return ["--hostfile" if kind_of(mpi) == "openmpi" else "-f", file]


def _mpich(mpiexec: Path) -> Command:
    # Its collectives on shared memory spin through whole time slices where ranks outnumber cores.
    names = ("BCAST", "REDUCE", "ALLREDUCE", "BARRIER")
    calm = {f"MPIR_CVAR_{name}_POSIX_INTRA_ALGORITHM": "mpir" for name in names}
    return [str(mpiexec)], {}, calm


def _openmpi(mpiexec: Path) -> Command:
    words = [str(mpiexec), "--oversubscribe", "--bind-to", "none"]
    if os.geteuid() == 0:
        words.append(AS_ROOT)
    return words + ["--mca", "mpi_yield_when_idle", "1"], {}, {}


def _intel(mpiexec: Path) -> Command:
    folder = mpiexec.parents[1] / "lib"
    paths = [str(folder), os.environ.get("LD_LIBRARY_PATH", "")]
    outer = {"LD_LIBRARY_PATH": ":".join(path for path in paths if path)}
    # What its own scripts set knows better: of oneAPI the providers lie elsewhere.
    found = {"I_MPI_ROOT": str(folder.parent)}
    if any(folder.glob("*-fi.so")):
        found["FI_PROVIDER_PATH"] = str(folder)
    outer.update({name: value for name, value in found.items() if name not in os.environ})
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


def mpi_of(linked: Linked) -> str:
    """The build of Caucus for the MPI that a program is linked with."""
    if linked.family == ABI:
        return ABI
    brought = re.search(r"/\.mpi/(\w+)/lib", str(linked.path or ""))
    if brought and brought.group(1) in BROUGHT:
        return brought.group(1)
    return "system" if linked.path else linked.family
