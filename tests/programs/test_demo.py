# SPDX-License-Identifier: BSD-3-Clause
"""The demonstration without virtual nodes: what it finds, what it makes, and its exit status."""

import io
import json
import os
import re
import subprocess
import sys

import programs
import pytest

import demo_parts
from caucus.console import show

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


def check_nothing_is_cut(results):
    """What it prints, on narrow and on wide terminals."""
    for width in (60, 80, 200):
        for name, part in demo_parts.load().items():
            told = io.StringIO()
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("COLUMNS", str(width))
                show(*part.show(results[name]), to=told)
            for line in told.getvalue().splitlines():
                longest = max((len(word) for word in line.split()), default=0)
                assert len(line) <= width or longest > width // 2, (name, line)
            assert not re.search(r"\S…", told.getvalue()), name
            assert not re.search(r"\de\+\d", told.getvalue()), name


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
    check_nothing_is_cut(shown)
    for name in ("heat2d.png", "heat3d.png", "heat2d-cyclic-mapping.svg", "schedule.svg"):
        assert (tmp_path / name).stat().st_size > 1000, name


@pytest.mark.skipif(not MPIS, reason="nothing is built")
def test_no_build_is_one_sentence(tmp_path):
    done = demo(tmp_path, build=tmp_path / "nowhere")
    assert done.returncode == 1
    assert "make build" in done.stderr and "Traceback" not in done.stderr
