// SPDX-License-Identifier: BSD-3-Clause
extern "C" {
#include "plan/grid/evaluate.h"
#include "plan/grid/mapper.h"
}
#include "problem.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <vector>

namespace {

using Map = std::vector<int32_t>;

caucus_grid_score evaluate(const caucus_grid_problem *problem, const Map &node_of_cell) {
    caucus_grid_score score;
    test::require(caucus_grid_evaluate(&problem->grid, &problem->stencil, node_of_cell.data(),
                                       problem->nodes.count, &score));
    return score;
}

Map row_major(const caucus_grid_problem *problem) {
    Map map(static_cast<size_t>(problem->grid.size));
    test::require(caucus_grid_map_row_major(problem, map.data()));
    return map;
}

// The same figures from the definition, with cells looked up by their coordinates.
caucus_grid_score by_definition(const caucus_grid_problem *problem, const Map &map) {
    const caucus_grid &grid = problem->grid;
    std::map<std::vector<int>, int> node;
    std::vector<int> at(static_cast<size_t>(grid.ndims), 0);
    for (int32_t part : map) {
        node[at] = part;
        for (size_t axis = at.size(); axis-- > 0 && ++at[axis] == grid.dims[axis];)
            at[axis] = 0;
    }
    caucus_grid_score score{};
    score.on.min = score.off.min = std::numeric_limits<int>::max();
    std::map<int, double> leaving;
    for (const auto &[cell, part] : node) {
        int count[2] = {0, 0};
        for (int k = 0; k < problem->stencil.count; k++) {
            std::vector<int> there = cell;
            for (size_t axis = 0; axis < there.size(); axis++) {
                there[axis] +=
                    problem->stencil.offset[static_cast<size_t>(k) * there.size() + axis];
                while (grid.periodic[axis] && there[axis] < 0)
                    there[axis] += grid.dims[axis];
                while (grid.periodic[axis] && there[axis] >= grid.dims[axis])
                    there[axis] -= grid.dims[axis];
            }
            if (there == cell || !node.count(there))
                continue;
            bool off = node[there] != part;
            count[off]++;
            score.total += problem->stencil.weight[k];
            if (off)
                leaving[part] += problem->stencil.weight[k];
        }
        caucus_neighbor_range *range[2] = {&score.on, &score.off};
        for (int off = 0; off < 2; off++) {
            range[off]->min = std::min(range[off]->min, count[off]);
            range[off]->max = std::max(range[off]->max, count[off]);
            range[off]->mean += count[off] / static_cast<double>(map.size());
        }
    }
    for (const auto &[part, weight] : leaving) {
        score.jsum += weight;
        score.jmax = std::max(score.jmax, weight);
    }
    return score;
}

void expect_equal(const caucus_grid_score &a, const caucus_grid_score &b) {
    EXPECT_NEAR(a.jsum, b.jsum, 1e-9 * a.total);
    EXPECT_NEAR(a.jmax, b.jmax, 1e-9 * a.total);
    EXPECT_NEAR(a.total, b.total, 1e-9 * a.total);
    EXPECT_EQ(a.on.min, b.on.min);
    EXPECT_EQ(a.on.max, b.on.max);
    EXPECT_NEAR(a.on.mean, b.on.mean, 1e-9);
    EXPECT_EQ(a.off.min, b.off.min);
    EXPECT_EQ(a.off.max, b.off.max);
    EXPECT_NEAR(a.off.mean, b.off.mean, 1e-9);
}

void expect_row_major(const test::Case &given, int on_min, int on_max, double on_mean, int off_min,
                      int off_max, double off_mean, double jsum) {
    test::Problem problem(given);
    caucus_grid_score score = evaluate(problem, row_major(problem));
    EXPECT_EQ(score.on.min, on_min);
    EXPECT_EQ(score.on.max, on_max);
    EXPECT_DOUBLE_EQ(score.on.mean, on_mean);
    EXPECT_EQ(score.off.min, off_min);
    EXPECT_EQ(score.off.max, off_max);
    EXPECT_DOUBLE_EQ(score.off.mean, off_mean);
    EXPECT_DOUBLE_EQ(score.jsum, jsum);
}

// Gropp, "Using node information to implement MPI Cartesian topologies", EuroMPI 2018.
TEST(Evaluate, ThePaperIsTableForRowMajorOrder) {
    expect_row_major({{128, 128}, {1, 1}, test::blocks(16384, 16)}, 1, 2, 1.875, 2, 3, 2.125,
                     34816);
    expect_row_major({{16, 32, 32}, {1, 1, 1}, test::blocks(16384, 16)}, 1, 2, 1.875, 4, 5, 4.125,
                     67584);
}

Map tiles(const caucus_grid_problem *problem, const std::vector<int> &tile) {
    Map map(static_cast<size_t>(problem->grid.size));
    int at[CAUCUS_GRID_MAX_DIMS];
    for (int64_t cell = 0; cell < problem->grid.size; cell++) {
        caucus_grid_coordinates(&problem->grid, cell, at);
        int32_t node = 0;
        for (size_t axis = 0; axis < tile.size(); axis++)
            node = node * (problem->grid.dims[axis] / tile[axis]) + at[axis] / tile[axis];
        map[static_cast<size_t>(cell)] = node;
    }
    return map;
}

TEST(Evaluate, ThePaperIsTableForTiles) {
    test::Problem flat({{128, 128}, {1, 1}, test::blocks(16384, 16)});
    caucus_grid_score score = evaluate(flat, tiles(flat, {4, 4}));
    EXPECT_EQ(caucus_grid_check_sizes(flat, tiles(flat, {4, 4}).data()), CAUCUS_OK);
    EXPECT_EQ(score.jsum, 16384);
    EXPECT_EQ(score.jmax, 16);
    EXPECT_EQ(score.on.min, 2);
    EXPECT_EQ(score.on.max, 4);
    EXPECT_DOUBLE_EQ(score.on.mean, 3);
    EXPECT_EQ(score.off.min, 0);
    EXPECT_EQ(score.off.max, 2);
    EXPECT_DOUBLE_EQ(score.off.mean, 1);
    test::Problem solid({{16, 32, 32}, {1, 1, 1}, test::blocks(16384, 16)});
    score = evaluate(solid, tiles(solid, {2, 4, 2}));
    EXPECT_EQ(score.jsum, 40960);
    EXPECT_DOUBLE_EQ(score.on.mean, 3.5);
    EXPECT_DOUBLE_EQ(score.off.mean, 2.5);
}

TEST(Evaluate, OpenGridsInRowMajorOrder) {
    auto score = [](const test::Case &given) {
        test::Problem problem(given);
        return evaluate(problem, row_major(problem));
    };
    EXPECT_EQ(score({{50, 48}, {}, test::blocks(2400, 48)}).jsum, 4704);
    EXPECT_EQ(score({{50, 48}, {}, test::blocks(2400, 48)}).jmax, 96);
    EXPECT_EQ(score({{75, 64}, {}, test::blocks(4800, 48)}).jsum, 9622);
    EXPECT_EQ(score({{75, 64}, {}, test::blocks(4800, 48)}).jmax, 98);
    EXPECT_EQ(score({{12, 16, 20}, {}, test::blocks(3840, 48)}).jsum, 10144);
    EXPECT_EQ(score({{12, 16, 20}, {}, test::blocks(3840, 48)}).jmax, 138);
    EXPECT_EQ(score({{50, 48}, {}, test::repeated({{40, 48}, {15, 32}})}).jsum, 4724);
    EXPECT_EQ(score({{50, 48}, {}, test::blocks(2400, 48), {1, 0}}).jsum, 4704);
}

TEST(Evaluate, PeriodicAxesOfOneAndTwo) {
    test::Problem one({{1, 4}, {1, 0}, {2, 2}});
    caucus_grid_score score = evaluate(one, {0, 0, 1, 1});
    EXPECT_EQ(score.total, 6) << "a cell is no neighbour of itself";
    EXPECT_EQ(score.jsum, 2);
    test::Problem two({{2}, {1}, {1, 1}});
    score = evaluate(two, {0, 1});
    EXPECT_EQ(score.total, 4) << "two messages each way";
    EXPECT_EQ(score.jsum, 4);
    EXPECT_EQ(score.off.min, 2);
    test::Problem open({{2}, {0}, {1, 1}});
    EXPECT_EQ(evaluate(open, {0, 1}).jsum, 2);
}

TEST(Evaluate, GridsOfOneCellAndOfNoDimensions) {
    test::Problem cell({{1, 1}, {1, 0}, {1}}), nothing(test::Case{{}, {}, {1}});
    for (const caucus_grid_problem *problem : {static_cast<const caucus_grid_problem *>(cell),
                                               static_cast<const caucus_grid_problem *>(nothing)}) {
        caucus_grid_score score = evaluate(problem, {0});
        EXPECT_EQ(score.jsum, 0);
        EXPECT_EQ(score.total, 0);
        EXPECT_EQ(score.on.max, 0);
        EXPECT_EQ(score.off.mean, 0);
    }
}

TEST(Evaluate, WeightsOfOneDirectionCountOnTheSendingSide) {
    test::Problem problem({{3}, {}, {1, 2}}, {1, -1}, {5, 3});
    caucus_grid_score score = evaluate(problem, {0, 1, 1});
    EXPECT_EQ(score.jsum, 8);
    EXPECT_EQ(score.jmax, 5);
    EXPECT_EQ(score.total, 16);
}

// Random grids, stencils with far and repeated offsets, and maps, against the definition.
TEST(Evaluate, AgreesWithTheDefinition) {
    test::Random random(17);
    for (int trial = 0; trial < 400; trial++) {
        test::Case given;
        for (int axis = random.from(1, 4); axis > 0; axis--) {
            given.dims.push_back(random.from(1, 5));
            given.periodic.push_back(random.below(2));
        }
        given.sizes = test::random_sizes(random, test::product(given.dims), 9);
        std::vector<int> offsets;
        std::vector<double> weights;
        while (weights.size() < 6) {
            std::vector<int> offset;
            for (size_t axis = 0; axis < given.dims.size(); axis++)
                offset.push_back(random.chance(.5) ? 0 : random.from(-6, 6));
            if (std::count(offset.begin(), offset.end(), 0) == static_cast<long>(offset.size()))
                continue;
            offsets.insert(offsets.end(), offset.begin(), offset.end());
            weights.push_back(random.below(20) / 4.0);
        }
        test::Problem problem(given, offsets, weights);
        Map map = row_major(problem);
        for (size_t i = map.size(); i > 1; i--)
            std::swap(map[i - 1], map[static_cast<size_t>(random.below(static_cast<int>(i)))]);
        expect_equal(evaluate(problem, map), by_definition(problem, map));
        EXPECT_EQ(caucus_grid_check_sizes(problem, map.data()), CAUCUS_OK);
    }
}

TEST(Evaluate, WrongSizesAreFound) {
    test::Problem problem({{2, 2}, {}, {2, 2}});
    EXPECT_EQ(caucus_grid_check_sizes(problem, Map{0, 1, 1, 0}.data()), CAUCUS_OK);
    EXPECT_EQ(caucus_grid_check_sizes(problem, Map{0, 1, 1, 1}.data()), CAUCUS_INTERNAL);
    EXPECT_STREQ(caucus_error_text(), "node 0 has 1 cells for 2 ranks");
    EXPECT_EQ(caucus_grid_check_sizes(problem, Map{0, 1, 2, 0}.data()), CAUCUS_INTERNAL);
    EXPECT_STREQ(caucus_error_text(), "cell 2 has node 2 of 2");
    EXPECT_EQ(caucus_grid_check_sizes(problem, Map{0, -1, 1, 0}.data()), CAUCUS_INTERNAL);
}

TEST(Evaluate, BetterIsLessJsumThenLessJmax) {
    auto score = [](double jsum, double jmax) {
        caucus_grid_score made{};
        made.jsum = jsum;
        made.jmax = jmax;
        made.total = 1000;
        return made;
    };
    auto better = [&](caucus_grid_score a, caucus_grid_score b) {
        return caucus_grid_better(&a, &b);
    };
    EXPECT_TRUE(better(score(10, 9), score(11, 1)));
    EXPECT_FALSE(better(score(11, 1), score(10, 9)));
    EXPECT_TRUE(better(score(10, 1), score(10, 2)));
    EXPECT_FALSE(better(score(10, 2), score(10, 2)));
    EXPECT_FALSE(better(score(10, 2), score(10 + 1e-12, 2))) << "the last bits are no difference";
    EXPECT_TRUE(better(score(10 + 1e-12, 1), score(10, 2)));
}

} // namespace
