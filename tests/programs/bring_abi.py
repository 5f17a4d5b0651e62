# SPDX-License-Identifier: BSD-3-Clause
"""Brings mpi4py for the standard ABI into .cache/mpi4py-abi: its wheels have builds for MPICH's and
Open MPI's own interfaces alone, so it is compiled by MPICH's mpicc_abi."""

import os
import shutil
import sys

import bring_fft
from bring_mpi4py_tests import version

from provision import mpi, pins, python, shell, stamp
from provision.paths import CACHE

FOLDER = CACHE / "mpi4py-abi"


def bring():
    """The folder for PYTHONPATH. Raises Problem with one sentence if it can't be had."""
    state = {"mpi4py": version(), "python": sys.version, "mpi": pins.MPI["mpich"]["packages"]}
    with stamp.one_at_a_time():
        if not (stamp.fresh("mpi4py-abi", state) and (FOLDER / "mpi4py").is_dir()):
            _install()
            stamp.write("mpi4py-abi", state)
    return FOLDER


def _install():
    CACHE.mkdir(exist_ok=True)
    constraint = CACHE / "mpi4py-abi-build.txt"
    constraint.write_text(f"{bring_fft.CYTHON}\n")
    environment = dict(
        os.environ,
        PIP_CONSTRAINT=str(constraint),
        MPICC=str(mpi.prefix("abi") / "bin" / "mpicc_abi"),
        CFLAGS="-O0",  # which takes a fraction of the time
    )
    shutil.rmtree(FOLDER, ignore_errors=True)
    words = ["--no-deps", "--no-cache-dir", "--no-binary", "mpi4py", "--target", FOLDER]
    command = python.pip("install", *words, f"mpi4py=={version()}")
    shell.fetch(f"mpi4py {version()} for the ABI", command, python.NETWORK, env=environment)
