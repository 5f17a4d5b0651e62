// SPDX-License-Identifier: BSD-3-Clause
// What is called direct: there is one of every collective, nothing stays within a group, and it is
// the same whichever group is taken for the first one.
#include "collective_case.hpp"
#include "full_run.hpp"
extern "C" {
#include "plan/intergroup/intergroup.h"
}

#include <gtest/gtest.h>

#include <cstring>

namespace {

constexpr int COLLECTIVES = CAUCUS_SCAN; // those that there are between groups

// The same rank's view where its own group is the first one.
caucus_task own_group_first(const caucus_task &task) {
    caucus_task view = task;
    int32_t first = task.first_group, second = task.ranks - first;
    auto turned = [=](int32_t rank) { return rank < first ? second + rank : rank - first; };
    if (task.rank >= first) {
        view.first_group = second;
        view.rank = turned(task.rank);
        view.root = task.root < 0 ? task.root : turned(task.root);
    }
    return view;
}

caucus_schedule build(const caucus_algorithm *algorithm, const caucus_task &task) {
    caucus_schedule schedule{};
    test::require(caucus_algorithm_build(algorithm, &task, &schedule));
    return schedule;
}

bool same_operation(const caucus_operation &a, const caucus_operation &b) {
    return a.kind == b.kind && a.source == b.source && a.target == b.target &&
           a.ends_step == b.ends_step && a.source_offset == b.source_offset &&
           a.target_offset == b.target_offset && a.length == b.length;
}

// Peers are of the other group, and the same rank of it in both views.
void compare(const caucus_task &task, const caucus_schedule &schedule, const caucus_task &turned,
             const caucus_schedule &other) {
    ASSERT_EQ(schedule.count, other.count);
    EXPECT_EQ(schedule.scratch_bytes, other.scratch_bytes);
    EXPECT_EQ(schedule.lines, 0);
    EXPECT_EQ(schedule.node_bytes, 0);
    int32_t first_remote = task.rank < task.first_group ? task.first_group : 0;
    for (int64_t i = 0; i < schedule.count; i++) {
        const caucus_operation &one = schedule.operations[i], &two = other.operations[i];
        EXPECT_TRUE(same_operation(one, two)) << "operation " << i;
        if (one.kind > CAUCUS_OPERATION_RECEIVE)
            continue;
        EXPECT_NE(one.peer < task.first_group, task.rank < task.first_group);
        EXPECT_EQ(one.peer - first_remote, two.peer - turned.first_group);
    }
}

TEST(IntergroupDirect, OfEveryCollectiveThereIsOne) {
    for (int index = 0; index < COLLECTIVES; index++) {
        const caucus_algorithm *direct =
            caucus_intergroup_direct(static_cast<caucus_collective>(index));
        ASSERT_NE(direct, nullptr) << caucus_collective_name(index);
        EXPECT_EQ(direct->collective, index);
        EXPECT_STREQ(direct->name, "direct");
        EXPECT_EQ(direct->needs, 0U) << caucus_collective_name(index);
    }
}

TEST(IntergroupDirect, NothingStaysWithinAGroupWhicheverIsTheFirst) {
    const int32_t most = test::full_run() ? 24 : 7;
    uint64_t seed = 1;
    for (int index = 0; index < COLLECTIVES; index++) {
        const caucus_algorithm *direct =
            caucus_intergroup_direct(static_cast<caucus_collective>(index));
        for (int32_t first = 1; first <= most; first++)
            for (int32_t second = 1; second <= most; second++, seed++) {
                caucus_problem_shape shape =
                    test::draw_intergroup_shape(direct, first + second, first, nullptr, seed);
                caucus_problem problem{};
                test::require(caucus_problem_init(&problem, &shape));
                for (int32_t rank = 0; rank < shape.ranks; rank++) {
                    caucus_task task;
                    test::require(caucus_problem_task(&problem, rank, &task));
                    caucus_task turned = own_group_first(task);
                    caucus_schedule one = build(direct, task), two = build(direct, turned);
                    SCOPED_TRACE(test::describe(direct, shape, test::Nodes::none, 0) + ", rank " +
                                 std::to_string(rank));
                    compare(task, one, turned, two);
                    caucus_schedule_free(&one);
                    caucus_schedule_free(&two);
                }
                caucus_problem_free(&problem);
            }
    }
}

} // namespace
