# SPDX-License-Identifier: BSD-3-Clause
"""Lets the tests use the package of the tree, installed or not, and their own helper."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "bindings" / "python")]
