// SPDX-License-Identifier: BSD-3-Clause
#include "exact_search.hpp"
extern "C" {
#include "plan/grid/bound.h"
#include "plan/grid/bound_slices.h"
#include "plan/grid/evaluate.h"
#include "plan/grid/mapper.h"
}
#include "problem.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

using test::blocks;
using test::Case;
using test::Problem;

double bound_of(const caucus_grid_problem *problem) {
    double bound = -1;
    test::require(caucus_grid_bound(problem, &bound));
    return bound;
}

double bound_of(const Case &given) {
    return bound_of(Problem(given));
}

std::string text_of(const Case &given) {
    std::string text;
    for (size_t axis = 0; axis < given.dims.size(); axis++) {
        text += (axis ? "x" : "") + std::to_string(given.dims[axis]);
        text += !given.periodic.empty() && given.periodic[axis] ? "p" : "";
    }
    text += " nodes";
    for (int size : given.sizes)
        text += " " + std::to_string(size);
    for (double weight : given.weights)
        text += " w" + std::to_string(weight);
    return text;
}

TEST(Bound, KnownValues) {
    EXPECT_EQ(bound_of({{50, 48}, {}, blocks(2400, 48)}), 1204);
    EXPECT_EQ(bound_of({{75, 64}, {}, blocks(4800, 48)}), 2522);
    EXPECT_EQ(bound_of({{12, 16, 20}, {}, blocks(3840, 48)}), 4896);
    EXPECT_EQ(bound_of({{50, 48}, {}, test::repeated({{40, 48}, {15, 32}})}), 1284);
    EXPECT_EQ(bound_of({{50, 48}, {}, blocks(2400, 48), {1, 0}}), 96);
    EXPECT_GE(bound_of({{50, 48}, {}, blocks(2400, 48), {10, 1}}), 3420);
    EXPECT_LE(bound_of({{50, 48}, {}, blocks(2400, 48), {10, 1}}), 3732) << "a mapping has that";
    EXPECT_EQ(bound_of({{128, 128}, {1, 1}, blocks(16384, 16)}), 16384);
    EXPECT_EQ(bound_of({{16, 32, 32}, {1, 1, 1}, blocks(16384, 16)}), 40960);
}

TEST(Bound, IsTheOptimumWhereThatIsPlain) {
    EXPECT_EQ(bound_of({{7, 5}, {}, {35}}), 0) << "one node";
    EXPECT_EQ(bound_of({{2, 2}, {}, {1, 1, 1, 1}}), 8) << "single cells";
    EXPECT_EQ(bound_of({{12}, {}, {5, 4, 3}}), 4);
    EXPECT_EQ(bound_of({{12}, {1}, {5, 4, 3}}), 6);
    EXPECT_EQ(bound_of({{2}, {1}, {1, 1}}), 4) << "two edges between the two";
    EXPECT_EQ(bound_of({{2, 6}, {1, 0}, {6, 6}}), 4) << "cut across the open axis";
    EXPECT_EQ(bound_of({{6, 6}, {}, {18, 18}}), 12);
    EXPECT_EQ(bound_of({{6, 6}, {1, 1}, {18, 18}}), 24);
    EXPECT_EQ(bound_of({{4, 4, 4}, {}, blocks(64, 16)}), 64);
}

// Which nodes fill lines is not the same for all of them in the best mapping.
TEST(Bound, LooksAtSingleNodes) {
    for (const Case &given :
         {Case{{5, 3, 2}, {}, {10, 10, 10}}, Case{{3, 2}, {}, {2, 2, 2}, {40, 3}}}) {
        Problem problem(given);
        double bound = bound_of(problem);
        EXPECT_EQ(bound, given.weights.empty() ? 32 : 172) << text_of(given);
        EXPECT_EQ(test::ExactSearch(problem).least_jsum(100000), bound) << text_of(given);
    }
}

// Four cells of a plane are on four lines at least: a square is. A price for no cells is no price.
TEST(Bound, OnlyLinesThatAreMetHaveAPrice) {
    for (double of_none : {1., 0., -1000.}) {
        const double price[] = {of_none, 1, 1, 1, 1};
        const int32_t size = 4;
        caucus_slices slices{};
        slices.axes = 2;
        for (int axis = 0; axis < 2; axis++) {
            slices.axis[axis].length = 8;
            slices.axis[axis].met = 1;
            slices.axis[axis].price = price;
        }
        slices.sizes = 1;
        slices.size = &size;
        double cost = -1, filling = -1, work = 0;
        test::require(caucus_slices_cost(&slices, &cost, &filling, &work));
        EXPECT_EQ(cost, 4) << of_none;
        EXPECT_EQ(filling, 4) << of_none;
    }
}

TEST(Bound, AxesOfOneAreNoAxes) {
    Case flat{{1, 10, 1, 8, 1}, {1, 0, 0, 1, 1}, blocks(80, 8), {5, 1, 5, 2, 5}};
    EXPECT_EQ(bound_of(flat), bound_of({{10, 8}, {0, 1}, blocks(80, 8), {1, 2}}));
    EXPECT_EQ(bound_of({{1, 1}, {1, 1}, {1}}), 0);
    EXPECT_EQ(bound_of(Case{{}, {}, {1}}), 0);
}

TEST(Bound, ScalesWithTheWeights) {
    test::Random random(8);
    for (int trial = 0; trial < 40; trial++) {
        Case given{{random.from(2, 9), random.from(2, 9), random.from(1, 4)}, {}, {}, {1, 2, 4}};
        for (int axis = 0; axis < 3; axis++)
            given.periodic.push_back(random.below(2));
        given.sizes = test::random_sizes(random, test::product(given.dims), 20);
        double before = bound_of(given);
        for (double &weight : given.weights)
            weight *= 1024;
        EXPECT_NEAR(bound_of(given), 1024 * before, 1e-6 * before) << text_of(given);
    }
}

TEST(Bound, OfOtherStencilsIsThatOfTheirUnitSteps) {
    Case given{{12, 10}, {}, blocks(120, 12)};
    Problem star(given), more(given, {1, 0, -1, 0, 0, 1, 0, -1, 1, 1, -1, -1}, {1, 1, 1, 1, 1, 1}),
        far(given, {2, 0, -2, 0}, {1, 1}), one_way(given, {1, 0, 0, 1}, {2, 2});
    EXPECT_EQ(bound_of(more), bound_of(star));
    EXPECT_EQ(bound_of(far), 0);
    EXPECT_EQ(bound_of(one_way), bound_of(star)) << "half of the weight each way";
}

TEST(Bound, ProblemsThatDoNotFitAreRefused) {
    Problem good({{4, 3}, {}, {6, 6}});
    caucus_grid_problem bad = *static_cast<const caucus_grid_problem *>(good);
    bad.nodes.ranks = 11;
    double bound;
    EXPECT_EQ(caucus_grid_bound(&bad, &bound), CAUCUS_BAD_DIMS);
    EXPECT_EQ(bound, 0);
}

// A grid of a few cells, up to four dimensions.
Case random_case(test::Random &random, int most_cells) {
    Case given;
    do {
        given.dims.clear();
        for (int axis = random.from(1, 4); axis > 0; axis--)
            given.dims.push_back(random.from(1, random.from(2, 9)));
    } while (test::product(given.dims) < 4 || test::product(given.dims) > most_cells);
    int periodic = random.below(3);
    for (size_t axis = 0; axis < given.dims.size(); axis++)
        given.periodic.push_back(periodic == 1 || (periodic == 2 && random.below(2)));
    auto cells = static_cast<int>(test::product(given.dims));
    int largest = random.from(1, random.chance(.2) ? cells - 1 : (cells + 1) / 2);
    given.sizes =
        random.below(2) ? blocks(cells, largest) : test::random_sizes(random, cells, largest);
    const double choice[] = {1, 2, 4, 10, 0.3, 0};
    if (random.chance(.4))
        for (size_t axis = 0; axis < given.dims.size(); axis++)
            given.weights.push_back(choice[random.below(6)]);
    return given;
}

TEST(Bound, IsNeverAboveTheProvenOptimum) {
    test::Random random(20);
    int tight = 0, proven = 0, wanted = test::full_run() ? 3000 : 300;
    for (int trial = 0; proven < wanted && trial < 3 * wanted; trial++) {
        Case given = random_case(random, 20);
        Problem problem(given);
        std::optional<double> optimum =
            test::ExactSearch(problem).least_jsum(test::full_run() ? 30000 : 3000);
        if (!optimum)
            continue;
        double bound = bound_of(problem);
        ASSERT_LE(bound, *optimum * (1 + 1e-9)) << text_of(given);
        tight += bound > *optimum * (1 - 1e-9);
        proven++;
    }
    EXPECT_EQ(proven, wanted);
    EXPECT_GE(tight, proven * 8 / 10) << "the bound is too often loose";
    RecordProperty("tight", tight);
}

TEST(Bound, IsNeverAboveWhatAMapperReaches) {
    test::Random random(21);
    for (int trial = 0; trial < 150; trial++) {
        Case given = random_case(random, 400);
        Problem problem(given);
        double bound = bound_of(problem);
        std::vector<int32_t> map(static_cast<size_t>(problem->grid.size));
        for (int i = 0; const caucus_grid_mapper *mapper = caucus_grid_mapper_entry(i); i++) {
            caucus_grid_score score;
            if (mapper->map(problem, map.data()) != CAUCUS_OK)
                continue;
            test::require(caucus_grid_check_sizes(problem, map.data()));
            test::require(caucus_grid_evaluate(&problem->grid, &problem->stencil, map.data(),
                                               problem->nodes.count, &score));
            EXPECT_LE(bound, score.jsum * (1 + 1e-9)) << mapper->name << " " << text_of(given);
        }
    }
}

// Slabs across the first axis are optimal here, at any scale, also where tables would be too large.
TEST(Bound, StaysABoundForHugeNodes) {
    for (int scale : {10, 100, 1000, 10000}) {
        double cut = 2.0 * scale;
        EXPECT_LE(bound_of({{4 * scale, scale}, {}, blocks(4L * scale * scale, scale * scale)}),
                  3 * cut);
        EXPECT_GE(bound_of({{4 * scale, scale}, {}, blocks(4L * scale * scale, scale * scale)}),
                  cut);
        EXPECT_LE(bound_of({{4 * scale, scale}, {1, 1}, blocks(4L * scale * scale, scale * scale)}),
                  4 * cut);
    }
    for (int side : {4, 16, 64, 256, 1024}) {
        long cells = 1L * side * side * side;
        double faces = 2.0 * side * side;
        EXPECT_LE(bound_of({{side, side, side}, {}, blocks(cells, static_cast<int>(cells / 4))}),
                  2 * faces);
        EXPECT_LE(bound_of({{side, side, side}, {}, blocks(cells, static_cast<int>(cells / 8))}),
                  3 * faces);
        EXPECT_GE(bound_of({{side, side, side}, {}, blocks(cells, static_cast<int>(cells / 8))}),
                  2.4 * faces);
    }
}

} // namespace
