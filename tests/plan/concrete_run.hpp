// SPDX-License-Identifier: BSD-3-Clause
// Schedules carried out on real bytes, in an order of events drawn at random: several runs in a row
// on the same memory, ranks as far apart as messages, flags and the executor's rules allow. Shares
// nothing with the symbolic proof, so that each can judge the other.
#pragma once

extern "C" {
#include "study/verify/verify.h"
}

#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <vector>

namespace test {

class ConcreteRun {
  public:
    // Elements of reductions have 8 bytes: sums, or, where ordered, affine maps one after another.
    ConcreteRun(const caucus_specification &specification, const caucus_schedule *schedules,
                uint64_t seed);
    // "" if all runs of all ranks came to the right end, else what was wrong first.
    std::string run(int runs);

  private:
    struct Rank {
        caucus_rank_buffers buffers{};
        std::vector<uint8_t> user, before, scratch; // before: of out, when the run began
        int64_t in_at = 0, out_at = 0;              // in user
        int64_t in_start = 0;                       // in the input of all ranks
        int64_t begin = 0, end = 0;                 // operations of the present step
        std::vector<bool> finished;                 // of the present step
        int run = -1, done = 0;
        int node = 0;
        bool touches_node = false;
    };
    struct Node {
        std::vector<uint8_t> memory[2], lines[2];
        std::vector<int64_t> flags[2];
        std::vector<int32_t> ranks;
    };
    using Message = std::vector<uint8_t>;

    bool progress(int32_t rank);
    bool begin_run(int32_t rank);
    void begin_step(int32_t rank, int64_t begin);
    void end_run(int32_t rank);
    bool carry_out(int32_t rank, int64_t i);
    bool send(int32_t rank, int64_t i);
    bool receive(int32_t rank, int64_t i);
    bool await(int32_t rank, int64_t i);
    void signal(int32_t rank, int64_t i);
    void reduce(int32_t rank, int64_t i);
    int64_t meeting(int32_t rank, int kind, int32_t peer) const;
    bool is_next(int32_t rank, int64_t i) const;
    uint8_t *place(int32_t rank, int buffer, int64_t offset, int64_t length);
    void combine(const uint8_t *lower, uint8_t *upper) const;
    void fill_input(int run);
    void check_range(int32_t rank, const caucus_expected &expected);
    void check_barrier(int32_t rank);
    void fail(int32_t rank, const std::string &what);
    int32_t choose();

    const caucus_specification &specification;
    const caucus_schedule *schedules;
    std::mt19937_64 random;
    int runs = 0;
    bool eager, by_priority;
    std::vector<Rank> rank;
    std::vector<Node> node;
    std::vector<std::vector<uint8_t>> input; // [run]: of all ranks, one after the other
    std::vector<int32_t> priority;
    std::vector<std::deque<Message>> queue; // [from * ranks + to]
    std::string failure;
};

} // namespace test
