# SPDX-License-Identifier: BSD-3-Clause
"""The first lines of make demo: which MPI is taken, and whether building comes first. Ends it where
mpicc and mpiexec are of two MPIs."""

import argparse
import shutil
import sys

import mpi_launch  # noqa: F401 (it leads to the package of the next line)
from caucus.launch import kind_of_mpiexec
from provision import mpi, shell
from provision.paths import BUILD

SPOKEN = {"mpich": "MPICH", "openmpi": "Open MPI", "intel": "Intel MPI"}


def compiler_of_system():
    """(path, kind) of the mpicc on the PATH."""
    found = shutil.which("mpicc") or ""
    said = shell.run([found, "-show"], limit=60).output if found else ""
    kinds = [kind for kind, signs in mpi.SIGNS.items() if any(sign in said for sign in signs)]
    return found, kinds[0] if len(kinds) == 1 else None


def chosen(name):
    """A sentence on the MPI, and one on what does not fit or nothing."""
    if name != "system":
        return f"MPI: {name}, brought into the tree (.mpi).", ""
    mpicc, kind = compiler_of_system()
    if not mpicc:
        return "MPI: there is no mpicc on the PATH.", ""
    mpiexec = shutil.which("mpiexec") or ""
    other = kind_of_mpiexec(mpiexec) if mpiexec else None
    whose = SPOKEN.get(kind or other, "the one")
    words = f"MPI: {whose} of {mpicc}, which is on the PATH; 'make demo MPI=mpich' brings MPICH."
    if kind and other and kind != other and not shutil.which(f"mpiexec.{kind}"):
        return words, (
            f"{mpicc} is for {SPOKEN[kind]}, and {mpiexec} starts programs of {SPOKEN[other]}: put "
            "those of one MPI first on the PATH, or say MPI=mpich"
        )
    return words, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpi", default="mpich")
    name = parser.parse_args().mpi
    words, problem = chosen(name)
    print(words)
    if problem:
        sys.exit(f"demo: {problem}")
    if not (BUILD / name / "lib" / "libcaucus_dropin.so").exists():
        print(f"It is built first, in {BUILD / name}: this takes some minutes, once.", flush=True)


if __name__ == "__main__":
    main()
