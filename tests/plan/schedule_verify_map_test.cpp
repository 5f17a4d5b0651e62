// SPDX-License-Identifier: BSD-3-Clause
extern "C" {
#include "study/verify/map.h"
}

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace {

bool operator==(const caucus_value &a, const caucus_value &b) {
    return a.symbol == b.symbol && a.shift == b.shift && a.access == b.access;
}

void expect_same(const caucus_map &map, const std::vector<caucus_value> &bytes) {
    int64_t offset = 0;
    caucus_map_cursor at{0, 0};
    while (offset < map.size) {
        const caucus_map_entry *entry = caucus_map_at(&map, at);
        ASSERT_EQ(entry->begin, offset);
        int64_t end = caucus_map_end(&map, at);
        ASSERT_GT(end, offset);
        for (; offset < end; offset++)
            ASSERT_TRUE(entry->value == bytes[offset]) << "byte " << offset;
        at = caucus_map_next(&map, at);
    }
}

// Against an array with a value for every byte: short ranges make many entries, long ones cover
// whole chunks.
TEST(ScheduleVerifyMap, IsAnArrayOfBytes) {
    for (int64_t size : {1, 7, 300, 5000, 40000})
        for (int64_t longest : {1, 3, 40, 4000}) {
            std::mt19937_64 random(static_cast<uint64_t>(size * longest));
            caucus_pool pool{};
            caucus_map map;
            ASSERT_EQ(caucus_map_init(&map, &pool, size, {}), 0);
            std::vector<caucus_value> bytes(static_cast<size_t>(size));
            for (int turn = 0; turn < 4000; turn++) {
                int64_t begin = static_cast<int64_t>(random() % static_cast<uint64_t>(size));
                int64_t length = static_cast<int64_t>(
                    1 + random() % static_cast<uint64_t>(std::min(longest, size - begin)));
                caucus_value value{static_cast<int64_t>(random() % 2),
                                   static_cast<uint32_t>(random() % 3), 0};
                ASSERT_EQ(caucus_map_set(&map, begin, begin + length, value), 0);
                std::fill_n(bytes.begin() + begin, length, value);
                int64_t any = static_cast<int64_t>(random() % static_cast<uint64_t>(size));
                caucus_map_cursor found = caucus_map_find(&map, any);
                ASSERT_LE(caucus_map_at(&map, found)->begin, any);
                ASSERT_GT(caucus_map_end(&map, found), any);
                if (turn % 500 == 499)
                    expect_same(map, bytes);
            }
            caucus_pool_free(&pool);
        }
}

TEST(ScheduleVerifyMap, MergesWhatContinues) {
    caucus_pool pool{};
    caucus_map map;
    ASSERT_EQ(caucus_map_init(&map, &pool, 100, {}), 0);
    for (int64_t i : {0, 2, 1, 4, 3}) // filled out of order, one range at the end
        ASSERT_EQ(caucus_map_set(&map, i * 10, i * 10 + 10, {5, 2, 0}), 0);
    EXPECT_EQ(map.chunk[0].count, 2);
    EXPECT_EQ(caucus_map_end(&map, {0, 0}), 50);
    caucus_pool_free(&pool);
}

} // namespace
