// SPDX-License-Identifier: BSD-3-Clause
extern "C" {
#include "base/status.h"
#include "plan/machine/nodes.h"
}

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <vector>

namespace {

std::vector<int> sizes_of(const caucus_nodes &nodes) {
    std::vector<int> sizes;
    for (int32_t node = 0; node < nodes.count; node++)
        sizes.push_back(caucus_nodes_size(&nodes, node));
    return sizes;
}

TEST(Nodes, EqualSizesNeedNoArray) {
    int32_t sizes[] = {4, 4, 4};
    caucus_nodes nodes;
    ASSERT_EQ(caucus_nodes_init(&nodes, 3, sizes), CAUCUS_OK);
    EXPECT_EQ(nodes.equal, 4);
    EXPECT_EQ(nodes.size, nullptr);
    EXPECT_EQ(nodes.ranks, 12);
    EXPECT_EQ(sizes_of(nodes), (std::vector<int>{4, 4, 4}));
    caucus_nodes_free(&nodes);
    EXPECT_EQ(nodes.count, 0);
}

TEST(Nodes, UnevenSizesAreCopied) {
    int32_t sizes[] = {5, 3, 4};
    caucus_nodes nodes;
    ASSERT_EQ(caucus_nodes_init(&nodes, 3, sizes), CAUCUS_OK);
    sizes[0] = 99;
    EXPECT_EQ(nodes.equal, 0);
    EXPECT_EQ(nodes.ranks, 12);
    EXPECT_EQ(sizes_of(nodes), (std::vector<int>{5, 3, 4}));
    caucus_nodes_free(&nodes);
}

TEST(Nodes, BadSizesAreRefusedAndNothingIsLeft) {
    caucus_nodes nodes;
    int32_t zero[] = {2, 0, 2}, negative[] = {-3};
    EXPECT_EQ(caucus_nodes_init(&nodes, 3, zero), CAUCUS_BAD_ARGUMENT);
    EXPECT_STREQ(caucus_error_text(), "node 1 has 0 ranks: at least one is needed");
    EXPECT_EQ(caucus_nodes_init(&nodes, 1, negative), CAUCUS_BAD_ARGUMENT);
    EXPECT_STREQ(caucus_error_text(), "node 0 has -3 ranks: at least one is needed");
    EXPECT_EQ(caucus_nodes_init(&nodes, 0, zero), CAUCUS_BAD_ARGUMENT);
    EXPECT_STREQ(caucus_error_text(), "there are 0 nodes: at least one is needed");
    EXPECT_EQ(nodes.size, nullptr);
    caucus_nodes_free(&nodes);
}

TEST(Nodes, TheSumOfLargeSizesDoesNotOverflow) {
    std::vector<int32_t> sizes(8, INT32_MAX);
    caucus_nodes nodes;
    ASSERT_EQ(caucus_nodes_init(&nodes, 8, sizes.data()), CAUCUS_OK);
    EXPECT_EQ(nodes.ranks, 8 * static_cast<int64_t>(INT32_MAX));
    caucus_nodes_free(&nodes);
}

TEST(Nodes, TakesTheLargestFirst) {
    int32_t sizes[] = {3, 5, 4, 5}, taken[4];
    caucus_nodes nodes;
    ASSERT_EQ(caucus_nodes_init(&nodes, 4, sizes), CAUCUS_OK);
    ASSERT_EQ(caucus_nodes_take(&nodes, 12, taken), CAUCUS_OK);
    EXPECT_EQ(std::vector<int>(taken, taken + 4), (std::vector<int>{0, 5, 2, 5}));
    ASSERT_EQ(caucus_nodes_take(&nodes, 5, taken), CAUCUS_OK);
    EXPECT_EQ(std::vector<int>(taken, taken + 4), (std::vector<int>{0, 5, 0, 0}));
    ASSERT_EQ(caucus_nodes_take(&nodes, 17, taken), CAUCUS_OK);
    EXPECT_EQ(std::vector<int>(taken, taken + 4), (std::vector<int>{3, 5, 4, 5}));
    EXPECT_EQ(caucus_nodes_take(&nodes, 18, taken), CAUCUS_BAD_ARGUMENT);
    EXPECT_STREQ(caucus_error_text(), "18 ranks wanted of 17");
    EXPECT_EQ(caucus_nodes_take(&nodes, 0, taken), CAUCUS_BAD_ARGUMENT);
    caucus_nodes_free(&nodes);
}

TEST(Nodes, TakingFillsWholeNodesButOne) {
    std::mt19937 random(5);
    for (int trial = 0; trial < 200; trial++) {
        std::vector<int32_t> sizes(1 + random() % 9), taken(sizes.size());
        for (int32_t &size : sizes)
            size = 1 + static_cast<int32_t>(random() % 6);
        caucus_nodes nodes;
        ASSERT_EQ(caucus_nodes_init(&nodes, static_cast<int32_t>(sizes.size()), sizes.data()),
                  CAUCUS_OK);
        int64_t ranks = 1 + static_cast<int64_t>(random()) % nodes.ranks;
        ASSERT_EQ(caucus_nodes_take(&nodes, ranks, taken.data()), CAUCUS_OK);
        EXPECT_EQ(std::accumulate(taken.begin(), taken.end(), INT64_C(0)), ranks);
        int parts = 0;
        for (size_t node = 0; node < sizes.size(); node++) {
            EXPECT_LE(taken[node], sizes[node]);
            parts += taken[node] > 0 && taken[node] < sizes[node];
        }
        EXPECT_LE(parts, 1);
        caucus_nodes_free(&nodes);
    }
}

} // namespace
