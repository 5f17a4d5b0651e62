// SPDX-License-Identifier: BSD-3-Clause
extern "C" {
#include "base/table.h"
}

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>
#include <utility>

namespace {

struct Table : caucus_table {
    Table() : caucus_table{} {}
    Table(const Table &) = delete;
    Table &operator=(const Table &) = delete;
    ~Table() {
        caucus_table_free(this);
    }
};

TEST(TableTest, EmptyHasNothing) {
    Table table;
    EXPECT_EQ(caucus_table_find(&table, {1, 2}), nullptr);
    caucus_table_remove(&table, {1, 2});
    EXPECT_EQ(table.used, 0);
}

TEST(TableTest, NewEntriesAreZero) {
    Table table;
    for (std::uint64_t i = 0; i < 1000; i++) {
        std::int64_t *value = caucus_table_at(&table, {i, 0});
        ASSERT_NE(value, nullptr);
        EXPECT_EQ(*value, 0);
        *value = -1;
    }
}

// Keys are few, so that they are put in and taken out again often, and the table is as full as it
// can be.
TEST(TableTest, IsWhatAMapIs) {
    for (unsigned seed = 0; seed < 20; seed++) {
        std::mt19937 random(seed);
        std::map<std::pair<std::uint64_t, std::uint64_t>, std::int64_t> expected;
        Table table;
        for (int step = 0; step < 20000; step++) {
            const caucus_table_key key = {random() % 30, random() % (1 + seed)};
            const std::pair<std::uint64_t, std::uint64_t> pair(key.first, key.second);
            if (random() % 2) {
                std::int64_t *value = caucus_table_at(&table, key);
                ASSERT_NE(value, nullptr);
                ASSERT_EQ(*value, expected[pair]);
                expected[pair] = *value = step;
            } else {
                caucus_table_remove(&table, key);
                expected.erase(pair);
            }
            ASSERT_EQ(table.used, static_cast<std::int64_t>(expected.size()));
            if (step % 100 != 0)
                continue;
            for (const auto &[known, value] : expected) {
                const std::int64_t *found = caucus_table_find(&table, {known.first, known.second});
                ASSERT_NE(found, nullptr);
                ASSERT_EQ(*found, value);
            }
        }
    }
}

} // namespace
