// SPDX-License-Identifier: BSD-3-Clause
// What collectives through node memory promise besides the right bytes: few operations where data
// is small, every byte to a node once, no more memory than allowed, and a refusal, where that is
// too little, by all ranks alike.
#include "collective_case.hpp"
extern "C" {
#include "study/simulate/simulate.h"
}

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>

using test::Instance;
using test::NodeMap;
using test::Nodes;

namespace {

const caucus_algorithm *find(const char *collective, const char *name) {
    auto which = static_cast<caucus_collective>(caucus_collective_find(collective));
    const caucus_algorithm *algorithm = caucus_algorithm_find(which, name);
    if (!algorithm)
        throw std::runtime_error(std::string("no ") + collective + " by " + name);
    return algorithm;
}

caucus_problem_shape shape_of(const caucus_algorithm *algorithm, const caucus_node_map *nodes,
                              int64_t bytes) {
    caucus_problem_shape shape{};
    shape.collective = algorithm->collective;
    shape.ranks = nodes->ranks;
    shape.nodes = nodes;
    shape.bytes = bytes;
    shape.commutative = true;
    shape.element = 8;
    shape.node_limit = 1 << 20;
    return shape;
}

int64_t most_operations(const Instance &instance) {
    int64_t most = 0;
    for (int32_t rank = 0; rank < instance.problem.shape.ranks; rank++)
        most = std::max(most, instance.schedules[rank].count);
    return most;
}

caucus_simulation simulate(const Instance &instance) {
    caucus_model model;
    caucus_model_default(&model);
    caucus_simulation simulation{};
    const caucus_problem_shape &shape = instance.problem.shape;
    EXPECT_EQ(caucus_schedule_simulate(shape.ranks, instance.schedules, shape.nodes, &model,
                                       nullptr, nullptr, &simulation),
              CAUCUS_OK)
        << caucus_error_text();
    return simulation;
}

double predicted(Instance &instance, const caucus_algorithm *algorithm) {
    caucus_model model;
    caucus_task task;
    caucus_model_default(&model);
    EXPECT_EQ(caucus_problem_task(&instance.problem, 0, &task), CAUCUS_OK);
    return algorithm->cost(&task, &model);
}

// One synchronization, in the lines themselves: an operation more would show in the latency.
TEST(NodeMemory, SmallDataTakesTheFewestOperations) {
    const int32_t ranks = 4;
    NodeMap map(Nodes::one, ranks, ranks);
    struct {
        const char *collective, *name;
        int64_t operations;
    } const cases[] = {{"barrier", "node_lines", 2},
                       {"bcast", "node_aware", 2},
                       {"reduce", "node_direct", 1 + 2 + ranks},
                       {"allreduce", "node_direct", 3 + ranks}};
    for (const auto &c : cases) {
        const caucus_algorithm *algorithm = find(c.collective, c.name);
        Instance instance(algorithm, shape_of(algorithm, map.get(), 8));
        ASSERT_EQ(instance.verify(), CAUCUS_OK) << instance.text;
        EXPECT_LE(most_operations(instance), c.operations) << c.collective;
        EXPECT_EQ(instance.schedules[0].node_bytes, 0) << c.collective;
        EXPECT_EQ(instance.schedules[0].lines, ranks) << c.collective;
    }
}

TEST(NodeMemory, WhatAwaitsEverybodySaysSo) {
    NodeMap map(Nodes::one, 5, 5);
    for (const char *collective : {"allreduce", "barrier", "allgather", "reduce_scatter_block"})
        for (const char *name :
             {"node_lines", "node_direct", "node_memory", "node_aware", "lanes"}) {
            auto which = static_cast<caucus_collective>(caucus_collective_find(collective));
            const caucus_algorithm *algorithm = caucus_algorithm_find(which, name);
            if (!algorithm)
                continue;
            Instance instance(algorithm, shape_of(algorithm, map.get(), 64));
            ASSERT_EQ(instance.verify(), CAUCUS_OK) << instance.text;
            EXPECT_TRUE(instance.schedules[0].synchronising) << collective << " " << name;
        }
}

// Ranks that look at √p lines twice do less than ranks that look at p.
TEST(NodeMemory, ManyRanksCombineInTwoStages) {
    NodeMap map(Nodes::one, 64, 64);
    for (const char *collective : {"allreduce", "reduce"}) {
        const caucus_algorithm *algorithm = find(collective, "node_direct");
        Instance instance(algorithm, shape_of(algorithm, map.get(), 8));
        ASSERT_EQ(instance.verify(), CAUCUS_OK) << instance.text;
        EXPECT_LE(most_operations(instance), 30) << collective;
    }
}

TEST(NodeMemory, EveryByteComesToANodeOnce) {
    for (Nodes kind : {Nodes::blocks, Nodes::uneven, Nodes::interleaved})
        for (const char *name : {"node_aware", "lanes"}) {
            NodeMap map(kind, 22, 4);
            int64_t nodes = map.get()->nodes, bytes = 4096;
            const caucus_algorithm *allgather = find("allgather", name);
            Instance all(allgather, shape_of(allgather, map.get(), bytes));
            EXPECT_EQ(simulate(all).bytes[CAUCUS_BETWEEN_NODES], (nodes - 1) * 22 * bytes);
            const caucus_algorithm *bcast = find("bcast", name);
            Instance one(bcast, shape_of(bcast, map.get(), bytes));
            EXPECT_EQ(simulate(one).bytes[CAUCUS_BETWEEN_NODES], (nodes - 1) * bytes);
        }
}

TEST(NodeMemory, LanesShareTheCard) {
    NodeMap map(Nodes::blocks, 32, 4);
    for (const char *collective : {"bcast", "reduce", "allreduce", "reduce_scatter", "allgather"}) {
        const caucus_algorithm *lanes = find(collective, "lanes");
        const caucus_algorithm *leaders = find(collective, "node_aware");
        Instance many(lanes, shape_of(lanes, map.get(), 1 << 18));
        Instance one(leaders, shape_of(leaders, map.get(), 1 << 18));
        EXPECT_LT(simulate(many).seconds, simulate(one).seconds) << collective;
    }
}

bool is_mine(const caucus_algorithm *algorithm) {
    std::string name = algorithm->name;
    return algorithm->needs & (CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_ONE_NODE) &&
           name.find("aggregated") == std::string::npos;
}

TEST(NodeMemory, TooLittleIsRefusedByAllAndPricedSo) {
    int refused = 0;
    for (Nodes kind : {Nodes::one, Nodes::uneven})
        for (int64_t limit : {1, 64, 300, 5000, 70000})
            for (int64_t element : {8, 12, 400})
                for (int i = 0; caucus_algorithm_entry(i); i++) {
                    const caucus_algorithm *algorithm = caucus_algorithm_entry(i);
                    NodeMap map(kind, 13, 6);
                    bool one_node = algorithm->needs & CAUCUS_NEEDS_ONE_NODE;
                    if (!is_mine(algorithm) || (one_node && kind != Nodes::one))
                        continue;
                    caucus_problem_shape shape = shape_of(algorithm, map.get(), 3 * element);
                    shape.element = element;
                    shape.node_limit = limit;
                    shape.exchanged = CAUCUS_NEEDS_COUNTS;
                    Instance instance(algorithm, shape);
                    if (instance.status == CAUCUS_NOT_APPLICABLE) {
                        refused++;
                        continue;
                    }
                    EXPECT_EQ(instance.verify(), CAUCUS_OK) << instance.text;
                    for (int32_t rank = 0; rank < 13; rank++)
                        EXPECT_LE(instance.schedules[rank].node_bytes, limit) << algorithm->name;
                }
    EXPECT_GT(refused, 0);
}

int64_t longest_message(const caucus_schedule &schedule) {
    int64_t longest = 0;
    for (int64_t i = 0; i < schedule.count; i++)
        if (schedule.operations[i].kind == CAUCUS_OPERATION_SEND)
            longest = std::max(longest, schedule.operations[i].length);
    return longest;
}

// A flag counts the rounds: what takes more than it can count goes another way.
TEST(NodeMemory, LongBlocksGoOnAsMessages) {
    const int32_t ranks = 3;
    const int64_t most = 65536 * 64;
    NodeMap map(Nodes::one, ranks, ranks);
    for (const char *collective : {"gatherv", "scatterv"})
        for (int64_t bytes : {most, most + 8, 2 * most + 24}) {
            const caucus_algorithm *algorithm = find(collective, "node_memory");
            caucus_problem_shape shape = shape_of(algorithm, map.get(), bytes);
            shape.node_limit = 2 * ranks * 64;
            shape.root = 1;
            Instance instance(algorithm, shape);
            EXPECT_EQ(instance.verify(), CAUCUS_OK) << instance.text;
            int64_t longest = 0;
            for (int32_t rank = 0; rank < ranks; rank++)
                longest = std::max(longest, longest_message(instance.schedules[rank]));
            EXPECT_EQ(longest, bytes - most) << collective;
        }
}

TEST(NodeMemory, MoreRoundsThanAFlagCanCountAreRefused) {
    NodeMap map(Nodes::one, 2, 2);
    for (const char *collective : {"bcast", "allgather", "allreduce"}) {
        const bool combines = strcmp(collective, "allreduce") == 0;
        const caucus_algorithm *algorithm =
            find(collective, combines ? "node_memory" : "node_aware");
        caucus_problem_shape shape = shape_of(algorithm, map.get(), int64_t{1} << 28);
        shape.node_limit = 512;
        Instance instance(algorithm, shape);
        EXPECT_EQ(instance.status, CAUCUS_NOT_APPLICABLE) << collective;
        EXPECT_TRUE(std::isinf(predicted(instance, algorithm))) << collective;
    }
}

// Among short blocks: these go in rounds of many, whatever one of them takes.
TEST(NodeMemory, OneLongBlockTakesNoRoundsOfTheOthers) {
    for (const char *collective : {"allgatherv", "reduce_scatter"}) {
        const caucus_algorithm *algorithm = find(collective, "node_aware");
        NodeMap map(Nodes::blocks, 256, 32);
        std::vector<int64_t> lengths(256, 8);
        lengths[85] = 2 << 20;
        caucus_problem_shape shape = shape_of(algorithm, map.get(), 8);
        shape.lengths = lengths.data();
        shape.node_limit = 4 << 20;
        Instance instance(algorithm, shape);
        ASSERT_EQ(instance.verify(), CAUCUS_OK) << instance.text;
        EXPECT_LT(most_operations(instance), collective[0] == 'a' ? 200 : 3000) << collective;
    }
}

TEST(NodeMemory, OneLongBlockIsNotTooMuchForVeryManyRanks) {
    const int32_t ranks = 1 << 20;
    caucus_node_map map{};
    ASSERT_EQ(caucus_node_map_blocks(&map, ranks, 64), CAUCUS_OK);
    std::vector<int64_t> lengths(ranks, 8);
    lengths[ranks / 3] = 2 << 20;
    caucus_task task{};
    task.collective = CAUCUS_ALLGATHERV;
    task.ranks = ranks;
    task.rank = 1;
    task.element = 1;
    task.bytes = 8;
    task.receive_bytes = lengths.data();
    task.nodes = &map;
    task.node_limit = 4 << 20;
    for (int64_t bytes : lengths)
        task.volume += bytes;
    caucus_schedule schedule{};
    EXPECT_EQ(caucus_algorithm_build(find("allgatherv", "node_aware"), &task, &schedule), CAUCUS_OK)
        << caucus_error_text();
    caucus_schedule_free(&schedule);
    caucus_node_map_free(&map);
}

// The choice goes by prices: they are right where it matters, for data that takes its time.
TEST(NodeMemory, PricesAreThoseOfTheSimulation) {
    for (int32_t each : {1, 8, 16})
        for (int64_t bytes : {4096, 65536})
            for (int i = 0; caucus_algorithm_entry(i); i++) {
                const caucus_algorithm *algorithm = caucus_algorithm_entry(i);
                NodeMap map(each == 16 ? Nodes::one : Nodes::blocks, 16, each);
                bool one_node = algorithm->needs & CAUCUS_NEEDS_ONE_NODE;
                if (!is_mine(algorithm) || (one_node && each < 16))
                    continue;
                caucus_problem_shape shape = shape_of(algorithm, map.get(), bytes);
                shape.exchanged = CAUCUS_NEEDS_COUNTS;
                Instance instance(algorithm, shape);
                if (instance.status == CAUCUS_NOT_APPLICABLE)
                    continue;
                double price = predicted(instance, algorithm), time = simulate(instance).seconds;
                EXPECT_LT(price, 2 * time) << caucus_collective_name(algorithm->collective) << " "
                                           << algorithm->name << " " << each << " " << bytes;
                EXPECT_GT(price, time / 2) << caucus_collective_name(algorithm->collective) << " "
                                           << algorithm->name << " " << each << " " << bytes;
            }
}

} // namespace
