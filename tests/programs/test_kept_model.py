# SPDX-License-Identifier: BSD-3-Clause
"""What CAUCUS_MODEL=auto has measured is kept for the next run, and a file that cannot be relied on
is measured again, with a sentence."""

import os
import re
from concurrent.futures import ThreadPoolExecutor

import programs
import pytest

FIGURES = re.compile(r"^card_byte (\S+), latency_between (\S+)$", re.MULTILINE)

pytestmark = pytest.mark.skipif(
    not programs.program("mpich", "heat2d").exists(), reason="MPICH's several nodes are needed"
)


def measure(folder, ranks=2, nodes=2, home=None, **more):
    """The figures of a run and what it said on standard error."""
    program = programs.BUILD / "mpich" / "tests" / "measured_model"
    env = {"CAUCUS_MODEL": "auto", "CAUCUS_CACHE": str(folder), "MPIR_CVAR_NUM_CLIQUES": str(nodes)}
    env.update(more)
    if home:
        env.update(HOME=str(home), XDG_CACHE_HOME="")
    done = programs.start("mpich", ranks, [program], env)
    figures = [float(word) for word in FIGURES.search(done.stdout).groups()]
    return figures, [line for line in done.stderr.splitlines() if "caucus" in line]


def the_file(folder):
    found = list(folder.iterdir())
    assert len(found) == 1, found
    return found[0]


def test_the_next_run_has_the_same_figures(tmp_path):
    folder = tmp_path / "kept"
    first, said = measure(folder)
    assert said == [] and the_file(folder).stat().st_mode & 0o77 == 0
    path = the_file(folder)
    path.write_text(re.sub(r"card_byte \S+", "card_byte 1e-12", path.read_text()))
    assert measure(folder) == ([1e-12, first[1]], [])


def test_it_says_where_the_figures_come_from(tmp_path):
    for how in ("measured now", "as kept by an earlier run"):
        _, said = measure(tmp_path, CAUCUS_VERBOSE="1")
        assert len(said) == 1 and f"between nodes, {how}: a short one takes" in said[0], said


def test_other_nodes_have_another_file(tmp_path):
    measure(tmp_path, 2, 2)
    measure(tmp_path, 4, 4)
    assert len(list(tmp_path.iterdir())) == 2


def test_runs_that_begin_together_leave_one_whole_file(tmp_path):
    with ThreadPoolExecutor() as pool:
        found = list(pool.map(lambda _: measure(tmp_path), range(3)))
    assert all(said == [] for _, said in found), found
    kept, said = measure(tmp_path)
    assert kept in [figures for figures, _ in found] and said == [] and the_file(tmp_path)


def without_card(text):
    return "".join(line for line in text.splitlines(True) if "card_byte" not in line)


@pytest.mark.parametrize(
    "change",
    [without_card, lambda text: "", lambda text: text + "unknown 1\n", lambda text: "\0" + text],
    ids=["short", "empty", "another version's", "no text"],
)
def test_a_damaged_file_is_made_anew(tmp_path, change):
    measure(tmp_path)
    path = the_file(tmp_path)
    whole = path.read_text()
    path.write_text(change(whole))
    _, said = measure(tmp_path)
    assert len(said) == 1 and "is not as it was written" in said[0], said
    assert "card_byte" in the_file(tmp_path).read_text()
    assert measure(tmp_path)[1] == []


def test_a_file_that_others_may_write_is_not_used(tmp_path):
    measure(tmp_path)
    the_file(tmp_path).chmod(0o666)
    assert "may be written by others" in measure(tmp_path)[1][0]
    assert measure(tmp_path)[1] == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to others")
def test_a_file_of_another_user_is_not_used(tmp_path):
    measure(tmp_path)
    os.chown(the_file(tmp_path), 12345, 12345)
    assert "is another user's" in measure(tmp_path)[1][0]


def test_nothing_is_kept_where_none_is_asked_for_or_possible(tmp_path):
    measure("none", home=tmp_path)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("")
    assert "can't be written" in measure(tmp_path / "file" / "inner")[1][0]


def test_without_the_setting_it_is_in_the_home(tmp_path):
    measure("", home=tmp_path)
    assert the_file(tmp_path / ".cache" / "caucus").name.startswith("model-")
