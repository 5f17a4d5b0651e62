# SPDX-License-Identifier: BSD-3-Clause
"""Where things lie in the tree."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MPI = ROOT / ".mpi"
VENV = ROOT / ".venv"
DEPS = ROOT / ".deps"
CACHE = ROOT / ".cache"
BUILD = ROOT / "build"
REQUIREMENTS = ROOT / "tools" / "requirements"
VENV_PYTHON = VENV / "bin" / "python"
