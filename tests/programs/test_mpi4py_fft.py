# SPDX-License-Identifier: BSD-3-Clause
"""mpi4py-fft, whose grids are reordered by default, computes the same bits under the drop-in, with
scrambled ranks too, on any number of ranks."""

import json
import os
import sys

import bring_fft
import programs
import pytest

import mpi_launch
from provision.problem import Problem

pytestmark = pytest.mark.slow  # mpi4py and FFTW are brought for it
PROGRAM = programs.ROOT / "tests" / "programs" / "fft_program.py"
WAYS = {
    "drop-in": {"CAUCUS_NODES": "cyclic:2"},
    "chaos": {"CAUCUS_CHAOS": "7"},
    "chaos on nodes, of rank 0 too": {
        "CAUCUS_NODES": "cyclic:2",
        "CAUCUS_CHAOS": "11",
        "CAUCUS_CART_RANK0": "never",
    },
}


@pytest.fixture(scope="module")
def packages():
    try:
        return bring_fft.bring()
    except Problem as problem:
        pytest.skip(f"mpi4py-fft can't be had: {problem}")


@pytest.fixture(params=programs.parameters(without=["abi"]))
def mpi(request):
    return programs.chosen(request)


def digest(mpi, packages, ranks, env=None):
    """What the program prints. mpi4py finds the MPI by the search path of libraries."""
    folders = [*bring_fft.library_folders(), os.environ.get("LD_LIBRARY_PATH", "")]
    if mpi != "system":
        folders.insert(0, str(mpi_launch.mpiexec_of(mpi).parents[1] / "lib"))
    settings = {"PYTHONPATH": packages, "LD_LIBRARY_PATH": ":".join(filter(None, folders))}
    preload = [programs.dropin(mpi)] if env is not None else []
    words = [sys.executable, PROGRAM]
    done = programs.start(mpi, ranks, words, {**settings, **(env or {})}, preload)
    lines = [line for line in done.stdout.splitlines() if line.startswith("digest ")]
    assert len(lines) == 1, done.stdout + done.stderr
    return lines[0]


@pytest.fixture(scope="module")
def native():
    """The digest of each MPI without the drop-in."""
    return {}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("ranks", [4, 6, 8])
def test_same_bits(mpi, packages, native, ranks, way, tmp_path):
    if mpi not in native:
        native[mpi] = digest(mpi, packages, 2)
    report = tmp_path / "report.json"
    found = digest(mpi, packages, ranks, {**WAYS[way], "CAUCUS_REPORT": report})
    assert found == native[mpi]
    assert json.loads(report.read_text())["calls"]["MPI_Cart_create"]["taken"] >= 8 * ranks
