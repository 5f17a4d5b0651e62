// SPDX-License-Identifier: BSD-3-Clause
// What the exchanges promise besides the right bytes: how many messages there are, how many bytes
// go between nodes, how much memory is taken.
#include "collective_case.hpp"
extern "C" {
#include "study/simulate/simulate.h"
}

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <utility>

using test::Instance;
using test::NodeMap;
using test::Nodes;

namespace {

std::unique_ptr<Instance> build(const char *collective, const char *name,
                                const caucus_problem_shape &asked) {
    caucus_problem_shape shape = asked;
    shape.collective = static_cast<caucus_collective>(caucus_collective_find(collective));
    shape.exchanged = CAUCUS_NEEDS_COUNTS | CAUCUS_NEEDS_TRAFFIC;
    const caucus_algorithm *algorithm = caucus_algorithm_find(shape.collective, name);
    if (!algorithm)
        throw std::runtime_error(std::string("no ") + collective + " by " + name);
    auto instance = std::make_unique<Instance>(algorithm, shape);
    EXPECT_EQ(instance->verify(), CAUCUS_OK) << instance->text;
    return instance;
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

int64_t sends(const caucus_schedule &schedule) {
    int64_t count = 0;
    for (int64_t i = 0; i < schedule.count; i++)
        count += schedule.operations[i].kind == CAUCUS_OPERATION_SEND;
    return count;
}

int64_t requests_of_a_step(const caucus_schedule &schedule) {
    int64_t most = 0, now = 0;
    for (int64_t i = 0; i < schedule.count; i++) {
        now += schedule.operations[i].kind <= CAUCUS_OPERATION_RECEIVE;
        most = std::max(most, now);
        if (schedule.operations[i].ends_step)
            now = 0;
    }
    return most;
}

caucus_problem_shape shape_of(int32_t ranks, int64_t bytes, const caucus_node_map *nodes) {
    caucus_problem_shape shape{};
    shape.ranks = ranks;
    shape.bytes = bytes;
    shape.nodes = nodes;
    shape.node_limit = 64 << 20;
    return shape;
}

TEST(Aggregation, AllToAllSendsOneMessageForEachPairOfNodes) {
    for (Nodes kind : {Nodes::blocks, Nodes::interleaved, Nodes::uneven}) {
        NodeMap map(kind, 23, 4);
        int64_t nodes = map.get()->nodes;
        for (const char *collective : {"alltoall", "alltoallv", "alltoallw"}) {
            auto instance = build(collective, "node_aggregated", shape_of(23, 8, map.get()));
            caucus_simulation simulation = simulate(*instance);
            EXPECT_EQ(simulation.messages[CAUCUS_WITHIN_NODE], 0);
            EXPECT_EQ(simulation.messages[CAUCUS_BETWEEN_NODES], nodes * (nodes - 1));
        }
    }
}

TEST(Aggregation, LongRegionsTravelAsLanes) {
    NodeMap map(Nodes::blocks, 8, 4);
    auto instance = build("alltoall", "node_aggregated", shape_of(8, 100'000, map.get()));
    caucus_simulation simulation = simulate(*instance);
    EXPECT_EQ(simulation.messages[CAUCUS_BETWEEN_NODES], 2 * 4);
    EXPECT_EQ(simulation.bytes[CAUCUS_BETWEEN_NODES], 2 * 16 * 100'000);
    for (int32_t rank = 0; rank < 8; rank++)
        EXPECT_EQ(sends(instance->schedules[rank]), 1);
}

TEST(Aggregation, ABlockForAllOfANodeTravelsThereOnce) {
    NodeMap map(Nodes::interleaved, 36, 6);
    caucus_problem_shape shape = shape_of(36, 1000, map.get());
    shape.neighbourhood = CAUCUS_NEIGHBOURHOOD_RANDOM;
    shape.degree = 12;
    auto by_nodes = build("neighbor_allgather", "node_aggregated", shape);
    auto straight = build("neighbor_allgather", "linear", shape);
    const caucus_traffic_table &traffic = by_nodes->problem.traffic;
    std::set<std::pair<int32_t, int32_t>> once, pairs;
    for (int32_t rank = 0; rank < 36; rank++)
        for (int64_t i = traffic.first[rank]; i < traffic.first[rank + 1]; i++) {
            int32_t from = caucus_node_of_rank(map.get(), rank);
            int32_t to = caucus_node_of_rank(map.get(), traffic.destination[i]);
            if (from != to) {
                once.insert({rank, to});
                pairs.insert({from, to});
            }
        }
    caucus_simulation simulation = simulate(*by_nodes);
    EXPECT_EQ(simulation.messages[CAUCUS_BETWEEN_NODES], static_cast<int64_t>(pairs.size()));
    EXPECT_EQ(simulation.bytes[CAUCUS_BETWEEN_NODES], 1000 * static_cast<int64_t>(once.size()));
    EXPECT_LT(simulation.bytes[CAUCUS_BETWEEN_NODES],
              simulate(*straight).bytes[CAUCUS_BETWEEN_NODES]);
}

TEST(Aggregation, NodeMemoryStaysWithinItsLimit) {
    NodeMap map(Nodes::uneven, 30, 8);
    for (int64_t limit : {int64_t{1000}, int64_t{10'000}, int64_t{100'000}, int64_t{1} << 30}) {
        caucus_problem_shape shape = shape_of(30, 3000, map.get());
        shape.node_limit = limit;
        shape.irregular = true;
        for (const char *collective : {"alltoall", "alltoallv"}) {
            auto instance = build(collective, "node_aggregated", shape);
            for (int32_t rank = 0; rank < 30; rank++)
                EXPECT_LE(instance->schedules[rank].node_bytes, limit);
        }
    }
}

TEST(Aggregation, OneNodeNeedsNoMessage) {
    NodeMap map(Nodes::one, 13, 13);
    caucus_problem_shape shape = shape_of(13, 40, map.get());
    shape.neighbourhood = CAUCUS_NEIGHBOURHOOD_RANDOM;
    shape.degree = 5;
    for (const char *collective : {"alltoall", "alltoallv", "neighbor_allgather",
                                   "neighbor_alltoall", "neighbor_alltoallw"}) {
        auto instance = build(collective, "node_aggregated", shape);
        EXPECT_EQ(instance->verdict.messages, 0) << collective;
        EXPECT_TRUE(instance->schedules[0].synchronising) << collective;
    }
}

TEST(Rounds, AreLogarithmicWhereTheySaySo) {
    for (int32_t ranks = 1; ranks <= 70; ranks++) {
        int64_t rounds = 0;
        while ((int64_t{1} << rounds) < ranks)
            rounds++;
        for (auto [collective, name] :
             {std::pair{"allgather", "bruck"}, {"allgatherv", "bruck"}, {"alltoall", "bruck"}}) {
            auto instance = build(collective, name, shape_of(ranks, 8, nullptr));
            for (int32_t rank = 0; rank < ranks; rank++)
                EXPECT_EQ(sends(instance->schedules[rank]), rounds) << collective;
        }
        auto gather = build("gather", "binomial", shape_of(ranks, 8, nullptr));
        EXPECT_EQ(gather->verdict.messages, ranks - 1);
    }
}

TEST(Requests, StayBounded) {
    constexpr int32_t ranks = 300;
    caucus_problem_shape shape = shape_of(ranks, 8, nullptr);
    shape.neighbourhood = CAUCUS_NEIGHBOURHOOD_RANDOM;
    shape.degree = 200;
    for (const char *collective : {"gather", "scatter", "alltoall", "alltoallv", "alltoallw",
                                   "neighbor_allgather", "neighbor_alltoallv"}) {
        auto instance = build(collective, "linear", shape);
        for (int32_t rank = 0; rank < ranks; rank++)
            EXPECT_LE(requests_of_a_step(instance->schedules[rank]), 80) << collective;
    }
}

} // namespace
