// SPDX-License-Identifier: BSD-3-Clause
// What algorithms of one group are predicted to take on nodes with slow cards, against what they
// take: selections there are no better than that.
#include "collective_case.hpp"
extern "C" {
#include "plan/choice/choose.h"
#include "plan/collective/cost.h"
#include "study/simulate/simulate.h"
}

#include <gtest/gtest.h>

namespace {

using test::NodeMap;
using test::Nodes;

constexpr unsigned EXCHANGES = CAUCUS_NEEDS_COUNTS | CAUCUS_NEEDS_TRAFFIC;

struct Shape {
    int32_t nodes, ranks; // ranks of a node
};
const Shape shapes[] = {{8, 2}, {8, 4}, {16, 2}};

// As measured on virtual nodes that share two cores, with cards of so many megabits a second.
caucus_model virtual_nodes(double megabits) {
    caucus_model model{};
    caucus_model_default(&model);
    model.latency[CAUCUS_WITHIN_NODE] = 13.7e-6;
    model.latency[CAUCUS_BETWEEN_NODES] = 416e-6;
    model.overhead[CAUCUS_WITHIN_NODE] = 0.135e-6;
    model.overhead[CAUCUS_BETWEEN_NODES] = 5.7e-6;
    model.byte[CAUCUS_WITHIN_NODE] = 2.8e-9;
    model.byte[CAUCUS_BETWEEN_NODES] = model.card_byte = 8e-6 / megabits;
    model.signal = 2e-6;
    model.ports = 1;
    return model;
}

// How many times what is simulated the prediction is; 0: it can't serve.
double off(caucus_collective collective, const std::string &name, const Shape &nodes, int64_t bytes,
           const caucus_model &model, Nodes how = Nodes::blocks) {
    NodeMap map(how, nodes.nodes * nodes.ranks, nodes.ranks);
    caucus_problem_shape shape{};
    shape.collective = collective;
    shape.ranks = nodes.nodes * nodes.ranks;
    shape.bytes = bytes;
    shape.element = caucus_task_reduces(collective) ? 8 : 1;
    shape.commutative = true;
    shape.seed = 5;
    shape.nodes = map.get();
    shape.node_limit = 4 << 20;
    shape.exchanged = EXCHANGES;
    const caucus_algorithm *algorithm = caucus_algorithm_find(collective, name.c_str());
    test::Instance instance(algorithm, shape);
    caucus_problem problem{};
    caucus_task task;
    caucus_candidate candidate{};
    caucus_simulation simulation{};
    EXPECT_EQ(instance.status, CAUCUS_OK) << instance.text;
    EXPECT_EQ(caucus_schedule_simulate(shape.ranks, instance.schedules, shape.nodes, &model,
                                       nullptr, nullptr, &simulation),
              CAUCUS_OK);
    EXPECT_EQ(caucus_problem_init(&problem, &shape), CAUCUS_OK) << caucus_error_text();
    EXPECT_EQ(caucus_problem_task(&problem, 0, &task), CAUCUS_OK);
    double predicted = 0;
    for (int i = 0; caucus_algorithm_explain(&task, &model, EXCHANGES, i, &candidate); i++)
        if (candidate.algorithm == algorithm && candidate.serves)
            predicted = candidate.seconds;
    caucus_problem_free(&problem);
    return predicted / simulation.seconds;
}

void expect_near(caucus_collective collective, const std::string &name, double tolerance) {
    for (const Shape &nodes : shapes)
        for (int64_t bytes : {1 << 10, 1 << 14, 1 << 16, 1 << 20})
            for (double megabits : {20, 200, 1000})
                EXPECT_NEAR(off(collective, name, nodes, bytes, virtual_nodes(megabits)), 1,
                            tolerance)
                    << caucus_collective_name(collective) << " by " << name << " of " << bytes
                    << " bytes on " << nodes.nodes << "x" << nodes.ranks << ", " << megabits
                    << " Mbit/s";
}

TEST(Predicted, Scans) {
    for (auto collective : {CAUCUS_SCAN, CAUCUS_EXSCAN})
        for (const char *name : {"chain", "node_aware"})
            expect_near(collective, name, 0.15);
}

// As far as the number of nodes is the same node.
TEST(Predicted, ShiftsOnInterleavedNodes) {
    for (const Shape &nodes : {Shape{4, 4}, {4, 8}, {8, 4}})
        for (int64_t bytes : {1 << 10, 1 << 14, 1 << 18})
            for (auto collective : {CAUCUS_SCAN, CAUCUS_ALLGATHER})
                EXPECT_NEAR(off(collective,
                                collective == CAUCUS_SCAN ? "recursive_doubling" : "bruck", nodes,
                                bytes, virtual_nodes(20), Nodes::interleaved),
                            1, 0.2)
                    << caucus_collective_name(collective) << " of " << bytes << " bytes on "
                    << nodes.nodes << "x" << nodes.ranks;
}

TEST(Predicted, AllToAllStraight) {
    expect_near(CAUCUS_ALLTOALL, "linear", 0.05);
}

// Figures of one rank of each node, and of all, where ranks share processors.
TEST(Predicted, LoneFiguresAreThoseOfLeaders) {
    caucus_model model = virtual_nodes(200);
    model.lone_latency = model.latency[CAUCUS_BETWEEN_NODES] / 3;
    NodeMap map(Nodes::blocks, 16, 2), alone(Nodes::singletons, 16, 1);
    caucus_task task{};
    task.ranks = 16;
    task.nodes = map.get();
    auto latency = [&](double lanes) {
        return caucus_cost_lanes_part(&task, &model, lanes).latency[CAUCUS_BETWEEN_NODES];
    };
    EXPECT_DOUBLE_EQ(latency(1), model.lone_latency);
    EXPECT_DOUBLE_EQ(latency(1.5), 2 * model.lone_latency);
    EXPECT_DOUBLE_EQ(latency(2), model.latency[CAUCUS_BETWEEN_NODES]);
    EXPECT_DOUBLE_EQ(caucus_cost_tree_part(&task, &model, 15, 4).latency[CAUCUS_BETWEEN_NODES],
                     model.lone_latency);
    task.nodes = alone.get();
    EXPECT_DOUBLE_EQ(latency(1), model.latency[CAUCUS_BETWEEN_NODES]);
}

// Who has sent to a gather is done, and leaves the processor to the root.
TEST(Predicted, TheRootOfAGatherIsAlone) {
    caucus_model model = virtual_nodes(200), lone = model;
    model.lone_overhead = lone.overhead[CAUCUS_BETWEEN_NODES];
    model.overhead[CAUCUS_BETWEEN_NODES] *= 20;
    NodeMap map(Nodes::blocks, 16, 2);
    caucus_task task{};
    task.ranks = 16;
    task.bytes = 8;
    task.volume = 16 * task.bytes;
    task.nodes = map.get();
    auto linear = [&](caucus_collective collective, const caucus_model &by) {
        task.collective = collective;
        return caucus_algorithm_find(collective, "linear")->cost(&task, &by);
    };
    EXPECT_DOUBLE_EQ(linear(CAUCUS_GATHER, model), linear(CAUCUS_GATHER, lone));
    EXPECT_GT(linear(CAUCUS_SCATTER, model), 2 * linear(CAUCUS_SCATTER, lone));
}

} // namespace
