# SPDX-License-Identifier: BSD-3-Clause
"""Brings mpi4py-fft, a library of others that makes reordered grids, into .cache/mpi4py-fft, built
from its source against Debian's FFTW."""

import os
import shutil
import sys

from provision import apt, libraries, python, shell, stamp
from provision.paths import CACHE, DEPS, REQUIREMENTS
from provision.problem import Problem

VERSION = "2.0.6"
CYTHON = "cython==3.3.1"
FOLDER = CACHE / "mpi4py-fft"
STATE = {"mpi4py-fft": VERSION, "python": sys.version}
FFTW = ("libfftw3-dev",)


def bring():
    """The folder for PYTHONPATH. Raises Problem with one sentence if it can't be had."""
    with stamp.one_at_a_time():
        if not (stamp.fresh("mpi4py-fft", STATE) and (FOLDER / "mpi4py_fft").is_dir()):
            if not _header():
                apt.bring(list(FFTW))
            _install()
            stamp.write("mpi4py-fft", STATE)
    return FOLDER


def library_folders():
    """For LD_LIBRARY_PATH: where FFTW lies if it was unpacked."""
    return [str(libraries.folder())] if libraries.folder().is_dir() else []


def _header():
    places = [DEPS / "usr" / "include", "/usr/include", "/usr/local/include"]
    return next((place for place in places if os.path.exists(f"{place}/fftw3.h")), None)


def _install():
    if not _header():
        raise Problem("FFTW came, but its header fftw3.h did not: install libfftw3-dev by hand.")
    CACHE.mkdir(exist_ok=True)
    pins = CACHE / "mpi4py-fft-build.txt"
    pins.write_text(f"{CYTHON}\n")
    environment = dict(
        os.environ,
        PIP_CONSTRAINT=f"{REQUIREMENTS / 'run.txt'} {pins}",
        FFTW_INCLUDE_DIR=str(_header()),
    )
    if library_folders():
        environment["FFTW_LIBRARY_DIR"] = library_folders()[0]
    shutil.rmtree(FOLDER, ignore_errors=True)
    command = python.pip("install", "--no-deps", "--target", FOLDER, f"mpi4py-fft=={VERSION}")
    shell.fetch(f"mpi4py-fft {VERSION}", command, python.NETWORK, env=environment)
