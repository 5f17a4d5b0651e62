# SPDX-License-Identifier: BSD-3-Clause
"""What make demo says first: the MPI that it takes, and a pair that does not fit."""

import pytest

import announce


@pytest.fixture
def path(tmp_path, monkeypatch):
    """Where commands are put that say what they are told to."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")

    def put(name, said):
        (tmp_path / name).write_text(f"#!/bin/sh\necho '{said}'\n")
        (tmp_path / name).chmod(0o755)
        announce.kind_of_mpiexec.cache_clear()

    return put


def test_the_mpi_on_the_path_is_named(path, tmp_path):
    path("mpicc", "gcc -I/usr/include/mpich -lmpich")
    path("mpiexec", "HYDRA build details")
    words, problem = announce.chosen("system")
    assert words.startswith(f"MPI: MPICH of {tmp_path}/mpicc, which is on the PATH") and not problem
    assert "brought into the tree" in announce.chosen("mpich")[0]


def test_two_mpis_are_refused(path):
    path("mpicc", "gcc -I/usr/include/mpich -lmpich")
    path("mpiexec", "mpiexec (OpenRTE) 4.1.4")
    assert "is for MPICH, and " in announce.chosen("system")[1]
    path("mpiexec.mpich", "HYDRA build details")  # which is taken then
    assert announce.chosen("system")[1] == ""
