// SPDX-License-Identifier: BSD-3-Clause
// Rank 0 at cell 0: for nothing where a symmetry or an exchange of nodes gives it, else by the
// cheapest exchange of two cells, against brute force.
extern "C" {
#include "base/status.h"
#include "plan/grid/portfolio.h"
#include "plan/grid/rank0.h"
#include "study/grid/assign.h"

#include <caucus/plan.h>
}
#include "placement.hpp"
#include "random_case.hpp"
#include "temporary_file.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>

namespace {

using test::Case;
using test::Problem;
using Nodes = std::vector<int32_t>;

struct Cost {
    double jsum, jmax;
};

Cost cost(const caucus_grid_problem *problem, const Nodes &nodes) {
    caucus_grid_score score;
    test::require(caucus_grid_check_sizes(problem, nodes.data()));
    test::require(caucus_grid_evaluate(&problem->grid, &problem->stencil, nodes.data(),
                                       problem->nodes.count, &score));
    return {score.jsum, score.jmax};
}

void expect_same(Cost a, Cost b) {
    EXPECT_NEAR(a.jsum, b.jsum, 1e-9 * (1 + b.jsum));
    EXPECT_NEAR(a.jmax, b.jmax, 1e-9 * (1 + b.jmax));
}

// Every node its size, where chance wants it.
Nodes scattered(const caucus_grid_problem *problem, test::Random &random) {
    Nodes nodes;
    for (int32_t node = 0; node < problem->nodes.count; node++)
        nodes.insert(nodes.end(), static_cast<size_t>(caucus_nodes_size(&problem->nodes, node)),
                     node);
    for (size_t i = nodes.size(); i > 1; i--)
        std::swap(nodes[i - 1], nodes[static_cast<size_t>(random.below(static_cast<int>(i)))]);
    return nodes;
}

// Whether the stencil looks the same with some axes reversed: by all pairs of cells.
bool is_mirrored(const caucus_grid_problem *problem, unsigned mask) {
    std::map<std::pair<int64_t, int64_t>, std::vector<double>> edges[2];
    std::vector<int> at(CAUCUS_GRID_MAX_DIMS, 0);
    const caucus_grid *grid = &problem->grid;
    auto seen = [&](int64_t cell, bool mirror) {
        int to[CAUCUS_GRID_MAX_DIMS];
        caucus_grid_coordinates(grid, cell, to);
        for (int axis = 0; axis < grid->ndims && mirror; axis++)
            if (mask >> axis & 1)
                to[axis] = grid->dims[axis] - 1 - to[axis];
        return caucus_grid_cell(grid, to);
    };
    for (int64_t cell = 0; cell < grid->size; cell++) {
        caucus_grid_coordinates(grid, cell, at.data());
        for (int k = 0; k < problem->stencil.count; k++) {
            int64_t to =
                caucus_grid_neighbor(grid, at.data(), caucus_stencil_offset(&problem->stencil, k));
            for (int mirror = 0; mirror < 2 && to >= 0 && to != cell; mirror++)
                edges[mirror][{seen(cell, mirror), seen(to, mirror)}].push_back(
                    problem->stencil.weight[k]);
        }
    }
    for (auto &side : edges)
        for (auto &edge : side)
            std::sort(edge.second.begin(), edge.second.end());
    return edges[0] == edges[1];
}

// The cells that can become cell 0: a shift reaches all along a periodic axis.
std::vector<int64_t> ends(const caucus_grid_problem *problem) {
    std::vector<int64_t> found;
    const caucus_grid *grid = &problem->grid;
    std::vector<bool> mirrored(size_t{1} << grid->ndims);
    unsigned longer = 0; // axes that differ when reversed
    for (int axis = 0; axis < grid->ndims; axis++)
        longer |= grid->dims[axis] > 1 ? 1u << axis : 0;
    for (unsigned mask = 0; mask < mirrored.size(); mask++)
        mirrored[mask] = (mask & ~longer) == 0 && is_mirrored(problem, mask);
    for (int64_t cell = 0; cell < grid->size; cell++) {
        int at[CAUCUS_GRID_MAX_DIMS];
        caucus_grid_coordinates(grid, cell, at);
        bool any = false;
        for (unsigned mask = 0; mask < mirrored.size() && !any; mask++) {
            any = mirrored[mask];
            for (int axis = 0; axis < grid->ndims; axis++)
                any = any && (grid->periodic[axis] ||
                              at[axis] == (mask >> axis & 1 ? grid->dims[axis] - 1 : 0));
        }
        if (any)
            found.push_back(cell);
    }
    return found;
}

bool serves(const caucus_grid_problem *problem, int32_t node) {
    return caucus_nodes_size(&problem->nodes, node) == caucus_nodes_size(&problem->nodes, 0);
}

// The least jsum of all exchanges that let rank 0 be kept.
double cheapest_exchange(const caucus_grid_problem *problem, Nodes nodes) {
    double least = std::numeric_limits<double>::infinity();
    for (int64_t end : ends(problem))
        for (size_t other = 0; other < nodes.size(); other++) {
            if (!serves(problem, nodes[other]))
                continue;
            std::swap(nodes[static_cast<size_t>(end)], nodes[other]);
            least = std::min(least, cost(problem, nodes).jsum);
            std::swap(nodes[static_cast<size_t>(end)], nodes[other]);
        }
    return least;
}

TEST(Rank0, IsKeptForNothingOrByTheCheapestExchange) {
    int kept_at_once = 0, moved_by_exchange = 0, rounds = test::full_run() ? 6000 : 700;
    test::Random random(15);
    for (int round = 0; round < rounds; round++) {
        SCOPED_TRACE(round);
        auto held = test::random_problem(random, random.chance(0.8) ? 40 : 150);
        const caucus_grid_problem *problem = *held;
        caucus_mirrors mirrors;
        test::require(caucus_mirrors_init(&problem->grid, &problem->stencil, &mirrors));
        Nodes nodes = scattered(problem, random), before = nodes;
        Cost was = cost(problem, nodes);
        std::vector<int64_t> all = ends(problem);
        bool can = std::any_of(all.begin(), all.end(), [&](int64_t cell) {
            return serves(problem, nodes[static_cast<size_t>(cell)]);
        });
        ASSERT_EQ(caucus_rank0_can_keep(problem, &mirrors, nodes.data()), can);
        bool kept;
        test::require(caucus_rank0_keep(problem, &mirrors, nodes.data(), &kept));
        ASSERT_EQ(kept, can);
        if (kept) {
            kept_at_once++;
            expect_same(cost(problem, nodes), was);
        } else {
            moved_by_exchange++;
            ASSERT_EQ(nodes, before);
            test::require(caucus_rank0_exchange(problem, &mirrors, nodes.data()));
            int differ = 0;
            for (size_t cell = 0; cell < nodes.size(); cell++)
                differ += nodes[cell] != before[cell];
            EXPECT_EQ(differ, 2);
            if (all.size() <= 8) {
                EXPECT_NEAR(cost(problem, nodes).jsum, cheapest_exchange(problem, before),
                            1e-9 * (1 + was.jsum));
            }
            was = cost(problem, nodes);
            test::require(caucus_rank0_keep(problem, &mirrors, nodes.data(), &kept));
            ASSERT_TRUE(kept);
            expect_same(cost(problem, nodes), was);
        }
        ASSERT_EQ(nodes[0], 0);
    }
    EXPECT_GT(kept_at_once, rounds / 2);
    EXPECT_GT(moved_by_exchange, rounds / 50);
}

TEST(Rank0, IsNotKeptThroughWhatTheStencilDoesNotAllow) {
    Problem one_way(Case{{4}, {}, {2, 1, 1}}, {1, 2}, {1, 1}); // messages go up alone
    Problem both(Case{{4}, {}, {2, 1, 1}});
    caucus_mirrors mirrors;
    bool kept;
    Nodes nodes = {1, 2, 0, 0};
    test::require(caucus_mirrors_init(&one_way->grid, &one_way->stencil, &mirrors));
    EXPECT_FALSE(caucus_rank0_can_keep(one_way, &mirrors, nodes.data()));
    test::require(caucus_mirrors_init(&both->grid, &both->stencil, &mirrors));
    test::require(caucus_rank0_keep(both, &mirrors, nodes.data(), &kept));
    EXPECT_TRUE(kept);
    EXPECT_EQ(nodes, (Nodes{0, 0, 2, 1}));
}

// Open, with nodes of many sizes: where rank 0 is often the only one of a node as large.
std::unique_ptr<Problem> uneven_problem(test::Random &random) {
    Case given;
    given.dims = {random.from(3, 8), random.from(3, 8)};
    given.sizes = test::random_sizes(random, test::product(given.dims), 12);
    return std::make_unique<Problem>(given);
}

caucus_grid_score exchange(const caucus_grid_problem *problem, Nodes nodes) {
    caucus_mirrors mirrors;
    caucus_grid_score score;
    test::require(caucus_mirrors_init(&problem->grid, &problem->stencil, &mirrors));
    test::require(caucus_rank0_exchange(problem, &mirrors, nodes.data()));
    test::require(caucus_grid_evaluate(&problem->grid, &problem->stencil, nodes.data(),
                                       problem->nodes.count, &score));
    return score;
}

TEST(Rank0, IsKeptByThePortfolioWhichOffersTheRest) {
    int keeping = 0, offered = 0, another = 0, rounds = test::full_run() ? 800 : 120;
    test::Random random(4);
    for (int round = 0; round < rounds; round++) {
        SCOPED_TRACE(round);
        auto held = random.chance(0.8) ? uneven_problem(random) : test::random_problem(random, 60);
        const caucus_grid_problem *problem = *held;
        Nodes given = scattered(problem, random);
        std::swap(given[0], *std::find(given.begin(), given.end(), 0));
        caucus_grid_choice plain, choice;
        const char *mapper = random.chance(0.2) ? "kdtree" : "best";
        const int32_t *start = random.chance(0.5) ? given.data() : nullptr;
        test::require(caucus_grid_choose(problem, mapper, start, false, &plain));
        test::require(caucus_grid_choose(problem, mapper, start, true, &choice));
        EXPECT_FALSE(plain.keeps_rank0 || plain.keeping.node_of_cell);
        expect_same({choice.best.score.jsum, choice.best.score.jmax},
                    {plain.best.score.jsum, plain.best.score.jmax});
        const caucus_grid_mapping *kept = choice.keeps_rank0 ? &choice.best : &choice.keeping;
        keeping += choice.keeps_rank0;
        offered += !choice.keeps_rank0;
        ASSERT_TRUE(kept->node_of_cell);
        EXPECT_EQ(choice.keeps_rank0, !choice.keeping.node_of_cell);
        EXPECT_EQ(kept->node_of_cell[0], 0);
        Nodes nodes(kept->node_of_cell, kept->node_of_cell + problem->grid.size);
        expect_same(cost(problem, nodes), {kept->score.jsum, kept->score.jmax});
        nodes.assign(choice.best.node_of_cell, choice.best.node_of_cell + problem->grid.size);
        expect_same(cost(problem, nodes), {choice.best.score.jsum, choice.best.score.jmax});
        if (!choice.keeps_rank0) {
            caucus_grid_score exchanged = exchange(problem, nodes);
            const caucus_grid_score *best = &choice.best.score, *next = &choice.keeping.score;
            EXPECT_TRUE(caucus_grid_better(best, next));
            EXPECT_FALSE(caucus_rank0_cheaper(&exchanged, next, best));
            another += caucus_rank0_cheaper(next, &exchanged, best);
        }
        caucus_grid_choice_free(&plain);
        caucus_grid_choice_free(&choice);
    }
    EXPECT_GT(keeping, rounds / 2);
    EXPECT_GT(offered, another);
    EXPECT_GT(another, 0); // than two cells exchanged: of those that the contest saw
}

double cut(const caucus_grid_problem *problem, const std::vector<int64_t> &cells,
           const test::Labels &labels, bool keep_first, std::vector<int64_t> &placed) {
    std::vector<double> cuts;
    placed = test::place(problem, cells, labels, cuts, keep_first);
    for (size_t level = 0; level < labels.size(); level++)
        EXPECT_LE(cuts[labels.size() + level], cuts[level] * (1 + 1e-9)) << "level " << level;
    return labels.empty() ? 0 : cuts[labels.size()];
}

TEST(Rank0, OfANodeGetsItsLowestCell) {
    test::Random random(8);
    int equal = 0, helped = 0;
    for (int round = 0; round < 600; round++) {
        SCOPED_TRACE(round);
        auto held = test::random_problem(random, 120);
        std::vector<int64_t> cells(static_cast<size_t>((*held)->grid.size)), placed, kept;
        std::iota(cells.begin(), cells.end(), 0);
        for (size_t i = cells.size(); i > 1; i--)
            std::swap(cells[i - 1], cells[static_cast<size_t>(random.below(static_cast<int>(i)))]);
        if (random.chance(0.5))
            cells.resize(static_cast<size_t>(random.from(1, static_cast<int>(cells.size()))));
        std::sort(cells.begin(), cells.end());
        int packages = random.from(1, 4), each = random.from(1, 9);
        test::Labels labels(random.chance(0.5) ? 1 : 2, std::vector<int32_t>(cells.size()));
        for (size_t local = 0; local < cells.size(); local++)
            for (size_t level = 0; level < labels.size(); level++) {
                auto cache = static_cast<int32_t>(local / static_cast<size_t>(each));
                labels[level][local] = level ? cache : cache % packages;
            }
        double least = cut(*held, cells, labels, false, placed);
        double pinned = cut(*held, cells, labels, true, kept);
        bool moved = placed[0] != cells[0];
        helped += moved;
        EXPECT_EQ(kept[0], cells[0]);
        std::sort(kept.begin(), kept.end());
        EXPECT_EQ(kept, cells);
        if (moved && cells.size() % static_cast<size_t>(packages * each) == 0) {
            EXPECT_NEAR(pinned, least, 1e-9 * least); // parts of one size change roles
            equal++;
        }
    }
    EXPECT_GT(helped, 10); // others get it by nature
    EXPECT_GT(equal, 1);
}

// Two rows across the seam of a periodic axis: its packages are best divided there, and the right
// one has the lowest cell.
TEST(Rank0, HasItsPackageChangeRolesWithAnother) {
    Problem problem(Case{{2, 8}, {0, 1}, {8, 8}});
    const std::vector<int64_t> cells = {0, 1, 6, 7, 8, 9, 14, 15};
    const test::Labels labels = {{0, 0, 0, 0, 1, 1, 1, 1}};
    std::vector<int64_t> placed;
    EXPECT_EQ(cut(problem, cells, labels, false, placed), 4);
    EXPECT_NE(placed[0], 0);
    EXPECT_EQ(cut(problem, cells, labels, true, placed), 4);
    EXPECT_EQ(placed, (std::vector<int64_t>{0, 1, 8, 9, 6, 7, 14, 15}));

    test::TemporaryFile file("a p\na p\na p\na p\na q\na q\na q\na q\n"
                             "b p\nb p\nb p\nb p\nb q\nb q\nb q\nb q\n");
    caucus_machine machine;
    const int32_t nodes[] = {0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0};
    Nodes ranks(16);
    test::require(caucus_machine_parse(&machine, ("file:" + file.path).c_str(), 0));
    test::require(
        caucus_grid_assign(&problem->grid, &problem->stencil, &machine, nodes, ranks.data()));
    EXPECT_EQ(ranks, (Nodes{0, 1, 8, 9, 12, 13, 4, 5, 2, 3, 10, 11, 14, 15, 6, 7}));
    caucus_machine_free(&machine);
}

TEST(Rank0, GetsItsCellWhereItsNodeHasIt) {
    const int dims[] = {6, 6};
    caucus_plan *plan;
    test::require(caucus_plan_create(2, dims, nullptr, "star", nullptr, "17,12,7", 0, &plan));
    for (const char *mapper : {"given", "best", "kdtree", "strips"}) {
        SCOPED_TRACE(mapper);
        int kept;
        double rise;
        Nodes ranks(36);
        caucus_cart_traffic before, after;
        ASSERT_EQ(caucus_plan_map(plan, mapper), 0);
        ASSERT_EQ(caucus_plan_measure(plan, 0, &before), 0);
        ASSERT_EQ(caucus_plan_keep_rank0(plan, INFINITY, &kept, &rise), 0);
        ASSERT_EQ(caucus_plan_measure(plan, 0, &after), 0);
        ASSERT_EQ(caucus_plan_rank_of_cell(plan, ranks.data()), 0);
        EXPECT_EQ(kept, 1);
        EXPECT_EQ(ranks[0], 0);
        EXPECT_NEAR(rise,
                    std::max(after.off_node / before.off_node,
                             after.off_node_worst / before.off_node_worst) -
                        1,
                    1e-12);
    }
    caucus_plan_free(plan);
}

TEST(Rank0, IsLeftWhereItIsIfThatIsNotAllowed) {
    // The largest nodes are taken, of which rank 0's is none.
    const int dims[] = {4, 4};
    int kept;
    double rise;
    caucus_plan *plan;
    test::require(caucus_plan_create(2, dims, nullptr, "star", nullptr, "2,8,8", 18, &plan));
    ASSERT_EQ(caucus_plan_map(plan, "best"), 0);
    for (double most : {-1.0, 0.0, 0.1}) {
        ASSERT_EQ(caucus_plan_keep_rank0(plan, most, &kept, &rise), 0);
        EXPECT_EQ(kept, 0);
        EXPECT_EQ(rise, 1); // 2x4 and 8 more, of 16 edges: to stay is the one way
        EXPECT_STRNE(caucus_plan_mapper(plan), "given");
    }
    ASSERT_EQ(caucus_plan_keep_rank0(plan, 1, &kept, &rise), 0);
    EXPECT_EQ(kept, 1);
    EXPECT_STREQ(caucus_plan_mapper(plan), "given");
    caucus_plan_free(plan);
}

TEST(Rank0, SettingIsANumberOrAWord) {
    double most;
    for (auto [text, value] : std::map<const char *, double>{
             {"0", 0}, {"0.25", 0.25}, {"3", 3}, {"always", INFINITY}, {"never", -1}}) {
        ASSERT_EQ(caucus_rank0_parse("X", text, &most), CAUCUS_OK) << text;
        EXPECT_EQ(most, value);
    }
    for (const char *text : {"", "-1", "5%", "inf", "nan", "Always", "0.1 "})
        EXPECT_EQ(caucus_rank0_parse("X", text, &most), CAUCUS_BAD_ARGUMENT) << text;
    EXPECT_STREQ(caucus_error_text(),
                 "X is '0.1 ': it must be a number, at least 0, or always or never");
}

TEST(Rank0, CostIsTheHigherRise) {
    EXPECT_EQ(caucus_rank0_cost(11, 6, 10, 4), 0.5);
    EXPECT_EQ(caucus_rank0_cost(15, 4, 10, 4), 0.5);
    EXPECT_EQ(caucus_rank0_cost(9, 3, 10, 4), 0);
    EXPECT_EQ(caucus_rank0_cost(0, 0, 0, 0), 0);
    EXPECT_EQ(caucus_rank0_cost(2, 1, 0, 0), INFINITY);
}

} // namespace
