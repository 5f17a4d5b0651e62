// SPDX-License-Identifier: BSD-3-Clause
// How much a test does, and what it cannot do without.
#pragma once

extern "C" {
#include "base/status.h"
}

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stdexcept>

namespace test {

// Whether there is time for all cases, not just for a good part of them.
inline bool full_run() {
    const char *full = std::getenv("TEST_FULL");
    return full && *full && *full != '0';
}

// Of a full run a share: TEST_SHARE=3/40 takes every fortieth case, by chance but always the
// same. Whether it has this one; without TEST_SHARE all.
inline bool in_share(uint64_t number) {
    const char *share = std::getenv("TEST_SHARE");
    unsigned part = 0, parts = 1;
    if (share && std::sscanf(share, "%u/%u", &part, &parts) != 2)
        throw std::invalid_argument("TEST_SHARE is not like 3/40");
    return parts < 2 || std::mt19937_64(number)() % parts == part;
}

inline void require(int status) {
    if (status != CAUCUS_OK)
        throw std::runtime_error(caucus_error_text());
}

} // namespace test
