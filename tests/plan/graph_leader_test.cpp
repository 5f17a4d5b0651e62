// SPDX-License-Identifier: BSD-3-Clause
// Leaders of nodes that divide a graph none of them has whole, all played in one process: every
// node keeps its size, what they say of the cost is true, nothing is worse than as given, and the
// outcome is about as good as that of one process with all of the graph.
extern "C" {
#include "base/status.h"
#include "plan/graph/choose.h"
#include "study/graph/leaders.h"
}
#include "failing_memory.hpp"
#include "graph_case.hpp"

#include <climits>
#include <gtest/gtest.h>
#include <set>

namespace {

using test::Edge, test::Graph, test::grid_edges, test::random_edges;

// Nodes of any sizes, whose ranks lie by blocks, or anywhere.
struct Machine {
    std::vector<int32_t> node;
    caucus_nodes nodes{};

    Machine(const std::vector<int32_t> &size, test::Random *random) {
        for (size_t i = 0; i < size.size(); i++)
            node.insert(node.end(), static_cast<size_t>(size[i]), static_cast<int32_t>(i));
        if (random) {
            for (size_t i = node.size(); i > 1; i--)
                std::swap(node[i - 1],
                          node[static_cast<size_t>(random->below(static_cast<int>(i)))]);
        }
        test::require(caucus_nodes_init(&nodes, static_cast<int32_t>(size.size()), size.data()));
    }
    ~Machine() {
        caucus_nodes_free(&nodes);
    }
    Machine(const Machine &) = delete;
    Machine &operator=(const Machine &) = delete;
};

class Played {
  public:
    Played(const Graph &graph, const Machine &machine) : node(machine.node.size(), -1) {
        test::require(caucus_leaders_play(*graph, &machine.nodes, machine.node.data(), &leaders));
        caucus_leaders_nodes(&leaders, node.data());
    }
    ~Played() {
        caucus_leaders_free(&leaders);
    }
    Played(const Played &) = delete;
    Played &operator=(const Played &) = delete;

    caucus_leaders leaders{};
    std::vector<int32_t> node;
};

caucus_grid_score score_of(const Graph &graph, const Machine &machine,
                           const std::vector<int32_t> &node) {
    caucus_grid_score score;
    test::require(caucus_graph_evaluate(*graph, node.data(), machine.nodes.count, &score));
    return score;
}

// What the leaders say, added up.
caucus_grid_score sum_of(const caucus_leaders &leaders, caucus_grid_share caucus_leader::*share) {
    caucus_grid_score score{};
    score.on.min = score.off.min = INT_MAX;
    double on = 0, off = 0, cells = 0;
    for (int32_t i = 0; i < leaders.count; i++) {
        const caucus_grid_share &one = leaders.leader[i].*share;
        score.jsum += one.leaving;
        score.jmax = std::max(score.jmax, one.leaving);
        score.total += one.total;
        score.on.min = std::min(score.on.min, one.on_min);
        score.on.max = std::max(score.on.max, one.on_max);
        score.off.min = std::min(score.off.min, one.off_min);
        score.off.max = std::max(score.off.max, one.off_max);
        on += static_cast<double>(one.on);
        off += static_cast<double>(one.off);
        cells += static_cast<double>(one.cells);
    }
    score.on.mean = on / cells;
    score.off.mean = off / cells;
    return score;
}

void expect_same(const caucus_grid_score &a, const caucus_grid_score &b) {
    EXPECT_DOUBLE_EQ(a.jsum, b.jsum);
    EXPECT_DOUBLE_EQ(a.jmax, b.jmax);
    EXPECT_DOUBLE_EQ(a.total, b.total);
    EXPECT_EQ(a.on.min, b.on.min);
    EXPECT_EQ(a.on.max, b.on.max);
    EXPECT_EQ(a.off.min, b.off.min);
    EXPECT_EQ(a.off.max, b.off.max);
    EXPECT_NEAR(a.on.mean, b.on.mean, 1e-9);
    EXPECT_NEAR(a.off.mean, b.off.mean, 1e-9);
}

void expect_sizes(const Machine &machine, const std::vector<int32_t> &node) {
    for (int32_t i = 0; i < machine.nodes.count; i++)
        ASSERT_EQ(std::count(node.begin(), node.end(), i), caucus_nodes_size(&machine.nodes, i));
}

TEST(GraphLeaders, NeverWorseThanGivenAndSayWhatItCosts) {
    test::Random random(1);
    int better = 0, from_blocks = 0;
    for (int repeat = 0; repeat < 300; repeat++) {
        int ranks = random.from(1, 90);
        Graph graph(ranks, random_edges(random, ranks), random.chance(0.7));
        Machine machine(test::random_sizes(random, ranks, random.from(1, 20)),
                        random.chance(0.5) ? &random : nullptr);
        Played played(graph, machine);
        expect_sizes(machine, played.node);
        auto given = score_of(graph, machine, machine.node),
             placed = score_of(graph, machine, played.node);
        EXPECT_LE(placed.jsum, given.jsum);
        expect_same(sum_of(played.leaders, &caucus_leader::given), given);
        expect_same(sum_of(played.leaders, &caucus_leader::placed), placed);
        better += placed.jsum < given.jsum;
        from_blocks += played.leaders.leader[0].blocks;
    }
    EXPECT_GT(better, 150);
    EXPECT_GT(from_blocks, 20);
}

TEST(GraphLeaders, EveryRoleGoesToARankOfItsNode) {
    test::Random random(2);
    for (int repeat = 0; repeat < 100; repeat++) {
        int ranks = random.from(1, 60);
        auto edges = random_edges(random, ranks);
        Graph graph(ranks, edges, true);
        Machine machine(test::random_sizes(random, ranks, random.from(1, 20)), &random);
        Played played(graph, machine);
        for (int moved = 0; moved < 2; moved++) {
            if (moved && !played.leaders.leader[0].held.role)
                continue;
            const auto &node = moved ? played.node : machine.node;
            std::set<int32_t> taken;
            for (int32_t i = 0; i < machine.nodes.count; i++) {
                auto size = static_cast<size_t>(caucus_nodes_size(&machine.nodes, i));
                std::vector<int32_t> part(size), role(size);
                for (auto &one : part)
                    one = random.below(2);
                const int32_t *parts[] = {part.data()};
                double given = 0, placed = 0;
                test::require(caucus_leader_pair(&played.leaders.leader[i], moved != 0, 1, parts,
                                                 &given, &placed, role.data()));
                EXPECT_LE(placed, given);
                double cut = 0;
                for (size_t a = 0; a < size; a++) {
                    ASSERT_EQ(node[static_cast<size_t>(role[a])], i);
                    taken.insert(role[a]);
                    for (const Edge &edge : edges)
                        for (size_t b = 0; b < size && edge.from == role[a]; b++)
                            cut += edge.to == role[b] && part[a] != part[b] ? edge.weight : 0;
                }
                EXPECT_DOUBLE_EQ(placed, cut);
            }
            EXPECT_EQ(taken.size(), static_cast<size_t>(ranks));
        }
    }
}

TEST(GraphLeaders, FindSquaresOfAShuffledGrid) {
    test::Random random(3);
    Graph graph(1024, grid_edges(random, 32, 32, true), false);
    Machine machine(std::vector<int32_t>(64, 16), nullptr);
    Played played(graph, machine);
    auto placed = score_of(graph, machine, played.node);
    EXPECT_LE(placed.jsum, 1.25 * 2 * 14 * 32); // squares of 4 x 4 have 14 seams of 32 pairs
}

TEST(GraphLeaders, BlocksOfConsecutiveRolesAreFoundOnAnyMachine) {
    // A ring dealt out to nodes of other sizes: a piece of it for each is best.
    test::Random random(4);
    std::vector<int32_t> size = {7, 1, 30, 12, 50, 5, 5, 20, 11, 9, 3};
    std::vector<Edge> edges;
    for (int i = 0; i < 153; i++)
        edges.push_back({i, (i + 1) % 153, 3});
    Graph graph(153, edges, true);
    Machine machine(size, &random);
    Played played(graph, machine);
    EXPECT_EQ(score_of(graph, machine, played.node).jsum, 33);
    EXPECT_TRUE(played.leaders.leader[0].blocks);
}

TEST(GraphLeaders, WhatWasGivenIsTheStartWhereItIsBetter) {
    // A ring on each node of ranks that were dealt out in turn, and one edge between two of them.
    std::vector<Edge> edges = {{0, 1, 1}};
    for (int i = 0; i < 40; i++)
        edges.push_back({i, (i + 4) % 40, 5});
    Graph graph(40, edges, true);
    std::vector<int32_t> node;
    for (int i = 0; i < 40; i++)
        node.push_back(i % 4);
    caucus_nodes nodes = caucus_nodes_alike(4, 10);
    caucus_leaders leaders;
    test::require(caucus_leaders_play(*graph, &nodes, node.data(), &leaders));
    EXPECT_FALSE(leaders.leader[0].blocks);
    std::vector<int32_t> found(40, -1);
    caucus_leaders_nodes(&leaders, found.data());
    EXPECT_EQ(found, node);
    caucus_leaders_free(&leaders);
}

TEST(GraphLeaders, AboutAsGoodAsOneProcess) {
    test::Random random(5);
    double leaders = 0, central = 0;
    for (int repeat = 0; repeat < 8; repeat++) {
        Graph graph(400, grid_edges(random, 20, 20, true), false);
        Machine machine(test::random_sizes(random, 400, 24), &random);
        Played played(graph, machine);
        caucus_graph_problem problem = {*graph, machine.nodes, nullptr};
        caucus_graph_choice choice;
        test::require(caucus_graph_choose(&problem, machine.node.data(), &choice));
        leaders += score_of(graph, machine, played.node).jsum;
        central += choice.score.jsum;
        caucus_graph_choice_free(&choice);
    }
    EXPECT_LE(leaders, 1.1 * central);
}

TEST(GraphLeaders, ThousandsOfRanksTakeFewSteps) {
    test::Random random(6);
    Graph graph(4096, grid_edges(random, 64, 64, true), false);
    Machine machine(test::random_sizes(random, 4096, 40), &random);
    Played played(graph, machine);
    expect_sizes(machine, played.node);
    auto given = score_of(graph, machine, machine.node),
         placed = score_of(graph, machine, played.node);
    EXPECT_LE(placed.jsum, 0.35 * given.jsum);
    EXPECT_LE(played.leaders.steps, 7 + 6 * 102);
    EXPECT_LE(played.leaders.most, 8 * 40 * 4 * 6); // a group's roles, ties and heads
}

TEST(GraphLeaders, ThirteenRoundsInARowWithoutGainAreEnough) {
    // Whoever is where, it costs the same, and there is always somebody to meet.
    std::vector<Edge> edges;
    for (int i = 0; i < 600; i++)
        for (int j = 0; j < 600; j++)
            if (i != j)
                edges.push_back({i, j, 1});
    Graph graph(600, edges, false);
    Machine machine(std::vector<int32_t>(200, 3), nullptr);
    Played played(graph, machine);
    EXPECT_EQ(played.leaders.leader[0].round, 13);
    EXPECT_EQ(played.node, machine.node);
}

TEST(GraphLeaders, NobodyMeetsWhereNodesHaveOneRank) {
    test::Random random(8);
    Graph graph(64, grid_edges(random, 8, 8, true), false);
    Machine machine(std::vector<int32_t>(64, 1), &random);
    Played played(graph, machine);
    EXPECT_EQ(played.leaders.steps, 7);
    EXPECT_EQ(played.node, machine.node);
}

TEST(GraphLeaders, EachAllocationMayFail) {
    test::Random random(7);
    Graph graph(24, random_edges(random, 24), true);
    Machine machine({5, 3, 8, 8}, &random);
    test::refuse_each(
        "leaders",
        [&] {
            caucus_leaders leaders;
            int status = caucus_leaders_play(*graph, &machine.nodes, machine.node.data(), &leaders);
            caucus_leaders_free(&leaders);
            return status;
        },
        true);
}

} // namespace
