// SPDX-License-Identifier: BSD-3-Clause
extern "C" {
#include "plan/grid/evaluate.h"
#include "plan/grid/mapper.h"
#include "plan/grid/refine.h"
}
#include "random_case.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace {

using test::blocks;
using test::Case;
using test::Problem;

std::vector<int32_t> row_major(const caucus_grid_problem *problem) {
    std::vector<int32_t> nodes(static_cast<size_t>(problem->grid.size));
    test::require(caucus_grid_map_row_major(problem, nodes.data()));
    return nodes;
}

double jsum(const caucus_grid_problem *problem, const std::vector<int32_t> &nodes) {
    caucus_grid_score score;
    test::require(caucus_grid_evaluate(&problem->grid, &problem->stencil, nodes.data(),
                                       problem->nodes.count, &score));
    return score.jsum;
}

TEST(Refine, ImprovesRowMajorOfAPlane) {
    Problem problem(Case{{50, 48}, {}, blocks(2400, 48)});
    std::vector<int32_t> nodes(2400);
    test::require(caucus_grid_map_strips(problem, nodes.data()));
    test::require(caucus_grid_anneal(problem, 0.8, 1000, 1, nodes.data()));
    test::require(caucus_grid_check_sizes(problem, nodes.data()));
    EXPECT_LT(jsum(problem, nodes), 1318);
}

TEST(Refine, ReachesTheKnownNinePointMapping) {
    Problem problem(Case{{50, 48}, {}, blocks(2400, 48)},
                    {-1, -1, -1, 0, -1, 1, 0, -1, 0, 1, 1, -1, 1, 0, 1, 1},
                    std::vector<double>(8, 1));
    std::vector<int32_t> start(2400);
    test::require(caucus_grid_map_multijagged(problem, start.data()));
    double best = jsum(problem, start);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        std::vector<int32_t> nodes = start;
        test::require(caucus_grid_anneal(problem, seed % 2 ? 0.35 : 0.8, 1388, seed, nodes.data()));
        best = std::min(best, jsum(problem, nodes));
    }
    EXPECT_LE(best, 3416);
}

// Cells are counted by node, so a cell that was lost, or two in one place, would show.
TEST(Refine, KeepsEverySizeInRandomCases) {
    test::Random random(5);
    int changed = 0;
    for (int repeat = 0; repeat < 600; repeat++) {
        auto problem = test::random_problem(random, 800);
        std::vector<int32_t> nodes = row_major(*problem), again = nodes, start = nodes;
        double temperature = random.chance(0.2) ? 20 : random.from(1, 12) / 10.0;
        int sweeps = random.from(0, 40);
        uint64_t seed = static_cast<uint64_t>(repeat);
        ASSERT_EQ(caucus_grid_anneal(*problem, temperature, sweeps, seed, nodes.data()), CAUCUS_OK);
        ASSERT_EQ(caucus_grid_check_sizes(*problem, nodes.data()), CAUCUS_OK)
            << caucus_error_text();
        test::require(caucus_grid_anneal(*problem, temperature, sweeps, seed, again.data()));
        ASSERT_EQ(nodes, again);
        changed += nodes != start;
    }
    EXPECT_GE(changed, 200);
}

TEST(Refine, IsNoMatterOfTheUnitOfWeights) {
    std::vector<int> star = test::star_offsets(2);
    Problem bytes(Case{{24, 20}, {1, 0}, blocks(480, 16)}, star, {8, 8, 4096, 4096});
    Problem large(Case{{24, 20}, {1, 0}, blocks(480, 16)}, star,
                  {8e150, 8e150, 4096e150, 4096e150});
    std::vector<int32_t> one = row_major(bytes), other = one;
    test::require(caucus_grid_anneal(bytes, 0.8, 50, 7, one.data()));
    test::require(caucus_grid_anneal(large, 0.8, 50, 7, other.data()));
    EXPECT_EQ(one, other);
}

TEST(Refine, LeavesAloneWhatHasNoTraffic) {
    Problem silent(Case{{6, 6}, {}, blocks(36, 6)}, test::star_offsets(2), {0, 0, 0, 0});
    std::vector<int32_t> nodes = row_major(silent);
    test::require(caucus_grid_anneal(silent, 0.8, 50, 7, nodes.data()));
    EXPECT_EQ(nodes, row_major(silent));
}

TEST(Refine, EmptiesNoNode) {
    Problem problem(Case{{6, 6}, {}, std::vector<int>(36, 1)});
    std::vector<int32_t> nodes = row_major(problem);
    test::require(caucus_grid_anneal(problem, 20, 50, 7, nodes.data()));
    EXPECT_EQ(nodes, row_major(problem));
}

TEST(Refine, RefusesTemperaturesThatMakeNoSense) {
    Problem problem(Case{{6, 6}, {}, blocks(36, 6)});
    std::vector<int32_t> nodes = row_major(problem);
    for (double temperature : {0.0, -1.0, 1e9, std::nan("")})
        EXPECT_EQ(caucus_grid_anneal(problem, temperature, 5, 1, nodes.data()),
                  CAUCUS_BAD_ARGUMENT);
    EXPECT_EQ(caucus_grid_anneal(problem, 0.5, -1, 1, nodes.data()), CAUCUS_BAD_ARGUMENT);
}

// The same on every compiler, at every level of optimisation, on every machine.
TEST(Refine, IsReproducible) {
    Problem problem(Case{{12, 10, 9}, {0, 1, 0}, blocks(1080, 32)});
    std::vector<int32_t> nodes = row_major(problem);
    test::require(caucus_grid_anneal(problem, 0.8, 60, 42, nodes.data()));
    uint32_t hash = 0;
    for (int32_t node : nodes)
        hash = hash * 31 + static_cast<uint32_t>(node);
    EXPECT_EQ(hash, 4057668350u);
}

TEST(Refine, SpendsItsTimeWhereItPays) {
    auto sweeps = [](std::vector<int> dims, int per_node) {
        long ranks = test::product(dims);
        return caucus_grid_anneal_sweeps(Problem(Case{dims, {}, blocks(ranks, per_node)}));
    };
    EXPECT_EQ(sweeps({10, 10}, 10), 3000);
    EXPECT_NEAR(sweeps({100, 100}, 10), 300, 50);
    EXPECT_NEAR(sweeps({50, 50, 40}, 20), 30, 5);
    EXPECT_EQ(sweeps({500, 200}, 20), 0);
    EXPECT_EQ(sweeps({100, 100, 100}, 20), 0);
    EXPECT_EQ(sweeps({10, 10}, 100), 0);
    EXPECT_EQ(sweeps({10, 10}, 1), 0);
}

// Any start, however wrong its sizes are.
TEST(Repair, MakesSizesExact) {
    test::Random random(6);
    for (int repeat = 0; repeat < 600; repeat++) {
        auto problem = test::random_problem(random, 400);
        const caucus_grid &grid = (*problem)->grid;
        caucus_stencil steps;
        int32_t *table;
        test::require(caucus_steps_init(&grid, &(*problem)->stencil, &steps));
        test::require(caucus_steps_table(&grid, &steps, &table));
        for (int64_t entry = 0; entry < grid.size * steps.count; entry++)
            if (table[entry] == entry / steps.count)
                table[entry] = static_cast<int32_t>(grid.size);
        std::vector<int32_t> weight(static_cast<size_t>(steps.count), CAUCUS_WEIGHT_UNIT);
        caucus_cell_graph graph{grid.size, steps.count, table, weight.data(), nullptr};
        std::vector<int32_t> nodes(static_cast<size_t>(grid.size) + 1);
        int32_t used = random.from(1, (*problem)->nodes.count); /* others start empty */
        for (int32_t &node : nodes)
            node = random.below(used);
        nodes.back() = -1;
        ASSERT_EQ(caucus_grid_repair(&graph, &(*problem)->nodes, nodes.data()), CAUCUS_OK);
        ASSERT_EQ(caucus_grid_check_sizes(*problem, nodes.data()), CAUCUS_OK)
            << caucus_error_text();
        ASSERT_EQ(nodes.back(), -1);
        free(table);
        caucus_stencil_free(&steps);
    }
}

// 1 x 6 cells: the cheapest chain shifts the borders by one cell instead of moving a cell afar.
TEST(Repair, ShiftsAlongAChain) {
    Problem problem(Case{{6}, {}, {2, 2, 2}});
    int32_t table[] = {6, 1, 0, 2, 1, 3, 2, 4, 3, 5, 4, 6};
    int32_t weight[] = {CAUCUS_WEIGHT_UNIT, CAUCUS_WEIGHT_UNIT};
    caucus_cell_graph graph{6, 2, table, weight, nullptr};
    std::vector<int32_t> nodes = {0, 0, 0, 1, 1, 2, -1};
    test::require(caucus_grid_repair(&graph, &problem->nodes, nodes.data()));
    EXPECT_EQ(nodes, (std::vector<int32_t>{0, 0, 1, 1, 2, 2, -1}));
}

// Twice the weight of the cut steps is jsum, whatever the stencil.
TEST(Steps, HoldBothDirections) {
    test::Random random(8);
    for (int repeat = 0; repeat < 500; repeat++) {
        auto problem = test::random_problem(random, 300);
        const caucus_grid &grid = (*problem)->grid;
        caucus_stencil steps;
        int32_t *table;
        test::require(caucus_steps_init(&grid, &(*problem)->stencil, &steps));
        test::require(caucus_steps_table(&grid, &steps, &table));
        std::vector<int32_t> nodes = row_major(*problem);
        double sum = 0;
        for (int64_t entry = 0; entry < grid.size * steps.count; entry++)
            if (nodes[static_cast<size_t>(entry / steps.count)] !=
                nodes[static_cast<size_t>(table[entry])])
                sum += steps.weight[entry % steps.count];
        ASSERT_NEAR(sum, jsum(*problem, nodes), 1e-9 * (1 + sum));
        free(table);
        caucus_stencil_free(&steps);
    }
}

} // namespace
