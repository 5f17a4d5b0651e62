// SPDX-License-Identifier: BSD-3-Clause
// Channels: every order of events of small ones.
#include "channel_user.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace {

using test::ChannelModel;
using Casts = std::vector<std::vector<int64_t>>;

caucus_overlay finger(int32_t ranks, bool shared = false) {
    return {&caucus_overlay_finger, ranks, nullptr, shared};
}

void expect_right(ChannelModel &channel) {
    auto result = test::search_protocol(channel.model());
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.wrong, "");
    std::printf("%lld states, %lld moves, %lld ends, longest %lld\n", (long long)result.states,
                (long long)result.moves, (long long)result.ends, (long long)result.longest);
}

TEST(Channel, OfTwo) {
    for (int32_t credits : {1, 2}) {
        ChannelModel channel(finger(2), {{0, 1}, {1, 1}}, credits);
        expect_right(channel);
    }
}

TEST(Channel, OfThree) {
    ChannelModel channel(finger(3), {{1}, {1}, {1}});
    expect_right(channel);
}

TEST(Channel, PiecesOfTwo) {
    ChannelModel channel(finger(2), {{2}, {3}});
    expect_right(channel);
}

TEST(Channel, OrderOfTwo) {
    ChannelModel channel(finger(2), {{1, 1}, {1, 1}}, 2, true);
    expect_right(channel);
}

} // namespace
