// SPDX-License-Identifier: BSD-3-Clause
// What members do who keep no state any more, and what they may give back.
#include "plan/protocol/alive_message.h"

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

} // namespace
