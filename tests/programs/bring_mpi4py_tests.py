# SPDX-License-Identifier: BSD-3-Clause
"""Brings the tests that mpi4py's source package carries into .cache/mpi4py-tests; mpi4py itself is
in the environment."""

import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

from provision import python, shell, stamp
from provision.paths import CACHE, REQUIREMENTS
from provision.problem import Problem

FOLDER = CACHE / "mpi4py-tests"


def version():
    """That of the mpi4py that is tested."""
    for line in (REQUIREMENTS / "test.txt").read_text().splitlines():
        if line.startswith("mpi4py=="):
            return line.partition("==")[2].strip()
    raise Problem("tools/requirements/test.txt does not pin mpi4py.")


def bring():
    """The program that runs them. Raises Problem with one sentence if it can't be had."""
    state = {"mpi4py-tests": version(), "python": sys.version}
    with stamp.one_at_a_time():
        if not (stamp.fresh("mpi4py-tests", state) and (FOLDER / "main.py").exists()):
            _fetch(version())
            stamp.write("mpi4py-tests", state)
    return FOLDER / "main.py"


def _fetch(wanted):
    CACHE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
        # not of all packages: what pip builds it with would be compiled for minutes
        options = ["--no-deps", "--no-binary", "mpi4py", "--dest", scratch]
        command = python.pip("download", *options, f"mpi4py=={wanted}")
        shell.fetch(f"the source of mpi4py {wanted}", command, python.NETWORK)
        packages = list(Path(scratch).glob("mpi4py-*.tar.gz"))
        if len(packages) != 1:
            raise Problem(f"the source of mpi4py {wanted} came as something unknown.")
        with tarfile.open(packages[0]) as package:
            inside = f"mpi4py-{wanted}/test/"
            members = [member for member in package if member.name.startswith(inside)]
            members = [member for member in members if member.isfile() and ".." not in member.name]
            package.extractall(scratch, members)
        shutil.rmtree(FOLDER, ignore_errors=True)
        shutil.move(Path(scratch) / f"mpi4py-{wanted}" / "test", FOLDER)
