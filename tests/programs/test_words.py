# SPDX-License-Identifier: BSD-3-Clause
"""What is misspelt in the environment is said, once, by linked programs and under the drop-in; and
CAUCUS_DISABLE=all leaves everything to MPI."""

import json

import programs
import pytest


@pytest.fixture(params=programs.parameters())
def mpi(request):
    return programs.chosen(request)


def warnings(said):
    return [line for line in said.stderr.splitlines() if line.startswith("caucus: warning: ")]


@pytest.mark.parametrize("name", ["persistent_allreduce", "global_array"])
def test_a_setting_that_there_is_not(mpi, name, tmp_path):
    """In programs that never make a grid."""
    words = [programs.program(mpi, name), 100]
    words += [tmp_path / "array"] if name == "global_array" else []
    found = warnings(programs.start(mpi, 2, words, {"CAUCUS_CHEK": "1", "OMPI_MCA_osc": "^ucx"}))
    assert len(found) == 1 and "CAUCUS_CHEK is no setting" in found[0], found
    assert "CAUCUS_CHECK" in found[0]


def heat(mpi, path, **env):
    words = [programs.program(mpi, "heat2d"), programs.DATA / "plate.ppm", "--steps", 2]
    words += ["--output", path.parent / "picture"]
    env = {"CAUCUS_NODES": "cyclic:2", "CAUCUS_REPORT": str(path), **env}
    return programs.start(mpi, 4, words, env, [programs.dropin(mpi)])


def test_words_that_mean_nothing(mpi, tmp_path):
    path = tmp_path / "report"
    found = warnings(heat(mpi, path, CAUCUS_DISABLE="carts,group", CAUCUS_ENABLE="block"))
    assert len(found) == 2, found
    assert "CAUCUS_DISABLE has 'carts'" in found[0] and " cart," in found[0]
    assert "CAUCUS_ENABLE has 'block'" in found[1] and " blocking," in found[1]
    assert json.loads(path.read_text())["calls"]["MPI_Cart_create"]["taken"] > 0


def test_everything_is_left(mpi, tmp_path):
    path, picture = tmp_path / "report", tmp_path / "picture"
    heat(mpi, path, CAUCUS_ENABLE="blocking")
    before = picture.read_bytes()
    assert sum(call["taken"] for call in json.loads(path.read_text())["calls"].values()) > 0
    said = heat(mpi, path, CAUCUS_ENABLE="blocking", CAUCUS_DISABLE="all")
    calls = json.loads(path.read_text())["calls"].values()
    assert warnings(said) == [] and sum(call["taken"] for call in calls) == 0
    assert picture.read_bytes() == before
