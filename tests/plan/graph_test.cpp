// SPDX-License-Identifier: BSD-3-Clause
// Graphs of ranks: every outcome is a permutation that keeps the nodes' sizes, never worse than as
// given, and on small graphs compared with the best of all.
extern "C" {
#include "base/metis.h"
#include "base/scotch.h"
#include "plan/graph/exchange.h"
#include "plan/graph/grow.h"
#include "plan/graph/partitioners.h"
#include "plan/graph/place.h"
}
#include "graph_case.hpp"
#include "problem.hpp"

#include <caucus/plan.h>
#include <cstdlib>
#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <tuple>

namespace {

using test::Edge, test::Graph, test::grid_edges, test::random_edges;

// What edges between parts weigh, and those that leave the worst part, written apart.
std::pair<double, double> traffic(const std::vector<Edge> &edges, bool weighted,
                                  const std::vector<int32_t> &part) {
    std::vector<double> leaving(part.size() + 1);
    double sum = 0;
    for (const Edge &edge : edges) {
        int32_t from = part[static_cast<size_t>(edge.from)],
                to = part[static_cast<size_t>(edge.to)];
        if (from == to)
            continue;
        sum += weighted ? edge.weight : 1;
        leaving[static_cast<size_t>(from)] += weighted ? edge.weight : 1;
    }
    return {sum, *std::max_element(leaving.begin(), leaving.end())};
}

struct Machine {
    std::vector<int32_t> node, part[2];
    int32_t nodes = 0;
    caucus_places places(int levels) const {
        return {static_cast<int32_t>(node.size()),
                nodes,
                node.data(),
                levels,
                {part[0].data(), part[1].data()}};
    }
};

// Nodes numbered by their first rank, whose ranks lie by blocks, in turn or anyhow; inside them
// packages of two caches each.
Machine random_machine(test::Random &random, int ranks) {
    Machine machine;
    int kind = random.below(3), nodes = random.from(1, std::min(ranks, 6));
    std::vector<int32_t> number(static_cast<size_t>(nodes), -1);
    for (int rank = 0; rank < ranks; rank++) {
        int node = kind == 0   ? rank * nodes / ranks
                   : kind == 1 ? rank % nodes
                               : random.below(nodes);
        if (number[static_cast<size_t>(node)] < 0)
            number[static_cast<size_t>(node)] = machine.nodes++;
        machine.node.push_back(number[static_cast<size_t>(node)]);
        int cache = random.below(4);
        machine.part[0].push_back(cache / 2);
        machine.part[1].push_back(cache);
    }
    return machine;
}

std::vector<int32_t> parts_of(const caucus_graph_placement &placement,
                              const std::vector<int32_t> &label, int vertices) {
    std::vector<int32_t> part;
    for (int i = 0; i < vertices; i++)
        part.push_back(label[static_cast<size_t>(placement.rank_of_vertex[i])]);
    return part;
}

// The weight between different labels within nodes.
double inner(const std::vector<Edge> &edges, bool weighted, const std::vector<int32_t> &node,
             const std::vector<int32_t> &label) {
    double sum = 0;
    for (const Edge &edge : edges) {
        auto from = static_cast<size_t>(edge.from), to = static_cast<size_t>(edge.to);
        if (node[from] == node[to] && label[from] != label[to])
            sum += weighted ? edge.weight : 1;
    }
    return sum;
}

class Placed {
  public:
    Placed(const Graph &graph, const caucus_places &places, double threshold,
           const caucus_partitioner *partitioners = nullptr) {
        test::require(caucus_graph_place(*graph, &places, partitioners, threshold, &placement));
    }
    ~Placed() {
        caucus_graph_placement_free(&placement);
    }
    Placed(const Placed &) = delete;
    Placed &operator=(const Placed &) = delete;
    const caucus_graph_placement *operator->() const {
        return &placement;
    }
    caucus_graph_placement placement{};
};

TEST(Graph, PlacesRandomOnesNeverWorse) {
    test::Random random(1);
    std::set<std::string> methods;
    for (int repeat = 0; repeat < 300; repeat++) {
        int ranks = random.from(1, 40),
            vertices = random.chance(0.3) ? random.from(1, ranks) : ranks;
        auto edges = random_edges(random, vertices);
        bool weighted = random.chance(0.5);
        Graph graph(vertices, edges, weighted);
        Machine machine = random_machine(random, ranks);
        int levels = random.below(3);
        caucus_places places = machine.places(levels);
        Placed placed(graph, places, 0.02, random.chance(0.3) ? caucus_partitioners : nullptr);
        std::set<int32_t> taken;
        for (int i = 0; i < vertices; i++) {
            ASSERT_GE(placed->rank_of_vertex[i], 0);
            ASSERT_LT(placed->rank_of_vertex[i], ranks);
            taken.insert(placed->rank_of_vertex[i]);
            ASSERT_TRUE(placed->moved || placed->rank_of_vertex[i] == i);
        }
        ASSERT_EQ(taken.size(), static_cast<size_t>(vertices));
        auto node = parts_of(placed.placement, machine.node, vertices);
        auto given = traffic(edges, weighted, machine.node), found = traffic(edges, weighted, node);
        EXPECT_DOUBLE_EQ(placed->given.jsum, given.first);
        EXPECT_DOUBLE_EQ(placed->given.jmax, given.second);
        EXPECT_DOUBLE_EQ(placed->placed.jsum, found.first);
        EXPECT_DOUBLE_EQ(placed->placed.jmax, found.second);
        double total = 0, neighbors = 0;
        for (const Edge &edge : edges)
            if (edge.from != edge.to) {
                total += weighted ? edge.weight : 1;
                neighbors += 1;
            }
        EXPECT_DOUBLE_EQ(placed->placed.total, total);
        EXPECT_NEAR((placed->placed.on.mean + placed->placed.off.mean) * vertices, neighbors, 1e-6);
        EXPECT_LE(found.first, given.first);
        EXPECT_TRUE(found.first == given.first || found.first <= 0.98 * given.first);
        for (int level = 0; level < levels; level++) {
            auto label = parts_of(placed.placement, machine.part[level], vertices);
            EXPECT_DOUBLE_EQ(placed->inner_placed[level], inner(edges, weighted, node, label));
            EXPECT_TRUE(placed->moved || placed->inner_given[level] == placed->inner_placed[level]);
            EXPECT_LE(placed->inner_placed[level], placed->inner_given[level]);
        }
        methods.insert(placed->method);
    }
    for (const char *method : {"given", "exchanged", "grown", "within-node", "other-ranks"})
        EXPECT_EQ(methods.count(method), 1U) << method;
}

// The least weight between nodes of all divisions into parts of these sizes.
double best_of_all(const std::vector<Edge> &edges, bool weighted, std::vector<int32_t> part) {
    double best = 1e300;
    std::sort(part.begin(), part.end());
    do
        best = std::min(best, traffic(edges, weighted, part).first);
    while (std::next_permutation(part.begin(), part.end()));
    return best;
}

TEST(Graph, FindsTheBestOfAllOnSmallOnes) {
    test::Random random(2);
    int optimal = 0, cases = 0;
    for (int repeat = 0; repeat < 150; repeat++) {
        int ranks = random.from(2, 8);
        auto edges = random_edges(random, ranks);
        bool weighted = random.chance(0.5);
        Graph graph(ranks, edges, weighted);
        Machine machine = random_machine(random, ranks);
        caucus_places places = machine.places(0);
        Placed placed(graph, places, 0);
        double best = best_of_all(edges, weighted, machine.node);
        EXPECT_GE(placed->placed.jsum, best);
        cases++;
        optimal += placed->placed.jsum == best;
    }
    EXPECT_GE(optimal, cases - 1); // the outcome is the same each time: 149 of 150
}

TEST(Graph, FindsTheSquaresOfAShuffledGrid) {
    test::Random random(3);
    auto edges = grid_edges(random, 16, 16, true);
    Graph graph(256, edges, false);
    Machine machine;
    for (int rank = 0; rank < 256; rank++)
        machine.node.push_back(rank / 16);
    machine.nodes = 16;
    Placed placed(graph, machine.places(0), 0.02);
    EXPECT_EQ(placed->placed.jsum, 192); // 4 x 4 squares: 6 seams of 16 pairs, both ways
    EXPECT_EQ(placed->placed.jmax, 16);
    EXPECT_EQ(placed->placed.total, 960);
}

TEST(Graph, LevelsInsideANodeGetSquaresToo) {
    test::Random random(4);
    auto edges = grid_edges(random, 8, 4, true);
    Graph graph(32, edges, false);
    Machine machine;
    for (int rank = 0; rank < 32; rank++) {
        machine.node.push_back(0);
        machine.part[0].push_back(rank / 16);
        machine.part[1].push_back(rank / 4);
    }
    machine.nodes = 1;
    Placed placed(graph, machine.places(2), 0.02);
    EXPECT_STREQ(placed->method, "within-node");
    EXPECT_TRUE(placed->moved);
    EXPECT_EQ(placed->inner_placed[0], 8);  // in ties: 4, both ways
    EXPECT_EQ(placed->inner_placed[1], 40); // squares of 2 x 2
}

TEST(Graph, KeepsRanksBelowTheThreshold) {
    // Two pairs too far apart, beside much that cannot be helped.
    std::vector<Edge> edges = {{0, 2, 1}, {1, 3, 1}, {0, 1, 30}, {2, 3, 30}, {0, 3, 40}};
    Graph graph(4, edges, true);
    Machine machine;
    machine.node = {0, 0, 1, 1};
    machine.nodes = 2;
    machine.part[0] = machine.part[1] = {0, 0, 0, 0};
    Placed all(graph, machine.places(0), 1), none(graph, machine.places(0), 0);
    EXPECT_FALSE(all->moved);
    EXPECT_EQ(none->placed.jsum, std::min(42.0, 62.0));
}

TEST(Graph, RefusesWhatIsNone) {
    int64_t start[] = {0, 1, 2}, falling[] = {0, 2, 1};
    int32_t to[] = {1, 2}, fine[] = {1, 0}, weight[] = {1, -1};
    for (caucus_graph graph :
         {caucus_graph{2, start, to, nullptr}, caucus_graph{2, falling, fine, nullptr},
          caucus_graph{2, start, fine, weight}, caucus_graph{0, start, fine, nullptr}})
        EXPECT_EQ(caucus_graph_check(&graph), CAUCUS_BAD_ARGUMENT);
    caucus_graph graph = {2, start, fine, nullptr};
    EXPECT_EQ(caucus_graph_check(&graph), CAUCUS_OK);
}

TEST(Graph, GrowsPartsOfJustTheirSizes) {
    test::Random random(5);
    for (int repeat = 0; repeat < 200; repeat++) {
        int vertices = random.from(1, 120);
        Graph graph(vertices, random_edges(random, vertices), true);
        auto size = test::random_sizes(random, vertices, 20);
        auto parts = static_cast<int32_t>(size.size());
        std::vector<int32_t> part(static_cast<size_t>(vertices), -1);
        caucus_ties ties;
        test::require(caucus_ties_init(*graph, &ties));
        test::require(caucus_graph_grow(&ties, parts, size.data(), part.data()));
        for (int32_t i = 0; i < parts; i++)
            ASSERT_EQ(std::count(part.begin(), part.end(), i), size[static_cast<size_t>(i)]);
        int64_t before = caucus_ties_cut(&ties, part.data());
        int64_t few = random.below(2000), left = few, visits = caucus_exchange_visits(&ties);
        auto sooner = part;
        test::require(caucus_exchange_all(&ties, parts, sooner.data(), &left));
        EXPECT_LE(left, few);
        EXPECT_GE(left, few - few / 4 - ties.start[vertices]); // the last pair's were too many
        EXPECT_LE(caucus_ties_cut(&ties, sooner.data()), before);
        test::require(caucus_exchange_all(&ties, parts, part.data(), &visits));
        EXPECT_LE(caucus_ties_cut(&ties, part.data()), caucus_ties_cut(&ties, sooner.data()));
        for (int32_t i = 0; i < parts; i++)
            ASSERT_EQ(std::count(sooner.begin(), sooner.end(), i), size[static_cast<size_t>(i)]);
        EXPECT_LE(caucus_ties_cut(&ties, part.data()), before);
        for (int32_t i = 0; i < parts; i++)
            ASSERT_EQ(std::count(part.begin(), part.end(), i), size[static_cast<size_t>(i)]);
        caucus_ties_free(&ties);
    }
}

TEST(Graph, TiesPutBothDirectionsTogether) {
    Graph graph(3, {{0, 1, 2}, {0, 1, 3}, {1, 0, 4}, {1, 1, 9}, {2, 1, 5}, {0, 2, 0}}, true);
    caucus_ties ties;
    test::require(caucus_ties_init(*graph, &ties));
    EXPECT_EQ(std::vector<int64_t>(ties.start, ties.start + 4), (std::vector<int64_t>{0, 1, 3, 4}));
    EXPECT_EQ(std::vector<int32_t>(ties.to, ties.to + 4), (std::vector<int32_t>{1, 0, 2, 1}));
    EXPECT_EQ(std::vector<int64_t>(ties.weight, ties.weight + 4),
              (std::vector<int64_t>{9, 9, 5, 5}));
    caucus_ties_free(&ties);
}

// A partitioner that puts all into one part, leaves one out or names another is not believed.
bool all_in_one(int32_t vertices, const int64_t *, const int32_t *, const int32_t *, int32_t,
                const int32_t *, int method, int32_t *part) {
    std::fill(part, part + vertices, method == 0 ? 0 : -7);
    return true;
}

int asked; // how often

// Parts of the right sizes, made of any vertices, of other ones each time.
bool shuffled(int32_t vertices, const int64_t *, const int32_t *, const int32_t *, int32_t parts,
              const int32_t *size, int, int32_t *part) {
    test::Random random(asked++);
    for (int32_t i = 0, at = 0; i < parts; at += size[i++])
        std::fill(part + at, part + at + size[i], i);
    for (int32_t i = vertices; i > 1; i--)
        std::swap(part[i - 1], part[random.below(i)]);
    return true;
}

TEST(Graph, ExchangesOfAPlanTogetherTakeSoLongAtMost) {
    // If each of so many starts could look at as much as the first one, this would take minutes.
    enum { RANKS = 1000, NEIGHBORS = 200, NODE = 32, STARTS = 300 };
    const caucus_partitioner partitioners[] = {{"shuffled", shuffled, STARTS},
                                               {nullptr, nullptr, 0}};
    test::Random random(8);
    std::vector<Edge> edges;
    for (int from = 0; from < RANKS; from++)
        for (int k = 0; k < NEIGHBORS; k++)
            edges.push_back({from, random.below(RANKS), random.from(1, 100)});
    Graph graph(RANKS, edges, true);
    Machine machine;
    for (int rank = 0; rank < RANKS; rank++)
        machine.node.push_back(rank / NODE);
    machine.nodes = (RANKS + NODE - 1) / NODE;
    asked = 0;
    Placed placed(graph, machine.places(0), 0, partitioners);
    EXPECT_EQ(asked, STARTS);
    EXPECT_TRUE(placed->moved);
}

// One with sizes that are wrong by much: they are put right.
bool uneven(int32_t vertices, const int64_t *, const int32_t *, const int32_t *, int32_t parts,
            const int32_t *, int, int32_t *part) {
    for (int32_t i = 0; i < vertices; i++)
        part[i] = i < parts ? i : 0;
    return true;
}

TEST(Graph, BelievesNoPartitioner) {
    test::Random random(6);
    for (auto *partition : {all_in_one, uneven}) {
        const caucus_partitioner partitioners[] = {{"one", partition, 2}, {nullptr, nullptr, 0}};
        auto edges = grid_edges(random, 10, 6, true);
        Graph graph(60, edges, false);
        Machine machine = random_machine(random, 60);
        Placed with(graph, machine.places(0), 0.02, partitioners);
        auto node = parts_of(with.placement, machine.node, 60);
        EXPECT_EQ(traffic(edges, false, node).first, with->placed.jsum);
        for (int32_t i = 0; i < machine.nodes; i++)
            EXPECT_EQ(std::count(node.begin(), node.end(), i),
                      std::count(machine.node.begin(), machine.node.end(), i));
    }
}

TEST(Graph, MetisIsTakenWhereItIsThere) {
    enum { VERTICES = 64 };
    int64_t start[VERTICES + 1];
    int32_t to[2 * VERTICES], part[VERTICES];
    std::vector<int32_t> weight(2 * VERTICES, 1), size = {16, 40, 8};
    for (int i = 0; i <= VERTICES; i++)
        start[i] = 2 * i;
    for (int i = 0; i < VERTICES; i++) {
        to[2 * i] = (i + 1) % VERTICES;
        to[2 * i + 1] = (i + VERTICES - 1) % VERTICES;
    }
    srand(7);
    int expected = rand();
    srand(7);
    for (int method = 0; method < 2; method++) {
        if (!caucus_metis_partition(VERTICES, start, to, weight.data(), 3, size.data(), method,
                                    part))
            GTEST_SKIP() << "there is no METIS";
        for (int32_t i = 0; i < 3; i++)
            EXPECT_NEAR(static_cast<double>(std::count(part, part + VERTICES, i)),
                        size[static_cast<size_t>(i)], 2);
    }
    EXPECT_EQ(rand(), expected) << "the program's random numbers are others";
    EXPECT_FALSE(
        caucus_metis_partition(VERTICES, start, to, weight.data(), 1, size.data(), 0, part));
}

TEST(Graph, ScotchIsTakenWhereItIsThere) {
    // Two pieces of a ring of sizes 16 and 48: two ties are cut, the same ones each time.
    enum { VERTICES = 64 };
    int64_t start[VERTICES + 1];
    int32_t to[2 * VERTICES], part[VERTICES], again[VERTICES];
    std::vector<int32_t> weight(2 * VERTICES, 1), size = {16, 48};
    for (int i = 0; i <= VERTICES; i++)
        start[i] = 2 * i;
    for (int i = 0; i < VERTICES; i++) {
        to[2 * i] = (i + 1) % VERTICES;
        to[2 * i + 1] = (i + VERTICES - 1) % VERTICES;
    }
    if (!caucus_scotch_partition(VERTICES, start, to, weight.data(), 2, size.data(), 0, part))
        GTEST_SKIP() << "there is no Scotch";
    int cut = 0;
    for (int i = 0; i < VERTICES; i++)
        cut += part[i] != part[(i + 1) % VERTICES];
    EXPECT_EQ(cut, 2);
    EXPECT_NEAR(static_cast<double>(std::count(part, part + VERTICES, 0)), 16, 2);
    EXPECT_TRUE(
        caucus_scotch_partition(VERTICES, start, to, weight.data(), 2, size.data(), 0, again));
    EXPECT_TRUE(std::equal(part, part + VERTICES, again));
    EXPECT_FALSE(
        caucus_scotch_partition(VERTICES, start, to, weight.data(), 1, size.data(), 0, part));
    EXPECT_FALSE(
        caucus_scotch_partition(VERTICES, start, to, weight.data(), 2, size.data(), 1, part));
}

TEST(Graph, PublicFaceReadsMachines) {
    // A ring of eight, dealt out to two nodes.
    int64_t start[9];
    int32_t to[16], rank[8], node[16];
    for (int i = 0; i <= 8; i++)
        start[i] = 2 * i;
    for (int i = 0; i < 8; i++) {
        to[2 * i] = (i + 1) % 8;
        to[2 * i + 1] = (i + 7) % 8;
    }
    caucus_plan_graph_outcome outcome;
    ASSERT_EQ(caucus_plan_graph(8, start, to, nullptr, "cyclic:2", 0, rank, node, &outcome),
              CAUCUS_PLAN_OK);
    EXPECT_EQ(outcome.given.off_node, 16);
    EXPECT_EQ(outcome.placed.off_node, 4);
    EXPECT_EQ(outcome.placed.off_node_worst, 2);
    EXPECT_EQ(outcome.placed.all, 16);
    EXPECT_EQ(outcome.nodes, 2);
    EXPECT_EQ(outcome.ranks, 8);
    EXPECT_EQ(outcome.levels, 1);
    for (int i = 0; i < 8; i++) {
        EXPECT_EQ(node[i], i % 2);
        EXPECT_EQ(node[8 + i], rank[i] % 2);
    }
    EXPECT_EQ(caucus_plan_graph(8, start, to, nullptr, "2x3", 0, rank, node, &outcome),
              CAUCUS_PLAN_BAD_INPUT);
    EXPECT_STREQ(caucus_error_text(), "the graph has 8 vertices, but there are only 6 ranks");
    EXPECT_EQ(caucus_plan_graph(7, start, to, nullptr, "2x4", 0, rank, node, &outcome),
              CAUCUS_PLAN_BAD_INPUT);
    // Nine ranks: those of the larger node take part.
    ASSERT_EQ(caucus_plan_graph(8, start, to, nullptr, "1,8", 0, rank, nullptr, &outcome),
              CAUCUS_PLAN_OK);
    EXPECT_EQ(outcome.placed.off_node, 0);
    EXPECT_STREQ(outcome.method, "other-ranks");
}

} // namespace
