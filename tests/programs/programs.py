# SPDX-License-Identifier: BSD-3-Clause
"""Starting the programs of a build, with and without the drop-in.

TEST_BUILD (default: build) is the folder with one build for each MPI, TEST_MPIS (default: all that
are built there) a list of the MPIs to test."""

import os
import subprocess
from pathlib import Path

import pytest

import mpi_launch

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("TEST_BUILD", ROOT / "build"))
DATA = ROOT / "examples" / "data"
KNOWN = ("mpich", "openmpi", "intel", "abi", "system")


def mpis():
    chosen = os.environ.get("TEST_MPIS", ",".join(KNOWN)).split(",")
    return [mpi for mpi in chosen if program(mpi, "heat2d").exists()]


def parameters(without=()):
    """The MPIs as parameters of a fixture: two in every run, the others when all is asked for."""
    found = [mpi for mpi in mpis() if mpi not in without]
    marks = [[] if mpi in ("mpich", "openmpi") else [pytest.mark.slow] for mpi in found]
    return [pytest.param(mpi, marks=mark) for mpi, mark in zip(found, marks)] or ["none"]


def chosen(request):
    """What such a fixture returns."""
    assert request.param != "none", "nothing is built: run 'make build'"
    return request.param


def program(mpi, name):
    return BUILD / mpi / "bin" / name


def dropin(mpi):
    return BUILD / mpi / "lib" / "libcaucus_dropin.so"


def start(mpi, ranks, words, env=None, preload=(), timeout=120, check=True):
    """Runs a program to its end; fails with all that it said."""
    command, outer = mpi_launch.command(mpi, ranks, words, env, preload)
    done = subprocess.run(command, env=outer, capture_output=True, text=True, timeout=timeout)
    if check:
        assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stderr}"
    return done
