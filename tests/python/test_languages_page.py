# SPDX-License-Identifier: BSD-3-Clause
"""The page of languages and MPIs is as its data says, and its data names tests that are there."""

import copy
import sys

import pytest

import languages_page

DATA = languages_page.read()


def test_up_to_date():
    made = languages_page.written()
    assert languages_page.PAGE.read_text(encoding="utf-8") == made, (
        "run: python3 tools/languages_page.py"
    )


@pytest.mark.parametrize(
    "test, mpi, words",
    [
        ("tests/mpi/nowhere.c", "mpich", "there is no tests/mpi/nowhere.c"),
        ("tests/cpp/test_wrappers.py::test_nothing", "mpich", "has no test_nothing"),
        ("tests/dropin/dropin_refused.c", "intel", "does not run on intel"),
    ],
)
def test_a_test_that_is_not_there(test, mpi, words):
    with pytest.raises(languages_page.WrongCell, match=words):
        languages_page.check_test(test, mpi)
    languages_page.check_test("tests/dropin/dropin_refused.c", "openmpi")


def test_each_combination_once():
    missing, twice, strange = (copy.deepcopy(DATA) for _ in range(3))
    missing["cells"].pop()
    twice["cells"].append(twice["cells"][0])
    strange["cells"][0]["mpis"].append("other")
    for data, words in ((missing, "no cell is"), (twice, "two cells"), (strange, "a cell is")):
        with pytest.raises(languages_page.WrongCell, match=words):
            languages_page.by_key(data)


def test_check(monkeypatch, tmp_path):
    monkeypatch.setattr(languages_page, "PAGE", tmp_path / "page.md")
    monkeypatch.setattr(sys, "argv", ["languages_page.py"])
    languages_page.main()
    monkeypatch.setattr(sys, "argv", ["languages_page.py", "--check"])
    languages_page.main()
    (tmp_path / "page.md").write_text("something else")
    with pytest.raises(SystemExit, match="is not as it would be made"):
        languages_page.main()
