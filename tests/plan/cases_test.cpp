// SPDX-License-Identifier: BSD-3-Clause
// The published list of cases: a spread of it, larger in a full run. bench/plan_cases takes all.
extern "C" {
#include "../../bench/common/case_list.h"
#include "plan/grid/portfolio.h"
}
#include "problem.hpp"

#include <gtest/gtest.h>
#include <map>
#include <string>

namespace {

class Cases : public testing::Test {
  protected:
    void SetUp() override {
        test::require(case_list_read(&list, CAUCUS_SOURCE_DIR "/bench/cases/star-cases.txt"));
    }
    void TearDown() override {
        case_list_free(&list);
    }
    case_list list{};
};

TEST_F(Cases, AreAsManyAndAsMixedAsPublished) {
    std::map<std::string, int> kinds;
    std::map<int, int> dimensions;
    double open = 0, periodic = 0;
    for (int64_t i = 0; i < list.count; i++) {
        const caucus_grid &grid = list.entry[i].problem.grid;
        test::require(caucus_grid_problem_check(&list.entry[i].problem));
        kinds[list.entry[i].kind]++;
        dimensions[grid.ndims]++;
        int axes = 0;
        for (int axis = 0; axis < grid.ndims; axis++)
            axes += grid.periodic[axis];
        open += axes == 0;
        periodic += axes == grid.ndims;
        EXPECT_GE(grid.size, 20);
    }
    EXPECT_GE(list.count, 1200);
    EXPECT_EQ(kinds.size(), 5u);
    EXPECT_EQ(dimensions.size(), 3u);
    EXPECT_NEAR(open / static_cast<double>(list.count), .63, .05);
    EXPECT_NEAR(periodic / static_cast<double>(list.count), .19, .05);
}

TEST_F(Cases, AreMostlyMappedWithinFivePercentOfTheBound) {
    int64_t count = test::full_run() ? list.count / 4 : 36, within = 0;
    for (int64_t i = 0; i < count; i++) {
        const listed_case &listed = list.entry[i * list.count / count];
        if (!test::full_run() && listed.problem.grid.size > 8000)
            continue;
        caucus_grid_choice choice;
        test::require(caucus_grid_choose(&listed.problem, "best", nullptr, false, &choice));
        EXPECT_GE(choice.best.score.jsum, choice.bound * (1 - 1e-9))
            << listed.grid << " " << listed.nodes;
        EXPECT_LE(choice.best.score.jsum, choice.given.jsum * (1 + 1e-9))
            << listed.grid << " " << listed.nodes;
        EXPECT_LE(choice.best.score.jsum, 1.2 * choice.bound) << listed.grid << " " << listed.nodes;
        within += choice.best.score.jsum <= 1.05 * choice.bound;
        caucus_grid_choice_free(&choice);
    }
    EXPECT_GE(static_cast<double>(within),
              test::full_run() ? .94 * static_cast<double>(count) : 20);
}

TEST_F(Cases, MalformedListsAreRefused) {
    caucus_grid grid;
    for (const char *bad :
         {"", "x", "9", "9x", "x9", "9pp", "9x8q", "0x4", "-3x4", "9,8", "99999999999"})
        EXPECT_EQ(case_list_grid(&grid, bad) == CAUCUS_OK, std::string(bad) == "9") << bad;
}

} // namespace
