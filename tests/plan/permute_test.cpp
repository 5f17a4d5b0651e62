// SPDX-License-Identifier: BSD-3-Clause
extern "C" {
#include "base/permute.h"
}

#include <gtest/gtest.h>

#include <vector>

namespace {

TEST(Permute, TakesEveryIndexOnce) {
    for (uint64_t seed : {UINT64_C(0), UINT64_C(1), UINT64_C(42), ~UINT64_C(0)})
        for (int64_t size = 1; size <= 300; size++) {
            std::vector<bool> taken(static_cast<size_t>(size));
            for (int64_t index = 0; index < size; index++) {
                int64_t to = caucus_permute(seed, size, index);
                ASSERT_GE(to, 0);
                ASSERT_LT(to, size);
                ASSERT_FALSE(taken[static_cast<size_t>(to)]);
                taken[static_cast<size_t>(to)] = true;
            }
        }
}

TEST(Permute, LeavesFewInTheirPlace) {
    const int64_t size = 10000;
    int64_t fixed = 0, apart = 0;
    for (int64_t index = 0; index < size; index++) {
        fixed += caucus_permute(7, size, index) == index;
        apart += caucus_permute(7, size, index) != caucus_permute(8, size, index);
    }
    EXPECT_LT(fixed, 12); // one on average
    EXPECT_GT(apart, size - 12);
}

TEST(Permute, ServesHugeSizes) {
    for (int64_t size : {INT64_C(2147483647), INT64_C(1) << 40, (INT64_C(1) << 61) + 1})
        for (int64_t index : {INT64_C(0), size / 3, size - 1}) {
            int64_t to = caucus_permute(3, size, index);
            EXPECT_GE(to, 0);
            EXPECT_LT(to, size);
        }
}

} // namespace
