# SPDX-License-Identifier: BSD-3-Clause
"""Pages hang together: their links lead somewhere, their pictures are there and as they would be
drawn now, the scripts for clusters do what their page says, the C reference names all headers."""

import os
import re
import subprocess
import sys

import blocks
import pytest

ROOT = blocks.ROOT
LINK = re.compile(r"\]\(([^)\s]+)\)")
SCRIPTS = sorted((ROOT / "bench" / "cluster").glob("*.sh"))
# Where links are looked at: those of results are written by programs that have tests of their own.
LINKING = [*blocks.PAGES, ROOT / "docs" / "reference" / "c.md"]


def anchors(path):
    """Of headings, as GitHub and Sphinx make them."""
    heads = re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_links_lead_somewhere():
    lost = []
    for page in LINKING:
        for link in LINK.findall(page.read_text()):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = (page.parent / name).resolve() if name else page
            if not target.exists() or anchor and anchor not in anchors(target):
                lost.append(f"{page.relative_to(ROOT)}: {link}")
    assert lost == []


def test_the_pictures_of_problems_are_as_they_are_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    libraries = [str(ROOT / "build" / name / "lib") for name in ("plan", "mpich", "openmpi")]
    if not any(os.path.isdir(folder) for folder in libraries):
        pytest.skip("no planner is built")
    env = dict(os.environ, LD_LIBRARY_PATH=":".join(libraries))
    words = [sys.executable, ROOT / "docs" / "pictures.py", tmp_path]
    subprocess.run(words, env=env, check=True, timeout=120)
    kept = ROOT / "docs" / "images" / "problems"
    assert {path.name for path in kept.iterdir()} == {path.name for path in tmp_path.iterdir()}
    for path in kept.iterdir():
        same = path.read_text() == (tmp_path / path.name).read_text()
        assert same, f"run: .venv/bin/python docs/pictures.py   ({path.name})"
        pages = [
            page for page in blocks.PAGES if f"images/problems/{path.name}" in page.read_text()
        ]
        assert len(pages) == 1, path.name


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_of_the_shell(script):
    assert os.access(script, os.X_OK)
    done = subprocess.run(["bash", "-n", script], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def measured(*words, **env):
    """The commands of a job that is not started."""
    env = dict(os.environ, DRY_RUN="1", BUILD="build/mpich", **env)
    return subprocess.run(words, env=env, cwd=ROOT, capture_output=True, text=True, timeout=60)


def test_jobs_count_their_ranks(tmp_path):
    slurm = {"SLURM_NTASKS": "64", "SLURM_JOB_NUM_NODES": "4", "OUTPUT": str(tmp_path)}
    told = measured("bench/cluster/slurm.sh", "group", "redistribute", **slurm).stdout
    assert "srun --cpu-bind=cores build/mpich/bin/intergroup_loop --groups 2:2 --cell" in told
    assert "redistribute_loop --first 32" in told
    assert "64 ranks, 16 a node" in (tmp_path / "machine.txt").read_text()
    nodes = tmp_path / "nodes"
    nodes.write_text("a\na\nb\nb\n")
    pbs = {"PBS_NODEFILE": str(nodes), "PBS_JOBID": "7", "OUTPUT": str(tmp_path), "WHAT": "halo"}
    told = measured("bench/cluster/pbs.sh", **pbs).stdout
    assert told == "== halo: mpiexec -n 4 build/mpich/bin/halo_exchange \n"


def test_the_page_of_the_cluster_names_what_there_is(tmp_path):
    page = (ROOT / "docs" / "cluster.md").read_text()
    told = measured("bench/cluster/measure.sh", RANKS="8", PPN="4", OUTPUT=str(tmp_path)).stdout
    programs = set(re.findall(r"build/mpich/bin/(\w+)", told))
    assert programs == set(re.findall(r"^\|.*\| `\w+` \| `(\w+)` \|", page, re.MULTILINE))
    sources = {path.stem for folder in ("bench", "examples") for path in ROOT.glob(f"{folder}/*.c")}
    assert programs <= sources
    wrong = measured("bench/cluster/measure.sh", "sleep", RANKS="8", PPN="4", OUTPUT=str(tmp_path))
    assert wrong.returncode == 2 and "there is no sleep; there are: model halo" in wrong.stderr


def installed(prefix, *programs):
    """A prefix with stand-ins, which is enough where the launcher is one."""
    (prefix / "libexec" / "caucus").mkdir(parents=True)
    for name in programs:
        (prefix / "libexec" / "caucus" / name).write_text("#!/bin/sh\n")
        (prefix / "libexec" / "caucus" / name).chmod(0o755)
    return prefix


def started(folder, *words, **settings):
    env = {"RANKS": "8", "PPN": "4", **{name: str(value) for name, value in settings.items()}}
    script = ROOT / "bench" / "cluster" / "measure.sh"
    return subprocess.run(
        [script, *words],
        env={**os.environ, **env},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_benchmark_that_fails_is_counted(tmp_path):
    build = installed(tmp_path / "prefix", "machine_model", "halo_exchange", "stencil_sweep")
    done = started(tmp_path, "halo", "sweep", LAUNCH="false", BUILD=build)
    assert done.returncode == 2 and "halo FAILED" in done.stderr


def test_an_installation_is_measured(tmp_path):
    """What it has; into a folder of each run's own."""
    build = installed(tmp_path / "prefix", "machine_model", "halo_exchange")
    done = started(tmp_path, "halo", "sweep", LAUNCH="echo", BUILD=build)
    assert done.returncode == 0
    assert "sweep left out" in done.stdout and "sweep:" not in done.stdout
    (results,) = (tmp_path / "results").glob("cluster-20*-*")
    assert (results / "halo.txt").read_text() == f"{build}/libexec/caucus/halo_exchange\n"
    lost = started(tmp_path, "halo", LAUNCH="echo", BUILD=tmp_path / "none")
    assert lost.returncode == 2 and "BUILD is to name a build" in lost.stderr


def test_the_c_reference_names_every_header():
    page = (ROOT / "docs" / "reference" / "c.md").read_text()
    named = set(re.findall(r"`caucus/(\w+\.h)`", page))
    ours = {path.name for path in (ROOT / "include" / "caucus").glob("*.h")}
    objects = {"channel_object.h", "group_object.h"}  # handles, for other headers
    assert named == ours - objects | {"collective_functions.h", "group_functions.h"}
