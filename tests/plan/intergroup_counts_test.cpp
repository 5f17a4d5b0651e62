// SPDX-License-Identifier: BSD-3-Clause
// The exchange of lengths before an allgatherv or a reduce_scatter, proved for all sizes.
#include "full_run.hpp"
extern "C" {
#include "plan/intergroup/counts.h"
#include "study/verify/verify.h"
}

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace {

constexpr int64_t ENTRY = 8;

struct Exchange {
    caucus_collective collective;
    int32_t first, second;
    bool one_each; // an entry comes from the rank that its number says, else all from one
    std::vector<caucus_expected> expected;

    bool gathers() const {
        return collective == CAUCUS_ALLGATHERV;
    }
    int32_t own(int32_t rank) const {
        return rank < first ? first : second;
    }
    int32_t other(int32_t rank) const {
        return rank < first ? second : first;
    }
};

void buffers_of(void *context, int32_t rank, caucus_rank_buffers *buffers) {
    const auto &exchange = *static_cast<Exchange *>(context);
    int64_t own = ENTRY * exchange.own(rank), other = ENTRY * exchange.other(rank);
    *buffers = caucus_rank_buffers{};
    buffers->in_bytes = exchange.gathers() ? other : own;
    buffers->out_bytes = exchange.gathers() ? own : other;
}

// All ranks of a group have the same in, but the proof has to know whose it is.
int expected_of(void *context, int32_t rank, const caucus_expected **expected, int64_t *count) {
    auto &exchange = *static_cast<Exchange *>(context);
    bool is_first = rank < exchange.first;
    int32_t index = is_first ? rank : rank - exchange.first, others = exchange.other(rank);
    int32_t entries = exchange.gathers() ? exchange.own(rank) : others;
    exchange.expected.clear();
    for (int32_t i = 0; i < entries; i++) {
        int32_t from = (is_first ? exchange.first : 0) + (exchange.one_each ? i : index) % others;
        exchange.expected.push_back({i * ENTRY, ENTRY, i * ENTRY, from, from});
    }
    *expected = exchange.expected.data();
    *count = entries;
    return CAUCUS_OK;
}

// Returns the steps of the rank that has most.
int64_t prove(Exchange &exchange) {
    int32_t ranks = exchange.first + exchange.second;
    std::vector<caucus_schedule> schedules(static_cast<size_t>(ranks));
    caucus_specification specification{};
    caucus_verdict verdict{};
    specification.ranks = ranks;
    specification.element = 1;
    specification.buffers = buffers_of;
    specification.expected = expected_of;
    specification.context = &exchange;
    for (int32_t rank = 0; rank < ranks; rank++)
        test::require(caucus_intergroup_counts_build(exchange.collective, exchange.first, ranks,
                                                     rank, &schedules[rank]));
    EXPECT_EQ(caucus_schedule_verify(&specification, schedules.data(), &verdict), CAUCUS_OK)
        << caucus_collective_name(exchange.collective) << " of " << exchange.first << " and "
        << exchange.second << ": " << caucus_error_text();
    for (auto &schedule : schedules)
        caucus_schedule_free(&schedule);
    return verdict.steps;
}

TEST(IntergroupCounts, AllSizes) {
    constexpr int32_t most = 24;
    for (caucus_collective collective : {CAUCUS_ALLGATHERV, CAUCUS_REDUCE_SCATTER})
        for (int32_t first = 1; first <= most; first++)
            for (int32_t second = 1; second <= most; second++) {
                Exchange exchange{collective, first, second, false, {}};
                EXPECT_EQ(prove(exchange), 1);
            }
}

TEST(IntergroupCounts, ManyRanksAreToldByFew) {
    for (auto [first, second] : {std::pair{300, 2}, {1, 91}, {95, 1}, {2, 129}, {3, 170}}) {
        Exchange exchange{CAUCUS_ALLGATHERV, first, second, true, {}};
        EXPECT_LE(prove(exchange), 2 * 10);
    }
}

TEST(IntergroupCounts, OfOtherCollectivesThereAreNone) {
    caucus_schedule schedule{};
    EXPECT_EQ(caucus_intergroup_counts_build(CAUCUS_ALLGATHER, 1, 2, 0, &schedule),
              CAUCUS_BAD_ARGUMENT);
}

} // namespace
