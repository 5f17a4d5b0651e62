// SPDX-License-Identifier: BSD-3-Clause
#include "placement.hpp"
#include "random_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace {

using test::Case;
using test::Labels;
using test::place;
using test::Problem;

// Weight of the edges between cells of the set whose local ranks have different labels.
double cut(const caucus_grid_problem *problem, const std::vector<int64_t> &cell_of_local,
           const std::vector<int32_t> &labels) {
    std::vector<int32_t> label(static_cast<size_t>(problem->grid.size), -1);
    for (size_t local = 0; local < labels.size(); local++)
        label[static_cast<size_t>(cell_of_local[local])] = labels[local];
    double sum = 0;
    for (int64_t cell : cell_of_local)
        for (int k = 0; k < problem->stencil.count; k++) {
            int at[CAUCUS_GRID_MAX_DIMS];
            caucus_grid_coordinates(&problem->grid, cell, at);
            int64_t other = caucus_grid_neighbor(&problem->grid, at,
                                                 problem->stencil.offset + k * problem->grid.ndims);
            if (other >= 0 && label[static_cast<size_t>(other)] >= 0 &&
                label[static_cast<size_t>(other)] != label[static_cast<size_t>(cell)])
                sum += problem->stencil.weight[k];
        }
    return sum;
}

std::vector<int64_t> all_cells(const caucus_grid_problem *problem) {
    std::vector<int64_t> cells(static_cast<size_t>(problem->grid.size));
    std::iota(cells.begin(), cells.end(), 0);
    return cells;
}

std::vector<int32_t> consecutive(int count, int each) {
    std::vector<int32_t> labels;
    for (int local = 0; local < count; local++)
        labels.push_back(local / each);
    return labels;
}

// 0, 1, 2, 0, 1, 2, ...
std::vector<int32_t> dealt(int count, int parts) {
    std::vector<int32_t> labels;
    for (int local = 0; local < count; local++)
        labels.push_back(local % parts);
    return labels;
}

TEST(Place, CutsAreCountedAlike) {
    std::mt19937 random(3);
    for (int round = 0; round < 200; round++) {
        Problem problem(Case{{4, 5, 3}, {1, 0, 1}, {60}});
        std::vector<int64_t> cells = all_cells(problem);
        std::shuffle(cells.begin(), cells.end(), random);
        cells.resize(1 + random() % 60);
        Labels labels = {dealt(static_cast<int>(cells.size()), 1 + round % 5)};
        std::vector<double> counted;
        std::vector<int64_t> placed = place(problem, cells, labels, counted);
        std::sort(cells.begin(), cells.end());
        ASSERT_EQ(counted[0], cut(problem, cells, labels[0]));
        ASSERT_EQ(counted[1], cut(problem, placed, labels[0]));
    }
}

TEST(Place, SplitsAlongTheLongAxis) {
    Problem problem(Case{{4, 16}, {}, {64}});
    Labels labels = {consecutive(64, 32)};
    EXPECT_EQ(cut(problem, all_cells(problem), labels[0]), 32);
    EXPECT_EQ(cut(problem, place(problem, all_cells(problem), labels), labels[0]), 8);
}

TEST(Place, FindsQuartersOfASquareAndEighthsOfACube) {
    Problem square(Case{{8, 8}, {}, {64}});
    EXPECT_EQ(
        cut(square, place(square, all_cells(square), {consecutive(64, 16)}), consecutive(64, 16)),
        32);
    Problem cube(Case{{8, 8, 8}, {}, {512}});
    EXPECT_EQ(cut(cube, place(cube, all_cells(cube), {consecutive(512, 64)}), consecutive(512, 64)),
              3 * 128);
}

TEST(Place, NestsCachesInPackages) {
    Problem problem(Case{{8, 4, 4}, {}, {128}});
    Labels labels = {consecutive(128, 64), consecutive(128, 8)};
    auto result = place(problem, all_cells(problem), labels);
    EXPECT_EQ(cut(problem, result, labels[0]), 2 * 16);
    EXPECT_EQ(cut(problem, result, labels[1]), 2 * (3 * 16 + 32 + 32));
}

TEST(Place, SparesTheHeavyAxis) {
    Problem problem(Case{{16, 4}, {}, {64}, {10, 1}});
    auto result = place(problem, all_cells(problem), {consecutive(64, 32)});
    EXPECT_EQ(cut(problem, result, consecutive(64, 32)), 2 * 16);
}

TEST(Place, FollowsRanksThatAreDealtOut) {
    Problem problem(Case{{4, 16}, {}, {64}});
    auto result = place(problem, all_cells(problem), {dealt(64, 2)});
    EXPECT_EQ(cut(problem, result, dealt(64, 2)), 8);
}

TEST(Place, TakesPartsOfAnySize) {
    Problem problem(Case{{6, 10}, {}, {60}});
    std::vector<int32_t> labels(60, 0);
    std::fill(labels.begin() + 20, labels.begin() + 50, 1);
    std::fill(labels.begin() + 50, labels.end(), 2);
    auto result = place(problem, all_cells(problem), {labels});
    EXPECT_LE(cut(problem, result, labels), 2 * (7 + 7));
}

TEST(Place, SeesASetAcrossTheSeam) {
    Problem problem(Case{{8, 16}, {0, 1}, {128}});
    std::vector<int64_t> cells;
    for (int row = 0; row < 2; row++)
        for (int column : {14, 15, 0, 1, 2, 3})
            cells.push_back(row * 16 + column);
    auto result = place(problem, cells, {consecutive(12, 6)});
    EXPECT_EQ(cut(problem, result, consecutive(12, 6)), 2 * 2);
}

TEST(Place, RefusesPartsOutOfRange) {
    Problem problem(Case{{2, 2}, {}, {4}});
    EXPECT_THROW(place(problem, all_cells(problem), {{0, 1, 4, 0}}), std::runtime_error);
    EXPECT_THROW(place(problem, all_cells(problem), {{0, -1, 0, 0}}), std::runtime_error);
}

// Labels numbered by first appearance; those of a level lie within one of the level above.
Labels random_labels(test::Random &random, int count) {
    Labels labels(static_cast<size_t>(random.from(0, 2)),
                  std::vector<int32_t>(static_cast<size_t>(count)));
    for (size_t level = 0; level < labels.size(); level++) {
        std::vector<std::pair<int32_t, int>> seen;
        int parts = random.from(1, level ? 4 : 3),
            run = random.chance(0.5) ? 1 : random.from(1, 12);
        for (int local = 0; local < count; local++) {
            std::pair<int32_t, int> part(level ? labels[level - 1][static_cast<size_t>(local)] : 0,
                                         random.chance(0.1) ? random.below(parts)
                                                            : local / run % parts);
            auto found = std::find(seen.begin(), seen.end(), part);
            labels[level][static_cast<size_t>(local)] = static_cast<int32_t>(found - seen.begin());
            if (found == seen.end())
                seen.push_back(part);
        }
    }
    return labels;
}

TEST(Place, PermutesWhateverTheOrderAndNeverCutsMoreThanAscendingOrder) {
    test::Random random(9);
    int better = 0;
    for (int repeat = 0; repeat < 800; repeat++) {
        auto problem = test::random_problem(random, 400);
        std::vector<int64_t> cells = all_cells(*problem);
        for (size_t i = cells.size(); i > 1; i--)
            std::swap(cells[i - 1], cells[static_cast<size_t>(random.below(static_cast<int>(i)))]);
        if (random.chance(0.5))
            cells.resize(static_cast<size_t>(random.from(1, static_cast<int>(cells.size()))));
        Labels labels = random_labels(random, static_cast<int>(cells.size()));
        std::vector<int64_t> shuffled = place(*problem, cells, labels), sorted = shuffled;
        std::sort(cells.begin(), cells.end());
        std::sort(sorted.begin(), sorted.end());
        ASSERT_EQ(sorted, cells);
        ASSERT_EQ(place(*problem, cells, labels), shuffled);
        for (const auto &level : labels) {
            double ascending = cut(*problem, cells, level), found = cut(*problem, shuffled, level);
            ASSERT_LE(found, ascending * (1 + 1e-9)) << "case " << repeat;
            better += found < ascending;
        }
    }
    EXPECT_GE(better, 300);
}

// Two packages of a few caches: the best packages may be such that the caches suffer.
TEST(Place, MakesNoLevelWorseForTheSakeOfAnother) {
    test::Random random(12);
    for (int repeat = 0; repeat < 2000; repeat++) {
        auto problem = test::random_problem(random, 200);
        int all = static_cast<int>((*problem)->grid.size);
        int count = random.from(1, std::min(all, 40)), caches = random.from(2, 4);
        std::vector<int64_t> cells(static_cast<size_t>(count));
        std::iota(cells.begin(), cells.end(), random.from(0, all - count));
        Labels labels(2, std::vector<int32_t>(cells.size()));
        for (int local = 1; local < count; local++)
            for (int level = 0, parts = 2; level < 2; level++, parts *= caches) {
                auto &label = labels[static_cast<size_t>(level)];
                bool next = local * parts / count != (local - 1) * parts / count;
                label[static_cast<size_t>(local)] = label[static_cast<size_t>(local - 1)] + next;
            }
        std::vector<int64_t> result = place(*problem, cells, labels);
        for (const auto &level : labels)
            ASSERT_LE(cut(*problem, result, level), cut(*problem, cells, level) * (1 + 1e-9));
    }
}

} // namespace
