/* SPDX-License-Identifier: BSD-3-Clause */
extern "C" {
#include "base/status.h"
#include "plan/grid/mapper.h"
#include "plan/grid/portfolio.h"
#include "study/grid/stencil_text.h"
}

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace {

struct Problem : caucus_grid_problem {
    Problem(const std::vector<int> &dims, const std::vector<int> &periodic,
            const std::vector<int> &sizes, const double *weights = nullptr, bool box = false) {
        EXPECT_EQ(
            caucus_grid_init(&grid, static_cast<int>(dims.size()), dims.data(), periodic.data()),
            CAUCUS_OK);
        if (box)
            EXPECT_EQ(caucus_stencil_init_box(&stencil, grid.ndims), CAUCUS_OK);
        else
            EXPECT_EQ(caucus_stencil_init_star(&stencil, grid.ndims, weights), CAUCUS_OK);
        EXPECT_EQ(caucus_nodes_init(&nodes, static_cast<int>(sizes.size()), sizes.data()),
                  CAUCUS_OK);
    }
    ~Problem() {
        caucus_grid_problem_free(this);
    }
};

double best(const Problem &problem, const int32_t *given = nullptr) {
    caucus_grid_choice choice;
    EXPECT_EQ(caucus_grid_choose(&problem, "best", given, false, &choice), CAUCUS_OK)
        << caucus_error_text();
    EXPECT_EQ(caucus_grid_check_sizes(&problem, choice.best.node_of_cell), CAUCUS_OK);
    EXPECT_LE(choice.bound, choice.best.score.jsum * (1 + 1e-9));
    EXPECT_LE(choice.best.score.jsum, choice.given.jsum);
    double jsum = choice.best.score.jsum;
    caucus_grid_choice_free(&choice);
    return jsum;
}

std::vector<int> classes(int first, int first_size, int second, int second_size) {
    std::vector<int> sizes(first, first_size);
    sizes.insert(sizes.end(), second, second_size);
    return sizes;
}

} // namespace

TEST(Portfolio, TheUnitOfWeightsDoesNotMatter) {
    for (double unit : {1e-300, 1e-12, 1.0, 1e12, 1e200}) {
        const double weights[] = {unit, unit};
        Problem problem({8, 4}, {0, 0}, std::vector<int>(8, 4), weights);
        std::vector<int32_t> cyclic(32);
        for (int32_t rank = 0; rank < 32; rank++)
            cyclic[static_cast<size_t>(rank)] = rank % 8;
        EXPECT_NEAR(best(problem, cyclic.data()) / unit, 40, 1e-9);
    }
}

/* The cases that papers on this problem report, and what this planner has to reach. */
TEST(Portfolio, KnownCases) {
    EXPECT_EQ(best({{50, 48}, {0, 0}, std::vector<int>(50, 48)}), 1204);
    EXPECT_EQ(best({{50, 48}, {0, 0}, classes(40, 48, 15, 32)}), 1284);
    EXPECT_LE(best({{75, 64}, {0, 0}, std::vector<int>(100, 48)}), 2538);
    EXPECT_EQ(best({{12, 16, 20}, {0, 0, 0}, std::vector<int>(80, 48)}), 4896);
    EXPECT_LE(best({{50, 48}, {0, 0}, std::vector<int>(50, 48), nullptr, true}), 3416);
    double first_axis_only[] = {1, 0};
    EXPECT_EQ(best({{50, 48}, {0, 0}, std::vector<int>(50, 48), first_axis_only}), 96);
    double ten_to_one[] = {10, 1};
    EXPECT_LE(best({{50, 48}, {0, 0}, std::vector<int>(50, 48), ten_to_one}), 3732);
    EXPECT_LE(best({{128, 128}, {1, 1}, std::vector<int>(1024, 16)}), 16384);
}

TEST(Portfolio, NeverWorseThanGivenAndDeterministic) {
    std::mt19937 random(7);
    for (int round = 0; round < 60; round++) {
        int ndims = 1 + static_cast<int>(random() % 4);
        std::vector<int> dims(ndims), periodic(ndims), sizes;
        int cells = 1;
        for (int axis = 0; axis < ndims; axis++) {
            dims[axis] = 1 + static_cast<int>(random() % 7);
            periodic[axis] = random() % 2;
            cells *= dims[axis];
        }
        for (int left = cells; left > 0; left -= sizes.back())
            sizes.push_back(std::min<int>(left, 1 + static_cast<int>(random() % 9)));
        Problem problem(dims, periodic, sizes);
        std::vector<int32_t> given;
        for (size_t node = 0; node < sizes.size(); node++)
            given.insert(given.end(), sizes[node], static_cast<int32_t>(node));
        std::shuffle(given.begin(), given.end(), random);
        double first = best(problem, given.data());
        EXPECT_EQ(first, best(problem, given.data()));
    }
}

TEST(Portfolio, KeepsWhatCannotBeBeaten) {
    Problem problem({4, 4}, {0, 0}, {8, 8});
    caucus_grid_choice choice;
    ASSERT_EQ(caucus_grid_choose(&problem, "best", nullptr, false, &choice), CAUCUS_OK);
    EXPECT_STREQ(choice.best.mapper, "given");
    EXPECT_EQ(choice.best.score.jsum, 8);
    caucus_grid_choice_free(&choice);
}

TEST(Portfolio, ForcesAMapperByName) {
    Problem problem({50, 48}, {0, 0}, std::vector<int>(50, 48));
    caucus_grid_choice choice;
    ASSERT_EQ(caucus_grid_choose(&problem, "row-major", nullptr, false, &choice), CAUCUS_OK);
    EXPECT_EQ(choice.best.score.jsum, 4704);
    EXPECT_EQ(choice.best.score.jmax, 96);
    caucus_grid_choice_free(&choice);
    EXPECT_EQ(caucus_grid_choose(&problem, "none such", nullptr, false, &choice),
              CAUCUS_BAD_ARGUMENT);
    EXPECT_STREQ(caucus_error_text(), "there is no grid mapper 'none such'");
}

TEST(Portfolio, RefusesAPlacementThatDoesNotFit) {
    Problem problem({2, 2}, {0, 0}, {2, 2});
    int32_t given[] = {0, 0, 0, 1};
    caucus_grid_choice choice;
    EXPECT_EQ(caucus_grid_choose(&problem, "best", given, false, &choice), CAUCUS_INTERNAL);
    EXPECT_STREQ(caucus_error_text(), "the placement given: node 0 has 3 cells for 2 ranks");
}
