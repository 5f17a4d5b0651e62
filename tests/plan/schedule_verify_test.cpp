// SPDX-License-Identifier: BSD-3-Clause
// One schedule by hand for everything that the proof finds: messages, steps, buffers, results.
#include "written_schedule.hpp"

#include <gtest/gtest.h>

using test::in;
using test::out;
using test::scratch;
using test::Written;

#define EXPECT_SAYS(text, part)                                                                    \
    EXPECT_NE((text).find(part), std::string::npos) << "it says: " << (text)

namespace {

// Both ranks get the other's in.
class Exchange : public Written {
  public:
    Exchange() : Written(2) {
        expected[0] = {{0, 8, 0, 1, 1}};
        expected[1] = {{0, 8, 0, 0, 0}};
    }
};

TEST(ScheduleVerify, AcceptsAnExchangeAndCountsIt) {
    Exchange plan;
    plan[0].send(1, in(), 3).send(1, in(3), 5).receive(1, out(), 8).step();
    plan[1].receive(0, out(0), 3).receive(0, scratch(), 5).send(0, in(), 8).step();
    plan[1].copy(scratch(), out(3), 5);
    EXPECT_EQ(plan.verify(), "");
    EXPECT_EQ(plan.verdict.operations, 7);
    EXPECT_EQ(plan.verdict.messages, 3);
    EXPECT_EQ(plan.verdict.bytes, 16);
    EXPECT_EQ(plan.verdict.steps, 2);
}

TEST(ScheduleVerify, FindsAWrongPeer) {
    Written plan(3);
    plan[0].send(2, in(), 8);
    plan[1].receive(0, out(), 8);
    EXPECT_SAYS(plan.verify(),
                "rank 1, step 0, operation 0 (receive 8 bytes into out at 0 from 0)");
    Written none(2);
    none[0].send(1, in(), 8);
    EXPECT_SAYS(none.verify(), "rank 1 has no receive that meets it");
    Written nobody(2);
    nobody[0].send(2, in(), 8);
    EXPECT_SAYS(nobody.verify(), "there is no rank 2");
}

TEST(ScheduleVerify, FindsAWrongLength) {
    Exchange plan;
    plan[0].send(1, in(), 8).receive(1, out(), 8);
    plan[1].send(0, in(), 8).receive(0, out(), 7);
    EXPECT_SAYS(plan.verify(), "rank 0 sends 8 bytes to meet it");
}

TEST(ScheduleVerify, MessagesOfAPairMeetInTheirOrder) {
    Written plan(2);
    plan.expected[1] = {{0, 8, 0, 0, 0}};
    plan[0].send(1, in(4), 4).send(1, in(0), 4);
    plan[1].receive(0, out(0), 4).receive(0, out(4), 4);
    EXPECT_SAYS(plan.verify(), "rank 1: byte 0 of out must hold byte 0 of rank 0, and holds byte 4 "
                               "of rank 0");
}

TEST(ScheduleVerify, FindsWhatNeedsSendsThatDoNotWait) {
    Exchange plan;
    for (int rank : {0, 1})
        plan[rank].send(1 - rank, in(), 8).step().receive(1 - rank, out(), 8);
    std::string text = plan.verify();
    EXPECT_SAYS(text, "deadlock if sends wait for their receives, in a cycle");
    EXPECT_SAYS(text, "rank 0 (operation 0) waits to send to rank 1; "
                      "rank 1 (operation 0) waits to send to rank 0");
}

TEST(ScheduleVerify, FindsConflictsWithinAStep) {
    Exchange plan;
    plan[0].copy(in(), scratch(), 8).send(1, scratch(7), 1).receive(1, out(), 8);
    plan[1].send(0, in(), 8).receive(0, out(), 1);
    EXPECT_SAYS(plan.verify(), "touches byte 7 of scratch too");
    Written itself(1);
    itself[0].copy(in(), scratch(), 8).step().copy(scratch(), scratch(4), 8);
    EXPECT_SAYS(itself.verify(), "it reads what it writes");
    Written many(1); // enough of them to be swept in order
    for (int i = 0; i < 16; i++)
        many[0].copy(in(i % 8), scratch(i), 1);
    many[0].copy(in(), scratch(9), 2);
    EXPECT_SAYS(many.verify(), "of the same step touches byte 9 of scratch too");
}

TEST(ScheduleVerify, FindsConflictsThroughAnAlias) {
    Exchange plan;
    for (int rank : {0, 1}) {
        plan.buffers[rank] = {8, 8, true, 0};
        plan[rank].send(1 - rank, in(), 8).receive(1 - rank, out(), 8);
    }
    EXPECT_SAYS(plan.verify(), "of the same step touches byte 0 of out too");
}

TEST(ScheduleVerify, FindsAnOperandOverwrittenInPlace) {
    Exchange plan;
    plan.buffers[1] = {8, 8, true, 0};
    plan[0].send(1, in(), 8).step().receive(1, out(), 8);
    plan[1].receive(0, out(), 8).step().send(0, in(), 8);
    EXPECT_SAYS(plan.verify(), "rank 0: byte 0 of out must hold byte 0 of rank 1, and holds byte 0 "
                               "of rank 0");
}

TEST(ScheduleVerify, KnowsWhereInLiesWithinOut) {
    Written plan(1);
    plan.buffers[0] = {4, 16, true, 8}; // in is bytes 8 to 11 of out
    plan[0].copy(out(8), out(0), 4).step().copy(in(), out(4), 4);
    plan.expected[0] = {{0, 4, 0, 0, 0}, {4, 8, 0, 0, 0}};
    EXPECT_SAYS(plan.verify(), "byte 8 of out must hold");
    plan.expected[0] = {{0, 4, 0, 0, 0}, {4, 4, 0, 0, 0}};
    EXPECT_EQ(plan.verify(), "");
    Written around(1); // out is bytes 4 to 7 of in
    around.buffers[0] = {12, 4, true, -4};
    around[0].copy(in(2), scratch(), 8).step().copy(scratch(6), out(), 2);
    around.expected[0] = {{0, 2, 8, 0, 0}};
    EXPECT_EQ(around.verify(), "");
}

TEST(ScheduleVerify, FindsWhatWasNotWrittenInThisRun) {
    Exchange plan; // as if the second run found what the first has left
    plan[0].send(1, scratch(), 8).receive(1, out(), 8).step().copy(in(), scratch(), 8);
    plan[1].send(0, in(), 8).receive(0, out(), 8);
    EXPECT_SAYS(plan.verify(), "it may hold what an earlier run has left");
    Written read(1);
    read[0].copy(out(), scratch(), 8);
    EXPECT_SAYS(read.verify(), "byte 0 of out is read and has not been written in this run");
    Written half(1);
    half[0].copy(in(), scratch(), 8).step().copy(scratch(4), scratch(16), 5);
    EXPECT_SAYS(half.verify(), "byte 8 of scratch is read");
}

TEST(ScheduleVerify, AByteThatMeansNothingMayTellOfItsSender) {
    Written plan(2);
    plan[0].send(1, scratch(), 1);
    plan[1].receive(0, scratch(8), 1);
    EXPECT_EQ(plan.verify(), "");
    Written kept(2);
    kept[0].send(1, scratch(), 1);
    kept[1].receive(0, out(), 1);
    EXPECT_SAYS(kept.verify(), "and holds what was left by an earlier run");
}

TEST(ScheduleVerify, LeavesOutAloneWhereNothingIsExpected) {
    Written plan(2);
    plan.expected[1] = {{2, 4, 0, 0, 0}};
    plan[0].send(1, in(), 5);
    plan[1].receive(0, out(2), 5);
    EXPECT_SAYS(plan.verify(), "rank 1: byte 6 of out must hold what the user had there");
}

// A barrier in which rank r tells r + 1, r + 2, r + 4 and so on, less than reach further.
std::string disseminated(int32_t ranks, int32_t reach, bool one_node) {
    Written plan(ranks);
    plan.specification.barrier = true;
    if (!one_node)
        plan.specification.nodes = nullptr;
    for (int32_t r = 0; r < ranks; r++)
        for (int32_t distance = 1; distance < reach; distance *= 2)
            plan[r]
                .send((r + distance) % ranks, scratch(), 1)
                .receive((r - distance + ranks) % ranks, scratch(8), 1)
                .step();
    return plan.verify();
}

TEST(ScheduleVerify, NobodyMayLeaveABarrierBeforeAllHaveCome) {
    for (bool one_node : {false, true}) {
        EXPECT_SAYS(disseminated(2, 1, one_node), "rank 0 completes a barrier without a sign that "
                                                  "rank 1 has started");
        for (int32_t ranks : {2, 3, 9, 31, 32, 33, 64, 70}) {
            int32_t last = 1;
            while (2 * last < ranks)
                last *= 2;
            EXPECT_EQ(disseminated(ranks, ranks, one_node), "");
            EXPECT_SAYS(disseminated(ranks, last, one_node), "without a sign that rank");
        }
    }
}

TEST(ScheduleVerify, ABarrierPassesOnWhatWasKnownBeforeTheStep) {
    for (bool late : {false, true}) {
        Written plan(3); // rank 1 tells both of each other, in one step or in the next
        plan.specification.barrier = true;
        for (int32_t r : {0, 2})
            plan[r].send(1, scratch(), 1).receive(1, scratch(8), 1);
        plan[1].receive(0, scratch(8), 1).receive(2, scratch(16), 1);
        if (late)
            plan[1].step();
        plan[1].send(0, scratch(), 1).send(2, scratch(), 1);
        std::string text = plan.verify();
        EXPECT_EQ(text.empty(), late) << text;
    }
}

TEST(ScheduleVerify, FlagsTellWhoHasComeToABarrier) {
    for (int32_t awaited : {4, 5}) {
        Written plan(5);
        plan.specification.barrier = true;
        for (int32_t r = 0; r < 5; r++)
            plan[r].signal(r).step().await(0, awaited);
        std::string text = plan.verify();
        EXPECT_EQ(text.empty(), awaited == 5) << text;
    }
}

TEST(ScheduleVerify, BetweenGroupsABarrierWaitsForTheOtherOne) {
    for (bool all : {true, false}) {
        Written plan(3);
        plan.specification.barrier = true;
        plan.specification.first_group = 1;
        plan[0].send(1, scratch(), 1).send(2, scratch(), 1).receive(1, scratch(8), 1);
        plan[1].send(0, scratch(), 1).receive(0, scratch(8), 1);
        plan[2].receive(0, scratch(8), 1);
        if (all) {
            plan[0].receive(2, scratch(16), 1);
            plan[2].send(0, scratch(), 1);
        }
        std::string text = plan.verify();
        EXPECT_EQ(text, all ? ""
                            : "rank 0 completes a barrier without a sign that rank 2 has "
                              "started");
    }
}

TEST(ScheduleVerify, FindsWhatIsOutOfBounds) {
    Written past(1);
    past[0].copy(in(4), out(), 5);
    EXPECT_SAYS(past.verify(), "it reaches beyond the 8 bytes of in");
    Written before(1);
    before[0].copy(in(), scratch(-1), 4);
    EXPECT_SAYS(before.verify(), "it reaches beyond the 64 bytes of scratch");
    Written writes(1);
    writes[0].copy(scratch(), in(), 4);
    EXPECT_SAYS(writes.verify(), "in is never written");
    Written payload(2);
    payload[0].copy(in(), {CAUCUS_BUFFER_LINE, 60}, 8);
    EXPECT_SAYS(payload.verify(), "it reaches out of the payload of one line");
    Written flag(1);
    flag[0].copy(in(), {CAUCUS_BUFFER_LINE, 0}, 8);
    EXPECT_SAYS(flag.verify(), "it reaches out of the payload of one line");
}

TEST(ScheduleVerify, FindsWhatNoBuilderWrites) {
    for (int fault = 0; fault < 4; fault++) {
        Written plan(1);
        plan[0].copy(in(), scratch(), 8);
        caucus_operation &operation = plan.finish()[0].operations[0];
        const char *texts[] = {"there is no such operation", "there is no buffer 9",
                               "it has no length", "the last operation ends no step"};
        operation.kind = fault == 0 ? 77 : operation.kind;
        operation.source = fault == 1 ? 9 : operation.source;
        operation.length = fault == 2 ? 0 : operation.length;
        operation.ends_step = fault != 3;
        EXPECT_SAYS(plan.verify(), texts[fault]);
    }
}

} // namespace
