// SPDX-License-Identifier: BSD-3-Clause
// Trees for small data: every rank has one parent, which comes before it, and subtrees are rows.
extern "C" {
#include "plan/collective/postal.h"
}

#include <gtest/gtest.h>

#include <vector>

namespace {

void expect_tree(int32_t size, int delay) {
    std::vector<int32_t> parent(static_cast<size_t>(size), -1), end(static_cast<size_t>(size));
    for (int32_t rank = 0; rank < size; rank++) {
        caucus_postal tree;
        caucus_postal_init(&tree, size, rank, delay);
        ASSERT_EQ(tree.parent, parent[static_cast<size_t>(rank)]) << "rank " << rank;
        int32_t last = rank == 0 ? size : end[static_cast<size_t>(rank)];
        for (int i = 0; i < tree.children; i++) {
            ASSERT_GT(tree.child[i], rank);
            ASSERT_LT(tree.child[i], last);
            parent[static_cast<size_t>(tree.child[i])] = rank;
            end[static_cast<size_t>(tree.child[i])] = last;
            last = tree.child[i];
        }
        if (tree.children > 0) {
            ASSERT_EQ(last, rank + 1);
        }
    }
    for (int32_t rank = 1; rank < size; rank++)
        EXPECT_GE(parent[static_cast<size_t>(rank)], 0) << "nobody reaches rank " << rank;
}

TEST(Postal, ReachesEveryRankOnce) {
    for (int delay = 1; delay <= 5; delay++) {
        for (int32_t size = 1; size <= 200; size++)
            expect_tree(size, delay);
        expect_tree(4099, delay);
    }
}

TEST(Postal, WithoutDelayIsBinomial) {
    caucus_postal tree;
    caucus_postal_init(&tree, 64, 8, CAUCUS_POSTAL_BINOMIAL);
    EXPECT_EQ(tree.parent, 0);
    ASSERT_EQ(tree.children, 3);
    EXPECT_EQ(tree.child[0], 12);
    EXPECT_EQ(tree.child[2], 9);
}

TEST(Postal, HasRoomForTheLargestGroup) {
    for (int delay = 1; delay <= 5; delay++) {
        caucus_postal tree;
        caucus_postal_init(&tree, INT32_MAX, 0, delay);
        EXPECT_LE(tree.children, CAUCUS_POSTAL_CHILDREN);
        EXPECT_EQ(tree.child[tree.children - 1], 1);
    }
}

TEST(Postal, LongDataTakesBinomialTrees) {
    EXPECT_EQ(caucus_postal_delay(INT64_MAX, true), CAUCUS_POSTAL_BINOMIAL);
    EXPECT_EQ(caucus_postal_delay(INT64_MAX, false), CAUCUS_POSTAL_BINOMIAL);
    int before = caucus_postal_delay(0, false);
    EXPECT_LE(before, 5);
    for (int64_t bytes = 1; bytes < 1 << 20; bytes *= 2) {
        EXPECT_LE(caucus_postal_delay(bytes, false), before);
        before = caucus_postal_delay(bytes, false);
        EXPECT_LE(caucus_postal_delay(bytes, true), before);
    }
}

} // namespace
