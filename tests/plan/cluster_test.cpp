// SPDX-License-Identifier: BSD-3-Clause
extern "C" {
#include "plan/grid/cluster.h"
}
#include "random_case.hpp"

#include <gtest/gtest.h>

namespace {

// count cells from first on, divided into three parts, which are to keep their sizes.
std::vector<int32_t> split(const caucus_cluster &cluster, int first, int count) {
    std::vector<int32_t> members(static_cast<size_t>(count)), part(members.size(), 2);
    std::iota(members.begin(), members.end(), first);
    std::vector<int32_t> size = {count / 3, count / 3, count - 2 * (count / 3)};
    std::fill(part.begin(), part.begin() + 2 * size[0], 1);
    std::fill(part.begin(), part.begin() + size[0], 0);
    caucus_cluster_split(&cluster, count, members.data(), 3, size.data(), part.data());
    for (int32_t each = 0; each < 3; each++)
        EXPECT_EQ(std::count(part.begin(), part.end(), each), size[static_cast<size_t>(each)]);
    return part;
}

TEST(Cluster, SplitsAreIndependentOfOneAnother) {
    test::Random random(13);
    for (int repeat = 0; repeat < 400; repeat++) {
        auto problem = test::random_problem(random, 120);
        int count = static_cast<int>((*problem)->grid.size), half = count / 2;
        if (half < 3)
            continue;
        std::vector<int64_t> cells(static_cast<size_t>(count));
        std::iota(cells.begin(), cells.end(), 0);
        caucus_cluster fresh, used;
        for (caucus_cluster *cluster : {&fresh, &used})
            test::require(caucus_cluster_init(&(*problem)->grid, &(*problem)->stencil, count,
                                              cells.data(), cluster));
        std::vector<int32_t> alone = split(fresh, half, count - half);
        split(used, 0, half);
        EXPECT_EQ(split(used, half, count - half), alone);
        caucus_cluster_free(&fresh);
        caucus_cluster_free(&used);
    }
}

TEST(Cluster, CutsBetweenLabelsOnly) {
    test::Problem problem(test::Case{{2, 3}, {}, {6}});
    int64_t cells[] = {0, 1, 2, 3, 4, 5};
    int32_t same[6] = {}, rows[] = {0, 0, 0, 1, 1, 1}, columns[] = {0, 1, 2, 0, 1, 2};
    caucus_cluster cluster;
    test::require(caucus_cluster_init(&problem->grid, &problem->stencil, 6, cells, &cluster));
    EXPECT_EQ(caucus_cluster_cut(&cluster, same), 0);
    EXPECT_EQ(caucus_cluster_cut(&cluster, rows), 6);
    EXPECT_EQ(caucus_cluster_cut(&cluster, columns), 8);
    caucus_cluster_free(&cluster);
}

// A set that was given back is empty: it may be given back again, and is without cells.
TEST(Cluster, NothingIsLeftInOneGivenBack) {
    test::Problem problem(test::Case{{2, 3}, {}, {6}});
    int64_t cells[] = {0, 1, 2, 3, 4, 5};
    caucus_cluster cluster;
    test::require(caucus_cluster_init(&problem->grid, &problem->stencil, 6, cells, &cluster));
    caucus_cluster_free(&cluster);
    EXPECT_EQ(cluster.count, 0);
    ASSERT_EQ(cluster.coordinate, nullptr);
    ASSERT_EQ(cluster.key, nullptr);
    EXPECT_EQ(caucus_cluster_cut(&cluster, nullptr), 0);
    caucus_cluster_free(&cluster);
}

} // namespace
