// SPDX-License-Identifier: BSD-3-Clause
// All ranks of a redistribution in one process: what they would tell one another is handed over.
#pragma once

extern "C" {
#include "plan/redistribute/directory.h"
#include "plan/redistribute/schedule.h"
#include "study/verify/verify.h"
}

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace test {

using Ranges = std::vector<caucus_index_range>;

class RedistributeCase {
  public:
    RedistributeCase(int32_t first_group, std::vector<Ranges> has, std::vector<Ranges> wants);
    ~RedistributeCase();
    RedistributeCase(const RedistributeCase &) = delete;
    RedistributeCase &operator=(const RedistributeCase &) = delete;

    // Up to the sides; false where an index is missing.
    bool plan();
    // The schedules; nodes may be NULL.
    void schedule(int64_t element, const caucus_node_map *nodes, bool one_copy = false);
    // "" if they do what they should, proved and tried out.
    std::string judge(uint64_t seed);

    // The rank, and the position in its buffer, from where another one must get an index.
    std::pair<int32_t, int64_t> source_of(int32_t target, int64_t index) const;

    caucus_index_missing missing{};
    int64_t most_records = 0; // that one rank of the directory got
    std::vector<caucus_redistribution> rank;
    std::vector<caucus_relay> relay;
    std::vector<caucus_schedule> schedules;

  private:
    using Records = std::vector<std::vector<caucus_index_record>>;
    void hand_over(caucus_index_mail &mail, Records &to) const;
    bool match(Records &told, Records &heard);
    void expect(int32_t target);
    static void buffers(void *context, int32_t rank, caucus_rank_buffers *buffers);
    static int expected(void *context, int32_t rank, const caucus_expected **expected,
                        int64_t *count);

    int32_t ranks, first_group;
    std::vector<Ranges> has, wants;
    std::vector<std::map<int64_t, int64_t>> place; // [rank]: of every index that it has
    std::vector<caucus_index_list> has_list, wants_list;
    std::vector<caucus_index_repeats> repeats;
    std::vector<caucus_expected> expectation;
    int64_t element = 1;
};

} // namespace test
