// SPDX-License-Identifier: BSD-3-Clause
// A channel that survives and its user as one protocol for the search. The user takes at any moment
// and keeps account of what he got, in which order, and of what he was told.
#pragma once

#include "channel_account.hpp"
extern "C" {
#include "plan/protocol/survival_state.h"
}

#include <functional>

namespace test {

// A fault put into a member: changes its state before a step (false), or after it.
using SurvivalFault = std::function<void(const caucus_survival_setup &, caucus_survival_member &,
                                         bool after, const caucus_event &)>;

enum { SURVIVAL_FLUSH = -1, SURVIVAL_QUIESCE = -2 }; // instead of bytes to cast

struct SurvivalSetup {
    caucus_survival_setup survival{};
    std::vector<std::vector<int64_t>> casts; // bytes, without flushes
    bool logs = false;                       // the order of deliveries counts
    bool late = false;  // as over MPI: credits leave, and who was woken rests, at a later moment
    bool closes = true; // all do at the end
    SurvivalFault fault;
};

// Members with these casts, each of whom is to hear of quiet once at most.
class SurvivalModel {
  public:
    SurvivalModel(int32_t ranks, std::vector<std::vector<int64_t>> calls, int crashes,
                  int32_t window = 1, bool total_order = false, bool causal = false,
                  int64_t segment = 1);
    // Takes pointers to setups of this object.
    ProtocolModel model();

    SurvivalSetup setup;

  private:
    std::vector<std::vector<int64_t>> calls;
    int crashes;
    bool causal;
};

} // namespace test
