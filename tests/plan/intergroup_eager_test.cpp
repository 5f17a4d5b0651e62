// SPDX-License-Identifier: BSD-3-Clause
// Short blocks that cross along with the counts, and what is done with them then, proved for all
// sizes of both groups.
#include "full_run.hpp"
#include "intergroup_case.hpp"
extern "C" {
#include "plan/intergroup/counts.h"
#include "plan/intergroup/eager.h"
#include "study/verify/verify.h"
}

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace {

constexpr int32_t MOST = 24;
constexpr int64_t ENTRY = 8;

// A block for each rank of both groups.
struct Blocks {
    int32_t first, second;
    std::vector<int64_t> length;

    int32_t ranks() const {
        return first + second;
    }
    int32_t begin(int32_t rank, bool other) const {
        return (rank < first) != other ? 0 : first;
    }
    int32_t size(int32_t rank, bool other) const {
        return (rank < first) != other ? first : second;
    }
    // Of what all of a group have, only what crosses at once.
    int64_t part(int32_t rank) const {
        return length[rank] <= CAUCUS_EAGER_BYTES ? length[rank] : 0;
    }
    // Whom a rank tells its block.
    int32_t reader(int32_t rank) const {
        int32_t own = size(rank, false), other = size(rank, true),
                index = rank - begin(rank, false);
        if (own >= other)
            return begin(rank, true) + index * other / own;
        int32_t at = 0;
        while (at * own / other != index)
            at++;
        return begin(rank, true) + at;
    }
    std::vector<int32_t> writers(int32_t rank) const {
        std::vector<int32_t> found;
        for (int32_t other = 0; other < ranks(); other++)
            if ((other < first) != (rank < first) && reader(other) == rank)
                found.push_back(other);
        return found;
    }
    // Who tells a rank the counts of its group.
    int32_t teller(int32_t rank) const {
        std::vector<int32_t> from = writers(rank);
        return size(rank, false) <= size(rank, true) ? from.front() : reader(rank);
    }
    int64_t row(int32_t rank) const {
        int64_t bytes = 0;
        for (int32_t writer : writers(rank))
            bytes += part(writer);
        return bytes;
    }
    caucus_task task(int32_t rank, bool known) const {
        caucus_task made{};
        made.collective = CAUCUS_ALLGATHERV;
        made.ranks = ranks();
        made.rank = rank;
        made.first_group = first;
        made.element = 1;
        made.bytes = length[rank];
        made.receive_bytes = &length[begin(rank, true)];
        made.send_bytes = known ? &length[begin(rank, false)] : nullptr;
        made.counts_known = known;
        return made;
    }
};

struct Case {
    const Blocks *blocks;
    bool shares; // what came, else the exchange
    std::vector<caucus_expected> expected;
};

void buffers_of(void *context, int32_t rank, caucus_rank_buffers *buffers) {
    const auto &proved = *static_cast<Case *>(context);
    const Blocks &blocks = *proved.blocks;
    *buffers = caucus_rank_buffers{};
    if (proved.shares) {
        int32_t begin = blocks.begin(rank, true);
        buffers->in_bytes = blocks.row(rank);
        for (int32_t i = 0; i < blocks.size(rank, true); i++)
            buffers->out_bytes += blocks.length[begin + i];
    } else {
        buffers->in_bytes = ENTRY * blocks.size(rank, true) + blocks.part(rank);
        buffers->out_bytes = ENTRY * blocks.size(rank, false) + blocks.row(rank);
    }
}

int expected_of(void *context, int32_t rank, const caucus_expected **expected, int64_t *count) {
    auto &proved = *static_cast<Case *>(context);
    const Blocks &blocks = *proved.blocks;
    int64_t at = 0;
    proved.expected.clear();
    if (proved.shares) {
        std::vector<int64_t> sent(blocks.ranks());
        for (int32_t i = 0; i < blocks.size(rank, true); i++) {
            int32_t block = blocks.begin(rank, true) + i, from = blocks.reader(block);
            int64_t length = blocks.length[block];
            proved.expected.push_back({at, length, sent[from], from, from});
            sent[from] += length;
            at += length;
        }
    } else {
        int64_t counts = ENTRY * blocks.size(rank, false);
        proved.expected.push_back({0, counts, 0, blocks.teller(rank), blocks.teller(rank)});
        at = counts;
        for (int32_t writer : blocks.writers(rank)) {
            proved.expected.push_back({at, blocks.part(writer), counts, writer, writer});
            at += blocks.part(writer);
        }
    }
    *expected = proved.expected.data();
    *count = static_cast<int64_t>(proved.expected.size());
    return CAUCUS_OK;
}

caucus_verdict prove(const Blocks &blocks, bool shares, const caucus_node_map *nodes,
                     int64_t node_limit) {
    std::vector<caucus_schedule> schedules(static_cast<size_t>(blocks.ranks()));
    Case proved{&blocks, shares, {}};
    caucus_specification specification{};
    caucus_verdict verdict{};
    specification.ranks = blocks.ranks();
    specification.element = 1;
    specification.buffers = buffers_of;
    specification.expected = expected_of;
    specification.context = &proved;
    specification.nodes = nodes;
    for (int32_t rank = 0; rank < blocks.ranks(); rank++) {
        caucus_task task = blocks.task(rank, shares);
        task.nodes = nodes;
        task.node_limit = node_limit;
        EXPECT_EQ(caucus_eager_coming(&task), blocks.row(rank));
        test::require(shares ? caucus_algorithm_build(&caucus_intergroup_allgatherv_eager, &task,
                                                      &schedules[rank])
                             : caucus_eager_exchange_build(&task, &schedules[rank]));
    }
    EXPECT_EQ(caucus_schedule_verify(&specification, schedules.data(), &verdict), CAUCUS_OK)
        << blocks.first << " and " << blocks.second << ": " << caucus_error_text();
    for (auto &schedule : schedules)
        caucus_schedule_free(&schedule);
    return verdict;
}

// Some of them empty, and some longer than what crosses at once, if there may be such.
Blocks draw(int32_t first, int32_t second, bool with_long) {
    std::mt19937_64 random(static_cast<uint64_t>(first) * 100 + second);
    Blocks blocks{first, second, {}};
    for (int32_t rank = 0; rank < first + second; rank++) {
        auto any = static_cast<int64_t>(random() % 7);
        int64_t length = any == 0 ? 0 : 1 + static_cast<int64_t>(random() % 300);
        blocks.length.push_back(any == 1 && with_long ? CAUCUS_EAGER_BYTES + length : length);
    }
    return blocks;
}

TEST(IntergroupEager, TheExchangeAtAllSizes) {
    for (int32_t first = 1; first <= MOST; first++)
        for (int32_t second = 1; second <= MOST; second++) {
            caucus_verdict verdict = prove(draw(first, second, true), false, nullptr, 0);
            EXPECT_EQ(verdict.steps, 1);
            EXPECT_LE(verdict.messages, 2 * std::max(first, second));
        }
}

TEST(IntergroupEager, TheSharingAtAllSizes) {
    constexpr int64_t limit = 1 << 16;
    for (int32_t first = 1; first <= MOST; first++)
        for (int32_t second = 1; second <= MOST; second++) {
            Blocks blocks = draw(first, second, false);
            test::NodesApart apart(first, second, 1 + (first + second) % 5, second % 2 == 0);
            prove(blocks, true, nullptr, 0);
            prove(blocks, true, apart.get(), limit);
        }
}

// Nodes that have ranks of both groups: each group goes its own way, without node memory.
TEST(IntergroupEager, MixedNodes) {
    constexpr int32_t first = 6, second = 7;
    std::vector<int32_t> label(first + second);
    for (size_t rank = 0; rank < label.size(); rank++)
        label[rank] = static_cast<int32_t>(rank % 3);
    caucus_node_map map{};
    test::require(caucus_node_map_init(&map, first + second, label.data()));
    prove(draw(first, second, false), true, &map, 1 << 16);
    caucus_node_map_free(&map);
}

// What a rank knows before the exchange is not enough to say; after it all say the same.
TEST(IntergroupEager, OneLongBlockIsSeenByAll) {
    Blocks blocks = draw(5, 3, false);
    for (bool is_long : {false, true}) {
        blocks.length[6] = CAUCUS_EAGER_BYTES + (is_long ? 1 : 0);
        for (int32_t rank = 0; rank < blocks.ranks(); rank++) {
            caucus_task task = blocks.task(rank, true);
            EXPECT_EQ(caucus_eager_is_all(&task), !is_long) << rank;
        }
    }
}

TEST(IntergroupEager, NotWhereCountsGoRound) {
    for (auto [first, second] : {std::pair{2, 30}, {90, 1}, {1, 91}, {3, 300}, {500, 500}}) {
        Blocks blocks{first, second, std::vector<int64_t>(first + second, 1)};
        caucus_task task = blocks.task(0, false);
        EXPECT_EQ(caucus_eager_applies(&task), first + second < 92 || first == second)
            << first << " and " << second;
        task.collective = CAUCUS_REDUCE_SCATTER;
        EXPECT_FALSE(caucus_eager_applies(&task));
    }
}

} // namespace
