# SPDX-License-Identifier: BSD-3-Clause
"""The demonstration without virtual nodes: its story and its parts, what they find and make, and
its exit status."""

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
from demo_parts import stage
from testing import turn

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


def check_nothing_is_cut(results, names):
    """What it prints, on narrow and on wide terminals."""
    for width in (60, 80, 200):
        for name, part in demo_parts.load(names).items():
            told = io.StringIO()
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("COLUMNS", str(width))
                show(*part.show(results[name]), to=told)
            for line in told.getvalue().splitlines():
                longest = max((len(word) for word in line.split()), default=0)
                assert len(line) <= width or longest > width // 2, (name, line)
            assert not re.search(r"\S…", told.getvalue()), name
            assert not re.search(r"\de\+\d", told.getvalue()), name


def check_grids(found):
    assert found["problems"] == [] and found["why_no_virtual_nodes"]
    scenes = {(scene["program"], scene["placement"]): scene for scene in found["scenes"]}
    assert {key: scene["off_node"] for key, scene in scenes.items()} == CHANGES
    assert all(scene["same_picture"] and scene["same_bits"] for scene in scenes.values())


@pytest.mark.slow
@pytest.mark.skipif(not MPIS, reason="nothing is built")
def test_the_parts_show_what_changed(tmp_path):
    if not turn.has("the parts of the demonstration", turn.ALTERNATE):
        pytest.skip("another day's: they take a minute of a processor")
    done = demo(tmp_path, "--json", "--part", "all")
    assert done.returncode == 0, done.stdout + done.stderr
    shown = json.loads(done.stdout)
    assert set(shown) == {*demo_parts.NAMES, "seconds"}
    check_grids(shown["grids"])
    persistent = shown["persistent"]
    assert persistent["problems"] == [] and "is chosen" in persistent["explained"]
    assert [scene["taken"] > 0 for scene in persistent["scenes"]] == [True, True]
    check_nothing_is_cut(shown, demo_parts.NAMES)
    for name in ("heat2d.png", "heat3d.png", "heat2d-cyclic-mapping.svg", "schedule.svg"):
        assert (tmp_path / name).stat().st_size > 1000, name


@pytest.mark.slow
@pytest.mark.skipif(not MPIS, reason="nothing is built")
def test_the_story_is_told(tmp_path):
    done = demo(tmp_path, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    shown = json.loads(done.stdout)
    story = shown["story"]
    assert story["scene"]["off_node"] == CHANGES[("heat2d", "cyclic")]
    assert story["scene"]["same_picture"] and story["scene"]["same_bits"]
    assert [gain["part"] for gain in story["gains"]] == list(demo_parts.NAMES[1:])
    pictures = [gain["picture"] for gain in story["gains"]] + [story["mapping"], story["heat"]]
    for name in pictures:
        assert (tmp_path / name).stat().st_size > 1000, name
    for page in (gain["page"] for gain in story["gains"]):
        assert (programs.ROOT / page).exists(), page
    check_nothing_is_cut(shown, [demo_parts.STORY])
    left = {path.name for path in tmp_path.iterdir()} - {*pictures, "demo.json"}
    assert {name.partition(".")[2] for name in left} <= {"pgm", "json", "jsonl", "txt"}


WRONG = """
import sys, types
sys.path.insert(0, {bench!r})
import demo
found = {{"problems": ["the temperatures differ"]}}
part = types.SimpleNamespace(TITLE="a part", run=lambda stage: found, show=lambda found: ["shown"])
demo.demo_parts.load = lambda names: dict.fromkeys(names, part)
sys.argv = ["demo.py", "--no-lab", "--output", {folder!r}]
sys.exit(demo.main())
"""


def test_what_is_wrong_is_the_exit_status(tmp_path):
    script = WRONG.format(bench=str(programs.ROOT / "bench"), folder=str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1 and done.stderr == "demo: the temperatures differ\n"
    assert "a part" in done.stdout and "shown" in done.stdout


def test_an_unknown_part_is_told_which_there_are(tmp_path):
    done = demo(tmp_path, "--part", "grid")
    assert done.returncode == 2
    told = "there is no part 'grid'; there are grids, persistent, intergroup, groups, balance, "
    assert told in done.stderr and "rootless, all" in done.stderr


@pytest.mark.skipif(not MPIS, reason="nothing is built")
def test_no_build_is_one_sentence(tmp_path):
    done = demo(tmp_path, build=tmp_path / "nowhere")
    assert done.returncode == 1
    assert "make build" in done.stderr and "Traceback" not in done.stderr


def test_an_mpiexec_of_another_mpi_is_refused(tmp_path, monkeypatch):
    """Before anything is started, in a sentence."""
    where = stage.Stage(MPIS[0], programs.BUILD / MPIS[0], tmp_path, 2, 2, "", print)
    where.check()
    other = {"mpich": "openmpi", "openmpi": "mpich", "intel": "openmpi", "abi": "openmpi"}
    monkeypatch.setattr(stage.launch, "kind_of", lambda mpi: other[mpi])
    with pytest.raises(stage.CaucusError, match="name the launcher of its MPI"):
        where.check()
