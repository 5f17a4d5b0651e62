// SPDX-License-Identifier: BSD-3-Clause
// Total order in windows of any size: every order of events of small channels, random orders of
// larger ones. Nobody waits for ever for a ticket, and each message has its place.
#include "channel_search.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace {

using test::ChannelModel;
using test::expect_right;
using test::expect_right_at_random;
using test::finger;

// Messages go on before their turn, and wait for it outside the slots of links.
TEST(ChannelWindow, TotalOrder) {
    for (int64_t window : {1, 2, 3}) {
        ChannelModel two(finger(2), {{1, 1}, {1, 1}}, 1, true);
        ChannelModel three(finger(3), {{}, {1}, {1}}, 1, true);
        ChannelModel pieces(finger(3), {{}, {2}, {1}}, 1, true);
        ChannelModel four(finger(4), {{1, 3, 1}, {1, 1, 2}, {0, 1, 1, 1}, {1, 5}}, 1, true);
        for (ChannelModel *channel : {&two, &three, &pieces, &four})
            channel->setup.channel.window = window;
        for (ChannelModel *channel : {&two, &three, &pieces})
            expect_right(*channel);
        four.causal = true;
        expect_right_at_random(four, 1000);
    }
}

// Whatever the size of the window, what all have taken makes room for more in the end.
TEST(ChannelWindow, LongStormsGoThrough) {
    for (int64_t window : {1, 3, 8, 13, 16}) {
        ChannelModel channel(finger(4),
                             {{1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}},
                             2, true);
        channel.setup.channel.window = window;
        expect_right_at_random(channel, 300);
    }
}

void expect_stuck(ChannelModel channel, const test::ChannelFault &fault) {
    channel.setup.fault = fault;
    auto result = test::search_protocol(channel.model());
    EXPECT_NE(result.wrong.find("never closes"), std::string::npos) << result.wrong;
}

// What comes has no place: it is dropped.
TEST(ChannelWindowFaults, TicketsBeyond) {
    expect_stuck({finger(2), {{1, 1, 1, 1}}, 3, true},
                 [](const auto &, auto *state, auto *actions, bool after) {
                     for (int64_t i = 0; after && i < actions->count; i++) { // as if all were taken
                         caucus_channel_message message;
                         if (actions->action[i].length < static_cast<int64_t>(sizeof message))
                             continue;
                         void *bytes = const_cast<void *>(caucus_action_bytes(actions, i));
                         std::memcpy(&message, bytes, sizeof message);
                         message.number[0] += message.kind == CAUCUS_CHANNEL_PASSED ? 2 : 0;
                         std::memcpy(bytes, &message, sizeof message);
                     }
                     (void)state;
                 });
}

TEST(ChannelWindowFaults, NobodyTellsWhatIsPassed) {
    expect_stuck({finger(2), {{1, 1, 1}}, 2, true},
                 [](const auto &, auto *, auto *actions, bool after) {
                     for (int64_t i = 0; after && i < actions->count; i++)
                         if (*static_cast<const int32_t *>(caucus_action_bytes(actions, i)) ==
                             CAUCUS_CHANNEL_PASSED)
                             actions->count--;
                 });
}

} // namespace
