// SPDX-License-Identifier: BSD-3-Clause
// What create_alive promises, as conditions of the search.
#pragma once

extern "C" {
#include "plan/protocol/alive.h"
}
#include "protocol_search.hpp"

#include <map>

namespace test {

struct AliveCase {
    caucus_alive_setup setup;
    uint64_t never_call = 0; // bit i: member i does not come
    uint64_t objects = 0;    // bit i: member i finds other lists, at any time

    ProtocolModel model(const caucus_protocol *protocol = &caucus_alive) const;
};

} // namespace test
