// SPDX-License-Identifier: BSD-3-Clause
// Blocks of two groups, as uneven as they come.
#pragma once

extern "C" {
#include "base/status.h"
#include "study/collective/problem.h"
}

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

namespace test {

enum class Pattern {
    equal,
    nearly,      // up to 2 % more or less
    exponential, // distributed so
    geometric,   // each half of the one before
    one_heavy,
    two_heavy,
    half_zero,
    none, // all blocks empty
    count
};

inline const char *name_of(Pattern pattern) {
    static const char *const names[] = {"equal",     "nearly equal", "exponential", "geometric",
                                        "one heavy", "two heavy",    "half zero",   "none"};
    return names[static_cast<int>(pattern)];
}

// Blocks of so many ranks with about so many bytes together.
inline void add_blocks(std::vector<int64_t> &blocks, Pattern pattern, int32_t ranks, double total,
                       std::mt19937_64 &random) {
    std::vector<double> weight(static_cast<size_t>(ranks), 1);
    std::uniform_real_distribution<double> uniform(0, 1);
    constexpr double spread = 0.02, light = 0.05, ratio = 0.5;
    double sum = 0;
    for (int32_t i = 0; i < ranks; i++) {
        switch (pattern) {
        case Pattern::nearly:
            weight[i] += spread * (2 * uniform(random) - 1);
            break;
        case Pattern::exponential:
            weight[i] = -std::log(1 - uniform(random));
            break;
        case Pattern::geometric:
            weight[i] = std::pow(ratio, i);
            break;
        case Pattern::one_heavy:
        case Pattern::two_heavy:
            weight[i] = light / ranks;
            break;
        case Pattern::half_zero:
            weight[i] = i % 2 == 0 ? 1 : 0;
            break;
        default:
            break;
        }
    }
    auto any = [&] { return static_cast<size_t>(random() % static_cast<uint64_t>(ranks)); };
    if (pattern == Pattern::one_heavy || pattern == Pattern::two_heavy)
        weight[any()] = 1;
    if (pattern == Pattern::two_heavy)
        weight[any()] = 1;
    for (double one : weight)
        sum += one;
    for (double one : weight)
        blocks.push_back(pattern == Pattern::none ? 0 : std::llround(one / sum * total));
}

// Nodes of one group each, of up to so many ranks: blocks, some shorter, or every so many-th rank.
class NodesApart {
  public:
    NodesApart(int32_t first, int32_t second, int32_t most, bool interleaved) {
        std::vector<int32_t> label;
        std::mt19937_64 random(static_cast<uint64_t>(first) * 1000 + second);
        int32_t node = 0;
        for (int32_t ranks : {first, second}) {
            int32_t cycle = (ranks + most - 1) / most, left = 0;
            for (int32_t rank = 0; rank < ranks; rank++) {
                if (!interleaved && left-- == 0) {
                    node++;
                    left = static_cast<int32_t>(random() % static_cast<uint64_t>(most));
                }
                label.push_back(interleaved ? node + cycle - rank % cycle : node);
            }
            node += cycle + 1;
        }
        if (caucus_node_map_init(&map, first + second, label.data()))
            throw std::runtime_error(caucus_error_text());
    }
    ~NodesApart() {
        caucus_node_map_free(&map);
    }
    NodesApart(const NodesApart &) = delete;
    NodesApart &operator=(const NodesApart &) = delete;

    const caucus_node_map *get() const {
        return &map;
    }

  private:
    caucus_node_map map{};
};

} // namespace test
