// SPDX-License-Identifier: BSD-3-Clause
// The portfolio against the proven optimum of small grids.
#include "exact_search.hpp"
extern "C" {
#include "plan/grid/portfolio.h"
}
#include "problem.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

using test::blocks;
using test::Case;

// Expects the portfolio to find the least jsum there is, and the bound not to be above it.
void expect_optimum(const Case &given, const std::string &name, size_t most_states = 300000) {
    SCOPED_TRACE(name);
    test::Problem problem(given);
    std::optional<double> optimum = test::ExactSearch(problem).least_jsum(most_states);
    ASSERT_TRUE(optimum) << "not proven";
    caucus_grid_choice choice;
    test::require(caucus_grid_choose(problem, "best", nullptr, false, &choice));
    EXPECT_NEAR(choice.best.score.jsum, *optimum, 1e-9 * *optimum) << choice.best.mapper;
    EXPECT_LE(choice.bound, *optimum * (1 + 1e-9));
    caucus_grid_choice_free(&choice);
}

TEST(Optimum, OfOpenPlanes) {
    expect_optimum({{5, 8}, {}, blocks(40, 8)}, "5x8, 5 of 8");
    expect_optimum({{4, 9}, {}, blocks(36, 7)}, "4x9, 5 of 7 and one");
    expect_optimum({{5, 5}, {}, blocks(25, 5)}, "5x5, 5 of 5");
    expect_optimum({{3, 10}, {}, {8, 8, 6, 6, 2}}, "3x10, uneven");
    expect_optimum({{4, 6}, {}, {9, 7, 5, 3}}, "4x6, uneven");
}

TEST(Optimum, OfPeriodicPlanes) {
    expect_optimum({{4, 6}, {1, 1}, blocks(24, 8)}, "4px6p, 3 of 8");
    expect_optimum({{4, 6}, {0, 1}, blocks(24, 6)}, "4x6p, 4 of 6");
    expect_optimum({{8, 3}, {1, 0}, blocks(24, 4)}, "8px3, 6 of 4");
    expect_optimum({{2, 9}, {1, 1}, blocks(18, 6)}, "2px9p, 3 of 6");
}

TEST(Optimum, OfSolids) {
    expect_optimum({{2, 3, 5}, {}, blocks(30, 6)}, "2x3x5, 5 of 6");
    expect_optimum({{3, 3, 3}, {}, blocks(27, 9)}, "3x3x3, 3 of 9");
    expect_optimum({{2, 2, 6}, {}, {10, 8, 6}}, "2x2x6, uneven");
    expect_optimum({{2, 2, 5}, {0, 0, 1}, blocks(20, 5)}, "2x2x5p, 4 of 5");
    expect_optimum({{2, 2, 2, 3}, {}, blocks(24, 8)}, "2x2x2x3, 3 of 8");
}

TEST(Optimum, WithWeights) {
    expect_optimum({{4, 6}, {}, blocks(24, 6), {10, 1}}, "4x6, 10:1");
    expect_optimum({{4, 6}, {}, blocks(24, 6), {1, 3}}, "4x6, 1:3");
    expect_optimum({{4, 6}, {}, blocks(24, 4), {1, 0}}, "4x6, first axis only");
    expect_optimum({{3, 3, 3}, {}, blocks(27, 9), {1, 2, 4}}, "3x3x3, 1:2:4");
    expect_optimum({{3, 7}, {0, 1}, {8, 7, 6}, {2, 5}}, "3x7p, 2:5, uneven");
}

// How often, and how far off it is where it is not: worst is where the portfolio stands.
TEST(Optimum, OfRandomSmallGrids) {
    test::Random random(42);
    int proven = 0, missed = 0, wanted = test::full_run() ? 400 : 60;
    double worst = 1;
    for (int trial = 0; proven < wanted && trial < 4 * wanted; trial++) {
        Case given;
        for (int axis = random.from(2, 3); axis > 0; axis--) {
            given.dims.push_back(random.from(2, axis > 1 ? 4 : 9));
            given.periodic.push_back(random.chance(.25));
        }
        auto cells = static_cast<int>(test::product(given.dims));
        int largest = random.from(2, std::max(2, cells / 3));
        given.sizes =
            random.chance(.6) ? blocks(cells, largest) : test::random_sizes(random, cells, largest);
        if (cells > 30)
            continue;
        test::Problem problem(given);
        std::optional<double> optimum = test::ExactSearch(problem).least_jsum(4000);
        if (!optimum)
            continue;
        proven++;
        caucus_grid_choice choice;
        test::require(caucus_grid_choose(problem, "best", nullptr, false, &choice));
        ASSERT_GE(choice.best.score.jsum, *optimum * (1 - 1e-9)) << "the search is wrong";
        if (choice.best.score.jsum > *optimum * (1 + 1e-9)) {
            missed++;
            worst = std::max(worst, choice.best.score.jsum / *optimum);
            for (size_t axis = 0; axis < given.dims.size(); axis++)
                std::cout << (axis ? "x" : "") << given.dims[axis]
                          << (given.periodic[axis] ? "p" : "");
            for (int size : given.sizes)
                std::cout << " " << size;
            std::cout << ": " << choice.best.score.jsum << " for " << *optimum << "\n";
        }
        caucus_grid_choice_free(&choice);
    }
    EXPECT_EQ(proven, wanted);
    EXPECT_LE(missed, proven / 20);
    EXPECT_LE(worst, 1.15);
}

} // namespace
