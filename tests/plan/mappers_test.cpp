// SPDX-License-Identifier: BSD-3-Clause
extern "C" {
#include "plan/grid/evaluate.h"
#include "plan/grid/mapper.h"
#include "plan/grid/tile.h"
}
#include "random_case.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using test::blocks;
using test::Case;
using test::Problem;

std::vector<int32_t> map(const Problem &problem, const std::string &name) {
    std::vector<int32_t> nodes(static_cast<size_t>(problem->grid.size), -1);
    const caucus_grid_mapper *mapper = caucus_grid_mapper_find(name.c_str());
    test::require(mapper ? CAUCUS_OK : caucus_fail(CAUCUS_INTERNAL, "no mapper %s", name.c_str()));
    test::require(mapper->map(problem, nodes.data()));
    test::require(caucus_grid_check_sizes(problem, nodes.data()));
    return nodes;
}

caucus_grid_score score(const Problem &problem, const std::vector<int32_t> &nodes) {
    caucus_grid_score result;
    test::require(caucus_grid_evaluate(&problem->grid, &problem->stencil, nodes.data(),
                                       problem->nodes.count, &result));
    return result;
}

struct Known {
    std::string mapper;
    double jsum, jmax;
};

void expect_known(const Problem &problem, const std::vector<Known> &known) {
    for (const Known &expected : known) {
        caucus_grid_score result = score(problem, map(problem, expected.mapper));
        EXPECT_EQ(result.jsum, expected.jsum) << expected.mapper;
        EXPECT_EQ(result.jmax, expected.jmax) << expected.mapper;
    }
}

std::vector<int> box_offsets() {
    return {-1, -1, -1, 0, -1, 1, 0, -1, 0, 1, 1, -1, 1, 0, 1, 1};
}

TEST(Mappers, ReproduceTheNumbersOfFivePoints) {
    expect_known(Problem(Case{{50, 48}, {}, blocks(2400, 48)}), {{"row-major", 4704, 96},
                                                                 {"nodecart", 2404, 50},
                                                                 {"tiles", 2404, 50},
                                                                 {"hyperplane", 1328, 38},
                                                                 {"kdtree", 1732, 46},
                                                                 {"strips", 1318, 30}});
    expect_known(Problem(Case{{75, 64}, {}, blocks(4800, 48)}), {{"row-major", 9622, 98},
                                                                 {"nodecart", 3522, 38},
                                                                 {"hyperplane", 2802, 38},
                                                                 {"kdtree", 3490, 46},
                                                                 {"strips", 2714, 30}});
}

TEST(Mappers, ReproduceTheNumbersOfNinePoints) {
    expect_known(
        Problem(Case{{50, 48}, {}, blocks(2400, 48)}, box_offsets(), std::vector<double>(8, 1)),
        {{"row-major", 13916, 284},
         {"nodecart", 7016, 146},
         {"hyperplane", 3788, 110},
         {"kdtree", 4628, 122},
         {"strips", 3602, 82}});
}

TEST(Mappers, ReproduceTheNumbersOfTheFirstAxisOnly) {
    expect_known(Problem(Case{{50, 48}, {}, blocks(2400, 48)}, {1, 0, -1, 0}, {1, 1}),
                 {{"row-major", 4704, 96},
                  {"nodecart", 2304, 48},
                  {"hyperplane", 288, 16},
                  {"kdtree", 96, 2},
                  {"strips", 468, 10}});
}

TEST(Mappers, ReproduceTheNumbersOfSevenPoints) {
    expect_known(Problem(Case{{12, 16, 20}, {}, blocks(3840, 48)}), {{"row-major", 10144, 138},
                                                                     {"nodecart", 4896, 80},
                                                                     {"hyperplane", 5344, 80},
                                                                     {"kdtree", 6432, 110},
                                                                     {"strips", 5088, 80}});
}

TEST(Mappers, ReproduceTheNumbersOfUnevenNodes) {
    Problem problem(Case{{50, 48}, {}, test::repeated({{40, 48}, {15, 32}})});
    expect_known(problem, {{"row-major", 4724, 96}, {"kdtree", 1814, 46}});
    EXPECT_LE(score(problem, map(problem, "multijagged")).jsum, 1292);
}

TEST(Mappers, ReproduceTheTableOfNodecart) {
    Problem plane(Case{{128, 128}, {1, 1}, blocks(16384, 16)});
    caucus_grid_score result = score(plane, map(plane, "nodecart"));
    EXPECT_EQ(result.on.min, 2);
    EXPECT_EQ(result.on.max, 4);
    EXPECT_EQ(result.on.mean, 3.0);
    EXPECT_EQ(result.off.min, 0);
    EXPECT_EQ(result.off.max, 2);
    EXPECT_EQ(result.off.mean, 1.0);
    EXPECT_EQ(result.jsum, 16384);
    Problem space(Case{{16, 32, 32}, {1, 1, 1}, blocks(16384, 16)});
    for (const char *mapper : {"nodecart", "tiles"}) {
        result = score(space, map(space, mapper));
        EXPECT_EQ(result.on.min, 3);
        EXPECT_EQ(result.on.max, 4);
        EXPECT_EQ(result.on.mean, 3.5) << mapper;
        EXPECT_EQ(result.off.min, 2);
        EXPECT_EQ(result.off.max, 3);
        EXPECT_EQ(result.off.mean, 2.5) << mapper;
        EXPECT_EQ(result.jsum, 40960) << mapper;
    }
}

TEST(Mappers, SayWhyTheyDoNotServe) {
    std::vector<int32_t> nodes(100);
    Problem uneven(Case{{10, 10}, {}, {60, 40}});
    for (auto *mapper : {caucus_grid_map_nodecart, caucus_grid_map_tiles}) {
        EXPECT_EQ(mapper(uneven, nodes.data()), CAUCUS_NOT_APPLICABLE);
        EXPECT_NE(std::string(caucus_error_text()).find("equal size"), std::string::npos);
    }
    Problem small(Case{{10, 10}, {}, std::vector<int>(100, 1)});
    EXPECT_EQ(caucus_grid_map_multijagged(small, nodes.data()), CAUCUS_NOT_APPLICABLE);
    EXPECT_NE(std::string(caucus_error_text()).find("100"), std::string::npos);
}

// A single error of a factorisation, a wrap or a remainder shows as a wrong size here.
TEST(Mappers, GiveEveryNodeItsSizeInRandomCases) {
    test::Random random(1);
    std::vector<int> served(32);
    for (int repeat = 0; repeat < 600; repeat++) {
        auto problem = test::random_problem(random, 700);
        for (int index = 0; caucus_grid_mapper_entry(index); index++) {
            const caucus_grid_mapper *mapper = caucus_grid_mapper_entry(index);
            std::vector<int32_t> nodes(static_cast<size_t>((*problem)->grid.size), -1),
                again = nodes;
            int status = mapper->map(*problem, nodes.data());
            if (status == CAUCUS_NOT_APPLICABLE)
                continue;
            ASSERT_EQ(status, CAUCUS_OK) << mapper->name << ": " << caucus_error_text();
            ASSERT_EQ(caucus_grid_check_sizes(*problem, nodes.data()), CAUCUS_OK)
                << mapper->name << ": " << caucus_error_text();
            served[static_cast<size_t>(index)]++;
            if (repeat % 4)
                continue;
            test::require(mapper->map(*problem, again.data()));
            ASSERT_EQ(nodes, again) << mapper->name;
        }
    }
    for (int index = 0; caucus_grid_mapper_entry(index); index++)
        EXPECT_GE(served[static_cast<size_t>(index)], 100) << caucus_grid_mapper_entry(index)->name;
}

TEST(Mappers, CountTilesInClosedForm) {
    test::Random random(2);
    int compared = 0;
    for (int repeat = 0; repeat < 1500; repeat++) {
        auto problem = test::random_problem(random, 600);
        const caucus_grid &grid = (*problem)->grid;
        std::vector<int32_t> nodes(static_cast<size_t>(grid.size));
        int tile[CAUCUS_GRID_MAX_DIMS], cells = 1;
        for (int axis = 0; axis < grid.ndims; axis++) {
            do
                tile[axis] = random.from(1, grid.dims[axis]);
            while (grid.dims[axis] % tile[axis]);
            cells *= tile[axis];
        }
        caucus_tile_fill(&grid, tile, nodes.data());
        caucus_grid_score result;
        test::require(caucus_grid_evaluate(&grid, &(*problem)->stencil, nodes.data(),
                                           static_cast<int32_t>(grid.size / cells), &result));
        ASSERT_NEAR(caucus_tile_jsum(&grid, &(*problem)->stencil, tile), result.jsum,
                    1e-9 * result.total);
        ASSERT_NEAR(caucus_tile_jmax(&grid, &(*problem)->stencil, tile), result.jmax,
                    1e-9 * result.total);
        compared += result.jsum > 0;
    }
    EXPECT_GE(compared, 500);
}

TEST(Mappers, TilesAreNeverWorseThanNodecart) {
    test::Random random(3);
    for (int repeat = 0; repeat < 500; repeat++) {
        auto problem = test::random_problem(random);
        std::vector<int32_t> nodes(static_cast<size_t>((*problem)->grid.size));
        if (caucus_grid_map_nodecart(*problem, nodes.data()))
            continue;
        caucus_grid_score nodecart = score(*problem, nodes);
        EXPECT_LE(score(*problem, map(*problem, "tiles")).jsum,
                  nodecart.jsum + 1e-9 * nodecart.total);
    }
}

} // namespace
