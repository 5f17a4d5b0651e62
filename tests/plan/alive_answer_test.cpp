// SPDX-License-Identifier: BSD-3-Clause
// What members do who keep no state any more, and what they may give back.
extern "C" {
#include "plan/protocol/alive_message.h"
}

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace {

using Bytes = std::array<unsigned char, 64>;

TEST(AliveAnswer, EverythingButAReleaseIsAnsweredByARelease) {
    for (int kind = 0; kind < CAUCUS_ALIVE_KINDS; kind++) {
        const caucus_alive_message message = {kind, 0, {0, 0, {0, 0}}};
        Bytes bytes{}, answer{};
        const int64_t length = caucus_alive_message_pack(&message, nullptr, 1, bytes.data());
        const int64_t answered = caucus_alive_answer(bytes.data(), length, answer.data());
        EXPECT_EQ(answered > 0, kind != CAUCUS_ALIVE_REL) << kind;
        caucus_alive_message said = {};
        uint64_t set = 0;
        if (answered > 0) {
            ASSERT_TRUE(caucus_alive_message_unpack(answer.data(), answered, 40, &said, &set));
            EXPECT_EQ(said.kind, CAUCUS_ALIVE_REL);
        }
    }
}

TEST(AliveAnswer, WhatIsNoMessageIsNotAnswered) {
    Bytes bytes{}, answer{};
    EXPECT_EQ(caucus_alive_answer(bytes.data(), 0, answer.data()), 0);
    EXPECT_EQ(caucus_alive_answer(bytes.data(), 32, answer.data()), 0);
    bytes.fill(0xff);
    EXPECT_EQ(caucus_alive_answer(bytes.data(), 64, answer.data()), 0);
}

// A member alone proposes at once; one of two does when the other has come.
TEST(AliveAnswer, WhoHasProposed) {
    for (int32_t members = 1; members <= 2; members++) {
        caucus_alive_setup setup = {members, 0, true, true};
        std::vector<uint64_t> state(static_cast<size_t>(caucus_alive.state_bytes(&setup)) /
                                    sizeof(uint64_t));
        caucus_actions actions = {};
        const caucus_alive_name name = {7, 9};
        caucus_event call = {};
        call.kind = CAUCUS_EVENT_CALL;
        call.number = CAUCUS_ALIVE_BEGIN;
        call.bytes = &name;
        call.length = sizeof name;
        caucus_alive.begin(&setup, 0, state.data());
        EXPECT_FALSE(caucus_alive_has_proposed(state.data()));
        caucus_alive.step(&setup, state.data(), &call, &actions);
        if (members == 2) {
            EXPECT_FALSE(caucus_alive_has_proposed(state.data()));
            const caucus_alive_message up = {CAUCUS_ALIVE_UP, 0, {0, 0, {0, 0}}};
            Bytes bytes{};
            caucus_event event = {};
            event.kind = CAUCUS_EVENT_MESSAGE;
            event.peer = 1;
            event.bytes = bytes.data();
            event.length = caucus_alive_message_pack(&up, nullptr, 2, bytes.data());
            caucus_alive.step(&setup, state.data(), &event, &actions);
            EXPECT_TRUE(caucus_alive_has_proposed(state.data()));
        }
        caucus_actions_free(&actions);
    }
}

// A member that has called, and what it does when a message comes.
class Member {
  public:
    Member(int32_t members, int64_t timeout) {
        setup.members = members;
        setup.timeout = timeout;
        setup.detects = true;
        state.resize(static_cast<size_t>(caucus_alive.state_bytes(&setup)) / sizeof(uint64_t));
        caucus_alive.begin(&setup, 0, state.data());
        const caucus_alive_name name = {7, 9};
        caucus_event call = {};
        call.kind = CAUCUS_EVENT_CALL;
        call.number = CAUCUS_ALIVE_BEGIN;
        call.bytes = &name;
        call.length = sizeof name;
        caucus_alive.step(&setup, state.data(), &call, &actions);
    }
    ~Member() {
        caucus_actions_free(&actions);
    }
    Member(const Member &) = delete;
    Member &operator=(const Member &) = delete;

    void hears(int32_t peer, const caucus_alive_message &message) {
        Bytes bytes{};
        caucus_event event = {};
        event.kind = CAUCUS_EVENT_MESSAGE;
        event.peer = peer;
        event.bytes = bytes.data();
        event.length = caucus_alive_message_pack(&message, nullptr, setup.members, bytes.data());
        caucus_actions_clear(&actions);
        caucus_alive.step(&setup, state.data(), &event, &actions);
    }
    std::vector<caucus_action> did(caucus_action_kind kind) const {
        std::vector<caucus_action> found;
        for (int64_t i = 0; i < actions.count; i++)
            if (actions.action[i].kind == kind)
                found.push_back(actions.action[i]);
        return found;
    }

  private:
    caucus_alive_setup setup = {};
    std::vector<uint64_t> state;
    caucus_actions actions = {};
};

// Who proposes holds all below it for dead: one of them is told, and says nothing more.
TEST(AliveAnswer, WhoIsPassedOverIsExcluded) {
    Member member(3, 0);
    member.hears(1, {CAUCUS_ALIVE_PREP, 1, {0, 1, {7, 9}}});
    auto outcomes = member.did(CAUCUS_ACTION_DECIDE);
    ASSERT_EQ(outcomes.size(), 1U);
    EXPECT_EQ(outcomes[0].number, CAUCUS_ALIVE_EXCLUDED);
    EXPECT_TRUE(member.did(CAUCUS_ACTION_SEND).empty());
}

TEST(AliveAnswer, NoTimerRunsAfterTheOutcome) {
    Member member(3, 1000);
    EXPECT_FALSE(member.did(CAUCUS_ACTION_TIMER).empty());
    member.hears(1, {CAUCUS_ALIVE_PREP, 1, {0, 1, {7, 9}}});
    std::vector<int64_t> stopped;
    for (const caucus_action &action : member.did(CAUCUS_ACTION_TIMER))
        if (action.after < 0)
            stopped.push_back(action.number);
    EXPECT_EQ(stopped, (std::vector<int64_t>{0, 1, 2}));
}

} // namespace
