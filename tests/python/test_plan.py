# SPDX-License-Identifier: BSD-3-Clause
"""The planner as Python objects, against a judge that walks all edges."""

import random

import pytest
from command_line import judge

from caucus import NotApplicable, Plan, UsageError, dims_create, mappers, settings, version


def random_case(choose):
    dims = [choose.randint(1, 7) for _ in range(choose.randint(1, 4))]
    periods = [choose.random() < 0.4 for _ in dims]
    cells = 1
    for size in dims:
        cells *= size
    sizes, left = [], cells + choose.choice((0, 0, 3, 20))
    while left:
        sizes.append(min(left, choose.randint(1, 12)))
        left -= sizes[-1]
    return dims, periods, sizes


@pytest.mark.parametrize("seed", range(40))
def test_every_mapper_on_random_cases(seed):
    dims, periods, sizes = random_case(random.Random(seed))
    with Plan(dims, ",".join(map(str, sizes)), periods) as plan:
        assert (plan.ranks, plan.parts()) == (sum(sizes), len(sizes))
        node_of_rank, bound, jsums = plan.part_of_rank(), plan.bound(), {}
        for name in ["given", *(name for name, _ in mappers()), "best"]:
            try:
                made_by = plan.map(name)
            except NotApplicable as reason:
                assert str(reason)
                continue
            nodes, ranks, traffic = plan.node_of_cell(), plan.rank_of_cell(), plan.measure()
            assert [node_of_rank[rank] for rank in ranks] == list(nodes)
            assert len(set(ranks)) == plan.cells, "a rank with two cells"
            jsum, jmax, on, off = judge(dims, periods, nodes)
            assert (traffic.jsum, traffic.jmax, traffic.total) == (jsum, jmax, sum(on) + sum(off))
            assert (traffic.on.min, traffic.on.max) == (min(on), max(on))
            assert (traffic.off.min, traffic.off.max) == (min(off), max(off))
            assert traffic.on.mean == pytest.approx(sum(on) / plan.cells)
            jsums[name] = jsum
        assert jsums["best"] == min(jsums.values()), made_by
        if sum(sizes) == plan.cells:
            assert bound <= jsums["best"] + 1e-9


def test_stencil_and_weights():
    with Plan((4, 4), "2x8", weights=(10, 1)) as plan:
        assert sorted(plan.stencil()) == [
            ((-1, 0), 10.0), ((0, -1), 1.0), ((0, 1), 1.0), ((1, 0), 10.0)
        ]  # fmt: skip
        plan.map("best")
        assert plan.measure().jsum == 8


def test_a_failed_mapping_leaves_the_one_before():
    with Plan((5, 3), "7,8") as plan:
        plan.map("strips")
        before = plan.node_of_cell()
        with pytest.raises(NotApplicable):
            plan.map("nodecart")
        with pytest.raises(UsageError):
            plan.map("no such mapper")
        assert (plan.mapper, plan.node_of_cell()) == ("strips", before)


def test_lengths_are_checked_before_the_library_reads():
    with pytest.raises(UsageError):
        Plan((4, 4), "ppn:4", periods=(True,))
    with pytest.raises(UsageError):
        Plan((4, 4), "ppn:4", weights=(1, 2, 3))
    with pytest.raises(UsageError):
        dims_create("4x4", 2, extents=(1,))


def test_levels():
    with Plan((4, 4), "4x4") as plan:
        assert plan.levels == ["node"] and plan.parts(1) == 0 and plan.node_name(0) is None
        with pytest.raises(UsageError):
            plan.measure(1)


def test_tables():
    assert version().count(".") == 2 and settings()
    names = [name for name, _ in mappers()]
    assert len(set(names)) == len(names) and names[0] == "row-major"
    assert dims_create("50x48", 2) == dims_create("ppn:48", 2, ranks=2400)


def test_closing_twice_is_fine():
    plan = Plan((2, 2), "ppn:2")
    plan.close()
    plan.close()
