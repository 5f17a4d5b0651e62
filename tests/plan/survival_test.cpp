// SPDX-License-Identifier: BSD-3-Clause
// Channels whose members die, in every order of events of few members and in random ones of more:
// at any moment, with any of what the dead one had sent last lost. Whoever lives gets the same.
#include "survival_user.hpp"

#include <gtest/gtest.h>

namespace {

using test::SURVIVAL_FLUSH;
using test::SURVIVAL_QUIESCE;
using test::SurvivalModel;
using Calls = std::vector<std::vector<int64_t>>;

void expect_right(const char *what, SurvivalModel given, int64_t most_states = 30000000) {
    auto result = test::search_protocol(given.model(), most_states);
    EXPECT_TRUE(result.complete) << what;
    EXPECT_EQ(result.wrong, "") << what;
    EXPECT_GT(result.ends, 0);
    std::printf("%-24s %9lld states, longest run %lld\n", what,
                static_cast<long long>(result.states), static_cast<long long>(result.longest));
    std::fflush(stdout);
}

void expect_right_at_random(const char *what, SurvivalModel given, int64_t runs) {
    auto result = test::walk_protocol(given.model(), 1, runs);
    EXPECT_EQ(result.wrong, "") << what;
    EXPECT_GE(result.ends, runs) << what; // somebody may die at an end
}

TEST(Survival, OfTwo) {
    expect_right("two, one each", {2, {{1}, {1}}, 1});
    expect_right("two, window 2", {2, {{1, 2}, {1}}, 1, 2});
    expect_right("two, flush", {2, {{1, SURVIVAL_FLUSH}, {1}}, 1, 2});
    expect_right("two, quiet", {2, {{1, SURVIVAL_QUIESCE}, {SURVIVAL_QUIESCE}}, 1, 2});
    expect_right("two, total", {2, {{1}, {1}}, 1, 2, true});
}

TEST(Survival, OfThree) {
    expect_right("three, one casts", {3, {{1}, {}, {}}, 1, 2});
    expect_right("three, last casts", {3, {{}, {}, {1}}, 1, 2});
    expect_right("three, pieces", {3, {{}, {2}, {}}, 1, 2});
    expect_right("three, two die", {3, {{1}, {}, {}}, 2, 2});
    expect_right("three, quiet",
                 {3, {{SURVIVAL_QUIESCE}, {1, SURVIVAL_QUIESCE}, {SURVIVAL_QUIESCE}}, 1, 2});
}

// As it is over MPI, where a slot is still on its way out when its message was taken, and a
// callback ends what a member waits for.
SurvivalModel late(SurvivalModel given, bool closes = true) {
    given.setup.late = true;
    given.setup.closes = closes;
    return given;
}

TEST(Survival, LateCredits) {
    expect_right("two, late credits", late({2, {{1}, {1}}, 1, 2}));
    expect_right("two, total, late credits", late({2, {{1}, {1}}, 1, 2, true}));
    expect_right("three, late credits", late({3, {{1}, {}, {}}, 1, 2}));
}

// Who was told of quiet goes on, and does not wait for another one.
SurvivalModel quiet_once() {
    return late({3, {{SURVIVAL_QUIESCE}, {SURVIVAL_QUIESCE, 1}, {SURVIVAL_QUIESCE}}, 1, 2}, false);
}

TEST(Survival, QuietIsToldOnce) {
    expect_right("three, quiet once", quiet_once());
}

// Minutes: --gtest_also_run_disabled_tests --gtest_filter=*Large*
TEST(Survival, DISABLED_LargeTwoCast) {
    expect_right("three, two cast", {3, {{1}, {1}, {}}, 1, 2});
}

TEST(Survival, DISABLED_LargeCausal) {
    expect_right("three, causal order", {3, {{1}, {}, {1}}, 1, 2, false, true});
}

TEST(Survival, DISABLED_LargeTotal) {
    expect_right("three, total order", {3, {{}, {1}, {}}, 1, 2, true});
}

TEST(Survival, DISABLED_LargeTwoDie) {
    expect_right("three, two die", {3, {{}, {1}, {1}}, 2, 2});
}

TEST(Survival, AtRandom) {
    const Calls calls = {
        {1, 2, 3, 1}, {2, 1, 3}, {3, SURVIVAL_FLUSH, 2}, {1, 1, SURVIVAL_FLUSH, 1}};
    for (int crashes = 0; crashes <= 3; crashes++)
        for (int order = 0; order < 3; order++)
            expect_right_at_random(
                "four", late({4, calls, crashes, 2 + crashes % 2, order == 1, order == 2}), 150);
}

TEST(Survival, QuietAtRandom) {
    const Calls calls = {{1, SURVIVAL_QUIESCE, 1},
                         {SURVIVAL_QUIESCE, 2, SURVIVAL_FLUSH},
                         {2, SURVIVAL_QUIESCE},
                         {SURVIVAL_QUIESCE, 1}};
    for (int crashes = 1; crashes <= 3; crashes++)
        for (int order = 0; order < 3; order++)
            for (bool closes : {false, true})
                expect_right_at_random("four, quiet",
                                       late({4, calls, crashes, 2, order == 1, order == 2}, closes),
                                       150);
}

// Faults that are put in on purpose, each to be found.
void expect_found(const char *what, SurvivalModel given, const test::SurvivalFault &fault) {
    given.setup.fault = fault;
    auto result = given.setup.casts.size() < 4 ? test::search_protocol(given.model())
                                               : test::walk_protocol(given.model(), 1, 3000);
    EXPECT_NE(result.wrong, "") << what;
}

using Settings = caucus_survival_setup;
using Member = caucus_survival_member;

TEST(SurvivalFaults, NobodyCatchesUp) {
    expect_found("not caught up", {3, {{1}, {}, {}}, 1, 2},
                 [](const Settings &, Member &member, bool after, const caucus_event &) {
                     if (after && member.state->asked) {
                         member.state->asked = 0;
                         member.state->caught = 1;
                     }
                 });
}

TEST(SurvivalFaults, NothingIsKept) {
    expect_found("all is stable", {3, {{1, 1, 1}, {}, {}}, 1, 1},
                 [](const Settings &, Member &member, bool after, const caucus_event &) {
                     if (after)
                         member.state->stable = member.state->flushed = member.state->casts;
                 });
}

TEST(SurvivalFaults, TakingGoesOnDuringAgreement) {
    expect_found("taken after it was told", {3, {{1}, {}, {}}, 1, 2},
                 [](const Settings &, Member &member, bool after, const caucus_event &) {
                     if (after)
                         member.state->agreeing = 0;
                 });
}

TEST(SurvivalFaults, WhoIsWokenIsNotTold) {
    expect_found("forgotten that it waits for quiet", quiet_once(),
                 [](const Settings &, Member &member, bool after, const caucus_event &) {
                     if (after && !member.state->wants)
                         member.state->quieting = 0;
                 });
}

TEST(SurvivalFaults, OwnCastsAreNotCastAgain) {
    expect_found("lost in total order", {2, {{1}, {1}}, 1, 2, true},
                 [](const Settings &, Member &member, bool after, const caucus_event &event) {
                     if (!after && event.kind == CAUCUS_EVENT_DEATH)
                         member.taken[member.state->me] = member.state->casts;
                 });
}

TEST(SurvivalFaults, GivenInAnyOrder) {
    expect_found("not in the giver's order", {4, {{1, 1}, {1, 1}, {1}, {1}}, 2, 3, true},
                 [](const Settings &setup, Member &member, bool after, const caucus_event &) {
                     for (int64_t i = 0; after && i < member.ranks * setup.window; i++)
                         member.turn[i] = member.turn[i] ? 1 : 0;
                 });
}

TEST(SurvivalFaults, FlushesAreAnsweredBeforeCatchingUp) {
    expect_found("heard before it has caught up", {3, {{1, SURVIVAL_FLUSH}, {}, {}}, 1, 2},
                 [](const Settings &, Member &member, bool after, const caucus_event &event) {
                     if (!after && event.kind == CAUCUS_EVENT_MESSAGE && !member.state->agreeing &&
                         !member.state->asked)
                         member.state->caught = 1;
                 });
}

} // namespace
