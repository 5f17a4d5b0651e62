// SPDX-License-Identifier: BSD-3-Clause
// What tests of channels ask of a search.
#pragma once

#include "channel_user.hpp"

#include <gtest/gtest.h>

namespace test {

inline caucus_overlay finger(int32_t ranks, bool shared = false) {
    return {&caucus_overlay_finger, ranks, nullptr, shared};
}

// In every order of events.
inline void expect_right(ChannelModel channel) {
    auto result = search_protocol(channel.model());
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.wrong, "");
    EXPECT_GT(result.ends, 0);
    ::testing::Test::RecordProperty("states", std::to_string(result.states));
}

inline void expect_right_at_random(ChannelModel channel, int64_t runs) {
    auto result = walk_protocol(channel.model(), 1, runs);
    EXPECT_EQ(result.wrong, "");
    EXPECT_EQ(result.ends, runs);
}

} // namespace test
