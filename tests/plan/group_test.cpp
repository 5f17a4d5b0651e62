// SPDX-License-Identifier: BSD-3-Clause
// Numbers of groups, and the trees along which groups merge and fall apart.
#include "base/status.h"
#include "plan/group/merge.h"
#include "plan/group/numbers.h"
#include "plan/group/split.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace {

TEST(Numbers, NeverMeetAndStayWithinTheTags) {
    caucus_group_room room;
    ASSERT_EQ(caucus_group_room_create(&room, 5, 3, 100, 4), CAUCUS_OK);
    EXPECT_EQ(room.slots_each, 4);
    std::set<int32_t> tags;
    for (int32_t rank = 0; rank < 5; rank++)
        for (int32_t slot = 0; slot < room.slots_each; slot++)
            for (int32_t which = 0; which < 4; which++)
                tags.insert(caucus_group_tag(&room, caucus_group_number(&room, rank, slot), which));
    EXPECT_EQ(tags.size(), 5u * 4 * 4);
    EXPECT_EQ(*tags.begin(), 3);
    EXPECT_LE(*tags.rbegin(), 100);
    EXPECT_EQ(caucus_group_room_create(&room, 30, 3, 100, 4), CAUCUS_BAD_ARGUMENT);
    EXPECT_STREQ(caucus_error_text(),
                 "MPI_TAG_UB is 100: that is too little to tell groups of 30 ranks apart, which "
                 "takes 4 tags for each rank");
}

TEST(Numbers, AreManyWhereTagsAre) {
    caucus_group_room room;
    ASSERT_EQ(caucus_group_room_create(&room, 1024, 0, (1 << 28) - 1, 2), CAUCUS_OK); // MPICH
    EXPECT_EQ(room.slots_each, 131072);
    ASSERT_EQ(caucus_group_room_create(&room, 1024, 0, INT32_MAX, 2), CAUCUS_OK); // Open MPI
    EXPECT_EQ(room.slots_each, 1048576);
    ASSERT_EQ(caucus_group_room_create(&room, 1024, 0, 32767, 2), CAUCUS_OK); // the least there is
    EXPECT_EQ(room.slots_each, 16);
}

TEST(Numbers, ComeAgainOnlyWhenGivenBack) {
    for (int32_t limit : {1, 7, 64, 1000}) {
        caucus_group_room room{1, 0, 1, limit};
        caucus_group_slots slots;
        caucus_group_slots_create(&slots, &room);
        std::mt19937 random(7);
        std::vector<int32_t> taken;
        std::set<int32_t> living;
        for (int i = 0; i < 100000; i++) {
            bool take = taken.empty() || random() % 2 == 0;
            int32_t slot;
            if (take && static_cast<int32_t>(taken.size()) == limit) {
                ASSERT_EQ(caucus_group_slots_take(&slots, &slot), CAUCUS_NO_MEMORY);
            } else if (take) {
                ASSERT_EQ(caucus_group_slots_take(&slots, &slot), CAUCUS_OK);
                ASSERT_TRUE(slot >= 0 && slot < limit && living.insert(slot).second);
                taken.push_back(slot);
            } else {
                std::swap(taken[random() % taken.size()], taken.back());
                caucus_group_slots_give(&slots, taken.back());
                living.erase(taken.back());
                taken.pop_back();
            }
        }
        caucus_group_slots_free(&slots);
    }
}

TEST(Numbers, MillionsOfGroupsTakeFewSlots) {
    caucus_group_room room{1, 0, 1, 1 << 20};
    caucus_group_slots slots;
    caucus_group_slots_create(&slots, &room);
    int32_t last = -1;
    for (int i = 0; i < 1000000; i++) {
        int32_t slot;
        ASSERT_EQ(caucus_group_slots_take(&slots, &slot), CAUCUS_OK);
        ASSERT_NE(slot, last); // what was freed last does not come next
        last = slot;
        caucus_group_slots_give(&slots, slot);
    }
    EXPECT_LE(slots.used, 64);
    caucus_group_slots_free(&slots);
}

TEST(Merge, IsATreeThatReachesAllSoon) {
    std::mt19937 random(3);
    for (int trial = 0; trial < 300; trial++) {
        int32_t groups = 1 + static_cast<int32_t>(random() % 20), largest = 1;
        std::vector<int32_t> begin{0};
        for (int32_t g = 0; g < groups; g++) {
            int32_t size = 1 + static_cast<int32_t>(random() % 40);
            largest = std::max(largest, size);
            begin.push_back(begin.back() + size);
        }
        caucus_merge_tree tree{groups, begin.data()};
        int32_t n = begin.back(), reports = 0, reached = 1;
        int limit = static_cast<int>(std::ceil(std::log2(groups)) + std::ceil(std::log2(largest)));
        for (int32_t i = 0; i < n; i++) {
            int32_t group = caucus_merge_group(&tree, i);
            EXPECT_TRUE(begin[static_cast<size_t>(group)] <= i &&
                        i < begin[static_cast<size_t>(group) + 1]);
            int32_t children[CAUCUS_MERGE_CHILDREN];
            int32_t count = caucus_merge_children(&tree, i, children);
            for (int32_t k = 0; k < count; k++) {
                EXPECT_EQ(caucus_merge_parent(&tree, children[k]), i);
                reached++;
            }
            int depth = 0;
            for (int32_t up = i; up > 0; up = caucus_merge_parent(&tree, up))
                depth++;
            EXPECT_LE(depth, limit);
            reports += caucus_merge_reports(&tree, i);
        }
        EXPECT_EQ(reached, n); // each below one other, so n - 1 messages go down
        EXPECT_EQ(reports, groups - 1);
        EXPECT_EQ(caucus_merge_parent(&tree, 0), -1);
    }
}

TEST(Split, IsWhatSortingSays) {
    std::mt19937 random(5);
    for (int trial = 0; trial < 500; trial++) {
        auto n = static_cast<int32_t>(1 + random() % 40);
        std::vector<caucus_split_wish> wishes;
        for (int32_t i = 0; i < n; i++)
            wishes.push_back({static_cast<int32_t>(random() % 4) - 1,
                              static_cast<int32_t>(random() % 5) - 2, i});
        for (int32_t me = 0; me < n; me++) {
            int32_t colour = wishes[static_cast<size_t>(me)].colour;
            std::vector<int32_t> expected, got(static_cast<size_t>(n));
            for (int32_t i = 0; i < n; i++)
                if (colour >= 0 && wishes[static_cast<size_t>(i)].colour == colour)
                    expected.push_back(i);
            std::stable_sort(expected.begin(), expected.end(), [&](int32_t a, int32_t b) {
                return wishes[static_cast<size_t>(a)].key < wishes[static_cast<size_t>(b)].key;
            });
            got.resize(static_cast<size_t>(caucus_split(wishes.data(), n, me, got.data())));
            EXPECT_EQ(got, expected);
        }
    }
}

} // namespace
