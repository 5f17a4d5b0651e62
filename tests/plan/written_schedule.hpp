// SPDX-License-Identifier: BSD-3-Clause
// Schedules written by hand, one builder for every rank, and what they are expected to do.
#pragma once

extern "C" {
#include "base/status.h"
#include "plan/schedule/builder.h"
#include "study/verify/verify.h"
}

#include <stdexcept>
#include <string>
#include <vector>

namespace test {

inline caucus_place in(int64_t offset = 0) {
    return {CAUCUS_BUFFER_IN, offset};
}
inline caucus_place out(int64_t offset = 0) {
    return {CAUCUS_BUFFER_OUT, offset};
}
inline caucus_place scratch(int64_t offset = 0) {
    return {CAUCUS_BUFFER_SCRATCH, offset};
}
inline caucus_place node(int64_t offset = 0) {
    return {CAUCUS_BUFFER_NODE, offset};
}

// One rank, in the order in which a schedule is written: r.send(...).receive(...).step().
class Rank {
  public:
    Rank(int32_t size, int32_t rank) {
        caucus_builder_init(&builder, size, rank);
    }
    Rank &send(int32_t peer, caucus_place source, int64_t length) {
        caucus_emit_send(&builder, peer, source, length);
        return *this;
    }
    Rank &receive(int32_t peer, caucus_place target, int64_t length) {
        caucus_emit_receive(&builder, peer, target, length);
        return *this;
    }
    Rank &copy(caucus_place source, caucus_place target, int64_t length) {
        caucus_emit_copy(&builder, source, target, length);
        return *this;
    }
    Rank &reduce(caucus_place source, caucus_place target, int64_t length) {
        caucus_emit_reduce(&builder, source, target, length);
        return *this;
    }
    Rank &signal(int32_t line, int64_t value = 1) {
        caucus_emit_signal(&builder, line, value);
        return *this;
    }
    Rank &await(int32_t line, int32_t lines = 1, int64_t value = 1) {
        caucus_emit_await(&builder, line, lines, value);
        return *this;
    }
    Rank &step() {
        caucus_end_step(&builder);
        return *this;
    }
    caucus_builder builder{};
};

// Ranks that all have in and out of 8 bytes, and scratch and node memory of 64, unless changed; all
// on one node.
class Written {
  public:
    explicit Written(int32_t ranks) : buffers(ranks), expected(ranks) {
        for (int32_t r = 0; r < ranks; r++) {
            rank.emplace_back(ranks, r);
            caucus_reserve_scratch(&rank[r].builder, 64);
            caucus_reserve_node(&rank[r].builder, 64);
            caucus_reserve_lines(&rank[r].builder, ranks);
            buffers[r] = {8, 8, false, 0};
        }
        specification.ranks = ranks;
        specification.element = 1;
        specification.context = this;
        specification.buffers = [](void *context, int32_t r, caucus_rank_buffers *asked) {
            *asked = static_cast<Written *>(context)->buffers[r];
        };
        specification.expected = [](void *context, int32_t r, const caucus_expected **asked,
                                    int64_t *count) {
            const auto &of = static_cast<Written *>(context)->expected[r];
            *asked = of.data();
            *count = static_cast<int64_t>(of.size());
            return static_cast<int>(CAUCUS_OK);
        };
        if (caucus_node_map_blocks(&nodes, ranks, ranks))
            throw std::runtime_error(caucus_error_text());
        specification.nodes = &nodes;
    }
    ~Written() {
        for (caucus_schedule &schedule : schedules)
            caucus_schedule_free(&schedule);
        caucus_node_map_free(&nodes);
    }
    Written(const Written &) = delete;
    Written &operator=(const Written &) = delete;

    // "" if it is right, else what is wrong with it.
    std::string verify() {
        if (schedules.empty())
            finish();
        if (caucus_schedule_verify(&specification, schedules.data(), &verdict) == CAUCUS_OK)
            return "";
        return caucus_error_text();
    }
    // For what no builder would write.
    std::vector<caucus_schedule> &finish() {
        for (Rank &one : rank) {
            caucus_schedule schedule;
            if (caucus_builder_finish(&one.builder, &schedule))
                throw std::runtime_error(caucus_error_text());
            schedules.push_back(schedule);
        }
        return schedules;
    }
    Rank &operator[](int32_t r) {
        return rank[r];
    }

    std::vector<Rank> rank;
    std::vector<caucus_rank_buffers> buffers;
    std::vector<std::vector<caucus_expected>> expected;
    caucus_specification specification{};
    caucus_node_map nodes{};
    caucus_verdict verdict{};
    std::vector<caucus_schedule> schedules;
};

} // namespace test
