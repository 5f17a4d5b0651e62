# SPDX-License-Identifier: BSD-3-Clause
"""A drop-in that was built for one MPI, preloaded under a program of another one: it says so in a
sentence, and the program runs as if it were not there."""

import os
import subprocess
from pathlib import Path

import pytest

import mpi_launch

BUILD = Path(os.environ.get("TEST_BUILD", Path(__file__).resolve().parents[2] / "build"))
NAMES = {"mpich": "MPICH or Intel MPI", "openmpi": "Open MPI", "abi": "the standard MPI ABI"}
PAIRS = [("mpich", "openmpi"), ("openmpi", "mpich"), ("mpich", "abi"), ("abi", "mpich")]


@pytest.mark.parametrize("ours, theirs", PAIRS, ids=lambda name: name)
def test_it_steps_aside(ours, theirs):
    dropin = BUILD / ours / "lib" / "libcaucus_dropin.so"
    program = BUILD / theirs / "tests" / "dropin_takes_over"
    for needed in (dropin, program):
        if not needed.exists():
            pytest.skip(f"there is no {needed.relative_to(BUILD)}: run 'make test'")
    env = {"CAUCUS_NODES": "cyclic:2"}
    words, outer = mpi_launch.command(theirs, 4, [program, "passed"], env, [dropin])
    done = subprocess.run(words, env=outer, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    sentence = f"this drop-in was built for {NAMES[ours]}, but the program runs on {NAMES[theirs]} "
    assert sentence in done.stderr
