# SPDX-License-Identifier: BSD-3-Clause
"""Seeded worlds: which cases are run and how a run is told again, what is built anew, and that a
minute which came nowhere is no pass."""

import ctypes
import shlex
import subprocess
from types import SimpleNamespace

import pytest

import world
import world_build
from provision.problem import Problem
from testing import cases, measured, programs, worlds

DEATHS = 'ranks=2,4 deaths output="all is right" env=CAUCUS_TIMEOUT=1 env=WORLD_DEATHS='
LINES = (DEATHS + "1", DEATHS + "3", "ranks=3 preload exit=3 args=\"--of 'two words'\"")


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A program with five cases."""
    found = tmp_path / "dying.c"
    listed = [case for line in LINES for case in cases.parse(found, line)]
    monkeypatch.setattr(world, "cases_of", lambda _: listed)
    return found


def chosen(path, *words):
    return world.chosen_cases(path, world.options().parse_args(["dying", *words]))


def test_all_cases_as_they_are(path):
    assert [number for number, _ in chosen(path)] == [0, 1, 2, 3, 4]


def test_other_ranks_keep_the_settings_of_each_case(path):
    found = [case for _, case in chosen(path, "--ranks", "6")]
    assert [case.ranks for case in found] == [6, 6, 6]
    assert [case.environment.get("WORLD_DEATHS") for case in found] == ["1", "3", None]
    assert [case.deaths for case in found] == [True, True, False]
    assert found[0].outputs == ["all is right"] and found[2].preload and found[2].status == "3"


def test_other_arguments_are_words_of_a_shell(path):
    found = chosen(path, "--ranks", "2", "--arguments", "--seed '1 2'")
    assert [case.arguments for _, case in found] == 3 * [["--seed", "1 2"]]


@pytest.mark.parametrize("number", range(5))
def test_a_replay_is_the_same_run(path, number):
    words = ["--faults", "context_ids", "--steps", "9", "--cpu", "3", "--env", "A=b c", "--dropin"]
    asked = world.options().parse_args(["dying", *words])
    _, case = chosen(path)[number]
    run = world.World.__new__(world.World)
    run.case, run.chosen, run.number = case, asked, number
    again = world.options().parse_args(shlex.split(run.replay_line(77))[2:])
    assert world.chosen_cases(path, again) == [(number, case)]
    assert again.seed == 77 and again.replay
    for name in ("faults", "steps", "cpu", "env", "dropin", "cyclic", "policy", "source"):
        assert getattr(again, name) == getattr(asked, name)


def test_a_program_without_cases_is_told(monkeypatch):
    monkeypatch.setattr(world, "cases_of", lambda path: [])
    with pytest.raises(Problem, match="channels.*cases.txt"):
        world.build_worlds(world.options().parse_args(["channels"]))


def test_every_program_has_a_case_or_a_reason():
    left_out = programs.not_run_in_worlds()
    found = [
        path for folder in world.FOLDERS for path in (world.ROOT / "tests" / folder).glob("*.c")
    ]
    assert [p.stem for p in found if p.stem not in left_out and not world.cases_of(p)] == []


def test_what_another_mpi_built_is_of_no_use(monkeypatch):
    world_build.key_of.cache_clear()
    before = world_build.key_of("flags")
    assert world_build.key_of("flags") == before != world_build.key_of("other flags")
    world_build.key_of.cache_clear()
    monkeypatch.setattr(world_build.mpi, "cmake_options", lambda name: {"MPI_HOME": "elsewhere"})
    assert world_build.key_of("flags") != before
    world_build.key_of.cache_clear()


def test_jobs_that_build_do_it_by_turns():
    jobs = list(worlds.jobs(SimpleNamespace(full=True), ()))
    assert len(jobs) == 2 and jobs[0].alone == jobs[1].alone != ""


@pytest.mark.parametrize("reached, good", [(9, False), (10, True)])
def test_a_minute_that_came_nowhere_is_no_pass(monkeypatch, reached, good):
    last = world.told(
        {"schedules": 9, "reached": reached, "programs": 40, "wall": 60, "failures": []}, 1
    )
    monkeypatch.setattr(measured, "run", lambda *words, **more: measured.Done(0, f"said\n{last}\n"))
    (outcome,) = next(worlds.jobs(SimpleNamespace(full=True), ())).work()
    assert outcome.good == good and last in outcome.text


def test_seeds_have_choices_of_their_own(tmp_path):
    library, headers = tmp_path / "draw.so", world_build.mpi.prefix("openmpi") / "include"
    if not headers.is_dir():
        pytest.skip("there is no Open MPI")
    words = ["gcc", "-shared", "-fPIC", "-D_GNU_SOURCE", "-isystem", headers]
    subprocess.run([*words, world.HERE / "draw.c", "-o", library], check=True)
    draws = ctypes.CDLL(str(library))

    def drawn(seed):
        draws.draw_begin(ctypes.c_uint64(seed))
        return [draws.draw(1 << 30) for _ in range(50)]

    words = [word for seed in range(50) for word in drawn(seed)]
    assert len(set(words)) > 0.99 * len(words)
    assert drawn(7) == drawn(7)
