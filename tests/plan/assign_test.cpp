// SPDX-License-Identifier: BSD-3-Clause
#include "placement.hpp"
extern "C" {
#include "plan/grid/evaluate.h"
#include "plan/grid/mapper.h"
#include "plan/grid/portfolio.h"
}
#include "random_case.hpp"
extern "C" {
#include "study/grid/assign.h"
}

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace {

using test::blocks;
using test::Case;
using test::Labels;
using test::place;
using test::Problem;

// Nodes by blocks or scattered, each divided evenly into packages, and those into caches.
class Machine {
  public:
    Machine(const std::vector<int> &sizes, int packages, int caches, bool scattered) {
        std::vector<int32_t> node;
        for (size_t i = 0; i < sizes.size(); i++)
            node.insert(node.end(), static_cast<size_t>(sizes[i]), static_cast<int32_t>(i));
        if (scattered)
            std::stable_sort(node.begin(), node.end(), [](int a, int b) { return a % 3 < b % 3; });
        test::require(
            caucus_machine_init(&machine, static_cast<int64_t>(node.size()), node.data()));
        add_level(packages);
        add_level(caches);
    }
    ~Machine() {
        caucus_machine_free(&machine);
    }
    Machine(const Machine &) = delete;
    Machine &operator=(const Machine &) = delete;
    operator const caucus_machine *() const {
        return &machine;
    }

    // Divides every part of the deepest level into so many, by blocks.
    void add_level(int parts) {
        const int32_t *above = machine.part_of_rank[machine.levels - 1];
        std::vector<int> size(static_cast<size_t>(machine.parts[machine.levels - 1])), seen = size;
        auto *labels =
            static_cast<int32_t *>(calloc(static_cast<size_t>(machine.ranks), sizeof(int32_t)));
        std::vector<int> number(size.size() * static_cast<size_t>(parts), -1);
        for (int64_t rank = 0; rank < machine.ranks; rank++)
            size[static_cast<size_t>(above[rank])]++;
        int32_t count = 0;
        for (int64_t rank = 0; rank < machine.ranks; rank++) {
            auto part = static_cast<size_t>(above[rank]);
            int block = seen[part]++ * parts / size[part];
            int &known = number[part * static_cast<size_t>(parts) + static_cast<size_t>(block)];
            if (known < 0)
                known = count++;
            labels[rank] = known;
        }
        machine.part_of_rank[machine.levels] = labels;
        machine.parts[machine.levels++] = count;
    }

  private:
    caucus_machine machine{};
};

std::vector<int32_t> assign(const caucus_grid_problem *problem, const caucus_machine *machine,
                            const std::vector<int32_t> &nodes) {
    std::vector<int32_t> ranks(static_cast<size_t>(problem->grid.size), -1);
    test::require(
        caucus_grid_assign(&problem->grid, &problem->stencil, machine, nodes.data(), ranks.data()));
    return ranks;
}

double level_jsum(const caucus_grid_problem *problem, const caucus_machine *machine,
                  const std::vector<int32_t> &ranks, int level) {
    std::vector<int32_t> parts;
    for (int32_t rank : ranks)
        parts.push_back(machine->part_of_rank[level][rank]);
    caucus_grid_score score;
    test::require(caucus_grid_evaluate(&problem->grid, &problem->stencil, parts.data(),
                                       machine->parts[level], &score));
    return score.jsum;
}

TEST(Assign, GivesEveryNodeItsOwnRanksAndTheLevelsBelowCompactSets) {
    test::Random random(10);
    for (int repeat = 0; repeat < 300; repeat++) {
        auto problem = test::random_problem(random, 1200);
        const caucus_nodes &nodes = (*problem)->nodes;
        std::vector<int> sizes;
        for (int32_t node = 0; node < nodes.count; node++)
            sizes.push_back(caucus_nodes_size(&nodes, node));
        Machine machine(sizes, random.from(1, 2), random.from(1, 4), false);
        std::vector<int32_t> node_of_cell((size_t)(*problem)->grid.size);
        test::require(caucus_grid_map_strips(*problem, node_of_cell.data()));
        std::vector<int32_t> ranks = assign(*problem, machine, node_of_cell), sorted = ranks;
        std::sort(sorted.begin(), sorted.end());
        std::vector<int32_t> next(sizes.size()), plain;
        for (size_t node = 1; node < sizes.size(); node++)
            next[node] = next[node - 1] + sizes[node - 1];
        for (size_t cell = 0; cell < ranks.size(); cell++) {
            ASSERT_EQ(sorted[cell], static_cast<int32_t>(cell));
            const caucus_machine *description = machine;
            ASSERT_EQ(description->part_of_rank[0][ranks[cell]], node_of_cell[cell]);
            plain.push_back(next[static_cast<size_t>(node_of_cell[cell])]++);
        }
        for (int level = 0; level < 3; level++)
            ASSERT_LE(level_jsum(*problem, machine, ranks, level),
                      level_jsum(*problem, machine, plain, level) * (1 + 1e-9));
    }
}

// Remembered shapes must give what placing each node by itself gives.
TEST(Assign, PlacesEachNodeAsByItself) {
    test::Random random(11);
    for (int repeat = 0; repeat < 200; repeat++) {
        auto problem = test::random_problem(random, 1000);
        std::vector<int> sizes = blocks((*problem)->grid.size, random.from(4, 40));
        Machine machine(sizes, random.from(1, 2), random.from(1, 2), random.chance(0.5));
        const caucus_machine *description = machine;
        std::vector<int32_t> nodes(description->part_of_rank[0],
                                   description->part_of_rank[0] + (*problem)->grid.size);
        std::vector<int32_t> ranks = assign(*problem, machine, nodes);
        for (int32_t node = 0; node < description->parts[0]; node++) {
            std::vector<int64_t> cells, expected;
            Labels labels(2);
            std::vector<std::vector<int32_t>> seen(2);
            for (int32_t rank = 0; rank < description->ranks; rank++) {
                if (nodes[static_cast<size_t>(rank)] == node)
                    cells.push_back(rank); // the cell of this number, here
                for (size_t level = 0; level < 2 && description->part_of_rank[0][rank] == node;
                     level++) {
                    int32_t part = description->part_of_rank[level + 1][rank];
                    auto found = std::find(seen[level].begin(), seen[level].end(), part);
                    labels[level].push_back(static_cast<int32_t>(found - seen[level].begin()));
                    if (found == seen[level].end())
                        seen[level].push_back(part);
                }
            }
            expected = place(*problem, cells, labels);
            for (size_t local = 0; local < cells.size(); local++)
                ASSERT_EQ(ranks[static_cast<size_t>(expected[local])], cells[local]);
        }
    }
}

TEST(Assign, RefusesNodesThatDoNotFit) {
    Problem problem(Case{{4, 4}, {}, blocks(16, 4)});
    Machine machine(blocks(16, 4), 2, 1, false);
    std::vector<int32_t> ranks(16);
    std::vector<int32_t> nodes = {0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
    EXPECT_NE(
        caucus_grid_assign(&problem->grid, &problem->stencil, machine, nodes.data(), ranks.data()),
        CAUCUS_OK);
    nodes[4] = 4;
    EXPECT_NE(
        caucus_grid_assign(&problem->grid, &problem->stencil, machine, nodes.data(), ranks.data()),
        CAUCUS_OK);
    Machine small(blocks(12, 4), 2, 1, false);
    EXPECT_EQ(
        caucus_grid_assign(&problem->grid, &problem->stencil, small, nodes.data(), ranks.data()),
        CAUCUS_BAD_DIMS);
}

} // namespace
