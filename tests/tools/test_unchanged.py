# SPDX-License-Identifier: BSD-3-Clause
"""What need not run again: only what passed, and only while nothing that it depends on changes."""

from types import SimpleNamespace

import pytest

from testing import unchanged
from testing.queue import Outcome


@pytest.fixture
def build(tmp_path, monkeypatch):
    """A build with a program, a library and an input; and a record of its own."""
    monkeypatch.setattr(unchanged, "RECORD", tmp_path / "passed.json")
    for name in ("lib", "tests"):
        (tmp_path / name).mkdir()
    (tmp_path / "CMakeCache.txt").write_text("")
    (tmp_path / "lib" / "libcaucus_plan.so.0.1").write_text("library")
    (tmp_path / "tests" / "dims_test").write_text("program")
    (tmp_path / "input").write_text("input")
    return tmp_path


def ran(build, good=True):
    """Whether the program was run, by a run that reads the record and writes it."""
    run, times = SimpleNamespace(passed=unchanged.Passed()), []

    def work():
        times.append(1)
        return [Outcome("dims_test", good, count=7)]

    program = build / "tests" / "dims_test"
    outcomes = unchanged.unless_passed(run, "dims_test", program, work, [build / "input"])()
    run.passed.save()
    assert sum(outcome.count for outcome in outcomes) == 7
    assert all(outcome.before != bool(times) for outcome in outcomes)
    return bool(times)


def test_once_and_not_again(build):
    assert [ran(build), ran(build), ran(build)] == [True, False, False]


@pytest.mark.parametrize("name", ["lib/libcaucus_plan.so.0.1", "tests/dims_test", "input"])
def test_again_when_something_changes(build, name):
    assert ran(build)
    (build / name).write_text("other")
    assert [ran(build), ran(build)] == [True, False]


def test_again_with_other_settings(build, monkeypatch):
    assert ran(build)
    monkeypatch.setenv("CAUCUS_NODES", "2x2")
    assert [ran(build), ran(build)] == [True, False]


def test_again_when_it_failed(build):
    assert [ran(build), ran(build, True)] == [True, False]
    (build / "input").write_text("other")
    assert [ran(build, good=False), ran(build, good=False), ran(build)] == [True, True, True]


def test_a_record_that_is_torn_is_none(build):
    assert ran(build)
    unchanged.RECORD.write_text('{"dims_test": ')
    assert ran(build)


def test_what_always_runs(tmp_path, monkeypatch):
    plain, threads, tree = (tmp_path / name for name in ("plain", "threads", "tree"))
    plain.write_text("#include <vector>")
    threads.write_text("#include <thread>")
    tree.write_text("CAUCUS_SOURCE_DIR")
    short, full = SimpleNamespace(full=False), SimpleNamespace(full=True)
    assert unchanged.may_be_left_out(short, [plain])
    assert not unchanged.may_be_left_out(full, [plain])
    assert not unchanged.may_be_left_out(short, [plain, threads])
    assert not unchanged.may_be_left_out(short, [plain, tree])
    monkeypatch.setenv("TEST_AGAIN", "1")
    assert not unchanged.may_be_left_out(short, [plain])
