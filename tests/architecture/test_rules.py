# SPDX-License-Identifier: BSD-3-Clause
"""The tree keeps every rule, and every rule sees a violation that is put in on purpose."""

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import rules
from tree import Tree

ROOT = Path(__file__).resolve().parents[2]
NO_ROOMS = {"bindings"}  # that the table has too
SPDX = "/* SPDX-License-Identifier: BSD-3-Clause */\n"

# Rule, file, contents that break it.
SEEDS = [
    ("rooms_include_only_what_lies_below", "src/base/a.c", '#include "plan/grid/grid.h"\n'),
    ("rooms_include_only_what_lies_below", "src/base/a.c", '#include "../plan/grid/grid.h"\n'),
    ("rooms_include_only_what_lies_below", "src/plan/grid/a.c", '#include "run/peers/run.h"\n'),
    ("rooms_include_only_what_lies_below", "src/plan/grid/a.c", '#include "study/draw/draw.h"\n'),
    (
        "rooms_include_only_what_lies_below",
        "src/plan/schedule/a.c",
        '#include "plan/grid/grid.h"\n',
    ),
    ("rooms_include_only_what_lies_below", "src/plan/a.c", "int x;\n"),
    ("rooms_include_only_what_lies_below", "src/study/draw/a.c", '#include "run/peers/run.h"\n'),
    ("rooms_include_only_what_lies_below", "src/api/group/a.c", '#include "study/draw/draw.h"\n'),
    ("rooms_include_only_what_lies_below", "src/run/peers/a.c", '#include "plan/grid/grid.h"\n'),
    ("rooms_include_only_what_lies_below", "src/run/peers/a.c", '#include "api/group/api.h"\n'),
    ("rooms_include_only_what_lies_below", "src/run/peers/a.c", "#include <caucus/grid.h>\n"),
    ("rooms_include_only_what_lies_below", "src/api/group/a.c", '#include "dropin/dropin.h"\n'),
    ("rooms_include_only_what_lies_below", "src/run/memory/a.c", '#include "run/group/group.h"\n'),
    ("rooms_include_only_what_lies_below", "src/run/a.c", "int x;\n"),
    ("rooms_include_only_what_lies_below", "src/dropin/a.c", '#include "run/peers/run.h"\n'),
    ("rooms_include_only_what_lies_below", "src/dropin/a.c", '#include "plan/grid/grid.h"\n'),
    ("rooms_include_only_what_lies_below", "include/caucus/a.h", '#include "base/base.h"\n'),
    ("base_plan_and_study_know_no_mpi", "src/base/a.c", "#include <mpi.h>\n"),
    ("base_plan_and_study_know_no_mpi", "src/plan/grid/a.h", '#  include "mpi.h"\n'),
    ("base_plan_and_study_know_no_mpi", "src/plan/grid/a.c", "#include <caucus/grid.h>\n"),
    ("base_plan_and_study_know_no_mpi", "src/study/draw/a.c", "#include <mpi.h>\n"),
    ("base_plan_and_study_know_no_mpi", "src/plan/a.c", "int f(void) { return MPI_Finalize(); }\n"),
    (
        "api_moves_no_bytes",
        "src/api/group/a.c",
        "void f(void) { MPI_Isend(0, 0, t, 0, 0, c, r); }\n",
    ),
    ("api_moves_no_bytes", "src/api/group/a.c", "void f(void) { PMPI_Allreduce (); }\n"),
    (
        "nobody_posts_a_receive_from_anybody",
        "src/run/peers/a.c",
        "void f(void) { PMPI_Irecv(b, 1, t, MPI_ANY_SOURCE, 0, c, r); }\n",
    ),
    ("nobody_posts_a_receive_from_anybody", "src/api/group/a.c", "int any = MPI_ANY_SOURCE;\n"),
    (
        "numbers_of_machines_have_points",
        "src/run/engine/a.c",
        "double f(const char *t) { return strtod(t, 0); }\n",
    ),
    (
        "numbers_of_machines_have_points",
        "src/plan/grid/a.c",
        'void f(const char *t, double *d) { sscanf(t, "%9lf", d); }\n',
    ),
    (
        "numbers_of_machines_have_points",
        "src/api/grid/a.c",
        'void f(char *t) { caucus_fail(1, "%g", .5); snprintf(t, 9, "; %.17g", 1.5); }\n',
    ),
    (
        "functions_fit_a_screen",
        "src/plan/a.c",
        "static int f(int x,\n             int y) {\n" + "    x++;\n" * 58 + "}\n",
    ),
    ("functions_fit_a_screen", "tests/a.cpp", "TEST(A, B) {\n" + "    f();\n" * 59 + "}\n"),
    ("functions_fit_a_screen", "tools/a.py", "def f():\n" + "    x = 1\n" * 60),
    ("nothing_is_left_unfinished", "src/plan/a.c", "/* T{}DO: later */\n".format("O")),
    ("only_tools_know_what_is_brought", "cmake/a.cmake", "# /.{}/mpich\n".format("mpi")),
    ("only_tools_know_what_is_brought", "bench/a.py", 'x = ".{}"\n'.format("deps")),
    ("no_path_of_one_machine", "docs/a.md", "see /{}/somebody/caucus\n".format("home")),
]


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_the_tree_keeps(rule):
    assert list(rule(Tree(ROOT))) == []


def small_tree(folder):
    """A tree with a file in each room that breaks no rule."""
    for name, text in {
        "src/base/base.h": "#include <stdio.h>\n",
        "src/plan/grid/grid.h": '#include "base/base.h"\n',
        "src/study/draw/draw.h": '#include "base/base.h"\n',
        "src/run/peers/run.h": '#include <mpi.h>\n#include "base/base.h"\n',
        "src/run/group/group.h": '#include "run/protocol/mailbox.h"\n',
        "src/api/group/api.h": '#include "run/peers/run.h"\n#include "plan/grid/grid.h"\n',
        "src/dropin/dropin.h": '#include "api/group/api.h"\n#include <caucus/grid.h>\n',
        "include/caucus/grid.h": "#include <mpi.h>\n",
        "src/run/peers/calls.c": "/* an allgather */ void f(void) { MPI_Allgather(); }\n",
        "src/run/peers/probes.c": "void f(void) { PMPI_Improbe(MPI_ANY_SOURCE, 0, c, h, m, s); }\n",
        "src/api/group/calls.c": "void f(void) { MPI_Get_address(0, 0); MPI_Comm_rank(c, &r); }\n",
        "src/base/number.c": "double f(const char *t) { return strtod(t, 0); }\n",
        "src/api/grid/calls.c": 'void f(char *t) { caucus_number_write(t, 9, "a; %.17g", 1.5); }\n',
        "src/study/draw/goal.c": 'void f(char *t) { snprintf(t, 9, "100 %% %.0f", 1.5); }\n',
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(SPDX + text)
    return folder


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_a_good_tree_passes(rule, tmp_path):
    assert list(rule(Tree(small_tree(tmp_path)))) == []


@pytest.mark.parametrize(
    "name, file, text", SEEDS, ids=[f"{name}-{file}" for name, file, _ in SEEDS]
)
def test_a_seeded_violation_is_seen(name, file, text, tmp_path):
    path = small_tree(tmp_path) / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text((SPDX if path.suffix != ".py" else "# " + SPDX) + text)
    violations = list(getattr(rules, name)(Tree(tmp_path)))
    assert len(violations) == 1 and violations[0].startswith(file)


@pytest.mark.parametrize("file", ["src/base/a.c", "tools/a.py", "docs/a.md", "cmake/a.cmake"])
def test_a_file_without_licence_is_seen(file, tmp_path):
    path = small_tree(tmp_path) / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n")
    assert list(rules.every_file_has_its_licence(Tree(tmp_path))) == [f"{file} lacks the SPDX line"]


def rooms_of_the_page():
    """{room: what it may include} of the table in architecture.md; None where that is empty."""
    page = (ROOT / "docs" / "development" / "architecture.md").read_text()
    rows = re.findall(r"^\| `(?:src/)?([\w/]+)` \|.*\| ?([^|]*?) ?\|$", page, re.MULTILINE)
    return {room: words for room, words in rows if room.split("/")[0] not in NO_ROOMS}


def test_the_page_has_the_list():
    page = rooms_of_the_page()
    parts = {room: words for room, words in page.items() if room not in rules.MAY_INCLUDE}
    assert {room: page.get(room) for room in rules.MAY_INCLUDE} == rules.MAY_INCLUDE
    assert all(rules.room_of(f"src/{room}/") and not words for room, words in parts.items())


def test_the_list_has_no_circles():
    rooms = list(rules.MAY_INCLUDE)
    for place, room in enumerate(rooms):
        assert all(other in rooms[: place + 1] for other in rooms if rules.may_include(room, other))


def test_every_rule_has_a_seed():
    seeded = {name for name, _, _ in SEEDS} | {"every_file_has_its_licence"}
    assert seeded == {rule.__name__ for rule in rules.RULES}
