// SPDX-License-Identifier: BSD-3-Clause
// A channel and its user as one protocol for the search. The user takes at any moment (as a timer
// that may run out at any moment), answers messages that ask for it, and keeps account of what he
// got: in the order of each origin, once, whole, in causal or in total order.
#pragma once

#include "channel_account.hpp"
extern "C" {
#include "plan/protocol/channel_state.h"
}

#include <functional>
#include <memory>

namespace test {

// A fault put into a member: changes its state before a step (false), or after it.
using ChannelFault = std::function<void(const caucus_channel_setup &, caucus_channel_state *,
                                        caucus_actions *, bool after)>;

struct ChannelSetup {
    caucus_channel_setup channel{};
    int64_t asks = -1;                 // messages of this length are answered with one of 0 bytes
    bool wakes = false;                // messages are used in two parts, both answered
    bool defers = false;               // questions are answered at any later moment
    bool flushes = false;              // somebody does
    int64_t questions[MOST_MEMBERS]{}; // flushes too
    bool logs = false;                 // the order of deliveries counts
    int64_t frozen = -1;               // a member that takes nothing
    ChannelFault fault;
};

// Instead of a length: a question of so many bytes more than ASK, or a flush, which must not be the
// last cast of a member.
enum { ASK = 100, FLUSH = -1 };

// A cast of so many bytes; or QUIESCE or CLOSE.
ProtocolCall channel_cast(int64_t bytes);
ProtocolCall channel_call(int64_t number);

// Members with these casts, who close at the end.
class ChannelModel {
  public:
    ChannelModel(const caucus_overlay &overlay, std::vector<std::vector<int64_t>> casts,
                 int32_t credits = 1, bool total_order = false, int64_t segment = 1,
                 int64_t memory = 2);
    // Takes pointers to setups of this object.
    ProtocolModel model();

    ChannelSetup setup;
    uint64_t quiesces = 0; // bit i: member i does before it closes
    bool causal = false;

  private:
    std::vector<std::vector<int64_t>> casts;
};

} // namespace test
