# SPDX-License-Identifier: BSD-3-Clause
"""How commands start a program: which MPI, by which launcher, and whether these fit."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Optional

from . import builds, launch, library, linked
from .errors import Failure, UsageError
from .linked import Linked

MPIEXECS = ("mpiexec", "mpirun", "mpiexec.hydra", "orterun", "prterun")
DROPIN = "libcaucus_dropin.so"  # how the names of its files begin
RANKS = re.compile(r"(?<!\bnice)(?:^|\s)(?:-np?|--ntasks|--np)[ =]?(\d{1,18})\b")
MULTIPLE = "--multi-prog"  # of srun, which then takes a file of programs
# What a batch system sets where it has given out nodes: mpiexec spreads the ranks over them.
BATCH = ("SLURM_JOB_ID", "PBS_NODEFILE", "LSB_JOBID", "PE_HOSTFILE", "FLUX_JOB_ID", "COBALT_JOBID")


class Launcher(NamedTuple):
    """What starts the ranks. words: a launcher of the user's, instead of the MPI's mpiexec."""

    words: list[str]
    more: list[str]  # further ones for mpiexec
    hostfile: Optional[str]
    ranks: Optional[int]  # None: the launcher decides
    is_several: bool = False  # programs, parted by ':': the ranks are those of the first

    @property
    def is_elsewhere(self) -> bool:
        """Whether ranks may run on other machines."""
        batch = any(os.environ.get(name) for name in BATCH)
        return bool(self.words or self.hostfile or self.more or batch)

    @property
    def folder(self) -> Optional[str]:
        """Where all nodes can write: the working directory, as far as anybody can know. None: any
        folder will do."""
        return os.getcwd() if self.is_elsewhere and os.access(".", os.W_OK) else None

    @property
    def expected(self) -> int:
        """How many ranks it is told to start; 0 where its words do not say."""
        if self.is_several:
            return 0
        said = RANKS.findall(" ".join(self.words + self.more))
        return self.ranks or int(said[-1] if said else 0)


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
        settings = self._preloading(settings, preload)
        if self.launcher.words:
            return self._by_words(settings), dict(os.environ)
        more = list(self.launcher.more)
        if self.launcher.hostfile:
            more += launch.hostfile(self.mpi, self.launcher.hostfile)
        return launch.command(
            self.mpi,
            self.launcher.ranks,
            self.program,
            settings,
            crowded=self._is_crowded(),
            more=more,
        )

    def _preloading(self, settings: Mapping[str, object], preload: bool) -> dict[str, object]:
        """The settings with what is preloaded: Caucus once, or not at all where it is not to be,
        though modules may have it in everybody's LD_PRELOAD. Tools that the user preloads see the
        calls of the program where they come first."""
        settings = dict(settings)
        others = str(settings.pop("LD_PRELOAD", os.environ.get("LD_PRELOAD", "")))
        named = others.replace(":", " ").split()
        libraries = [name for name in named if not os.path.basename(name).startswith(DROPIN)]
        libraries += [_preloadable(self.dropin)] if preload else []
        if named or libraries:
            settings["LD_PRELOAD"] = ":".join(libraries)
        return settings

    def _by_words(self, settings: Mapping[str, object]) -> list[str]:
        """env(1) sets the variables behind the launcher, whatever that is: they are the ranks'
        alone, and reach them on all nodes."""
        pairs = [f"{name}={value}" for name, value in settings.items()]
        ranks = ["-n", str(self.launcher.ranks)] if self.launcher.ranks else []
        setting = ["env", *pairs] if pairs else []
        if pairs and "=" in self.program[0]:  # which env would take for a variable
            setting += ["sh", "-c", 'exec "$0" "$@"']
        return [*self.launcher.words, *ranks, *setting, *self.program]

    def _is_crowded(self) -> bool:
        return not self.launcher.is_elsewhere and self._ranks() > cores()

    def _ranks(self) -> int:
        """Of all programs, as far as their words say."""
        _, *further = " ".join(self.program).split(" : ")
        said = map(RANKS.search, further)
        return (self.launcher.ranks or 1) + sum(int(one.group(1)) if one else 1 for one in said)


def _preloadable(library: Path) -> str:
    if re.search("[ :]", str(library)):
        raise Failure(
            f"{library} can't be preloaded: the loader parts LD_PRELOAD at spaces and colons; "
            "install Caucus in a folder without them"
        )
    return str(library)


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


def _dropin(mpi: str, found: Sequence[Linked]) -> Path:
    path = launch.dropin(mpi)
    if not path.exists():
        remedy = "install a Caucus built for it"
        if library.tree():
            whose = linked.SPOKEN[found[0].family] if found else "it"
            of_system = f" with the mpicc of {whose} first on the PATH" if mpi == "system" else ""
            remedy = f"run 'make build MPI={mpi}'{of_system}"
        raise Failure(f"there is no {path}: {remedy}")
    return path


def _another(family: str) -> str:
    """What to do for want of a drop-in for programs of a family."""
    for mpi in launch.MPIS if library.tree() else ():
        own = linked.of_file(launch.dropin(mpi), os.environ)
        if own and own.family == family:
            return f"say --mpi {mpi}"
    return _installation(family)


def _installation(family: str) -> str:
    return f"load the installation that was built for {linked.SPOKEN[family]}, or build one"


def _check_dropin(path: Path, found: Sequence[Linked], program: str) -> None:
    """A drop-in serves programs of its own family only."""
    own = linked.of_file(path, os.environ)
    if own and found and own.family not in [one.family for one in found]:
        raise UsageError(
            f"{program} is linked with {found[0].spoken}, and this drop-in is for "
            f"{linked.SPOKEN[own.family]}: {_another(found[0].family)}"
        )


def _check_installed(mpi: str, path: Path) -> None:
    """An installed Caucus is for one MPI: another one can't be had by its name."""
    own = linked.of_file(path, os.environ)
    named = linked.ABI if mpi == linked.ABI else launch.FAMILY_OF_KIND.get(mpi)
    if own and named and named != own.family:
        raise UsageError(
            f"--mpi {mpi}: this Caucus is installed for {own.spoken}: {_installation(named)}"
        )


def check_mpiexec(mpiexec: str, kind: Optional[str], found: Sequence[Linked], program: str) -> None:
    """Under another MPI's mpiexec every rank would be a world of its own, or none would start."""
    if found and not any(launch.fits(kind, one.family) for one in found):
        raise UsageError(
            f"{program} is linked with {found[0].spoken}, and {shutil.which(mpiexec)} starts "
            f"programs of {linked.SPOKEN[launch.FAMILY_OF_KIND[str(kind)]]}: name the launcher of "
            "its MPI with --launcher, or put its mpiexec first on the PATH"
        )


def _check_program(program: str, path: str) -> None:
    """Looked up as an mpiexec does: only on the PATH where it has no slash."""
    if shutil.which(program, path=path):
        return
    if "/" not in program:
        here = f": write ./{program}" if os.path.isfile(program) else ""
        raise Failure(f"there is no program {program} on the PATH{here}")
    if not os.path.exists(program):
        raise Failure(f"there is no {program}")
    what = "is a folder" if os.path.isdir(program) else "can't be executed: see chmod +x"
    raise Failure(f"{program} {what}")


def _check_single(launcher: Launcher) -> None:
    """Behind a launcher env(1) preloads Caucus under the one program that follows it."""
    several = "':' between programs" if launcher.is_several else ""
    several = next((word for word in launcher.words if word.startswith(MULTIPLE)), several)
    if launcher.words and several:
        raise UsageError(
            f"{several} with --launcher: only the first program would run under Caucus; write a "
            "script that starts the program of its rank, and name that behind '--'"
        )


def _check_launcher(mpi: str, launcher: Launcher, found: Sequence[Linked], program: str) -> None:
    _check_single(launcher)
    if launcher.words and launcher.hostfile:
        raise UsageError("--hostfile is for mpiexec: say the hosts in the words of --launcher")
    if launcher.words and launcher.more:
        raise UsageError("--mpiexec-args are for mpiexec: put them into the words of --launcher")
    if not launcher.words:
        check_mpiexec(str(launch.mpiexec_of(mpi)), launch.kind_of(mpi), found, program)
    elif not shutil.which(launcher.words[0]):
        raise Failure(f"there is no {launcher.words[0]}, which is to start the program")
    elif os.path.basename(launcher.words[0]) in MPIEXECS:
        kind = launch.kind_of_mpiexec(launcher.words[0])
        check_mpiexec(launcher.words[0], kind, found, program)


def prepare(
    program: Sequence[str], mpi: Optional[str], launcher: Launcher, env: Mapping[str, object]
) -> Start:
    """Chooses the MPI, which may be asked for, and refuses what does not fit together, before
    anything is started."""
    surroundings = {**os.environ, **{name: str(value) for name, value in env.items()}}
    if not launcher.is_elsewhere:
        _check_program(program[0], surroundings.get("PATH", os.defpath))
    found = linked.of_program(program, surroundings)
    likely = "mpich" if library.tree() else "system"
    chosen = mpi or (launch.mpi_of(found[0]) if len(found) == 1 else likely)
    dropin = _dropin(chosen, found)
    if mpi and not library.tree():
        _check_installed(mpi, dropin)
    _check_dropin(dropin, found, program[0])
    _check_launcher(chosen, launcher, found, program[0])
    return Start(chosen, launcher, dropin, list(program))


def add_ranks(parser: argparse.ArgumentParser, otherwise: str) -> None:
    """The options of commands that start a program of Caucus itself."""
    parser.add_argument(
        "-n", "--ranks", metavar="N", type=int, help=f"how many ranks ({otherwise})"
    )
    parser.add_argument(
        "--launcher",
        metavar="WORDS",
        default="",
        help="start it by these words, such as 'srun -N2 -n64', as 'caucus run' does",
    )


def check_number(ranks: Optional[int]) -> None:
    if ranks is not None and ranks < 1:
        raise UsageError(f"-n {ranks}: at least one rank is needed")


def launcher_of(options: argparse.Namespace, otherwise: int) -> Launcher:
    """Of these options. Without a word of ranks so many, or as the launcher's words have it."""
    check_number(options.ranks)
    words = split(options.launcher, "--launcher")
    ranks = otherwise if options.ranks is None and not words else options.ranks
    return Launcher(words, [], None, ranks)


def prepare_own(mpi: Optional[str], launcher: Launcher, words: Sequence[object]) -> Start:
    """The same for a program of Caucus itself: its name and its arguments."""
    chosen = mpi or ("mpich" if library.tree() else "system")
    program = [str(builds.program(chosen, str(words[0]))), *map(str, words[1:])]
    found = linked.of_program(program[:1], os.environ)
    if mpi and not library.tree():
        _check_installed(mpi, launch.dropin(mpi))
    _check_launcher(chosen, launcher, found, program[0])
    return Start(chosen, launcher, launch.dropin(chosen), program)


def check_ranks(launcher: Launcher, seen: int) -> None:
    """A launcher of another kind than the MPI starts programs of one rank each."""
    if seen < launcher.expected:
        raise Failure(
            f"the programs saw {seen} rank{'s' * (seen != 1)} and not {launcher.expected}: the "
            "launcher does not start programs of this MPI as one (srun: see its --mpi)"
        )
