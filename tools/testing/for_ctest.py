# SPDX-License-Identifier: BSD-3-Clause
"""Writes what CTest is to run of the programs with MPI: each case of each program that fits an MPI,
as a call of caucus_mpi_case (cmake/CaucusCTest.cmake), and how that MPI is started where ranks
outnumber cores.

python3 -m testing.for_ctest KIND MPIEXEC    (KIND: mpich, openmpi, intel, abi or other)"""

import sys
from collections import Counter
from pathlib import Path

import mpi_launch

from .programs import Target, declared, fitting

# Slurm's srun and the like have other options.
STARTERS = ("mpiexec", "mpirun", "orterun", "prterun")


def quoted(words):
    """Words as CMake takes them literally."""
    return " ".join(f"[=[{word}]=]" for word in words)


def name_of(case, seen):
    """Lines may differ in what they expect alone, and CTest wants names of their own."""
    name = f"{case.program} -n {case.ranks}{case.words[len(case.program) :]}"
    seen[name] += 1
    return name if seen[name] == 1 else f"{name} ({seen[name]})"


def call(case, name, death_flags):
    labels = ["mpi"] + ["dropin"] * case.preload + ["slow"] * case.full
    settings = [f"{key}={value}" for key, value in case.environment.items()]
    usual = {"CAUCUS_CACHE": "none", "CAUCUS_SELECT": "model"}
    settings += [f"{key}={value}" for key, value in usual.items() if key not in case.environment]
    judge = [] if case.status == "0" else ["--exit", case.status]
    for text in case.outputs:
        judge += ["--output", text]
    judge += ["--deaths"] * case.deaths
    flags = death_flags if case.deaths else []
    return (
        f"caucus_mpi_case({quoted([name, case.program, case.ranks])} LABELS {quoted(labels)}"
        f" JUDGE {quoted(judge)} FLAGS {quoted(flags)} SETTINGS {quoted(settings)}"
        f" ARGUMENTS {quoted(case.arguments)})"
    )


def written(kind, mpiexec):
    """The lines of the file."""
    flags, settings, death_flags = [], {}, []
    if kind != "other" and Path(mpiexec).name.startswith(STARTERS):
        flags, settings, death_flags = mpi_launch.manners(kind, Path(mpiexec))
    words = "Flags of mpiexec in tests, besides MPIEXEC_PREFLAGS"
    yield f"set(CAUCUS_MPIEXEC_FLAGS [=[{';'.join(flags)}]=] CACHE STRING [=[{words}]=])"
    yield f"set(caucus_rank_settings {quoted(f'{k}={v}' for k, v in settings.items())})"
    seen = Counter()
    for case in fitting(declared(), Target(kind, None, kind)):
        yield call(case, name_of(case, seen), death_flags)


if __name__ == "__main__":
    print("\n".join(written(*sys.argv[1:])))
