// SPDX-License-Identifier: BSD-3-Clause
// Maps of nodes against what their labels say, rank by rank; those that are a formula have no
// arrays.
extern "C" {
#include "base/status.h"
#include "plan/machine/node_map.h"
}

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <vector>

namespace {

using Labels = std::vector<int32_t>;

class Map {
  public:
    explicit Map(const Labels &labels) {
        EXPECT_EQ(caucus_node_map_init(&map, static_cast<int32_t>(labels.size()), labels.data()),
                  CAUCUS_OK);
    }
    Map(const Map &whole, int32_t first, int32_t ranks) {
        EXPECT_EQ(caucus_node_map_part(&map, &whole.map, first, ranks), CAUCUS_OK);
    }
    Map(const Map &) = delete;
    Map &operator=(const Map &) = delete;
    ~Map() {
        caucus_node_map_free(&map);
    }
    bool has_arrays() const {
        return map.node_of_rank || map.local_of_rank || map.first || map.rank_at;
    }
    caucus_node_map map{};
};

// The ranks of every node, nodes by their lowest rank.
std::vector<std::vector<int32_t>> nodes_of(const Labels &labels) {
    std::map<int32_t, size_t> number;
    std::vector<std::vector<int32_t>> nodes;
    for (size_t rank = 0; rank < labels.size(); rank++) {
        auto found = number.emplace(labels[rank], nodes.size());
        if (found.second)
            nodes.emplace_back();
        nodes[found.first->second].push_back(static_cast<int32_t>(rank));
    }
    return nodes;
}

void expect_same(const caucus_node_map &map, const Labels &labels) {
    auto nodes = nodes_of(labels);
    size_t largest = 0, smallest = labels.size();
    int32_t at = 0;
    bool ordered = true;
    ASSERT_EQ(map.ranks, static_cast<int32_t>(labels.size()));
    ASSERT_EQ(map.nodes, static_cast<int32_t>(nodes.size()));
    for (int32_t node = 0; node < map.nodes; node++) {
        const auto &ranks = nodes[static_cast<size_t>(node)];
        largest = std::max(largest, ranks.size());
        smallest = std::min(smallest, ranks.size());
        EXPECT_EQ(caucus_node_first(&map, node), at);
        ASSERT_EQ(caucus_node_size(&map, node), static_cast<int32_t>(ranks.size()));
        for (int32_t local = 0; local < static_cast<int32_t>(ranks.size()); local++, at++) {
            int32_t rank = ranks[static_cast<size_t>(local)];
            ordered = ordered && rank == at;
            EXPECT_EQ(caucus_rank_at(&map, at), rank);
            EXPECT_EQ(caucus_rank_in_node(&map, node, local), rank);
            EXPECT_EQ(caucus_node_of_rank(&map, rank), node);
            EXPECT_EQ(caucus_local_of_rank(&map, rank), local);
        }
    }
    EXPECT_EQ(caucus_node_first(&map, map.nodes), map.ranks);
    EXPECT_EQ(map.largest, static_cast<int32_t>(largest));
    EXPECT_EQ(map.smallest, static_cast<int32_t>(smallest));
    EXPECT_EQ(map.ordered, ordered);
}

void expect_parts(const Labels &labels) {
    Map whole(labels);
    auto ranks = static_cast<int32_t>(labels.size());
    expect_same(whole.map, labels);
    for (int32_t first = 0; first < ranks; first++)
        for (int32_t count = 1; first + count <= ranks; count++) {
            Map part(whole, first, count);
            expect_same(part.map, Labels(labels.begin() + first, labels.begin() + first + count));
        }
}

TEST(NodeMap, BlocksAreAFormula) {
    for (int32_t ranks = 1; ranks <= 17; ranks++)
        for (int32_t each = 1; each <= 18; each++) {
            Labels labels(static_cast<size_t>(ranks));
            for (int32_t rank = 0; rank < ranks; rank++)
                labels[static_cast<size_t>(rank)] = 3 + 2 * (rank / each);
            expect_parts(labels);
            caucus_node_map blocks;
            ASSERT_EQ(caucus_node_map_blocks(&blocks, ranks, each), CAUCUS_OK);
            expect_same(blocks, labels);
            EXPECT_FALSE(Map(labels).has_arrays());
        }
}

TEST(NodeMap, WhatIsNoBlocksOfOneLengthHasArrays) {
    for (const Labels &labels :
         {Labels{0, 1, 0, 1}, Labels{0, 0, 1, 0, 0}, Labels{0, 1, 1}, Labels{0, 0, 1, 2, 2},
          Labels{0, 0, 1, 1, 1}, Labels{1, 1, 0, 0}, Labels{0, 0, 1, 1, 0, 0}}) {
        expect_parts(labels);
        EXPECT_TRUE(Map(labels).has_arrays());
    }
}

TEST(NodeMap, AnyLabels) {
    std::mt19937 random(1);
    for (int i = 0; i < 300; i++) {
        Labels labels(1 + random() % 12);
        auto most = 1 + random() % labels.size();
        for (auto &label : labels)
            label = static_cast<int32_t>(random() % most);
        if (i % 2)
            std::sort(labels.begin(), labels.end());
        expect_parts(labels);
    }
}

} // namespace
