# SPDX-License-Identifier: BSD-3-Clause
"""Imported first by every experiment: where the Python that runs it lacks a package, it is started
anew in the environment of the tree; and the folders of the tree are put on the path. What is
measured says when, and of which commit."""

import importlib.util
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NEEDED = ("rich", "numpy", "matplotlib")


def _enter():
    missing = [name for name in NEEDED if not importlib.util.find_spec(name)]
    if not missing:
        return
    python = ROOT / ".venv" / "bin" / "python"
    if python.exists() and Path(sys.prefix) != ROOT / ".venv":
        os.execv(python, [str(python), *sys.argv])
    sys.exit(
        f"{Path(sys.argv[0]).name}: the Python package '{missing[0]}' is missing: 'make build' "
        "brings all that experiments need into .venv, where they find it"
    )


_enter()
sys.path[1:1] = [str(ROOT / "tools"), str(ROOT / "bindings" / "python")]


def commit():
    """That of the tree, as its history names it, and whether the tree has changed since."""
    asked = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=7", "--exclude=*"]
    done = subprocess.run(asked, capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def when():
    return f"{time.strftime('%Y-%m-%d')}, commit {commit()}"
