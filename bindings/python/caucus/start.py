# SPDX-License-Identifier: BSD-3-Clause
"""How caucus run starts a program: which MPI, by which launcher, and whether these fit."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Optional

from . import launch, library, linked
from .errors import Failure, UsageError
from .linked import Linked

MPIEXECS = ("mpiexec", "mpirun", "mpiexec.hydra", "orterun", "prterun")
RANKS = re.compile(r"(?:^|\s)(?:-np?|--ntasks|--np)[ =]?(\d+)\b")
FAMILY_OF_KIND = {"mpich": linked.MPICH, "intel": linked.MPICH, "openmpi": linked.OPENMPI}
# What a batch system sets where it has given out nodes: mpiexec spreads the ranks over them.
BATCH = ("SLURM_JOB_ID", "PBS_NODEFILE", "LSB_JOBID", "PE_HOSTFILE", "FLUX_JOB_ID", "COBALT_JOBID")


class Launcher(NamedTuple):
    """What starts the ranks. words: a launcher of the user's, instead of the MPI's mpiexec."""

    words: list[str]
    more: list[str]  # further ones for mpiexec
    hostfile: Optional[str]
    ranks: Optional[int]  # None: the launcher decides

    @property
    def is_elsewhere(self) -> bool:
        """Whether ranks may run on other machines."""
        batch = any(os.environ.get(name) for name in BATCH)
        return bool(self.words or self.hostfile or self.more or batch)

    @property
    def expected(self) -> int:
        """How many ranks it is told to start; 0 where its words do not say."""
        said = RANKS.search(" ".join(self.words + self.more))
        return self.ranks or (int(said.group(1)) if said else 0)


class Start(NamedTuple):
    """Everything that it takes to start the program, with Caucus or without."""

    mpi: str
    launcher: Launcher
    dropin: Path
    program: list[str]

    def command(
        self, settings: Mapping[str, object], preload: bool
    ) -> tuple[list[str], dict[str, str]]:
        """The words and the environment."""
        settings = dict(settings)
        others = str(settings.pop("LD_PRELOAD", os.environ.get("LD_PRELOAD", "")))
        libraries = [self.dropin] if preload else []
        libraries += others.replace(":", " ").split()
        if self.launcher.words:
            return self._by_words(settings, libraries), dict(os.environ)
        more = list(self.launcher.more)
        if self.launcher.hostfile:
            more += launch.hostfile(self.mpi, self.launcher.hostfile)
        return launch.command(
            self.mpi,
            self.launcher.ranks,
            self.program,
            settings,
            libraries,
            crowded=self._is_crowded(),
            more=more,
        )

    def _by_words(self, settings: dict, libraries: Sequence) -> list[str]:
        """env(1) sets the variables behind the launcher, whatever that is: they are the ranks'
        alone, and reach them on all nodes."""
        if libraries:
            settings["LD_PRELOAD"] = ":".join(str(file) for file in libraries)
        pairs = [f"{name}={value}" for name, value in settings.items()]
        ranks = ["-n", str(self.launcher.ranks)] if self.launcher.ranks else []
        return [*self.launcher.words, *ranks, *(["env", *pairs] if pairs else []), *self.program]

    def _is_crowded(self) -> bool:
        return not self.launcher.is_elsewhere and (self.launcher.ranks or 1) > cores()


def cores() -> int:
    """Those that this process may use: hardware threads of one core are one."""
    found = set()
    for number in os.sched_getaffinity(0):
        place = f"/sys/devices/system/cpu/cpu{number}/topology/thread_siblings_list"
        try:
            with open(place, encoding="ascii") as file:
                found.add(file.read())
        except OSError:
            found.add(str(number))
    return len(found)


def split(words: str, option: str) -> list[str]:
    try:
        return shlex.split(words)
    except ValueError as error:
        raise UsageError(f"{option} {words}: {error}") from None


def _dropin(mpi: str) -> Path:
    path = launch.dropin(mpi)
    if not path.exists():
        remedy = (
            f"run 'make build MPI={mpi}'" if library.tree() else "install a Caucus built for it"
        )
        raise Failure(f"there is no {path}: {remedy}")
    return path


def _check_dropin(path: Path, found: Sequence[Linked], program: str) -> None:
    """A drop-in serves programs of its own family only."""
    own = linked.of_file(path, os.environ)
    if own and found and own.family not in [one.family for one in found]:
        raise UsageError(
            f"{program} is linked with {found[0].spoken}, and this drop-in is for "
            f"{linked.SPOKEN[own.family]}: leave --mpi out, or name the MPI of the program"
        )


def _check_mpiexec(
    mpiexec: str, kind: Optional[str], found: Sequence[Linked], program: str
) -> None:
    """Under another MPI's mpiexec every rank would be a world of its own, or none would start."""
    family = FAMILY_OF_KIND.get(kind or "")
    fitting = [one.family for one in found]
    if linked.ABI in fitting:
        fitting.append(linked.MPICH)  # whose newer ones have the standard ABI
    if family and found and family not in fitting:
        raise UsageError(
            f"{program} is linked with {found[0].spoken}, and {shutil.which(mpiexec)} starts "
            f"programs of {linked.SPOKEN[family]}: name the launcher of its MPI with --launcher"
        )


def prepare(
    program: Sequence[str], mpi: Optional[str], launcher: Launcher, env: Mapping[str, object]
) -> Start:
    """Chooses the MPI, which may be asked for, and refuses what does not fit together, before
    anything is started."""
    surroundings = {**os.environ, **{name: str(value) for name, value in env.items()}}
    found = linked.of_program(program, surroundings)
    likely = "mpich" if library.tree() else "system"
    chosen = mpi or (launch.mpi_of(found[0]) if len(found) == 1 else likely)
    dropin = _dropin(chosen)
    _check_dropin(dropin, found, program[0])
    if launcher.words and launcher.hostfile:
        raise UsageError("--hostfile is for mpiexec: say the hosts in the words of --launcher")
    if launcher.words and launcher.more:
        raise UsageError("--mpiexec-args are for mpiexec: put them into the words of --launcher")
    if not launcher.words:
        _check_mpiexec(str(launch.mpiexec_of(chosen)), launch.kind_of(chosen), found, program[0])
    elif not shutil.which(launcher.words[0]):
        raise Failure(f"there is no {launcher.words[0]}, which is to start the program")
    elif os.path.basename(launcher.words[0]) in MPIEXECS:
        kind = launch.kind_of_mpiexec(launcher.words[0])
        _check_mpiexec(launcher.words[0], kind, found, program[0])
    return Start(chosen, launcher, dropin, list(program))
