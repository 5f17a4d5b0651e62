# SPDX-License-Identifier: BSD-3-Clause
"""Lets the tests of this folder find their module, and the tools that start programs."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "tools")]
