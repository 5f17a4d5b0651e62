# SPDX-License-Identifier: BSD-3-Clause
"""What counts as a pass: not a failed check among ranks that may die, nor a test that was skipped,
nor nothing at all."""

from types import SimpleNamespace

import pytest

from provision.problem import Problem
from testing import fuzz, measured, plans, scripts, static
from testing.cases import Case

FAILED = "tests/mpi/alive.c:7: rank 2: failed: a == b\n  1, not 2\n"


@pytest.mark.parametrize("status", [0, 1, None])
def test_where_ranks_may_die_no_check_may_fail(status):
    case = Case("alive", 3, deaths=True, outputs=["all is right"])
    assert case.judge(measured.Done(status, "all is right\n")) is None
    assert "lacks" in case.judge(measured.Done(status, "it went on\n"))
    fault = case.judge(measured.Done(status, f"all is right\n{FAILED}"))
    assert fault == "rank 2: failed: a == b"


def test_no_run_is_skipped_in_which_a_check_failed():
    case, said = Case("connect", 2), "skipped: nobody has it\n"
    assert case.skipped(measured.Done(77, said)) == "nobody has it"
    assert case.skipped(measured.Done(77, said + FAILED)) is None


REPORT = """#!/bin/sh
cat > "${GTEST_OUTPUT#json:}" <<END
{"testsuites": [{"testsuite": [
  {"name": "one", "classname": "Dims", "result": "COMPLETED"},
  {"name": "two", "classname": "Dims", "result": "SKIPPED",
   "skipped": [{"message": "file:1\\\\nno room"}]}]}]}
END
"""


def test_a_skipped_test_of_plans_is_none_that_passed(tmp_path):
    program = tmp_path / "dims_test"
    program.write_text(REPORT)
    program.chmod(0o755)
    passed, skipped = plans._run(program, {}, measured.Limit(10, 10))
    assert passed.good and passed.count == 1
    assert skipped.good is None and skipped.name == "Dims.two" and "no room" in skipped.text


@pytest.mark.parametrize("full, good", [(True, False), (False, True)])
def test_a_file_without_tests_is_told_in_full_runs(monkeypatch, full, good):
    monkeypatch.setattr(measured, "run", lambda *words, **more: measured.Done(5, "no tests ran"))
    outcomes = scripts._run(SimpleNamespace(full=full), "tests/tools/test_none.py")
    assert all(outcome.good for outcome in outcomes) == good


def test_nothing_to_check_is_a_problem(tmp_path):
    with pytest.raises(Problem, match="compile_commands"):
        static._part([tmp_path], 0)()


@pytest.mark.parametrize("said, good", [("2", True), ("12", False)])
def test_all_saved_inputs_were_read(monkeypatch, tmp_path, said, good):
    for name in "ab":
        (tmp_path / name).touch()
    done = measured.Done(0, f"{said} saved inputs\n")
    monkeypatch.setattr(fuzz, "corpus", lambda name: tmp_path)
    monkeypatch.setattr(measured, "run", lambda *words, **more: done)
    assert fuzz._work("dims", [])()[0].good == good
