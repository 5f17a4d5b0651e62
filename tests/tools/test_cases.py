# SPDX-License-Identifier: BSD-3-Clause
"""How test programs say how they are to be run."""

import pytest

from provision.problem import Problem
from testing import cases


def read(tmp_path, *lines):
    path = tmp_path / "program.c"
    path.write_text("/* SPDX-License-Identifier: BSD-3-Clause */\n" + "\n".join(lines) + "\n")
    return cases.read(path)


def test_a_line_goes_on_in_those_that_are_indented(tmp_path):
    lines = ("/* What it tests,", " * run: ranks=2 env=A=1", " *      env=B=2", " *      args=x")
    first, second = read(tmp_path, *lines, " * run: ranks=3 */", "int main(void) {", "     env=C=3")
    assert first.environment == {"A": "1", "B": "2"} and first.arguments == ["x"]
    assert (second.ranks, second.environment) == (3, {})


def test_what_is_said_of_the_program_does_not_belong_to_its_lines(tmp_path):
    (only,) = read(tmp_path, "/* run: ranks=2", " * start: own (it replaces calloc)", " * more */")
    assert only.words == "program"


def test_two_lines_that_were_put_into_one_are_refused(tmp_path):
    with pytest.raises(Problem, match="not where its line begins"):
        read(tmp_path, "/* run: ranks=2 args=x", " * env=A=1 run: ranks=3 */")
