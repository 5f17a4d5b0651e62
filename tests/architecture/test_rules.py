# SPDX-License-Identifier: BSD-3-Clause
"""The tree keeps every rule, and every rule sees a violation that is put in on purpose."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import rules
from tree import Tree

ROOT = Path(__file__).resolve().parents[2]
SPDX = "/* SPDX-License-Identifier: BSD-3-Clause */\n"

# Rule, file, contents that break it.
SEEDS = [
    ("rooms_include_only_what_lies_below", "src/base/a.c", '#include "plan/grid/grid.h"\n'),
    ("rooms_include_only_what_lies_below", "src/base/a.c", '#include "../plan/grid/grid.h"\n'),
    ("rooms_include_only_what_lies_below", "src/plan/a.c", '#include "run/run.h"\n'),
    ("rooms_include_only_what_lies_below", "src/run/a.c", '#include "plan/grid/grid.h"\n'),
    ("rooms_include_only_what_lies_below", "src/run/a.c", '#include "api/api.h"\n'),
    ("rooms_include_only_what_lies_below", "src/run/a.c", "#include <caucus/grid.h>\n"),
    ("rooms_include_only_what_lies_below", "src/api/a.c", '#include "dropin/dropin.h"\n'),
    ("rooms_include_only_what_lies_below", "src/dropin/a.c", '#include "run/run.h"\n'),
    ("rooms_include_only_what_lies_below", "src/dropin/a.c", '#include "plan/grid/grid.h"\n'),
    ("rooms_include_only_what_lies_below", "include/caucus/a.h", '#include "base/base.h"\n'),
    ("base_and_plan_know_no_mpi", "src/base/a.c", "#include <mpi.h>\n"),
    ("base_and_plan_know_no_mpi", "src/plan/grid/a.h", '#  include "mpi.h"\n'),
    ("base_and_plan_know_no_mpi", "src/plan/grid/a.c", "#include <caucus/grid.h>\n"),
    ("base_and_plan_know_no_mpi", "src/plan/a.c", "int f(void) { return MPI_Finalize(); }\n"),
    ("run_knows_no_collective", "src/run/a.c", "int caucus_allgather(void);\n"),
    ("run_knows_no_collective", "src/run/a.c", 'const char *name = "bcast";\n'),
    ("api_moves_no_bytes", "src/api/a.c", "void f(void) { MPI_Isend(0, 0, t, 0, 0, c, r); }\n"),
    ("api_moves_no_bytes", "src/api/a.c", "void f(void) { PMPI_Allreduce (); }\n"),
    (
        "nobody_posts_a_receive_from_anybody",
        "src/run/a.c",
        "void f(void) { PMPI_Irecv(b, 1, t, MPI_ANY_SOURCE, 0, c, r); }\n",
    ),
    ("nobody_posts_a_receive_from_anybody", "src/api/a.c", "int any = MPI_ANY_SOURCE;\n"),
    ("files_stay_short", "src/plan/a.c", "int x;\n" * 401),
    ("files_stay_short", "tools/a.py", "x = 1\n" * 401),
    ("nothing_is_left_unfinished", "src/plan/a.c", "/* T{}DO: later */\n".format("O")),
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
        "src/run/run.h": '#include <mpi.h>\n#include "base/base.h"\n',
        "src/api/api.h": '#include "run/run.h"\n#include "plan/grid/grid.h"\n',
        "src/dropin/dropin.h": '#include "api/api.h"\n#include <caucus/grid.h>\n',
        "include/caucus/grid.h": "#include <mpi.h>\n",
        "src/run/calls.c": "/* an allgather */ void f(void) { MPI_Allgather(); }\n",
        "src/run/probes.c": "void f(void) { PMPI_Improbe(MPI_ANY_SOURCE, 0, c, h, m, s); }\n",
        "src/api/calls.c": "void f(void) { MPI_Get_address(0, 0); MPI_Comm_rank(c, &r); }\n",
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(SPDX + text)
    return folder


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_a_good_tree_passes(rule, tmp_path):
    assert list(rule(Tree(small_tree(tmp_path)))) == []


@pytest.mark.parametrize("name, file, text", SEEDS)
def test_a_seeded_violation_is_seen(name, file, text, tmp_path):
    path = small_tree(tmp_path) / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SPDX + text)
    violations = list(getattr(rules, name)(Tree(tmp_path)))
    assert len(violations) == 1 and violations[0].startswith(file)


@pytest.mark.parametrize("file", ["src/base/a.c", "tools/a.py", "docs/a.md", "cmake/a.cmake"])
def test_a_file_without_licence_is_seen(file, tmp_path):
    path = small_tree(tmp_path) / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n")
    assert list(rules.every_file_has_its_licence(Tree(tmp_path))) == [f"{file} lacks the SPDX line"]


def test_every_rule_has_a_seed():
    seeded = {name for name, _, _ in SEEDS} | {"every_file_has_its_licence"}
    assert seeded == {rule.__name__ for rule in rules.RULES}
