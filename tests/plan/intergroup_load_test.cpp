// SPDX-License-Identifier: BSD-3-Clause
// What ports and cards pass: no more than there must be.
#include "collective_case.hpp"
#include "full_run.hpp"
#include "intergroup_case.hpp"
extern "C" {
#include "plan/intergroup/intergroup.h"
#include "plan/intergroup/stripes.h"
#include "study/simulate/simulate.h"
}

#include <gtest/gtest.h>

using test::Instance;
using test::Pattern;

namespace {

const caucus_algorithm *find(caucus_collective collective, const char *name) {
    return caucus_intergroup_algorithm_find(collective, name);
}

// The most bytes that a rank sends, or receives.
int64_t heaviest(const Instance &instance) {
    int64_t most = 0;
    for (int32_t rank = 0; rank < instance.problem.shape.ranks; rank++) {
        int64_t passed[2] = {};
        const caucus_schedule &schedule = instance.schedules[rank];
        for (int64_t i = 0; i < schedule.count; i++)
            if (schedule.operations[i].kind <= CAUCUS_OPERATION_RECEIVE)
                passed[schedule.operations[i].kind] += schedule.operations[i].length;
        most = std::max({most, passed[0], passed[1]});
    }
    return most;
}

TEST(IntergroupLoad, AReduceScatterPassesOneOperand) {
    constexpr int32_t most = 24;
    for (int i = 0; i < 500; i++) {
        std::mt19937_64 random(static_cast<uint64_t>(i));
        auto first = static_cast<int32_t>(1 + random() % most);
        auto second = static_cast<int32_t>(1 + random() % most);
        caucus_problem_shape shape{};
        shape.collective = i % 2 ? CAUCUS_REDUCE_SCATTER : CAUCUS_REDUCE_SCATTER_BLOCK;
        shape.ranks = first + second;
        shape.first_group = first;
        shape.commutative = true;
        shape.element = 8;
        shape.bytes = 8 * static_cast<int64_t>(1 + random() % 40);
        shape.segment = static_cast<int64_t>(random() % 3 * 400);
        shape.seed = random();
        shape.irregular = true;
        shape.exchanged = CAUCUS_NEEDS_COUNTS;
        Instance instance(find(shape.collective, "striped_ring"), shape);
        ASSERT_EQ(instance.verify(), CAUCUS_OK) << instance.text;
        int64_t operand = instance.problem.block_at[first];
        EXPECT_LE(heaviest(instance), operand) << first << " and " << second << " ranks";
    }
}

TEST(IntergroupLoad, ACardTakesInEveryByteOnce) {
    caucus_model model;
    caucus_model_default(&model);
    constexpr int32_t most = 40;
    for (int i = 0; i < 200; i++) {
        std::mt19937_64 random(static_cast<uint64_t>(i));
        auto first = static_cast<int32_t>(1 + random() % most);
        auto second = static_cast<int32_t>(1 + random() % most);
        test::NodesApart nodes(first, second, static_cast<int32_t>(1 + random() % 9), i % 2);
        std::vector<int64_t> blocks;
        constexpr double total = 1e5;
        test::add_blocks(blocks, static_cast<Pattern>(random() % 7), first, total, random);
        test::add_blocks(blocks, static_cast<Pattern>(random() % 8), second, total / 2, random);
        caucus_problem_shape shape{};
        shape.collective = CAUCUS_ALLGATHERV;
        shape.ranks = first + second;
        shape.first_group = first;
        shape.lengths = blocks.data();
        shape.segment = 2000;
        shape.nodes = nodes.get();
        shape.exchanged = CAUCUS_NEEDS_COUNTS;
        Instance instance(find(shape.collective, "node_striped_ring"), shape);
        ASSERT_EQ(instance.verify(), CAUCUS_OK) << instance.text;
        caucus_simulation simulation;
        test::require(caucus_schedule_simulate(shape.ranks, instance.schedules, nodes.get(), &model,
                                               nullptr, nullptr, &simulation));
        int64_t tokens = 4 * shape.ranks, sums[2] = {};
        for (int32_t rank = 0; rank < shape.ranks; rank++)
            sums[rank >= first] += blocks[static_cast<size_t>(rank)];
        int64_t line = std::max(sums[0], sums[1]), light = line / CAUCUS_STRIPES_LIGHT;
        EXPECT_LE(simulation.card_bytes, line + light + tokens)
            << first << " and " << second << " ranks, case " << i;
    }
}

} // namespace
