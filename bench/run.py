#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs all experiments, one after the other; further arguments go to each of them."""

import subprocess
import sys
from pathlib import Path

EXPERIMENTS = ("grids.py",)

if __name__ == "__main__":
    folder = Path(__file__).resolve().parent
    failed = [
        name
        for name in EXPERIMENTS
        if subprocess.run([sys.executable, str(folder / name), *sys.argv[1:]]).returncode
    ]
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)
