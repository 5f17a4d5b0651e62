// SPDX-License-Identifier: BSD-3-Clause
extern "C" {
#include "plan/grid/slabs_internal.h"
}
#include "problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

using test::Random;
using test::require;

namespace {

// The chain against all ways to cut.
struct Table {
    int32_t count;
    std::vector<int64_t> cost, saving;
    int64_t at(int32_t from, int32_t to) const {
        return cost[static_cast<size_t>(from * count + to)];
    }
    int64_t joint(int32_t before, int32_t from, int32_t to) const {
        return std::min(saving[static_cast<size_t>((before * count + from) * count + to)],
                        at(before, from) + at(from, to));
    }
};

int64_t best_by_hand(const Table &table, const slabs_chain &chain, int32_t before, int32_t from) {
    if (from == table.count - 1)
        return 0;
    int64_t best = SLABS_INFINITE;
    for (int32_t to = from + 1; to < table.count; to++) {
        int64_t width = chain.point[to] - chain.point[from];
        bool allowed = width <= chain.upper || to == from + 1;
        allowed = allowed && (width >= chain.lower || to == table.count - 1);
        if (!allowed)
            continue;
        int64_t cost = table.at(from, to) + best_by_hand(table, chain, from, to);
        if (before >= 0 && chain.saving)
            cost -= table.joint(before, from, to);
        best = std::min(best, cost);
    }
    return best;
}

TEST(SlabsChain, FindsTheBestCut) {
    Random random(6);
    for (int i = 0; i < 500; i++) {
        Table table{random.from(2, 9), {}, {}};
        std::vector<int32_t> point = {0};
        for (int32_t j = 1; j < table.count; j++)
            point.push_back(point.back() + random.from(1, 4));
        for (int32_t j = 0; j < table.count * table.count; j++)
            table.cost.push_back(random.below(50));
        for (int32_t j = 0; j < table.count * table.count * table.count; j++)
            table.saving.push_back(random.below(20));
        slabs_chain chain{};
        chain.count = table.count;
        chain.point = point.data();
        chain.lower = random.from(1, 5);
        chain.upper = chain.lower + random.from(0, 6);
        chain.context = &table;
        chain.cost = [](void *context, int32_t from, int32_t to) {
            return static_cast<Table *>(context)->at(from, to);
        };
        if (random.chance(0.5))
            chain.saving = [](void *context, int32_t before, int32_t from, int32_t to) {
                return static_cast<Table *>(context)->joint(before, from, to);
            };
        int64_t cost;
        std::vector<int32_t> cut(point.size());
        int32_t pieces = 0;
        require(caucus_slabs_chain_solve(&chain, &cost, cut.data(), &pieces));
        int64_t expected = best_by_hand(table, chain, -1, 0);
        ASSERT_EQ(std::min<int64_t>(expected, SLABS_INFINITE), cost);
        if (cost == SLABS_INFINITE)
            continue;
        int64_t sum = 0;
        for (int32_t j = 0; j < pieces; j++) {
            auto k = static_cast<size_t>(j);
            int32_t to = j + 1 < pieces ? cut[k + 1] : table.count - 1;
            sum += table.at(cut[k], to);
            if (j > 0 && chain.saving)
                sum -= table.joint(cut[k - 1], cut[k], to);
        }
        EXPECT_EQ(sum, cost);
    }
}

} // namespace
