// SPDX-License-Identifier: BSD-3-Clause
// What collectives between two groups are predicted to take on machines of nodes, against what they
// take: the algorithm that is chosen, and the best one.
#include "collective_case.hpp"
#include "full_run.hpp"
#include "intergroup_case.hpp"
extern "C" {
#include "plan/choice/choose.h"
#include "plan/intergroup/intergroup.h"
#include "study/simulate/simulate.h"
}

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

using test::Pattern;

namespace {

struct Machine {
    int32_t nodes, ranks, first; // ranks of a node; nodes of the first group
    double bytes;                // of a node, on average
};

struct Taken {
    std::string name;
    double predicted, simulated;
};

double simulate(const caucus_algorithm *algorithm, const caucus_problem_shape &shape,
                const caucus_model &model) {
    test::Instance instance(algorithm, shape);
    caucus_simulation simulation;
    test::require(instance.status);
    test::require(caucus_schedule_simulate(shape.ranks, instance.schedules, shape.nodes, &model,
                                           nullptr, nullptr, &simulation));
    return simulation.seconds;
}

// All that are not predicted to be hopeless, so many times slower than the best one, which comes
// first.
std::vector<Taken> candidates(const caucus_problem_shape &shape, const caucus_model &model,
                              double hopeless) {
    caucus_problem problem{};
    caucus_task task;
    caucus_candidate candidate;
    std::vector<caucus_candidate> all;
    std::vector<Taken> found;
    test::require(caucus_problem_init(&problem, &shape));
    test::require(caucus_problem_task(&problem, shape.root, &task));
    for (int i = 0; caucus_algorithm_explain(&task, &model, CAUCUS_NEEDS_COUNTS, i, &candidate);
         i++)
        if (candidate.serves)
            all.push_back(candidate);
    caucus_problem_free(&problem);
    std::sort(all.begin(), all.end(), [](const caucus_candidate &a, const caucus_candidate &b) {
        return a.seconds < b.seconds;
    });
    for (const caucus_candidate &one : all)
        if (one.seconds < hopeless * all.front().seconds)
            found.push_back(
                {one.algorithm->name, one.seconds, simulate(one.algorithm, shape, model)});
    return found;
}

TEST(IntergroupPredicted, TheChoiceIsNearTheBestOfMachinesOfNodes) {
    constexpr double regret = 1.2, low = 0.6, high = 1.35;
    constexpr Machine machines[] = {{32, 2, 2, 65536},  {32, 2, 8, 65536},   {32, 2, 16, 1 << 20},
                                    {32, 8, 2, 65536},  {32, 8, 8, 1 << 20}, {32, 8, 16, 65536},
                                    {128, 2, 8, 65536}, {128, 2, 64, 65536}, {16, 32, 8, 65536}};
    caucus_model model;
    caucus_model_default(&model);
    double worst = 1;
    for (const Machine &machine : machines)
        for (Pattern pattern : {Pattern::equal, Pattern::nearly, Pattern::one_heavy,
                                Pattern::two_heavy, Pattern::half_zero}) {
            std::mt19937_64 random(1);
            caucus_problem_shape shape{};
            caucus_node_map nodes{};
            std::vector<int64_t> blocks;
            shape.collective = CAUCUS_ALLGATHERV;
            shape.ranks = machine.nodes * machine.ranks;
            shape.first_group = machine.first * machine.ranks;
            test::add_blocks(blocks, pattern, shape.first_group, machine.bytes * machine.first,
                             random);
            test::add_blocks(blocks, pattern, shape.ranks - shape.first_group,
                             machine.bytes * (machine.nodes - machine.first), random);
            test::require(caucus_node_map_blocks(&nodes, shape.ranks, machine.ranks));
            shape.lengths = blocks.data();
            shape.nodes = &nodes;
            shape.node_limit = 4 << 20;
            shape.exchanged = CAUCUS_NEEDS_COUNTS;
            std::vector<Taken> found = candidates(shape, model, 3);
            caucus_node_map_free(&nodes);
            auto best =
                std::min_element(found.begin(), found.end(), [](const Taken &a, const Taken &b) {
                    return a.simulated < b.simulated;
                });
            const Taken &chosen = found.front();
            std::string what = std::to_string(machine.nodes) + " nodes of " +
                               std::to_string(machine.ranks) + ", " +
                               std::to_string(machine.first) + " in the first group, " +
                               name_of(pattern) + ": " + chosen.name + ", best " + best->name;
            EXPECT_LE(chosen.simulated, regret * best->simulated) << what;
            EXPECT_GE(chosen.predicted, low * chosen.simulated) << what;
            EXPECT_LE(chosen.predicted, high * chosen.simulated) << what;
            worst = std::max(worst, chosen.simulated / best->simulated);
        }
    std::printf("at most %.3f times the best one\n", worst);
}

// A group on so many nodes of so many ranks each.
struct Side {
    int32_t nodes, ranks;
};

caucus_node_map map_of(const Side (&sides)[2]) {
    caucus_node_map map{};
    std::vector<int32_t> label;
    int32_t node = 0;
    for (const Side &side : sides)
        for (int32_t i = 0; i < side.nodes; i++, node++)
            label.insert(label.end(), static_cast<size_t>(side.ranks), node);
    test::require(caucus_node_map_init(&map, static_cast<int32_t>(label.size()), label.data()));
    return map;
}

// Groups on one node or some, of which one may have many more ranks than the other: all algorithms
// that serve are simulated.
TEST(IntergroupPredicted, TheChoiceIsNearTheBestOfRandomShapes) {
    constexpr double regret = 2, low = 0.6, high = 1.5;
    constexpr int cases = 400;
    constexpr int64_t most_ranks = 160, most_bytes = 32 << 20; // of a rank
    const caucus_collective collectives[] = {
        CAUCUS_BCAST,   CAUCUS_REDUCE,    CAUCUS_ALLREDUCE, CAUCUS_GATHER,
        CAUCUS_SCATTER, CAUCUS_ALLGATHER, CAUCUS_ALLTOALL,  CAUCUS_REDUCE_SCATTER_BLOCK};
    test::Draw draw(2);
    caucus_model model;
    caucus_model_default(&model);
    double worst = 1, sum = 0;
    for (int i = 0; i < cases;) {
        const Side sides[] = {{draw.of({1, 1, 2, 8, 30}), draw.of({1, 2, 16, 64})},
                              {draw.of({1, 1, 2, 8, 30}), draw.of({1, 2, 16, 64})}};
        caucus_problem_shape shape{};
        shape.collective = collectives[draw.number() % std::size(collectives)];
        shape.first_group = sides[0].nodes * sides[0].ranks;
        shape.ranks = shape.first_group + sides[1].nodes * sides[1].ranks;
        shape.root = draw.of({0, shape.first_group});
        shape.commutative = draw.of({false, true, true, true});
        shape.element = caucus_task_reduces(shape.collective) ? 8 : 1;
        shape.bytes = shape.second_bytes = draw.of({8, 1 << 10, 1 << 16, 1 << 20});
        shape.node_limit = 4 << 20;
        bool of_all = shape.collective == CAUCUS_ALLTOALL ||
                      shape.collective == CAUCUS_REDUCE_SCATTER_BLOCK ||
                      shape.collective == CAUCUS_ALLGATHER;
        int64_t all = shape.bytes * shape.ranks * (of_all ? shape.ranks : 1);
        if (shape.ranks > most_ranks || all > most_bytes * shape.ranks)
            continue;
        i++;
        caucus_node_map nodes = map_of(sides);
        shape.nodes = &nodes;
        std::vector<Taken> found = candidates(shape, model, INFINITY);
        caucus_node_map_free(&nodes);
        auto best =
            std::min_element(found.begin(), found.end(), [](const Taken &a, const Taken &b) {
                return a.simulated < b.simulated;
            });
        const Taken &chosen = found.front();
        double times = chosen.simulated / best->simulated;
        std::ostringstream what;
        what << caucus_collective_name(shape.collective) << " of " << shape.bytes << " bytes, "
             << sides[0].nodes << "x" << sides[0].ranks << " + " << sides[1].nodes << "x"
             << sides[1].ranks << ", root " << shape.root
             << (shape.commutative ? "" : ", not commutative") << ", predicted / simulated:";
        for (const Taken &one : found)
            what << " " << one.name << " " << one.predicted * 1e6 << " / " << one.simulated * 1e6;
        EXPECT_LE(times, regret) << what.str();
        EXPECT_GE(chosen.predicted, 0) << what.str(); // of all, as the least
        if (shape.collective == CAUCUS_GATHER || shape.collective == CAUCUS_SCATTER) {
            EXPECT_GE(chosen.predicted, low * chosen.simulated) << what.str();
            EXPECT_LE(chosen.predicted, high * chosen.simulated) << what.str();
        }
        worst = std::max(worst, times);
        sum += times;
    }
    std::printf("at most %.3f times the best one, %.3f on average\n", worst, sum / cases);
}

} // namespace
