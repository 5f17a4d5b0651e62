# SPDX-License-Identifier: BSD-3-Clause
"""A drop-in that was built for one MPI, preloaded under a program of another one: it says so in a
sentence, once, and the program runs as if it were not there. A library that was built for one MPI,
found by LD_LIBRARY_PATH under a program that is linked with that of another: it ends the program
with a sentence at the first call."""

import os
import re
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
    assert done.stderr.count(sentence) == 1, done.stderr


@pytest.mark.parametrize("fitting_first", [True, False], ids=["fits first", "fits last"])
@pytest.mark.parametrize("other, theirs", PAIRS, ids=lambda name: name)
def test_of_two_the_one_that_fits_works(other, theirs, fitting_first, tmp_path):
    """Whichever stands first; and it says nothing."""
    dropins = [BUILD / name / "lib" / "libcaucus_dropin.so" for name in (theirs, other)]
    program = BUILD / theirs / "tests" / "dropin_takes_over"
    for needed in (*dropins, program):
        if not needed.exists():
            pytest.skip(f"there is no {needed.relative_to(BUILD)}: run 'make test'")
    if not fitting_first:
        dropins.reverse()
    report = tmp_path / "taken.json"
    env = {"CAUCUS_NODES": "cyclic:2", "CAUCUS_REPORT": str(report)}
    words, outer = mpi_launch.command(theirs, 8, [program, "taken"], env, dropins)
    done = subprocess.run(words, env=outer, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "caucus: " not in done.stderr


# Their first calls: a grid, a collective, a group, and one that is to fail.
FIRST = ["cart", "collective_forms", "groups", "create_group_bad_input"]


@pytest.mark.parametrize("first", FIRST)
@pytest.mark.parametrize("ours, theirs", PAIRS, ids=lambda name: name)
def test_the_library_ends_it_in_words(ours, theirs, first):
    library = BUILD / ours / "lib" / "libcaucus.so"
    program = BUILD / theirs / "tests" / first
    for needed in (library, program):
        if not needed.exists():
            pytest.skip(f"there is no {needed.relative_to(BUILD)}: run 'make test'")
    env = {"LD_LIBRARY_PATH": str(library.parent)}
    words, outer = mpi_launch.command(theirs, 4, [program], env, [])
    done = subprocess.run(words, env=outer, capture_output=True, text=True, timeout=120)
    assert done.returncode != 0
    sentence = (
        f"this libcaucus was built for {NAMES[ours]}, but the program runs on {NAMES[theirs]} "
    )
    assert sentence in done.stderr, done.stderr
    assert not re.search(r"Segmentation|signal 1?[1678]\b|EXIT CODE: (?!1\b)", done.stderr)
