// SPDX-License-Identifier: BSD-3-Clause
extern "C" {
#include "full_run.hpp"
#include "plan/grid/evaluate.h"
#include "plan/grid/mapper.h"
#include "plan/grid/slabs.h"
}
#include "random_case.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

using test::blocks;
using test::Case;
using test::Problem;
using test::product;
using test::Random;
using test::repeated;
using test::require;

namespace {

class Plan {
  public:
    explicit Plan(const caucus_grid_problem *problem) : nodes(problem->nodes.count) {
        require(caucus_slabs_plan(problem, &slabs));
    }
    Plan(const caucus_grid_problem *problem, const std::vector<int64_t> &packed)
        : nodes(problem->nodes.count) {
        require(caucus_slabs_unpack(&problem->grid, &problem->nodes, packed.data(),
                                    static_cast<int64_t>(packed.size()), &slabs));
    }
    ~Plan() {
        caucus_slabs_free(slabs);
    }
    Plan(const Plan &) = delete;
    Plan &operator=(const Plan &) = delete;
    operator const caucus_slabs *() const {
        return slabs;
    }

    std::vector<int64_t> packed() const {
        int64_t *numbers, count;
        require(caucus_slabs_pack(slabs, &numbers, &count));
        std::vector<int64_t> result(numbers, numbers + count);
        free(numbers);
        return result;
    }

    // Asserts that every cell has one position, and that positions and nodes belong together both
    // ways.
    std::vector<int32_t> checked_map(const caucus_grid_problem *problem) const {
        int64_t size = problem->grid.size;
        int64_t again = 0;
        std::vector<int32_t> node_of_cell(static_cast<size_t>(size), -1);
        for (int64_t position = 0; position < size; position++) {
            int64_t cell = caucus_slabs_cell(slabs, position);
            int32_t &node = node_of_cell.at(static_cast<size_t>(cell));
            again += node >= 0;
            node = caucus_slabs_node(slabs, position);
        }
        EXPECT_EQ(again, 0) << "some cells have several positions";
        for (int32_t node = 0; node < nodes; node++) {
            int64_t first = caucus_slabs_first(slabs, node);
            int64_t last = first + caucus_nodes_size(&problem->nodes, node) - 1;
            EXPECT_EQ(caucus_slabs_node(slabs, first), node);
            EXPECT_EQ(caucus_slabs_node(slabs, last), node);
        }
        EXPECT_EQ(caucus_grid_check_sizes(problem, node_of_cell.data()), CAUCUS_OK)
            << caucus_error_text();
        return node_of_cell;
    }

  private:
    int32_t nodes;
    caucus_slabs *slabs = nullptr;
};

caucus_grid_score score_of(const caucus_grid_problem *problem,
                           const std::vector<int32_t> &node_of_cell) {
    caucus_grid_score score;
    require(caucus_grid_evaluate(&problem->grid, &problem->stencil, node_of_cell.data(),
                                 problem->nodes.count, &score));
    return score;
}

caucus_grid_score score_of(const caucus_grid_problem *problem) {
    return score_of(problem, Plan(problem).checked_map(problem));
}

std::vector<int> box_offsets(int ndims) {
    std::vector<int> offsets;
    int all = static_cast<int>(std::lround(std::pow(3, ndims)));
    for (int code = 0; code < all; code++)
        for (int axis = 0, rest = code; axis < ndims && code != all / 2; axis++, rest /= 3)
            offsets.push_back(rest % 3 - 1);
    return offsets;
}

TEST(Slabs, ReachesTheKnownFigures) {
    struct Known {
        Case given;
        double jsum, jmax;
    };
    const double any = std::numeric_limits<double>::infinity();
    const std::vector<Known> known = {
        {{{50, 48}, {}, blocks(2400, 48)}, 1204, 28},
        {{{75, 64}, {}, blocks(4800, 48)}, 2538, 30},
        {{{12, 16, 20}, {}, blocks(3840, 48)}, 4896, 80},
        {{{50, 48}, {}, repeated({{40, 48}, {15, 32}})}, 1284, 28},
        {{{50, 48}, {}, repeated({{15, 32}, {40, 48}})}, 1284, 28},
        {{{50, 48}, {}, blocks(2400, 48), {1, 0}}, 96, 2},
        {{{48, 50}, {}, blocks(2400, 48), {0, 1}}, 96, 2},
        {{{50, 48}, {}, blocks(2400, 48), {10, 1}}, 3732, any},
        {{{128, 128}, {1, 1}, blocks(16384, 16)}, 16384, 16},
        {{{16, 32, 32}, {1, 1, 1}, blocks(16384, 16)}, 40960, 40},
    };
    for (const Known &one : known) {
        Problem problem(one.given);
        caucus_grid_score score = score_of(problem);
        EXPECT_LE(score.jsum, one.jsum);
        EXPECT_LE(score.jmax, one.jmax);
    }
    Problem nine({{50, 48}, {}, blocks(2400, 48)}, box_offsets(2), std::vector<double>(8, 1));
    EXPECT_LE(score_of(nine).jsum, 3416);
    EXPECT_LE(caucus_slabs_estimate(Plan(nine)), 3612); // diagonals count twice where they turn
}

TEST(Slabs, EveryCellHasOnePositionAndPlansAreSentWhole) {
    Random random(1);
    for (int i = 0; i < (test::full_run() ? 1500 : 500) && !HasFailure(); i++) {
        auto problem = test::random_problem(random, 1000);
        Plan plan(*problem);
        std::vector<int32_t> map = plan.checked_map(*problem);
        Plan copy(*problem, plan.packed());
        EXPECT_EQ(copy.checked_map(*problem), map);
        EXPECT_EQ(copy.packed(), plan.packed());
        EXPECT_EQ(caucus_slabs_estimate(copy), caucus_slabs_estimate(plan));
        if (i % 8 == 0) {
            EXPECT_EQ(Plan(*problem).packed(), plan.packed()) << "a second plan differs";
        }
    }
}

TEST(Slabs, NoSizeIsTooSmall) {
    const std::vector<Case> cases = {
        {{}, {}, {1}},
        {{1}, {}, {1}},
        {{1, 1, 1}, {1, 1, 1}, {1}},
        {{7}, {}, {3, 4}},
        {{1, 9, 1}, {1, 1, 1}, {2, 3, 4}},
        {{6, 6}, {}, {36}},
        {{6, 6}, {}, std::vector<int>(36, 1)},
        {{2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, {}, blocks(1024, 7)},
        {{1, 2, 1, 3, 1, 2, 1, 2, 1, 3}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {30, 1, 20, 1, 20}},
        {{3, 1000}, {}, {2999, 1}},
        {{2, 3, 2, 3}, {1, 1, 1, 1}, {1, 1, 1, 33}},
    };
    for (const Case &given : cases) {
        Problem problem(given);
        Plan(problem).checked_map(problem);
    }
    Problem silent({{5, 4}, {}, {10, 10}}, {1, 0}, {0});
    EXPECT_EQ(score_of(silent).jsum, 0);
}

TEST(Slabs, MapsAsTheBestPlanDoes) {
    Random random(2);
    for (int i = 0; i < 100; i++) {
        auto problem = test::random_problem(random, 500);
        std::vector<int32_t> map(static_cast<size_t>((*problem)->grid.size));
        require(caucus_grid_map_slabs(*problem, map.data()));
        EXPECT_EQ(map, Plan(*problem).checked_map(*problem));
    }
}

// In two dimensions the dynamic programme counts every edge of a star: with nodes that are not
// smaller than a row of a strip the estimate is exact, and choosing by it is choosing the best.
TEST(Slabs, EstimatesFlatStarsExactly) {
    Random random(3);
    int exact = 0;
    for (int i = 0; i < 300; i++) {
        std::vector<int> dims = {random.from(2, 40), random.from(2, 40)};
        int size = random.from(2, 30);
        Problem problem(
            {dims,
             {random.below(2), random.below(2)},
             blocks(product(dims), std::min<int>(size, static_cast<int>(product(dims)))),
             {1.0 * random.from(1, 3), 1.0 * random.from(1, 3)}});
        Plan plan(problem);
        double jsum = score_of(problem, plan.checked_map(problem)).jsum;
        EXPECT_LE(std::abs(caucus_slabs_estimate(plan) - jsum), 0.1 * jsum + 8);
        exact += caucus_slabs_estimate(plan) == jsum;
    }
    EXPECT_GE(exact, 290);
}

TEST(Slabs, EstimatesStarsCloselyOnTheWhole) {
    Random random(4);
    double error = 0;
    const int cases = 40;
    for (int i = 0; i < cases; i++) {
        std::vector<int> dims = {random.from(3, 16), random.from(3, 16), random.from(3, 16)};
        Problem problem({dims,
                         {random.below(2), random.below(2), random.below(2)},
                         test::random_sizes(random, product(dims), random.from(8, 64))});
        Plan plan(problem);
        double jsum = score_of(problem, plan.checked_map(problem)).jsum;
        error += jsum > 0 ? std::abs(caucus_slabs_estimate(plan) / jsum - 1) / cases : 0;
    }
    EXPECT_LT(error, 0.003);
}

// How many pieces the nodes are in, joined by steps along the axes.
int64_t pieces(const caucus_grid_problem *problem, const std::vector<int32_t> &node_of_cell) {
    int64_t size = problem->grid.size, count = 0;
    std::vector<bool> seen(static_cast<size_t>(size));
    std::vector<int64_t> open;
    for (int64_t start = 0; start < size; start++) {
        if (!seen[static_cast<size_t>(start)])
            open.push_back(start);
        count += !seen[static_cast<size_t>(start)];
        seen[static_cast<size_t>(start)] = true;
        while (!open.empty()) {
            int64_t cell = open.back();
            open.pop_back();
            int at[CAUCUS_GRID_MAX_DIMS];
            caucus_grid_coordinates(&problem->grid, cell, at);
            for (int k = 0; k < problem->stencil.count; k++) {
                const int *offset = problem->stencil.offset + k * problem->stencil.ndims;
                int64_t next = caucus_grid_neighbor(&problem->grid, at, offset);
                if (next < 0 || seen[static_cast<size_t>(next)] ||
                    node_of_cell[static_cast<size_t>(next)] !=
                        node_of_cell[static_cast<size_t>(cell)])
                    continue;
                seen[static_cast<size_t>(next)] = true;
                open.push_back(next);
            }
        }
    }
    return count;
}

// A slab begins where the one before it ended, so that a node that straddles them hangs together.
TEST(Slabs, FewNodesAreTorn) {
    int64_t torn = 0, nodes = 0;
    for (const std::vector<int> &dims :
         std::vector<std::vector<int>>{{25, 23, 21}, {10, 11, 12, 13}, {7, 7, 7, 7, 7}})
        for (int size : {25, 33, 50, 61}) {
            Problem problem({dims, {}, blocks(product(dims), size)});
            std::vector<int32_t> map = Plan(problem).checked_map(problem);
            torn += pieces(problem, map) - problem->nodes.count;
            nodes += problem->nodes.count;
        }
    EXPECT_LE(torn, nodes / 50);
}

TEST(Slabs, WeightsMayHaveAnyUnit) {
    for (double unit : {1.0, 1e-310, 1e-30, 0.3, 7.0, 1e9, 1e280}) {
        Problem problem({{50, 48}, {}, blocks(2400, 48), {10 * unit, unit}});
        EXPECT_LE(score_of(problem).jsum, 3732.001 * unit);
    }
}

TEST(Slabs, AMillionCellsTakeAFewKilobytes) {
    Problem problem({{1024, 1024}, {}, blocks(1 << 20, 64)});
    Plan plan(problem);
    EXPECT_LT(plan.packed().size() * sizeof(int64_t), 4096u);
    EXPECT_EQ(caucus_slabs_estimate(plan), 520192); // 16384 squares of 8 by 8
    plan.checked_map(problem);
}

TEST(Slabs, LongAndThinGridsArePlannedToo) {
    for (const std::vector<int> &dims : std::vector<std::vector<int>>{
             {2, 500000}, {500000, 2}, {3, 100000, 3}, {1 << 20}, {46340, 20}}) {
        Problem problem({dims, {}, blocks(product(dims), 60)});
        Plan(problem).checked_map(problem);
    }
}

TEST(Slabs, FewHugeNodesArePlannedToo) {
    for (int nodes : {1, 2, 3, 7}) {
        Problem problem({{3000, 2000}, {}, blocks(6000000, 6000000 / nodes)});
        Plan plan(problem);
        EXPECT_LE(caucus_slabs_estimate(plan), (nodes - 1) * 2 * 2003.);
        plan.checked_map(problem);
    }
}

std::vector<int64_t> spoilt(Random &random, std::vector<int64_t> packed) {
    size_t at = static_cast<size_t>(random.below(static_cast<int>(packed.size())));
    switch (random.below(4)) {
    case 0:
        packed[at] += random.from(-3, 3);
        break;
    case 1:
        packed[at] = random.from(-1, 100);
        break;
    case 2:
        packed.resize(at);
        break;
    default:
        packed[at] = random.chance(0.5) ? std::numeric_limits<int64_t>::max()
                                        : std::numeric_limits<int64_t>::min();
    }
    return packed;
}

// Whatever is changed in a packed plan, it is refused or still gives every cell one position.
TEST(Slabs, UnpackingBelievesNothing) {
    Random random(5);
    int refused = 0;
    for (int i = 0; i < 150 && !HasFailure(); i++) {
        auto problem = test::random_problem(random, 200);
        std::vector<int64_t> packed = Plan(*problem).packed();
        for (int j = 0; j < 20 && !HasFailure(); j++) {
            std::vector<int64_t> wrong = spoilt(random, packed);
            caucus_slabs *slabs = nullptr;
            if (caucus_slabs_unpack(&(*problem)->grid, &(*problem)->nodes, wrong.data(),
                                    static_cast<int64_t>(wrong.size()), &slabs)) {
                EXPECT_EQ(slabs, nullptr);
                EXPECT_NE(std::strstr(caucus_error_text(), "packed plan"), nullptr);
                refused++;
            } else {
                Plan(*problem, wrong).checked_map(*problem);
            }
            caucus_slabs_free(slabs);
        }
    }
    EXPECT_GT(refused, 1000);
}

TEST(Slabs, RefusesWhatDoesNotFit) {
    Problem problem({{4, 4}, {}, {8, 8}});
    caucus_grid_problem wrong = *static_cast<const caucus_grid_problem *>(problem);
    wrong.nodes.ranks = 15;
    caucus_slabs *slabs;
    EXPECT_EQ(caucus_slabs_plan(&wrong, &slabs), CAUCUS_BAD_DIMS);
    EXPECT_EQ(slabs, nullptr);
}

} // namespace
