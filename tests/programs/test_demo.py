# SPDX-License-Identifier: BSD-3-Clause
"""The demonstration without virtual nodes: what it finds, what it makes, and its exit status."""

import json
import os
import subprocess
import sys

import programs
import pytest

MPIS = programs.mpis()
CHANGES = {
    ("heat2d", "blocks"): {"before": 56, "after": 40},
    ("heat2d", "cyclic"): {"before": 104, "after": 40},
    ("heat3d", "cyclic"): {"before": 96, "after": 64},
}


def demo(folder, *options, build=None):
    build = build or programs.BUILD / MPIS[0]
    words = [sys.executable, programs.ROOT / "bench" / "demo.py", "--mpi", MPIS[0], "--no-lab"]
    words += ["--build", build, "--output", folder, *options]
    planner = [str(programs.BUILD / MPIS[0] / "lib"), os.environ.get("LD_LIBRARY_PATH", "")]
    env = dict(os.environ, LD_LIBRARY_PATH=":".join(filter(None, planner)))
    return subprocess.run(
        [str(word) for word in words], env=env, capture_output=True, text=True, timeout=300
    )


@pytest.mark.slow
@pytest.mark.skipif(not MPIS, reason="nothing is built")
def test_it_shows_what_changed(tmp_path):
    done = demo(tmp_path, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    shown = json.loads(done.stdout)
    found, persistent = shown["grids"], shown["persistent"]
    assert persistent["problems"] == [] and "is chosen" in persistent["explained"]
    assert [scene["taken"] > 0 for scene in persistent["scenes"]] == [True, True]
    assert found["problems"] == [] and found["why_no_virtual_nodes"]
    scenes = {(scene["program"], scene["placement"]): scene for scene in found["scenes"]}
    assert {key: scene["off_node"] for key, scene in scenes.items()} == CHANGES
    assert all(scene["same_picture"] and scene["same_bits"] for scene in scenes.values())
    for name in ("heat2d.png", "heat3d.png", "heat2d-cyclic-mapping.svg", "schedule.svg"):
        assert (tmp_path / name).stat().st_size > 1000, name


@pytest.mark.skipif(not MPIS, reason="nothing is built")
def test_no_build_is_one_sentence(tmp_path):
    done = demo(tmp_path, build=tmp_path / "nowhere")
    assert done.returncode == 1
    assert "make build" in done.stderr and "Traceback" not in done.stderr
