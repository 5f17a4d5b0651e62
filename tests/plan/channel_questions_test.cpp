// SPDX-License-Identifier: BSD-3-Clause
// Questions and flushes on channels, in every order of events: who has all answers was heard by
// all, nobody lacks an answer, and neither rest nor the end comes between.
#include "channel_search.hpp"

#include <gtest/gtest.h>

namespace {

using test::ASK;
using test::ChannelModel;
using test::expect_right;
using test::expect_right_at_random;
using test::finger;
using test::FLUSH;
using Casts = std::vector<std::vector<int64_t>>;

TEST(ChannelQuestions, OfOne) {
    for (bool total : {false, true})
        expect_right({finger(1), {{1, ASK, FLUSH, ASK + 5, 0}}, 1, total});
}

TEST(ChannelQuestions, OfTwo) {
    for (const Casts &casts :
         {Casts{{1, ASK}, {}}, Casts{{ASK, ASK}, {}}, Casts{{}, {1, ASK, 0}}, Casts{{ASK}, {ASK}},
          Casts{{1, FLUSH, 0}, {}}, Casts{{FLUSH, 0}, {ASK}}, Casts{{ASK + 2, 1}, {ASK + 3}}})
        for (int32_t credits : {1, 2})
            expect_right({finger(2), casts, credits});
}

TEST(ChannelQuestions, OfThree) {
    for (const Casts &casts : {Casts{{ASK}, {}, {}}, Casts{{}, {1, ASK}, {}}, Casts{{ASK}, {1}, {}},
                               Casts{{1, FLUSH, 1}, {}, {}}})
        expect_right({finger(3), casts});
}

TEST(ChannelQuestions, InTotalOrder) {
    expect_right({finger(2), {{ASK, 1}, {ASK}}, 1, true});
    expect_right({finger(2), {{1, FLUSH, 1}, {1}}, 2, true});
    expect_right({finger(3), {{}, {ASK}, {}}, 1, true});
}

TEST(ChannelQuestions, BeforeQuiet) {
    for (const Casts &casts : {Casts{{1, ASK}}, Casts{{}, {ASK}}, Casts{{FLUSH, 1}, {1}}}) {
        ChannelModel channel(finger(2), casts);
        channel.quiesces = 3;
        expect_right(channel);
    }
}

TEST(ChannelQuestions, AnsweredLater) {
    for (const Casts &casts : {Casts{{ASK, 1}, {}}, Casts{{ASK}, {ASK, 1}}, Casts{{ASK}, {}, {}},
                               Casts{{}, {ASK}, {}}}) {
        ChannelModel channel(finger(static_cast<int32_t>(casts.size())), casts);
        channel.setup.defers = true;
        expect_right(channel);
        channel.quiesces = 7;
        expect_right(channel);
    }
    ChannelModel many(finger(4), {{ASK, 1, ASK}, {1, ASK + 3, 1}, {ASK, 2, ASK}, {ASK, 4}}, 2);
    many.setup.defers = true;
    many.quiesces = 15;
    expect_right_at_random(many, 500);
}

TEST(ChannelQuestions, OfFourAtRandom) {
    const Casts casts = {{ASK, 1, FLUSH, 0}, {1, ASK + 3, 1}, {FLUSH, 2, ASK}, {ASK, ASK + 1, 4}};
    for (bool shared : {false, true})
        expect_right_at_random({finger(4, shared), casts, 2}, 1000);
    expect_right_at_random({finger(4), casts, 1, true}, 500);
}

// Faults that are put in on purpose.
caucus_channel_question *questions(const caucus_channel_setup &setup, caucus_channel_state *state) {
    return caucus_channel_member_of(&setup, state, nullptr).question;
}

TEST(ChannelQuestionFaults, AnswersOfSomeAreNotAwaited) {
    ChannelModel channel(finger(3), {{1, ASK}});
    channel.setup.fault = [](const auto &setup, auto *state, auto *, bool after) {
        auto &own = questions(setup, state)[0];
        if (!after && !state->me && own.awaited > 1)
            own.awaited = 1;
    };
    EXPECT_NE(test::search_protocol(channel.model()).wrong.find("answered before all have heard"),
              std::string::npos);
}

TEST(ChannelQuestionFaults, AnAnswerIsLost) {
    ChannelModel channel(finger(3), {{ASK}});
    channel.setup.fault = [](const auto &, auto *, auto *actions, bool after) {
        for (int64_t i = 0; after && i < actions->count; i++)
            if (*static_cast<const int32_t *>(caucus_action_bytes(actions, i)) ==
                CAUCUS_CHANNEL_ANSWERED)
                actions->count--;
    };
    EXPECT_NE(test::search_protocol(channel.model()).wrong, "");
}

TEST(ChannelQuestionFaults, WhoAsksRests) {
    ChannelModel channel(finger(3), {{}, {ASK}});
    channel.setup.fault = [](const auto &, auto *state, auto *, bool after) {
        if (after)
            state->asking = 0;
    };
    EXPECT_NE(test::search_protocol(channel.model()).wrong, "");
}

} // namespace
