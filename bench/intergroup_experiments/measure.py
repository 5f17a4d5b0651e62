# SPDX-License-Identifier: BSD-3-Clause
"""Runs the program and returns the cells that it says."""

import json
import os
import tempfile

from lab import LabError

from .cases import PPN


class ExperimentError(Exception):
    """One sentence on what went wrong."""


def program(builds, mpi, name="intergroup_loop"):
    path = builds / mpi / "bin" / name
    if not path.exists():
        raise ExperimentError(f"there is no {path}: run 'make build MPI={mpi}'.")
    return str(path)


KNOWN = {None: "default", "auto": "auto"}  # a file is of a tuned machine
# What plays the network's part is the kernel of the same machine: ranks that wait must not keep it
# from the processors.
POLITE = ("nice", "-n", "19")


def tune(lab, builds, mpi, path, timeout=200, ppn=PPN):
    """Has the virtual nodes measured, as caucus tune does; path is the file to write."""
    words = [*POLITE, program(builds, mpi, "machine_model"), "--output", path]
    lab.run(words, mpi=mpi, ppn=ppn, timeout=timeout)


def words_of(groups, cells, scale):
    found = ["--groups", groups]
    for collective, shape, size in cells:
        found += ["--cell", f"{collective}:{shape}:{size}"]
    return found + [
        *("--repetitions", str(scale.repetitions)),
        *("--seconds", str(scale.seconds)),
    ]


def read(path):
    """A cell for each line, a last one that was cut short left out."""
    with open(path) as file:
        lines = [line for line in file if line.endswith("\n")]
    return [json.loads(line) for line in lines]


def across(lab, path, mpi, model, groups, cells, scale, ways="all", ppn=PPN, timeout=400):
    """All cells between two groups of the nodes, by the program at path: (cells, what went wrong).
    model is a file, "auto" or None."""
    env = {"CAUCUS_TIMEOUT": "60", "CAUCUS_CACHE": "none", "CAUCUS_MODEL": model or "default"}
    problem = ""
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "cells.json")
        open(output, "w").close()
        words = [*POLITE, path, *words_of(groups, cells, scale)]
        words += ["--ways", ways, "--json", output]
        try:
            lab.run(words, mpi=mpi, ppn=ppn, env=env, timeout=timeout)
        except LabError as error:
            problem = _told(error)
        found = read(output)
    for cell in found:
        cell.update(mpi=mpi, ppn=ppn, model=KNOWN.get(model, "tuned"))
    if len(found) < len(cells):
        left = ":".join(map(str, cells[len(found)]))
        problem = f"{mpi}, {lab.nodes} nodes, {groups}, ended at {left}: {problem}"
    elif problem:
        problem = f"{mpi}, {lab.nodes} nodes, {groups}: {problem}"
    return found, problem


def _told(error):
    """The sentences of an error that are the program's own."""
    lines = [line for line in str(error).splitlines() if "intergroup_loop" in line]
    return " ".join(lines)[-600:] or str(error).splitlines()[0][:300]
