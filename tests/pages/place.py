# SPDX-License-Identifier: BSD-3-Clause
"""Where the commands of a page are run: a folder that looks like a clone of the tree in which 'make
build' has run, with a program of the user's, under the names that the pages give it."""

import os
import re
import subprocess

import blocks

import mpi_launch
from provision import shell

PROGRAMS = ("program", "your_program", "solver")
LEFT_OUT = (".git", "results")
LIMIT = 100  # seconds, of one command
# More ranks than cores, for commands that start mpiexec by themselves.
CROWDED = {
    f"MPIR_CVAR_{name}_POSIX_INTRA_ALGORITHM": "mpir"
    for name in ("BCAST", "REDUCE", "ALLREDUCE", "BARRIER")
}


# A square of sixteen cells, as a matrix.
MATRIX = [(i + 1, j + 1) for i in range(16) for j in range(i) if i - j in (1, 4)]


def make(folder):
    for entry in blocks.ROOT.iterdir():
        if entry.name not in LEFT_OUT:
            (folder / entry.name).symlink_to(entry)
    (folder / "mesh.graph").symlink_to(blocks.ROOT / "examples" / "data" / "mesh.graph")
    head = f"%%MatrixMarket matrix coordinate pattern symmetric\n16 16 {len(MATRIX)}\n"
    (folder / "matrix.mtx").write_text(head + "".join(f"{i} {j}\n" for i, j in MATRIX))
    return folder


def tools_of_mpi():
    """The folder of mpiexec and mpicc."""
    return mpi_launch.mpiexec_of("mpich").parent


def compile_program(folder):
    """The user's own, under the names that the pages give it."""
    compiler = tools_of_mpi() / "mpicc"
    source = blocks.ROOT / "tests" / "pages" / "program.c"
    subprocess.run([compiler, source, "-o", folder / PROGRAMS[0]], check=True, timeout=60)
    for name in PROGRAMS[1:]:
        (folder / name).symlink_to(PROGRAMS[0])


def run(command, folder):
    root = blocks.ROOT
    paths = [root / ".venv" / "bin", tools_of_mpi(), os.environ["PATH"]]
    env = dict(os.environ, **CROWDED, COLUMNS="80", CAUCUS_CACHE="none", HOME=str(folder))
    # What is chosen is not this moment's.
    env |= {"CAUCUS_MODEL": "default", "CAUCUS_SELECT": "model"}
    env["PATH"] = os.pathsep.join(map(str, paths))
    return shell.run(["bash", "-e", "-o", "pipefail", "-c", command], LIMIT, env, folder)


NUMBER = re.compile(r"\d[\d,.]*(?:e[+-]?\d+)?(?: (?:[nµum]?s|[KMG]i?B|B)\b)?")


FOLDERS = re.compile(r"(?<![\w.])/(?:[\w.-]+/)+")


def plain(line):
    """Without what differs from run to run and from place to place: numbers, their units, the
    spaces around them, and folders."""
    return " ".join(re.sub(r"[ -]{2,}", " ", NUMBER.sub("#", FOLDERS.sub("/", line))).split())


def difference(expected, told):
    """The first line that is not among those told, in their order; None if all are. Where no "..."
    stands between two lines, they follow on each other; "…" at the end of one is for its rest."""
    lines = [plain(line) for line in told if line.strip()]
    at, free = 0, False
    for line in expected:
        if not line.strip():
            continue
        if line.strip() in ("...", "…"):
            free = True
            continue
        wanted, ends = plain(line.rstrip("…")), line.endswith("…")
        places = range(at, len(lines)) if free else range(at, min(at + 1, len(lines)))
        same = (i for i in places if (lines[i].startswith(wanted) if ends else lines[i] == wanted))
        place = next(same, None)
        if place is None:
            return line
        at, free = place + 1, False
    return None if free or not expected or at == len(lines) else lines[at]
