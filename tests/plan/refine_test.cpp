// SPDX-License-Identifier: BSD-3-Clause
extern "C" {
#include "plan/grid/evaluate.h"
#include "plan/grid/mapper.h"
#include "plan/grid/refine.h"
}
#include "random_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace {

using test::blocks;
using test::Case;
using test::Problem;

std::vector<int32_t> row_major(const caucus_grid_problem *problem) {
    std::vector<int32_t> nodes(static_cast<size_t>(problem->grid.size));
    test::require(caucus_grid_map_row_major(problem, nodes.data()));
    return nodes;
}

double jsum(const caucus_grid_problem *problem, const std::vector<int32_t> &nodes) {
    caucus_grid_score score;
    test::require(caucus_grid_evaluate(&problem->grid, &problem->stencil, nodes.data(),
                                       problem->nodes.count, &score));
    return score.jsum;
}

TEST(Refine, ImprovesRowMajorOfAPlane) {
    Problem problem(Case{{50, 48}, {}, blocks(2400, 48)});
    std::vector<int32_t> nodes(2400);
    test::require(caucus_grid_map_strips(problem, nodes.data()));
    test::require(caucus_grid_anneal(problem, 0.8, 1000, 1, nodes.data()));
    test::require(caucus_grid_check_sizes(problem, nodes.data()));
    EXPECT_LT(jsum(problem, nodes), 1318);
}

TEST(Refine, ReachesTheKnownNinePointMapping) {
    Problem problem(Case{{50, 48}, {}, blocks(2400, 48)},
                    {-1, -1, -1, 0, -1, 1, 0, -1, 0, 1, 1, -1, 1, 0, 1, 1},
                    std::vector<double>(8, 1));
    std::vector<int32_t> start(2400);
    test::require(caucus_grid_map_multijagged(problem, start.data()));
    double best = jsum(problem, start);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        std::vector<int32_t> nodes = start;
        test::require(caucus_grid_anneal(problem, seed % 2 ? 0.35 : 0.8, 1388, seed, nodes.data()));
        best = std::min(best, jsum(problem, nodes));
    }
    EXPECT_LE(best, 3416);
}

// Cells are counted by node, so a cell that was lost, or two in one place, would show.
TEST(Refine, KeepsEverySizeInRandomCases) {
    test::Random random(5);
    int changed = 0;
    for (int repeat = 0; repeat < 600; repeat++) {
        auto problem = test::random_problem(random, 800);
        std::vector<int32_t> nodes = row_major(*problem), again = nodes, start = nodes;
        double temperature = random.chance(0.2) ? 20 : random.from(1, 12) / 10.0;
        int sweeps = random.from(0, 40);
        uint64_t seed = static_cast<uint64_t>(repeat);
        ASSERT_EQ(caucus_grid_anneal(*problem, temperature, sweeps, seed, nodes.data()), CAUCUS_OK);
        ASSERT_EQ(caucus_grid_check_sizes(*problem, nodes.data()), CAUCUS_OK)
            << caucus_error_text();
        test::require(caucus_grid_anneal(*problem, temperature, sweeps, seed, again.data()));
        ASSERT_EQ(nodes, again);
        changed += nodes != start;
    }
    EXPECT_GE(changed, 200);
}

TEST(Refine, IsNoMatterOfTheUnitOfWeights) {
    std::vector<int> star = test::star_offsets(2);
    Problem bytes(Case{{24, 20}, {1, 0}, blocks(480, 16)}, star, {8, 8, 4096, 4096});
    Problem large(Case{{24, 20}, {1, 0}, blocks(480, 16)}, star,
                  {8e150, 8e150, 4096e150, 4096e150});
    std::vector<int32_t> one = row_major(bytes), other = one;
    test::require(caucus_grid_anneal(bytes, 0.8, 50, 7, one.data()));
    test::require(caucus_grid_anneal(large, 0.8, 50, 7, other.data()));
    EXPECT_EQ(one, other);
}

TEST(Refine, LeavesAloneWhatHasNoTraffic) {
    Problem silent(Case{{6, 6}, {}, blocks(36, 6)}, test::star_offsets(2), {0, 0, 0, 0});
    std::vector<int32_t> nodes = row_major(silent);
    test::require(caucus_grid_anneal(silent, 0.8, 50, 7, nodes.data()));
    EXPECT_EQ(nodes, row_major(silent));
}

TEST(Refine, EmptiesNoNode) {
    Problem problem(Case{{6, 6}, {}, std::vector<int>(36, 1)});
    std::vector<int32_t> nodes = row_major(problem);
    test::require(caucus_grid_anneal(problem, 20, 50, 7, nodes.data()));
    EXPECT_EQ(nodes, row_major(problem));
}

TEST(Refine, RefusesTemperaturesThatMakeNoSense) {
    Problem problem(Case{{6, 6}, {}, blocks(36, 6)});
    std::vector<int32_t> nodes = row_major(problem);
    for (double temperature : {0.0, -1.0, 1e9, std::nan("")})
        EXPECT_EQ(caucus_grid_anneal(problem, temperature, 5, 1, nodes.data()),
                  CAUCUS_BAD_ARGUMENT);
    EXPECT_EQ(caucus_grid_anneal(problem, 0.5, -1, 1, nodes.data()), CAUCUS_BAD_ARGUMENT);
}

// The same on every compiler, at every level of optimisation, on every machine.
TEST(Refine, IsReproducible) {
    Problem problem(Case{{12, 10, 9}, {0, 1, 0}, blocks(1080, 32)});
    std::vector<int32_t> nodes = row_major(problem);
    test::require(caucus_grid_anneal(problem, 0.8, 60, 42, nodes.data()));
    uint32_t hash = 0;
    for (int32_t node : nodes)
        hash = hash * 31 + static_cast<uint32_t>(node);
    EXPECT_EQ(hash, 4057668350u);
}

TEST(Refine, SpendsItsTimeWhereItPays) {
    auto sweeps = [](std::vector<int> dims, int per_node) {
        long ranks = test::product(dims);
        return caucus_grid_anneal_sweeps(Problem(Case{dims, {}, blocks(ranks, per_node)}));
    };
    EXPECT_EQ(sweeps({10, 10}, 10), 3000);
    EXPECT_NEAR(sweeps({100, 100}, 10), 300, 50);
    EXPECT_NEAR(sweeps({50, 50, 40}, 20), 30, 5);
    EXPECT_EQ(sweeps({500, 200}, 20), 0);
    EXPECT_EQ(sweeps({100, 100, 100}, 20), 0);
    EXPECT_EQ(sweeps({10, 10}, 100), 0);
    EXPECT_EQ(sweeps({10, 10}, 1), 0);
}

// Any start, however wrong its sizes are.
TEST(Repair, MakesSizesExact) {
    test::Random random(6);
    for (int repeat = 0; repeat < 600; repeat++) {
        auto problem = test::random_problem(random, 400);
        const caucus_grid &grid = (*problem)->grid;
        caucus_stencil steps;
        int32_t *table;
        test::require(caucus_steps_init(&grid, &(*problem)->stencil, &steps));
        test::require(caucus_steps_table(&grid, &steps, &table));
        for (int64_t entry = 0; entry < grid.size * steps.count; entry++)
            if (table[entry] == entry / steps.count)
                table[entry] = static_cast<int32_t>(grid.size);
        std::vector<int32_t> weight(static_cast<size_t>(steps.count), CAUCUS_WEIGHT_UNIT);
        caucus_cell_graph graph{grid.size, steps.count, table, weight.data(), nullptr};
        std::vector<int32_t> nodes(static_cast<size_t>(grid.size) + 1);
        int32_t used = random.from(1, (*problem)->nodes.count); /* others start empty */
        for (int32_t &node : nodes)
            node = random.below(used);
        nodes.back() = -1;
        ASSERT_EQ(caucus_grid_repair(&graph, &(*problem)->nodes, nodes.data()), CAUCUS_OK);
        ASSERT_EQ(caucus_grid_check_sizes(*problem, nodes.data()), CAUCUS_OK)
            << caucus_error_text();
        ASSERT_EQ(nodes.back(), -1);
        free(table);
        caucus_stencil_free(&steps);
    }
}

// The same as repair.c, as plain as can be: lists of cells, and every tie counted anew.
class PlainRepair {
  public:
    PlainRepair(const caucus_cell_graph &cells, const caucus_nodes &sizes,
                std::vector<int32_t> &node_of_cell)
        : graph(cells), of_cell(node_of_cell), cells_of(static_cast<size_t>(sizes.count)) {
        for (int32_t node = 0; node < sizes.count; node++)
            size.push_back(static_cast<size_t>(caucus_nodes_size(&sizes, node)));
        for (int64_t cell = 0; cell < graph.cells; cell++)
            cells_of[at(of_cell, cell)].push_back(static_cast<int32_t>(cell));
        for (size_t node = 0; node < size.size(); node++)
            while (cells_of[node].size() > size[node])
                move_one(node);
    }

  private:
    struct Hop {
        int64_t distance = -1; // not reached
        bool settled = false;
        size_t from = 0;
        int32_t cell = -1;
    };

    template <class List> static size_t at(const List &list, int64_t index) {
        return static_cast<size_t>(list[static_cast<size_t>(index)]);
    }
    int64_t tie(int32_t cell, size_t node) const {
        auto links = caucus_links_of_cell(&graph, cell);
        int64_t weight = 0;
        for (int k = 0; k < links.count; k++)
            if (of_cell[static_cast<size_t>(links.to[k])] == static_cast<int32_t>(node))
                weight += links.weight[k];
        return weight;
    }
    void move(int32_t cell, size_t to) {
        auto &list = cells_of[at(of_cell, cell)];
        list.erase(std::find(list.begin(), list.end(), cell));
        cells_of[to].insert(cells_of[to].begin(), cell);
        of_cell[static_cast<size_t>(cell)] = static_cast<int32_t>(to);
    }
    void look_around(std::vector<Hop> &hops, size_t node) const {
        for (int32_t cell : cells_of[node]) {
            auto links = caucus_links_of_cell(&graph, cell);
            for (int k = 0; k < links.count; k++) {
                int32_t other = of_cell[static_cast<size_t>(links.to[k])];
                if (other < 0 || hops[static_cast<size_t>(other)].settled)
                    continue;
                Hop &hop = hops[static_cast<size_t>(other)];
                int64_t growth = tie(cell, node) - tie(cell, static_cast<size_t>(other));
                int64_t distance =
                    hops[node].distance + std::max<int64_t>(growth, 0) + CAUCUS_WEIGHT_UNIT / 10;
                if (hop.distance < 0 || distance < hop.distance)
                    hop = {distance, false, node, cell};
            }
        }
    }
    void move_one(size_t start) {
        std::vector<Hop> hops(size.size());
        hops[start].distance = 0;
        for (;;) {
            size_t nearest = size.size();
            for (size_t node = 0; node < size.size(); node++)
                if (hops[node].distance >= 0 && !hops[node].settled &&
                    (nearest == size.size() || hops[node].distance < hops[nearest].distance))
                    nearest = node;
            if (nearest == size.size())
                return move_loosest(start);
            hops[nearest].settled = true;
            if (cells_of[nearest].size() < size[nearest]) {
                for (; nearest != start; nearest = hops[nearest].from)
                    move(hops[nearest].cell, nearest);
                return;
            }
            look_around(hops, nearest);
        }
    }
    void move_loosest(size_t node) {
        const auto &list = cells_of[node];
        int32_t loosest = *std::min_element(list.begin(), list.end(), [&](int32_t a, int32_t b) {
            return tie(a, node) < tie(b, node);
        });
        size_t lacking = 0;
        while (cells_of[lacking].size() >= size[lacking])
            lacking++;
        move(loosest, lacking);
    }

    const caucus_cell_graph &graph;
    std::vector<int32_t> &of_cell;
    std::vector<std::vector<int32_t>> cells_of;
    std::vector<size_t> size;
};

// Cells with any number of links, to each other and to nowhere, some of them several times.
struct Cells {
    std::vector<int64_t> start = {0};
    std::vector<int32_t> to, weight;
    caucus_cell_graph graph{};

    explicit Cells(const std::vector<std::vector<std::pair<int32_t, int32_t>>> &links) {
        for (const auto &list : links) {
            for (auto [other, heavy] : list) {
                to.push_back(other);
                weight.push_back(heavy);
            }
            start.push_back(static_cast<int64_t>(to.size()));
        }
        graph = {static_cast<int64_t>(links.size()), 0, to.data(), weight.data(), start.data()};
    }
};

TEST(Repair, TakesTheSameCellsAsAPlainOne) {
    test::Random random(9);
    int moved = 0;
    for (int repeat = 0; repeat < 1000; repeat++) {
        int cells = random.from(1, 60);
        std::vector<std::vector<std::pair<int32_t, int32_t>>> links(static_cast<size_t>(cells));
        int most = random.chance(0.3) ? 2 * cells : random.from(0, 6);
        for (auto &list : links)
            for (int count = random.below(most + 1); count > 0; count--)
                list.emplace_back(random.below(cells + 1),
                                  random.chance(0.1) ? 0 : random.from(1, 3 * CAUCUS_WEIGHT_UNIT));
        Cells made(links);
        auto sizes = test::random_sizes(random, cells, random.from(1, 20));
        caucus_nodes nodes;
        test::require(caucus_nodes_init(&nodes, static_cast<int32_t>(sizes.size()), sizes.data()));
        std::vector<int32_t> start(static_cast<size_t>(cells) + 1);
        for (int32_t &node : start)
            node = random.below(random.from(1, nodes.count));
        start.back() = -1;
        auto node = start, plain = start;
        test::require(caucus_grid_repair(&made.graph, &nodes, node.data()));
        PlainRepair(made.graph, nodes, plain);
        ASSERT_EQ(node, plain) << repeat;
        moved += node != start;
        caucus_nodes_free(&nodes);
    }
    EXPECT_GT(moved, 500);
}

// A cell that all others are tied to: if each of its links was gone through for each of them, this
// would take hours.
TEST(Repair, TakesOneCellWithVeryManyLinks) {
    enum { CELLS = 200000, NODE = 50 };
    std::vector<std::vector<std::pair<int32_t, int32_t>>> links(CELLS);
    for (int32_t cell = 1; cell < CELLS; cell++) {
        links[0].emplace_back(cell, CAUCUS_WEIGHT_UNIT);
        links[static_cast<size_t>(cell)].emplace_back(0, CAUCUS_WEIGHT_UNIT);
    }
    Cells made(links);
    caucus_nodes nodes = caucus_nodes_alike(CELLS / NODE, NODE);
    std::vector<int32_t> node(CELLS + 1);
    for (int32_t cell = 0; cell < CELLS; cell++)
        node[static_cast<size_t>(cell)] = cell / NODE;
    for (int32_t cell = 0; cell < 20; cell++) // of nodes that have too few to one that has too many
        node[static_cast<size_t>(CELLS - 1 - cell * NODE)] = 1;
    node.back() = -1;
    test::require(caucus_grid_repair(&made.graph, &nodes, node.data()));
    std::vector<int> count(CELLS / NODE);
    for (int32_t cell = 0; cell < CELLS; cell++)
        count[static_cast<size_t>(node[static_cast<size_t>(cell)])]++;
    EXPECT_EQ(count, std::vector<int>(CELLS / NODE, NODE));
}

// 1 x 6 cells: the cheapest chain shifts the borders by one cell instead of moving a cell afar.
TEST(Repair, ShiftsAlongAChain) {
    Problem problem(Case{{6}, {}, {2, 2, 2}});
    int32_t table[] = {6, 1, 0, 2, 1, 3, 2, 4, 3, 5, 4, 6};
    int32_t weight[] = {CAUCUS_WEIGHT_UNIT, CAUCUS_WEIGHT_UNIT};
    caucus_cell_graph graph{6, 2, table, weight, nullptr};
    std::vector<int32_t> nodes = {0, 0, 0, 1, 1, 2, -1};
    test::require(caucus_grid_repair(&graph, &problem->nodes, nodes.data()));
    EXPECT_EQ(nodes, (std::vector<int32_t>{0, 0, 1, 1, 2, 2, -1}));
}

// Twice the weight of the cut steps is jsum, whatever the stencil.
TEST(Steps, HoldBothDirections) {
    test::Random random(8);
    for (int repeat = 0; repeat < 500; repeat++) {
        auto problem = test::random_problem(random, 300);
        const caucus_grid &grid = (*problem)->grid;
        caucus_stencil steps;
        int32_t *table;
        test::require(caucus_steps_init(&grid, &(*problem)->stencil, &steps));
        test::require(caucus_steps_table(&grid, &steps, &table));
        std::vector<int32_t> nodes = row_major(*problem);
        double sum = 0;
        for (int64_t entry = 0; entry < grid.size * steps.count; entry++)
            if (nodes[static_cast<size_t>(entry / steps.count)] !=
                nodes[static_cast<size_t>(table[entry])])
                sum += steps.weight[entry % steps.count];
        ASSERT_NEAR(sum, jsum(*problem, nodes), 1e-9 * (1 + sum));
        free(table);
        caucus_stencil_free(&steps);
    }
}

} // namespace
