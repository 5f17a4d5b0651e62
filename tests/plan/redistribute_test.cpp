// SPDX-License-Identifier: BSD-3-Clause
// Redistributions of random decompositions, against what everybody must get, worked out index by
// index; and what bad lists are told.
#include "redistribute_case.hpp"

extern "C" {
#include "base/status.h"
}
#include "full_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace {

using test::Ranges;
using test::RedistributeCase;

using Random = std::mt19937_64;

int cases(int few) {
    return test::full_run() ? 8 * few : few;
}

int64_t draw(Random &random, int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
}

// Deals [low, low + length) in ranges of at most `longest` to ranks [begin, end), shuffled.
void deal(Random &random, int64_t low, int64_t length, int64_t longest, int32_t begin, int32_t end,
          std::vector<Ranges> &to) {
    for (int64_t at = 0; at < length;) {
        int64_t count = std::min(length - at, draw(random, 1, longest));
        to[static_cast<size_t>(draw(random, begin, end - 1))].push_back({low + at, count});
        if (draw(random, 0, 9) == 0)
            to[static_cast<size_t>(draw(random, begin, end - 1))].push_back({low + at, 0});
        at += count;
    }
    for (int32_t r = begin; r < end; r++)
        std::shuffle(to[r].begin(), to[r].end(), random);
}

// Some ranges of what there is, for ranks [begin, end); they may have indices in common.
void pick(Random &random, int64_t low, int64_t length, int32_t begin, int32_t end, bool twice,
          std::vector<Ranges> &to) {
    for (int32_t r = begin; r < end; r++) {
        int64_t at = 0, ranges = draw(random, 0, 6);
        for (int64_t i = 0; i < ranges && at < length; i++) {
            int64_t first = twice ? draw(random, 0, length - 1) : draw(random, at, length - 1);
            int64_t count = draw(random, 0, std::min<int64_t>(length - first, length / 3 + 1));
            to[r].push_back({low + first, count});
            at = first + count;
        }
        std::shuffle(to[r].begin(), to[r].end(), random);
    }
}

caucus_node_map random_nodes(Random &random, int32_t ranks) {
    caucus_node_map map;
    std::vector<int32_t> node(static_cast<size_t>(ranks));
    int64_t nodes = draw(random, 1, std::max(1, ranks / 2));
    for (int32_t &one : node)
        one = static_cast<int32_t>(draw(random, 0, nodes - 1));
    EXPECT_EQ(caucus_node_map_init(&map, ranks, node.data()), CAUCUS_OK);
    return map;
}

void judge(RedistributeCase &asked, Random &random, int32_t ranks, const std::string &what) {
    const int64_t elements[] = {1, 3, 8, 24, 4096};
    ASSERT_TRUE(asked.plan()) << what << ": index " << asked.missing.index << " of rank "
                              << asked.missing.rank;
    caucus_node_map nodes = random_nodes(random, ranks);
    asked.schedule(elements[draw(random, 0, 4)], draw(random, 0, 3) ? &nodes : nullptr);
    EXPECT_EQ(asked.judge(random()), "") << what;
    caucus_node_map_free(&nodes);
}

TEST(Redistribute, PartitionsOfOneGroup) {
    for (int seed = 0; seed < cases(40); seed++) {
        Random random(static_cast<uint64_t>(seed));
        auto ranks = static_cast<int32_t>(draw(random, 1, 9));
        std::vector<Ranges> has(static_cast<size_t>(ranks)), wants(static_cast<size_t>(ranks));
        int64_t low = draw(random, -50, 50), length = draw(random, 0, 300);
        deal(random, low, length, draw(random, 1, 40), 0, ranks, has);
        deal(random, low, length, draw(random, 1, 40), 0, ranks, wants);
        RedistributeCase asked(0, has, wants);
        judge(asked, random, ranks, "seed " + std::to_string(seed));
    }
}

TEST(Redistribute, BetweenTwoGroupsBothWays) {
    for (int seed = 0; seed < cases(40); seed++) {
        Random random(static_cast<uint64_t>(seed) + 1000);
        auto first = static_cast<int32_t>(draw(random, 1, 5));
        auto ranks = static_cast<int32_t>(first + draw(random, 1, 5));
        std::vector<Ranges> has(static_cast<size_t>(ranks)), wants(static_cast<size_t>(ranks));
        int64_t low = draw(random, -50, 50), length = draw(random, 1, 300);
        deal(random, low, length, draw(random, 1, 40), 0, first, has);
        pick(random, low, length, first, ranks, false, wants);
        if (draw(random, 0, 1)) { // the same indices mean something else on the way back
            deal(random, low + 7, length, draw(random, 1, 40), first, ranks, has);
            deal(random, low + 7, length, draw(random, 1, 40), 0, first, wants);
        }
        RedistributeCase asked(first, has, wants);
        judge(asked, random, ranks, "seed " + std::to_string(seed));
    }
}

TEST(Redistribute, WhatSeveralHaveComesFromOneOfThem) {
    for (int seed = 0; seed < cases(40); seed++) {
        Random random(static_cast<uint64_t>(seed) + 2000);
        auto ranks = static_cast<int32_t>(draw(random, 1, 9));
        std::vector<Ranges> has(static_cast<size_t>(ranks)), wants(static_cast<size_t>(ranks));
        int64_t length = draw(random, 1, 200);
        pick(random, 0, length, 0, ranks, false, has);
        for (Ranges &one : has) // nobody has an index twice
            std::sort(one.begin(), one.end(),
                      [](const auto &a, const auto &b) { return a.first > b.first; });
        has[static_cast<size_t>(draw(random, 0, ranks - 1))] = {{0, length}};
        pick(random, 0, length, 0, ranks, false, wants);
        RedistributeCase asked(0, has, wants);
        judge(asked, random, ranks, "seed " + std::to_string(seed));
    }
}

TEST(Redistribute, LongStreamsThroughNodeMemory) {
    for (int seed = 0; seed < cases(2); seed++) {
        Random random(static_cast<uint64_t>(seed) + 3000);
        int32_t ranks = 4;
        std::vector<Ranges> has(4), wants(4);
        deal(random, 0, 120, 9, 0, ranks, has);
        deal(random, 0, 120, 9, 0, ranks, wants);
        RedistributeCase asked(0, has, wants);
        ASSERT_TRUE(asked.plan());
        caucus_node_map nodes;
        ASSERT_EQ(caucus_node_map_blocks(&nodes, ranks, ranks), CAUCUS_OK);
        asked.schedule(30000, &nodes);
        int64_t most = 0;
        for (const auto &relay : asked.relay)
            most = std::max(most, relay.own);
        EXPECT_GT(most, 4 * asked.relay[0].chunk);
        EXPECT_EQ(asked.judge(random()), "") << seed;
        caucus_node_map_free(&nodes);
    }
}

// One rank has a long piece for each of the others, one of whom shares no memory with it.
TEST(Redistribute, LongPiecesForSeveralGoByMessage) {
    Random random(6000);
    caucus_node_map nodes;
    const int32_t node[] = {0, 0, 0, 1};
    ASSERT_EQ(caucus_node_map_init(&nodes, 4, node), CAUCUS_OK);
    RedistributeCase asked(0, {{{0, 80}}, {{80, 4}}, {}, {}},
                           {{{82, 2}}, {{0, 30}}, {{30, 30}, {80, 2}}, {{60, 20}}});
    ASSERT_TRUE(asked.plan());
    asked.schedule(60000, &nodes);
    EXPECT_TRUE(asked.relay[0].target[0].by_message);
    EXPECT_TRUE(asked.relay[2].source[1].by_message || asked.relay[2].source[0].by_message);
    EXPECT_FALSE(asked.relay[1].target[0].by_message);
    EXPECT_EQ(asked.relay[0].own, 0);
    EXPECT_EQ(asked.judge(random()), "");
    caucus_node_map_free(&nodes);
}

// Where messages are one copy, a long piece goes by message to a single other rank, a short one
// not.
TEST(Redistribute, LongPiecesAreOneCopy) {
    Random random(6001);
    caucus_node_map nodes;
    ASSERT_EQ(caucus_node_map_blocks(&nodes, 3, 3), CAUCUS_OK);
    RedistributeCase asked(0, {{{0, 70}}, {{70, 10}}, {}}, {{}, {{0, 66}}, {{66, 14}}});
    ASSERT_TRUE(asked.plan());
    asked.schedule(1000, &nodes, true);
    EXPECT_TRUE(asked.relay[0].target[0].by_message);
    EXPECT_FALSE(asked.relay[0].target[1].by_message);
    EXPECT_FALSE(asked.relay[1].target[0].by_message);
    EXPECT_EQ(asked.judge(random()), "");
    caucus_node_map_free(&nodes);
}

int64_t messages_to(const caucus_schedule &schedule, int32_t peer, int64_t &longest) {
    int64_t found = 0;
    longest = 0;
    for (int64_t i = 0; i < schedule.count; i++) {
        const caucus_operation &o = schedule.operations[i];
        if (o.kind == CAUCUS_OPERATION_SEND && o.peer == peer) {
            found++;
            longest = std::max(longest, o.length);
        }
    }
    return found;
}

// Short ones, some of a few pieces, and such that pieces become longer; none within a node.
TEST(Redistribute, LongMessagesToOtherNodesGoInPieces) {
    caucus_node_map nodes;
    const int32_t node[] = {0, 0, 1, 2};
    const int64_t element = 1000;
    ASSERT_EQ(caucus_node_map_init(&nodes, 4, node), CAUCUS_OK);
    const std::vector<Ranges> has = {{{0, 3000}}, {{3000, 10}}, {}, {}};
    const std::vector<Ranges> wants = {
        {}, {{0, 1200}}, {{1300, 61}, {1200, 100}, {3000, 10}}, {{1361, 1600}}};
    RedistributeCase asked(0, has, wants), unknown(0, has, wants);
    ASSERT_TRUE(asked.plan());
    asked.schedule(element, &nodes);
    int64_t longest;
    EXPECT_EQ(messages_to(asked.schedules[0], 1, longest), 0); // through node memory
    EXPECT_EQ(messages_to(asked.schedules[0], 2, longest), 3);
    EXPECT_LE(longest, CAUCUS_MESSAGE_PIECE);
    EXPECT_EQ(messages_to(asked.schedules[1], 2, longest), 1);
    EXPECT_EQ(messages_to(asked.schedules[0], 3, longest), CAUCUS_MESSAGE_PIECES);
    EXPECT_EQ(longest, 1600 * element / CAUCUS_MESSAGE_PIECES);
    EXPECT_EQ(asked.judge(7), "");
    ASSERT_TRUE(unknown.plan());
    unknown.schedule(element, nullptr); // nobody knows who shares a node
    EXPECT_EQ(messages_to(unknown.schedules[0], 2, longest), 1);
    EXPECT_EQ(unknown.judge(8), "");
    caucus_node_map_free(&nodes);
}

// Each place of what is wanted twice gets its index, from the one that a message brings.
TEST(Redistribute, BothPlacesOfWhatIsWantedTwice) {
    for (int seed = 0; seed < cases(40); seed++) {
        Random random(static_cast<uint64_t>(seed) + 4000);
        auto ranks = static_cast<int32_t>(draw(random, 1, 6));
        std::vector<Ranges> has(static_cast<size_t>(ranks)), wants(static_cast<size_t>(ranks));
        int64_t length = draw(random, 1, 100);
        deal(random, 0, length, 20, 0, ranks, has);
        pick(random, 0, length, 0, ranks, true, wants);
        RedistributeCase asked(0, has, wants);
        ASSERT_TRUE(asked.plan());
        for (int32_t r = 0; r < ranks; r++) {
            std::vector<int64_t> index;
            for (const auto &range : wants[r])
                for (int64_t i = 0; i < range.count; i++)
                    index.push_back(range.first + i);
            std::vector<int64_t> got(index.size(), -1);
            const caucus_index_side &side = asked.rank[r].receive;
            std::vector<int64_t> positions;
            for (int64_t i = 0; i < side.parts; i++)
                for (int64_t k = 0; k < side.part[i].count; k++)
                    positions.push_back(side.part[i].position + k);
            int64_t once = side.begin[side.peers];
            ASSERT_EQ(static_cast<int64_t>(positions.size()), once + 2 * side.repeated);
            for (int64_t i = 0; i < once; i++)
                got[positions[i]] = index[positions[i]];
            for (int64_t i = once; i < once + side.repeated; i++)
                got[positions[i + side.repeated]] = got[positions[i]];
            EXPECT_EQ(got, index) << seed;
        }
    }
}

TEST(Redistribute, TheLowestRankThatLacksAnIndexIsNamed) {
    for (int seed = 0; seed < cases(100); seed++) {
        Random random(static_cast<uint64_t>(seed) + 5000);
        auto ranks = static_cast<int32_t>(draw(random, 1, 6));
        int64_t length = draw(random, 4, 60);
        std::vector<Ranges> has(static_cast<size_t>(ranks)), wants(static_cast<size_t>(ranks));
        pick(random, 0, length, 0, ranks, false, has);
        pick(random, 0, length, 0, ranks, false, wants);
        RedistributeCase asked(0, has, wants);
        bool complete = asked.plan();
        int32_t rank = -1;
        int64_t index = INT64_MAX;
        for (int32_t r = 0; r < ranks && rank < 0; r++)
            for (const auto &range : wants[r])
                for (int64_t i = range.first; i < range.first + range.count; i++)
                    if (asked.source_of(r, i).first < 0) {
                        rank = r;
                        index = std::min(index, i);
                    }
        EXPECT_EQ(complete, rank < 0) << seed;
        if (rank >= 0) {
            EXPECT_EQ(asked.missing.rank, rank) << seed;
            EXPECT_EQ(asked.missing.index, index) << seed;
        }
    }
}

// Block-cyclic on p to blocks on q ranks: nobody keeps the books of more than his part.
TEST(Redistribute, NoRankHoldsItAll) {
    const int32_t ranks = 64;
    std::vector<Ranges> has(ranks), wants(ranks);
    for (int64_t block = 0; block < 64 * ranks; block++)
        has[block % ranks].push_back({4 * block, 4});
    for (int32_t r = 0; r < ranks; r++)
        wants[r].push_back({INT64_C(256) * r, 256});
    RedistributeCase asked(0, has, wants);
    ASSERT_TRUE(asked.plan());
    EXPECT_EQ(asked.most_records, 64 + 1);
    asked.schedule(8, nullptr);
    EXPECT_EQ(asked.judge(1), "");
}

// Nor where the range is wide: an index far away, or numbers of ranks in the upper bits.
TEST(Redistribute, NoRankHoldsItAllOfAWideRange) {
    const int32_t ranks = 64;
    for (bool tagged : {false, true}) {
        std::vector<Ranges> has(ranks), wants(ranks);
        auto index = [=](int64_t block) {
            return tagged ? (block % ranks << 48) + 4 * (block / ranks) : 4 * block;
        };
        for (int64_t block = 0; block < 64 * ranks; block++) {
            has[block % ranks].push_back({index(block), 4});
            wants[(block + 1) % ranks].push_back({index(block), 4});
        }
        has[3].push_back({INT64_C(1) << 60, 1});
        wants[5].push_back({INT64_C(1) << 60, 1});
        RedistributeCase asked(0, has, wants);
        ASSERT_TRUE(asked.plan());
        EXPECT_LT(asked.most_records, 6 * 2 * 64) << tagged; // all: 2 * 64 * 64
        asked.schedule(8, nullptr);
        EXPECT_EQ(asked.judge(1), "");
    }
}

TEST(Redistribute, IndicesFarApart) {
    RedistributeCase asked(0, {{{INT64_MIN, 2}}, {{INT64_MAX - 3, 3}}, {{0, 1}}},
                           {{{INT64_MAX - 2, 2}, {0, 1}}, {{INT64_MIN + 1, 1}}, {}});
    ASSERT_TRUE(asked.plan());
    asked.schedule(8, nullptr);
    EXPECT_EQ(asked.judge(2), "");
}

// In one list: what is 2^63 and more above the range before it is no repeat of that.
TEST(Redistribute, IndicesFarApartOnOneRank) {
    constexpr int64_t half = INT64_C(1) << 62;
    RedistributeCase asked(
        0, {{{INT64_MIN, 2}, {INT64_MAX - 3, 3}}, {{half + 10, 1}, {-half - 10, 2}}},
        {{{half + 10, 1}, {INT64_MIN, 1}, {-half - 9, 1}}, {{INT64_MAX - 1, 1}, {INT64_MIN, 2}}});
    ASSERT_TRUE(asked.plan());
    asked.schedule(8, nullptr);
    EXPECT_EQ(asked.judge(3), "");
}

void refuses(const Ranges &ranges, int status, const std::string &words) {
    caucus_index_list list;
    EXPECT_EQ(caucus_index_list_create(&list, "have", static_cast<int64_t>(ranges.size()),
                                       ranges.data(), nullptr),
              status);
    EXPECT_NE(std::string(caucus_error_text()).find(words), std::string::npos)
        << caucus_error_text();
}

TEST(Redistribute, BadListsAreNamed) {
    refuses({{0, 4}, {10, -2}}, CAUCUS_BAD_COUNT, "have[1].count is -2");
    refuses({{INT64_MAX, 1}}, CAUCUS_BAD_ARGUMENT,
            "have[0] are 1 indices from 9223372036854775807 on: beyond 2^63 - 2");
    refuses({{0, INT64_MAX}, {INT64_MIN, INT64_MAX}}, CAUCUS_BAD_COUNT, "more than 2^63");
    refuses({{5, 4}, {0, 6}}, CAUCUS_BAD_ARGUMENT, "have has index 5 twice");
    caucus_index_list list;
    EXPECT_EQ(caucus_index_list_create(&list, "want", -1, nullptr, nullptr), CAUCUS_BAD_COUNT);
    EXPECT_EQ(caucus_index_list_create(&list, "want", 2, nullptr, nullptr), CAUCUS_BAD_ARGUMENT);
    EXPECT_EQ(caucus_index_list_create(&list, "want", 0, nullptr, nullptr), CAUCUS_OK);
    caucus_index_list_free(&list);
    caucus_index_repeats repeats = {7, nullptr};
    EXPECT_EQ(caucus_index_list_create(&list, "want", -1, nullptr, &repeats), CAUCUS_BAD_COUNT);
    EXPECT_EQ(repeats.count, 0);
}

} // namespace
