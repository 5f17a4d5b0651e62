// SPDX-License-Identifier: BSD-3-Clause
// Every order of events of a protocol, or many random ones.
//
// Worlds are told apart by 64 bits of hash: of 10 million, two that differ look the same with a
// probability of 3 in a million, and then what follows the second is not looked at.
#pragma once

#include "protocol_world.hpp"

namespace test {

struct ProtocolResult {
    int64_t states = 0, moves = 0, ends = 0; // ends: where nothing must happen any more
    int64_t longest = 0;                     // moves in a row
    bool complete = false;                   // all there is was looked at, and nothing is wrong
    std::string wrong;                       // "" or what, and how it comes to pass, move by move
};

// All orders, depth first, until something is wrong: a condition of the model, or an endless run.
// At most so many states; more than these leave the result incomplete.
ProtocolResult search_protocol(const ProtocolModel &model, int64_t most_states = 30000000);

// One run for each seed, first to first + count - 1. What may happen besides happens seldom or
// often. A run of more than so many moves is wrong.
ProtocolResult walk_protocol(const ProtocolModel &model, uint64_t first, int64_t count,
                             int64_t most_moves = 100000);

} // namespace test
