# SPDX-License-Identifier: BSD-3-Clause
"""Lets the tests of this folder start programs as those of tests/programs do."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "programs"))
