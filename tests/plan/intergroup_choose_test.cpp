// SPDX-License-Identifier: BSD-3-Clause
// The choice of an algorithm between two groups: the same on all ranks that take part, although
// each group sees itself as the own one.
#include "collective_case.hpp"
#include "full_run.hpp"
#include "intergroup_case.hpp"
extern "C" {
#include "plan/choice/choose.h"
#include "plan/intergroup/intergroup.h"
}

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace {

constexpr unsigned EXCHANGES = CAUCUS_NEEDS_COUNTS | CAUCUS_NEEDS_TRAFFIC;

caucus_problem_shape shape_of(caucus_collective collective, int32_t first, int32_t second,
                              int64_t bytes) {
    caucus_problem_shape shape{};
    shape.collective = collective;
    shape.ranks = first + second;
    shape.first_group = first;
    shape.root = second > 2 ? first + 1 : 0;
    shape.commutative = true;
    shape.element = 8;
    shape.bytes = collective == CAUCUS_BARRIER ? 0 : bytes;
    shape.second_bytes = 3 * shape.bytes;
    shape.irregular = true;
    shape.seed = 5;
    shape.exchanged = EXCHANGES;
    return shape;
}

// What is predicted of all algorithms, as one rank sees it; the same for all that take part.
std::vector<double> predicted(const caucus_task &task, const caucus_model &model) {
    std::vector<double> seconds;
    caucus_candidate candidate;
    for (int i = 0; caucus_algorithm_explain(&task, &model, EXCHANGES, i, &candidate); i++)
        seconds.push_back(candidate.serves ? candidate.seconds : -1);
    return seconds;
}

TEST(IntergroupChoose, AllRanksThatTakePartChooseTheSame) {
    caucus_model model;
    caucus_model_default(&model);
    for (int index = 0; index < CAUCUS_SCAN; index++)
        for (int64_t bytes : {8, 1000, 1'000'000})
            for (auto [first, second] : {std::pair{1, 1}, {3, 8}, {12, 5}}) {
                test::NodesApart nodes(first, second, 3, false);
                auto collective = static_cast<caucus_collective>(index);
                caucus_problem_shape shape = shape_of(collective, first, second, bytes);
                shape.nodes = first == 3 ? nodes.get() : nullptr;
                caucus_problem problem{};
                test::require(caucus_problem_init(&problem, &shape));
                std::vector<double> expected;
                for (int32_t rank = 0; rank < shape.ranks; rank++) {
                    caucus_task task;
                    const caucus_algorithm *chosen = nullptr;
                    test::require(caucus_problem_task(&problem, rank, &task));
                    EXPECT_EQ(caucus_algorithm_choose(&task, &model, nullptr, EXCHANGES, &chosen),
                              CAUCUS_OK)
                        << caucus_error_text();
                    if (task.root == CAUCUS_ROOT_ELSEWHERE)
                        continue;
                    std::vector<double> seen = predicted(task, model);
                    if (expected.empty())
                        expected = seen;
                    EXPECT_EQ(seen, expected) << caucus_collective_name(index) << ", rank " << rank
                                              << " of " << first << " and " << second;
                }
                caucus_problem_free(&problem);
            }
}

TEST(IntergroupChoose, OfEveryCollectiveThereIsOneThatNeedsNothing) {
    for (int index = 0; index < CAUCUS_SCAN; index++) {
        const caucus_algorithm *direct =
            caucus_intergroup_algorithm_find(static_cast<caucus_collective>(index), "direct");
        ASSERT_NE(direct, nullptr) << caucus_collective_name(index);
        EXPECT_EQ(direct->needs, 0U) << caucus_collective_name(index);
    }
}

// Where the longest block times the ranks overflows, though no group's data does.
TEST(IntergroupChoose, RingIsNotForLinesThatAreTooLong) {
    std::vector<int64_t> first(8, 0), second(8, 16);
    caucus_model model;
    caucus_model_default(&model);
    first[0] = int64_t{1} << 60;
    caucus_task task{};
    task.collective = CAUCUS_ALLGATHERV;
    task.ranks = 16;
    task.first_group = 8;
    task.bytes = task.volume = first[0];
    task.counts_known = true;
    task.send_bytes = first.data();
    task.receive_bytes = second.data();
    const caucus_algorithm *ring = caucus_intergroup_algorithm_find(CAUCUS_ALLGATHERV, "ring");
    EXPECT_EQ(ring->cost(&task, &model), INFINITY);
    first[0] = 1000;
    EXPECT_LT(ring->cost(&task, &model), 1);
}

TEST(IntergroupChoose, TheTablesAreApart) {
    caucus_problem_shape shape = shape_of(CAUCUS_ALLGATHERV, 4, 4, 64);
    caucus_problem problem{};
    caucus_task task;
    caucus_model model;
    const caucus_algorithm *chosen = nullptr;
    caucus_model_default(&model);
    test::require(caucus_problem_init(&problem, &shape));
    test::require(caucus_problem_task(&problem, 0, &task));
    EXPECT_EQ(caucus_algorithm_choose(&task, &model, "striped_ring", EXCHANGES, &chosen),
              CAUCUS_OK);
    EXPECT_NE(caucus_algorithm_choose(&task, &model, "circulant", EXCHANGES, &chosen), CAUCUS_OK);
    EXPECT_EQ(caucus_algorithm_choose(&task, &model, nullptr, 0, &chosen), CAUCUS_OK);
    EXPECT_STREQ(chosen->name, "direct"); // what needs no counts
    caucus_problem_free(&problem);
}

// Of elements that node memory has no room for on some nodes: all ranks that take part refuse what
// is forced, or all can build it.
TEST(IntergroupChoose, WhatIsForcedServesAllRanksOrNone) {
    caucus_model model;
    caucus_model_default(&model);
    int served = 0, refused = 0;
    for (uint64_t seed = 1; seed <= 800; seed++) {
        std::mt19937_64 random(seed);
        auto draw = [&](int32_t most) { return static_cast<int32_t>(1 + random() % most); };
        auto any = [&](std::initializer_list<int64_t> of) {
            return *(of.begin() + random() % of.size());
        };
        const caucus_algorithm *algorithm = nullptr;
        while (!algorithm || !(algorithm->needs & CAUCUS_NEEDS_NODES))
            algorithm = caucus_intergroup_algorithm(static_cast<int>(random() % 80));
        int32_t first = draw(12), second = draw(12);
        test::NodesApart nodes(first, second, draw(8), false);
        caucus_problem_shape shape =
            test::draw_intergroup_shape(algorithm, first + second, first, nodes.get(), seed);
        if (caucus_task_reduces(algorithm->collective)) {
            shape.element = any({8, 100, 5000, 40000});
            shape.bytes = shape.second_bytes = shape.element * any({1, 3});
        }
        shape.node_limit = any({64, 1000, 1 << 16});
        shape.exchanged = EXCHANGES;
        caucus_problem problem{};
        test::require(caucus_problem_init(&problem, &shape));
        std::set<int> found;
        for (int32_t rank = 0; rank < shape.ranks; rank++) {
            caucus_task task;
            const caucus_algorithm *chosen = nullptr;
            test::require(caucus_problem_task(&problem, rank, &task));
            if (task.root != CAUCUS_ROOT_ELSEWHERE)
                found.insert(
                    caucus_algorithm_choose(&task, &model, algorithm->name, EXCHANGES, &chosen));
        }
        caucus_problem_free(&problem);
        std::string what = test::describe(algorithm, shape, test::Nodes::uneven, 8);
        EXPECT_EQ(found.size(), 1U) << what;
        if (*found.begin() == CAUCUS_OK) {
            EXPECT_EQ(test::Instance(algorithm, shape).verify(), CAUCUS_OK) << what;
            served++;
        } else {
            refused++;
        }
    }
    EXPECT_GT(served, 200);
    EXPECT_GT(refused, 20);
}

} // namespace
