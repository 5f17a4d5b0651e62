# SPDX-License-Identifier: BSD-3-Clause
"""Debian's MPIs for tests in Fortran: programs are compiled for one and started by it."""

import subprocess

import mpi_launch
from provision import fortran


class Debian:
    """Programs are compiled into a folder. MPICH's are started with that folder in front, where the
    library of the wheel's MPICH finds this MPICH, whose handles are the same, under its name."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name

    def compiling(self):
        return fortran.compiling(self.name)

    def gfortran(self, *words):
        """Modules are looked for, and left, in the folder."""
        given = [*fortran.compiler(), f"-J{self.folder}", *words, *self.compiling()]
        subprocess.run([str(word) for word in given], check=True)

    def environment(self):
        outer = fortran.environment(self.name)
        if self.name == "mpich":
            link = self.folder / "libmpi.so.12"
            if not link.exists():
                link.symlink_to(self.compiling()[-1])
            outer["LD_LIBRARY_PATH"] = f"{self.folder}:{outer['LD_LIBRARY_PATH']}"
        return outer

    def command(self, ranks, program, env, preload=()):
        """The words that start it, and the environment of mpiexec."""
        outer = self.environment()
        mpiexec = fortran.mpiexec(self.name)
        words, more = mpi_launch.command(
            self.name, ranks, [program], {**outer, **env}, preload, mpiexec=mpiexec
        )
        return words, {**more, **outer}
