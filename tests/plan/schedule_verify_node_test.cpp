// SPDX-License-Identifier: BSD-3-Clause
// Memory that ranks share: flags, what they make visible, and races.
#include "written_schedule.hpp"

#include <gtest/gtest.h>

using test::in;
using test::node;
using test::out;
using test::scratch;
using test::Written;

#define EXPECT_SAYS(text, part)                                                                    \
    EXPECT_NE((text).find(part), std::string::npos) << "it says: " << (text)

namespace {

// Rank 0 passes its in to rank 1 through node memory.
class Passed : public Written {
  public:
    explicit Passed(int32_t ranks = 2) : Written(ranks) {
        expected[1] = {{0, 8, 0, 0, 0}};
        rank[0].copy(in(), node(), 8).step();
    }
};

TEST(ScheduleVerifyNode, ASignalMakesVisibleWhatCameBefore) {
    Passed plan;
    plan[0].signal(0);
    plan[1].await(0).step().copy(node(), out(), 8);
    EXPECT_EQ(plan.verify(), "");
}

TEST(ScheduleVerifyNode, ALineCarriesAPayload) {
    Written plan(2);
    plan.expected[1] = {{0, 8, 0, 0, 0}};
    plan[0].copy(in(), caucus_line_payload(0), 8).step().signal(0);
    plan[1].await(0).step().copy(caucus_line_payload(0), out(), 8);
    EXPECT_EQ(plan.verify(), "");
}

TEST(ScheduleVerifyNode, FindsAMissingAwait) {
    Passed plan;
    plan[0].signal(0);
    plan[1].copy(node(), out(), 8);
    EXPECT_SAYS(plan.verify(), "it races at byte 0 with local rank 0, which writes it in step 0");
    Passed early; // the wait and the read are in one step
    early[0].signal(0);
    early[1].await(0).copy(node(), out(), 8);
    EXPECT_NE(early.verify(), "");
}

TEST(ScheduleVerifyNode, FindsASignalInTheStepOfTheWrite) {
    Written plan(2);
    plan[0].copy(in(), node(), 8).signal(0);
    plan[1].await(0).step().copy(node(), out(), 8);
    EXPECT_SAYS(plan.verify(), "it races at byte 0 with local rank 0");
}

TEST(ScheduleVerifyNode, FindsAReadBeforeAnyWrite) {
    Written plan(2);
    plan[0].copy(in(), node(), 8);
    plan[1].copy(node(8), out(), 8);
    EXPECT_SAYS(plan.verify(), "byte 8 of node memory is read and has not been written");
}

// Rank 1 goes on long after rank 0 has raised its flag to 2, but need not have.
TEST(ScheduleVerifyNode, AnEarlierSignalDoesNotCoverWhatCameLater) {
    for (int64_t awaited : {1, 2}) {
        Passed plan(3);
        plan[0].signal(0, 1).step().copy(in(), node(8), 8).step().signal(0, 2);
        plan[1].await(0, 1, awaited).receive(2, scratch(), 1).step().copy(node(8), out(), 8);
        for (int idle = 0; idle < 8; idle++)
            plan[2].copy(in(), scratch(), 8).step();
        plan[2].send(1, scratch(), 1);
        if (awaited == 2)
            EXPECT_EQ(plan.verify(), "");
        else
            EXPECT_SAYS(plan.verify(), "it races at byte 8 with local rank 0, which writes it in "
                                       "step 2");
    }
}

TEST(ScheduleVerifyNode, WhatIsKnownIsPassedOn) {
    Passed plan(3); // rank 1 hears of rank 0 from rank 2
    plan[0].signal(0);
    plan[2].await(0).step().signal(2);
    plan[1].await(2).step().copy(node(), out(), 8);
    EXPECT_EQ(plan.verify(), "");
}

TEST(ScheduleVerifyNode, FindsWritesThatRace) {
    Passed plan;
    plan[1].copy(in(), node(4), 8);
    EXPECT_SAYS(plan.verify(), "it races at byte 4 with local rank 0, which writes it");
}

TEST(ScheduleVerifyNode, FindsAWriteThatARaceOfReadersMayMiss) {
    Passed plan(3);
    plan.expected[2] = plan.expected[1];
    plan[0].signal(0);
    for (int rank : {1, 2})
        plan[rank].await(0).step().copy(node(), out(), 8).step();
    plan[1].signal(1);
    plan[2].signal(2);
    plan[0].step().await(1).step().copy(in(), node(), 8); // does not wait for rank 2
    EXPECT_SAYS(plan.verify(), "it races at byte 0 with local rank ");
}

TEST(ScheduleVerifyNode, PartsOfARangeAreReadAndWrittenByThemselves) {
    Passed plan(3);
    plan.expected[1] = {{0, 4, 0, 0, 0}};
    plan.expected[2] = {{0, 4, 4, 0, 0}};
    plan[0].signal(0);
    plan[1].await(0).step().copy(node(), out(), 4).step().signal(1);
    plan[2].await(0).step().copy(node(4), out(), 4);
    plan[0].step().await(1).step().copy(in(), node(), 4);
    EXPECT_EQ(plan.verify(), "");
    Passed wide(3);
    wide[0].signal(0).step().await(1).step().copy(in(), node(), 5);
    wide[1].await(0).step().copy(node(), out(), 8).step().signal(1);
    wide[2].await(0).step().copy(node(4), out(), 4);
    EXPECT_SAYS(wide.verify(), "local rank "); // rank 2's read of byte 4
}

TEST(ScheduleVerifyNode, AMessageMakesVisibleToo) {
    Passed plan;
    plan[0].send(1, scratch(), 1);
    plan[1].receive(0, scratch(), 1).step().copy(node(), out(), 8);
    EXPECT_EQ(plan.verify(), "");
    Written backwards(2); // who has sent does not know that it was received
    backwards[0].send(1, scratch(), 1).step().copy(in(), node(), 8);
    backwards[1].copy(in(), node(), 8).receive(0, scratch(), 1);
    EXPECT_SAYS(backwards.verify(), "it races at byte 0");
}

TEST(ScheduleVerifyNode, FindsAFlagUsedAgain) {
    Written twice(1);
    twice[0].signal(0, 3).step().signal(0, 3);
    EXPECT_SAYS(twice.verify(), "the flag is 3 already: it must grow");
    Written both(2);
    both[0].signal(0, 1);
    both[1].signal(0, 2);
    EXPECT_SAYS(both.verify(), "the line belongs to local rank 0");
    Written step(1);
    step[0].signal(0, 1).signal(0, 2);
    EXPECT_SAYS(step.verify(), "of the same step touches byte 0 of the lines too");
    Written large(1);
    large[0].signal(0, CAUCUS_FLAG_LIMIT);
    EXPECT_SAYS(large.verify(), "values of a flag are 1 to 1048575");
    Written beyond(2);
    beyond[0].await(1, 2);
    EXPECT_SAYS(beyond.verify(), "there are 2 lines");
}

TEST(ScheduleVerifyNode, FindsAwaitsThatNobodyEnds) {
    Written never(2);
    never[0].await(1);
    EXPECT_SAYS(never.verify(), "rank 0 (operation 0) awaits line 1, which nobody will raise");
    Written cycle(2);
    for (int rank : {0, 1})
        cycle[rank].await(1 - rank).step().signal(rank);
    EXPECT_SAYS(cycle.verify(), "in a cycle: rank 0 (operation 0) awaits line 1, which is raised "
                                "by rank 1; rank 1 (operation 0) awaits line 0");
}

TEST(ScheduleVerifyNode, ProvesThatASynchronisingScheduleIsOne) {
    Written all(5);
    for (int32_t rank = 0; rank < 5; rank++) {
        all[rank].signal(rank).step().await(0, 5);
        all[rank].builder.schedule.synchronising = true;
    }
    EXPECT_EQ(all.verify(), "");
    Written plan(3);
    for (int32_t rank = 0; rank < 3; rank++) {
        plan[rank].signal(rank).step().await(0, 2);
        plan[rank].builder.schedule.synchronising = true;
    }
    EXPECT_SAYS(plan.verify(), "claims to be synchronising, but completes without a sign that "
                               "local rank 2");
}

TEST(ScheduleVerifyNode, FindsNodeMemoryOfDifferentSizes) {
    Written plan(2);
    caucus_reserve_lines(&plan[1].builder, 1);
    EXPECT_SAYS(plan.verify(), "rank 1 has 3 lines and 64 bytes of node memory");
}

} // namespace
