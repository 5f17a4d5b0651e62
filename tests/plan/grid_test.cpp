// SPDX-License-Identifier: BSD-3-Clause
extern "C" {
#include "base/status.h"
#include "plan/grid/grid.h"
}
#include "problem.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace {

TEST(Grid, HasNoDimensionsAtLeast) {
    caucus_grid grid;
    ASSERT_EQ(caucus_grid_init(&grid, 0, nullptr, nullptr), CAUCUS_OK);
    EXPECT_EQ(grid.size, 1);
    EXPECT_EQ(caucus_grid_cell(&grid, nullptr), 0);
    EXPECT_EQ(caucus_grid_neighbor(&grid, nullptr, nullptr), 0);
}

TEST(Grid, BadDimensionsAreRefusedByName) {
    caucus_grid grid;
    int dims[] = {3, 0, 2}, negative[] = {-2147483647 - 1};
    EXPECT_EQ(caucus_grid_init(&grid, 3, dims, nullptr), CAUCUS_BAD_DIMS);
    EXPECT_STREQ(caucus_error_text(), "dims[1] is 0: it must be positive");
    EXPECT_EQ(caucus_grid_init(&grid, 1, negative, nullptr), CAUCUS_BAD_DIMS);
    EXPECT_STREQ(caucus_error_text(), "dims[0] is -2147483648: it must be positive");
    EXPECT_EQ(caucus_grid_init(&grid, -1, dims, nullptr), CAUCUS_BAD_DIMS);
    EXPECT_STREQ(caucus_error_text(), "ndims is -1: it must be 0 to 10");
    EXPECT_EQ(caucus_grid_init(&grid, 11, dims, nullptr), CAUCUS_BAD_DIMS);
    EXPECT_EQ(caucus_grid_init(&grid, 2, nullptr, nullptr), CAUCUS_BAD_DIMS);
    EXPECT_STREQ(caucus_error_text(), "dims is a null pointer: 2 dimensions are needed");
}

TEST(Grid, TheProductIsCheckedForOverflow) {
    caucus_grid grid;
    int largest[] = {INT32_MAX}, above[] = {65536, 32768},
        huge[] = {INT32_MAX, INT32_MAX, INT32_MAX};
    ASSERT_EQ(caucus_grid_init(&grid, 1, largest, nullptr), CAUCUS_OK);
    EXPECT_EQ(grid.size, INT32_MAX);
    EXPECT_EQ(caucus_grid_init(&grid, 2, above, nullptr), CAUCUS_BAD_DIMS);
    EXPECT_STREQ(caucus_error_text(),
                 "the product of dims[0] to dims[1] is more than 2147483647 ranks");
    EXPECT_EQ(caucus_grid_init(&grid, 3, huge, nullptr), CAUCUS_BAD_DIMS);
    EXPECT_STREQ(caucus_error_text(),
                 "the product of dims[0] to dims[1] is more than 2147483647 ranks");
    std::vector<int> eights(10, 8); /* 2^30 */
    ASSERT_EQ(caucus_grid_init(&grid, 10, eights.data(), nullptr), CAUCUS_OK);
    EXPECT_EQ(grid.size, 1 << 30);
}

TEST(Grid, AnyTruthIsPeriodic) {
    caucus_grid grid;
    int dims[] = {2, 2, 2}, periodic[] = {0, -1, 7};
    ASSERT_EQ(caucus_grid_init(&grid, 3, dims, periodic), CAUCUS_OK);
    EXPECT_FALSE(grid.periodic[0]);
    EXPECT_TRUE(grid.periodic[1]);
    EXPECT_TRUE(grid.periodic[2]);
}

TEST(Grid, CellsAreNumberedInRowMajorOrder) {
    caucus_grid grid;
    int dims[] = {3, 4, 5}, at[3];
    ASSERT_EQ(caucus_grid_init(&grid, 3, dims, nullptr), CAUCUS_OK);
    int64_t cell = 0;
    for (int x = 0; x < 3; x++)
        for (int y = 0; y < 4; y++)
            for (int z = 0; z < 5; z++, cell++) {
                int coordinates[] = {x, y, z};
                EXPECT_EQ(caucus_grid_cell(&grid, coordinates), cell);
                caucus_grid_coordinates(&grid, cell, at);
                EXPECT_EQ(std::vector<int>(at, at + 3), (std::vector<int>{x, y, z}));
            }
}

TEST(Grid, NeighborsEndAtOpenEdgesAndWrapOnPeriodicAxes) {
    caucus_grid grid;
    int dims[] = {3, 4}, periodic[] = {0, 1};
    ASSERT_EQ(caucus_grid_init(&grid, 2, dims, periodic), CAUCUS_OK);
    auto neighbor = [&](int x, int y, int dx, int dy) {
        int at[] = {x, y}, offset[] = {dx, dy};
        return caucus_grid_neighbor(&grid, at, offset);
    };
    EXPECT_EQ(neighbor(0, 0, -1, 0), -1);
    EXPECT_EQ(neighbor(2, 0, 1, 0), -1);
    EXPECT_EQ(neighbor(1, 0, 1, 0), 8);
    EXPECT_EQ(neighbor(0, 0, 0, -1), 3);
    EXPECT_EQ(neighbor(1, 3, 0, 1), 4);
    EXPECT_EQ(neighbor(1, 3, 0, -13), 6);
    EXPECT_EQ(neighbor(1, 3, 1, 4), 11);
    EXPECT_EQ(neighbor(0, 1, 0, INT32_MAX), (1 + INT32_MAX % 4) % 4);
    EXPECT_EQ(neighbor(2, 3, INT32_MAX, 0), -1);
    EXPECT_EQ(neighbor(0, 0, -INT32_MAX, 0), -1);
    EXPECT_EQ(neighbor(0, 3, 0, -2147483647 - 1), 3);
}

TEST(Grid, StepsThereAndBackMeet) {
    test::Random random(3);
    for (int trial = 0; trial < 300; trial++) {
        int ndims = random.from(1, 5), dims[5], periodic[5], offset[5], back[5], at[5], there[5];
        for (int axis = 0; axis < ndims; axis++) {
            dims[axis] = random.from(1, 5);
            periodic[axis] = random.below(2);
            offset[axis] = random.from(-7, 7);
            back[axis] = -offset[axis];
        }
        caucus_grid grid;
        ASSERT_EQ(caucus_grid_init(&grid, ndims, dims, periodic), CAUCUS_OK);
        for (int64_t cell = 0; cell < grid.size; cell++) {
            caucus_grid_coordinates(&grid, cell, at);
            int64_t neighbor = caucus_grid_neighbor(&grid, at, offset);
            if (neighbor < 0)
                continue;
            ASSERT_LT(neighbor, grid.size);
            caucus_grid_coordinates(&grid, neighbor, there);
            ASSERT_EQ(caucus_grid_neighbor(&grid, there, back), cell);
        }
    }
}

TEST(Problem, PartsThatDoNotFitAreRefused) {
    test::Problem good({{4, 3}, {}, {6, 6}});
    EXPECT_EQ(caucus_grid_problem_check(good), CAUCUS_OK);
    caucus_grid_problem bad = *static_cast<const caucus_grid_problem *>(good);
    bad.nodes.ranks = 11;
    EXPECT_EQ(caucus_grid_problem_check(&bad), CAUCUS_BAD_DIMS);
    EXPECT_STREQ(caucus_error_text(), "the grid has 12 cells, the nodes have 11 ranks");
    bad.nodes.ranks = 12;
    bad.stencil.ndims = 3;
    EXPECT_EQ(caucus_grid_problem_check(&bad), CAUCUS_BAD_DIMS);
    EXPECT_STREQ(caucus_error_text(), "the stencil has 3 dimensions, the grid has 2");
}

} // namespace
