// SPDX-License-Identifier: BSD-3-Clause
// Numbers of groups, and how groups merge and fall apart.
extern "C" {
#include "base/status.h"
#include "plan/group/merge.h"
#include "plan/group/numbers.h"
#include "plan/group/split.h"
}

#include <algorithm>
#include <cstdlib>
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
                tags.insert(
                    caucus_group_tag(&room, caucus_group_number(&room, rank, slot, 7), which));
    EXPECT_EQ(tags.size(), 5u * 4 * 4);
    EXPECT_EQ(*tags.begin(), 3);
    EXPECT_LE(*tags.rbegin(), 100);
    EXPECT_EQ(caucus_group_room_create(&room, 30, 3, 100, 4), CAUCUS_BAD_ARGUMENT);
    EXPECT_STREQ(caucus_error_text(),
                 "MPI_TAG_UB is 100: that is too little to tell groups of 30 ranks apart, which "
                 "takes 4 tags for each rank");
}

TEST(Numbers, OfOneSlotAreUnlike) {
    const caucus_group_room room{5, 3, 4, 4};
    caucus_group_slots slots;
    std::set<int64_t> numbers;
    caucus_group_slots_create(&slots, &room);
    for (int i = 0; i < 1000; i++) {
        int32_t slot;
        ASSERT_EQ(caucus_group_slots_take(&slots, &slot), CAUCUS_OK);
        int64_t number = caucus_group_number(&room, 2, slot, slots.use);
        EXPECT_EQ(caucus_group_giver(&room, number), 2);
        EXPECT_EQ(caucus_group_slot(&room, number), slot);
        EXPECT_TRUE(number >= 0 && numbers.insert(number).second);
        caucus_group_slots_give(&slots, slot);
    }
    slots.use = CAUCUS_GROUP_USES - 1;
    EXPECT_LT(caucus_group_number(&room, 4, 3, slots.use), INT64_C(1) << 62);
    caucus_group_slots_free(&slots);
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

// What the firsts of groups make of their groups by carrying words up and down the binomial tree.
std::vector<int32_t> merged(const std::vector<std::vector<int32_t>> &groups, int *failed) {
    auto k = static_cast<int32_t>(groups.size());
    std::vector<caucus_merge> merges(groups.size());
    for (int32_t g = k - 1; g >= 0; g--) {
        caucus_merge &own = merges[static_cast<size_t>(g)];
        const std::vector<int32_t> &group = groups[static_cast<size_t>(g)];
        own.me = g;
        own.parent_size = 1000;
        caucus_members members;
        EXPECT_EQ(caucus_members_from_list(&members, 1000, static_cast<int32_t>(group.size()),
                                           group.data()),
                  CAUCUS_OK);
        EXPECT_EQ(caucus_merge_add(&own, &members), CAUCUS_OK);
        caucus_members_free(&members);
        caucus_merge_words up;
        if (g == 0)
            continue;
        EXPECT_EQ(caucus_merge_gather(&own, &up), CAUCUS_OK);
        caucus_merge &above = merges[static_cast<size_t>(caucus_position_parent(g))];
        above.me = caucus_position_parent(g);
        EXPECT_EQ(caucus_merge_note(&above, g, up.word, up.count), CAUCUS_OK);
        std::free(up.word);
    }
    EXPECT_EQ(caucus_merge_settle(&merges[0]), CAUCUS_OK);
    std::vector<int32_t> all;
    for (caucus_merge &own : merges) {
        const caucus_merge_words &outcome = merges[0].outcome;
        if (&own != &merges[0]) {
            EXPECT_EQ(caucus_merge_learn(&own, outcome.word, outcome.count), CAUCUS_OK);
        }
        caucus_members members;
        *failed = caucus_merge_union(own.outcome.word, own.outcome.count, 1000, &members);
        all.clear();
        for (int32_t i = 0; *failed == CAUCUS_OK && i < members.count; i++)
            all.push_back(caucus_members_rank(&members, i));
        if (*failed == CAUCUS_OK)
            caucus_members_free(&members);
    }
    for (caucus_merge &own : merges)
        caucus_merge_free(&own);
    return all;
}

TEST(Merge, IsAllGroupsInTheirOrder) {
    std::mt19937 random(3);
    for (int trial = 0; trial < 300; trial++) {
        std::vector<int32_t> ranks(200), expected;
        for (int32_t i = 0; i < 200; i++)
            ranks[static_cast<size_t>(i)] = i;
        std::shuffle(ranks.begin(), ranks.end(), random);
        std::vector<std::vector<int32_t>> groups(1 + random() % 20);
        for (auto &group : groups)
            for (size_t i = 1 + random() % 10; i > 0; i--) {
                group.push_back(ranks.back());
                expected.push_back(ranks.back());
                ranks.pop_back();
            }
        int failed = CAUCUS_OK;
        EXPECT_EQ(merged(groups, &failed), expected);
        EXPECT_EQ(failed, CAUCUS_OK);
        if (groups.size() > 1) {
            int32_t twin = groups[0][random() % groups[0].size()];
            groups.back().push_back(twin);
            merged(groups, &failed);
            EXPECT_EQ(failed, CAUCUS_BAD_ARGUMENT);
            EXPECT_EQ(caucus_error_text(), "groups that merge overlap: rank " +
                                               std::to_string(twin) +
                                               " of the parent is in two of them");
        }
    }
}

// Words that came from anywhere are an error, not a crash.
TEST(Merge, AnyWordsAreRead) {
    std::mt19937 random(9);
    for (int trial = 0; trial < 20000; trial++) {
        std::vector<int32_t> words(random() % 9);
        for (int32_t &word : words)
            word = static_cast<int32_t>(random() % 12) - 3;
        auto count = static_cast<int64_t>(words.size());
        caucus_merge merge{};
        merge.parent_size = 8;
        caucus_members members;
        ASSERT_EQ(
            caucus_merge_note(&merge, static_cast<int32_t>(random() % 5), words.data(), count),
            CAUCUS_OK);
        ASSERT_EQ(caucus_merge_settle(&merge), CAUCUS_OK);
        if (caucus_merge_union(merge.outcome.word, merge.outcome.count, 8, &members) == CAUCUS_OK)
            caucus_members_free(&members);
        if (caucus_merge_union(words.data(), count, 8, &members) == CAUCUS_OK)
            caucus_members_free(&members);
        caucus_merge_free(&merge);
    }
}

TEST(Merge, NoWordBehindTheOutcomeIsRead) {
    const int32_t twice[] = {2, 4, 7, 2, 7, 9};
    caucus_merge merge{};
    merge.parent_size = 1000;
    ASSERT_EQ(caucus_merge_add_words(&merge, twice, 6), CAUCUS_OK);
    ASSERT_EQ(caucus_merge_settle(&merge), CAUCUS_OK);
    ASSERT_EQ(merge.outcome.count, 2);
    const int32_t word[] = {merge.outcome.word[0], merge.outcome.word[1], -1};
    caucus_members members;
    EXPECT_EQ(caucus_merge_union(word, 2, 1000, &members), CAUCUS_BAD_ARGUMENT);
    EXPECT_STREQ(caucus_error_text(),
                 "groups that merge overlap: rank 7 of the parent is in two of them");
    caucus_merge_free(&merge);
}

TEST(Merge, AWordOfAnotherLengthThanItSaysMakesNoSense) {
    const int32_t word[] = {2, 4, 7};
    caucus_members members;
    for (int64_t count : {0, 1, 2}) {
        EXPECT_EQ(caucus_merge_union(word, count, 1000, &members), CAUCUS_BAD_ARGUMENT);
        EXPECT_STREQ(caucus_error_text(), "the lists of groups that merge make no sense");
    }
    ASSERT_EQ(caucus_merge_union(word, 3, 1000, &members), CAUCUS_OK);
    EXPECT_EQ(members.count, 2);
    caucus_members_free(&members);
}

TEST(Split, IsWhatSortingSays) {
    std::mt19937 random(5);
    for (int trial = 0; trial < 500; trial++) {
        auto n = static_cast<int32_t>(1 + random() % 40);
        std::vector<caucus_split_wish> wishes;
        for (int32_t i = 0; i < n; i++)
            wishes.push_back({static_cast<int32_t>(random() % 4) - 1,
                              static_cast<int32_t>(random() % 5) - 2, i, 0});
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
