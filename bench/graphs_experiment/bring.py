# SPDX-License-Identifier: BSD-3-Clause
"""Brings what makes the graphs, scipy and PyAMG, into .cache/graph-cases: for this benchmark alone,
so that nothing else comes to rely on them."""

import shutil
import sys

from provision import python, shell, stamp
from provision.paths import CACHE

PACKAGES = {"scipy": "1.17.1", "pyamg": "5.3.0"}
FOLDER = CACHE / "graph-cases"
STATE = {**PACKAGES, "python": sys.version}


def bring():
    """The folder for sys.path."""
    with stamp.one_at_a_time():
        if not (stamp.fresh("graph-cases", STATE) and (FOLDER / "pyamg").is_dir()):
            shutil.rmtree(FOLDER, ignore_errors=True)
            pins = [f"{name}=={version}" for name, version in PACKAGES.items()]
            command = python.pip(
                "install", "--no-deps", "--prefer-binary", "--target", FOLDER, *pins
            )
            shell.fetch("scipy and pyamg", command, python.NETWORK)
            stamp.write("graph-cases", STATE)
    return FOLDER
