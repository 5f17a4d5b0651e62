// SPDX-License-Identifier: BSD-3-Clause
extern "C" {
#include "plan/grid/cluster.h"
#include "plan/grid/evaluate.h"
#include "plan/grid/mapper.h"
}
#include "problem.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace {

// What the nodes find each for itself must add up to what one who sees all cells finds.
void expect_shares_add_up(const caucus_grid_problem *problem) {
    std::vector<int32_t> node_of_cell(static_cast<size_t>(problem->grid.size));
    test::require(caucus_grid_map_kdtree(problem, node_of_cell.data()));
    caucus_grid_score whole;
    test::require(caucus_grid_evaluate(&problem->grid, &problem->stencil, node_of_cell.data(),
                                       problem->nodes.count, &whole));
    double leaving = 0, worst = 0, total = 0, on = 0, off = 0;
    int on_min = problem->stencil.count, on_max = 0, off_min = on_min, off_max = 0;
    for (int32_t node = 0; node < problem->nodes.count; node++) {
        std::vector<int64_t> cells;
        for (size_t cell = 0; cell < node_of_cell.size(); cell++)
            if (node_of_cell[cell] == node)
                cells.push_back(static_cast<int64_t>(cell));
        caucus_grid_share share;
        caucus_grid_evaluate_share(&problem->grid, &problem->stencil,
                                   static_cast<int>(cells.size()), cells.data(), &share);
        EXPECT_EQ(share.cells, caucus_nodes_size(&problem->nodes, node));
        leaving += share.leaving;
        worst = std::max(worst, share.leaving);
        total += share.total;
        on += static_cast<double>(share.on);
        off += static_cast<double>(share.off);
        on_min = std::min(on_min, share.on_min);
        on_max = std::max(on_max, share.on_max);
        off_min = std::min(off_min, share.off_min);
        off_max = std::max(off_max, share.off_max);
    }
    EXPECT_DOUBLE_EQ(leaving, whole.jsum);
    EXPECT_DOUBLE_EQ(worst, whole.jmax);
    EXPECT_DOUBLE_EQ(total, whole.total);
    EXPECT_DOUBLE_EQ(on / static_cast<double>(problem->grid.size), whole.on.mean);
    EXPECT_DOUBLE_EQ(off / static_cast<double>(problem->grid.size), whole.off.mean);
    EXPECT_EQ(on_min, whole.on.min);
    EXPECT_EQ(on_max, whole.on.max);
    EXPECT_EQ(off_min, whole.off.min);
    EXPECT_EQ(off_max, whole.off.max);
}

} // namespace

TEST(Share, SharesAddUp) {
    expect_shares_add_up(test::Problem({{12, 7}, {}, test::blocks(84, 9), {}}));
    expect_shares_add_up(test::Problem({{2, 1, 9}, {1, 1, 1}, {5, 13}, {1, 2, 0.5}}));
    expect_shares_add_up(
        test::Problem({{6, 5}, {0, 1}, {7, 23}, {}}, {1, 1, -7, 0, 0, 3, 0, -5}, {1, 2, 3, 4}));
}

TEST(Share, ANodeWithoutCellsHasNothing) {
    test::Problem problem({{4}, {}, {4}, {}});
    caucus_grid_share share;
    caucus_grid_evaluate_share(&problem->grid, &problem->stencil, 0, nullptr, &share);
    EXPECT_EQ(share.cells, 0);
    EXPECT_EQ(share.total, 0);
    EXPECT_EQ(share.on_min, 0);
    EXPECT_EQ(share.off_max, 0);
}

TEST(Shape, FindsPositions) {
    const std::vector<int64_t> cells{2, 3, 5, 9, 11};
    for (int64_t cell = 0; cell < 13; cell++) {
        auto place = std::find(cells.begin(), cells.end(), cell);
        auto expected = place == cells.end() ? -1 : place - cells.begin();
        EXPECT_EQ(caucus_shape_position(5, cells.data(), cell), expected);
    }
    EXPECT_EQ(caucus_shape_position(0, cells.data(), 2), -1);
}
