# SPDX-License-Identifier: BSD-3-Clause
"""What the built libraries need from MPI, and which names they put into a program."""

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import symbols

ROOT = Path(__file__).resolve().parents[2]
BUILDS = sorted(path.parent for path in ROOT.glob("build/*/lib/libcaucus_plan.so"))


@pytest.mark.parametrize("folder", BUILDS, ids=lambda folder: folder.parent.name)
def test_the_planner_knows_no_mpi(folder):
    defined, undefined = symbols.of(folder / "libcaucus_plan.so")
    assert symbols.of_mpi(defined | undefined) == []


@pytest.mark.parametrize("folder", BUILDS, ids=lambda folder: folder.parent.name)
def test_libraries_keep_to_their_own_names(folder):
    for name, pattern in (
        ("libcaucus_plan.so", r"caucus_"),
        ("libcaucus.so", r"caucus_"),
        ("libcaucus_dropin.so", r"caucus_|MPIX?_|mpix?_"),
    ):
        if (folder / name).exists():
            assert symbols.foreign(symbols.of(folder / name)[0], pattern) == []


@pytest.mark.parametrize(
    "body, seen",
    [("int f(void) { return MPI_Init(0, 0); }", True), ("int f(void) { return 0; }", False)],
)
def test_a_call_of_mpi_would_be_seen(body, seen, tmp_path):
    source, library = tmp_path / "a.c", tmp_path / "liba.so"
    source.write_text("int MPI_Init(int *, char ***);\n" + body)
    subprocess.run(["cc", "-shared", "-fPIC", source, "-o", library], check=True)
    defined, undefined = symbols.of(library)
    assert bool(symbols.of_mpi(undefined)) == seen
    assert symbols.foreign(defined, "caucus_") == ["f"]
