// SPDX-License-Identifier: BSD-3-Clause
extern "C" {
#include "base/status.h"
#include "plan/group/members.h"
}

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

using Ranks = std::vector<int32_t>;

struct Members : caucus_members {
    explicit Members(const Ranks &ranks, int32_t parent = 1000) {
        status = caucus_members_from_list(this, parent, static_cast<int32_t>(ranks.size()),
                                          ranks.data());
    }
    Members(int32_t parent, int32_t from, int32_t to, int32_t by) {
        status = caucus_members_from_range(this, parent, from, to, by);
    }
    ~Members() {
        caucus_members_free(this);
    }
    Members(const Members &) = delete;
    Members &operator=(const Members &) = delete;
    Ranks ranks() const {
        Ranks all;
        for (int32_t i = 0; i < count; i++)
            all.push_back(caucus_members_rank(this, i));
        return all;
    }
    int status;
};

std::string error_of(const Ranks &ranks, int32_t parent) {
    Members members(ranks, parent);
    EXPECT_EQ(members.status, CAUCUS_BAD_ARGUMENT);
    return caucus_error_text();
}

TEST(Members, KeepTheirOrder) {
    for (const Ranks &ranks : {Ranks{4}, Ranks{3, 1}, Ranks{0, 2, 4}, Ranks{9, 6, 3, 0},
                               Ranks{5, 2, 7, 1}, Ranks{1, 2, 4}, Ranks{0, 1, 0 + 2, 7}}) {
        Members members(ranks);
        ASSERT_EQ(members.status, CAUCUS_OK);
        EXPECT_EQ(members.ranks(), ranks);
        for (int32_t rank = 0; rank < 12; rank++) {
            auto place = std::find(ranks.begin(), ranks.end(), rank);
            int32_t position =
                place == ranks.end() ? -1 : static_cast<int32_t>(place - ranks.begin());
            EXPECT_EQ(caucus_members_position(&members, rank), position) << rank;
        }
    }
}

TEST(Members, OfARangeTakeNoMemory) {
    EXPECT_EQ(Members(Ranks{2, 5, 8}).rank, nullptr);
    EXPECT_NE(Members(Ranks{2, 5, 9}).rank, nullptr);
    EXPECT_EQ(Members(100, 3, 9, 2).ranks(), (Ranks{3, 5, 7, 9}));
    EXPECT_EQ(Members(100, 3, 8, 2).ranks(), (Ranks{3, 5, 7}));
    EXPECT_EQ(Members(100, 9, 2, -3).ranks(), (Ranks{9, 6, 3}));
    EXPECT_EQ(Members(100, 9, 9, -3).ranks(), (Ranks{9}));
    EXPECT_EQ(Members(INT32_MAX, 0, INT32_MAX - 1, 1).count, INT32_MAX);
    EXPECT_EQ(
        caucus_members_position(std::make_unique<Members>(INT32_MAX, 0, INT32_MAX - 1, 2).get(), 7),
        -1);
}

TEST(Members, HashTellsOrderAndNotForm) {
    EXPECT_EQ(caucus_members_hash(std::make_unique<Members>(Ranks{3, 5, 7}).get()),
              caucus_members_hash(std::make_unique<Members>(100, 3, 8, 2).get()));
    std::vector<uint64_t> hashes;
    Ranks ranks{0, 1, 2, 3, 4, 5};
    do {
        for (size_t n = 1; n <= ranks.size(); n++) {
            Members members(Ranks(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(n)));
            hashes.push_back(caucus_members_hash(&members));
        }
    } while (std::next_permutation(ranks.begin(), ranks.end()));
    std::sort(hashes.begin(), hashes.end());
    auto end = std::unique(hashes.begin(), hashes.end());
    EXPECT_EQ(end - hashes.begin(), 6 + 30 + 120 + 360 + 720 + 720); // ordered choices of 6
}

TEST(Members, ErrorsNameTheEntry) {
    EXPECT_EQ(error_of({}, 8), "a group of 0 members: there must be at least one");
    EXPECT_EQ(error_of({1, 8}, 8), "members[1] is 8: the ranks of the parent are 0 to 7");
    EXPECT_EQ(error_of({1, 2, -1}, 8), "members[2] is -1: the ranks of the parent are 0 to 7");
    EXPECT_EQ(error_of({1, 5, 3, 5}, 8),
              "members[1] and members[3] are both 5: a rank is a member once");
    EXPECT_EQ(error_of({4, 4, 4}, 8),
              "members[0] and members[1] are both 4: a rank is a member once");
    struct {
        int32_t first, last, stride;
        const char *text;
    } ranges[] = {
        {8, 3, -1, "first is 8: the ranks of the parent are 0 to 7"},
        {0, -1, -1, "last is -1: the ranks of the parent are 0 to 7"},
        {0, 3, 0, "stride is 0: a rank is a member once"},
        {0, 3, -1, "from first (0) by stride -1 last (3) is never met"},
    };
    for (auto &range : ranges) {
        Members members(8, range.first, range.last, range.stride);
        EXPECT_EQ(members.status, CAUCUS_BAD_ARGUMENT);
        EXPECT_STREQ(caucus_error_text(), range.text);
    }
}

TEST(Members, CanBeAParent) {
    Members outer(Ranks{7, 3, 9, 1}), inner(Ranks{3, 0}, 4);
    caucus_members made;
    ASSERT_EQ(caucus_members_within(&made, &outer, &inner), CAUCUS_OK);
    EXPECT_EQ(caucus_members_rank(&made, 0), 1);
    EXPECT_EQ(caucus_members_rank(&made, 1), 7);
    int32_t ranks[2];
    caucus_members_list(&made, ranks);
    EXPECT_EQ(ranks[0], 1);
    EXPECT_EQ(ranks[1], 7);
    caucus_members_free(&made);
    Members beyond(Ranks{3, 5}, 6);
    EXPECT_EQ(caucus_members_within(&made, &outer, &beyond), CAUCUS_BAD_ARGUMENT);
}

} // namespace
