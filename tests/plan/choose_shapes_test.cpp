// SPDX-License-Identifier: BSD-3-Clause
// The choice of an algorithm where nodes are no blocks of ranks, blocks are of different lengths,
// or ranks are very many; and costs that were wrong there.
#include "collective_case.hpp"
extern "C" {
#include "plan/choice/choose.h"
#include "plan/collective/allgather.h"
#include "study/simulate/simulate.h"
}

#include <gtest/gtest.h>

namespace {

using test::NodeMap;
using test::Nodes;

constexpr unsigned EXCHANGES = CAUCUS_NEEDS_COUNTS | CAUCUS_NEEDS_TRAFFIC;

caucus_problem_shape shape_of(caucus_collective collective, int32_t ranks, const NodeMap &map,
                              int64_t bytes, bool irregular = false) {
    caucus_problem_shape shape{};
    shape.collective = collective;
    shape.ranks = ranks;
    shape.bytes = bytes;
    shape.irregular = irregular;
    shape.commutative = true;
    shape.seed = 5;
    shape.nodes = map.get();
    shape.exchanged = EXCHANGES;
    return shape;
}

// What may be chosen for a shape, what is, and how long it takes by its operations.
class Choice {
  public:
    explicit Choice(const caucus_problem_shape &shape) : shape_(shape) {
        caucus_model_default(&model_);
        EXPECT_EQ(caucus_problem_init(&problem_, &shape), CAUCUS_OK) << caucus_error_text();
        EXPECT_EQ(caucus_problem_task(&problem_, 0, &task_), CAUCUS_OK);
        caucus_candidate candidate;
        for (int i = 0; caucus_algorithm_explain(&task_, &model_, EXCHANGES, i, &candidate); i++)
            if (candidate.serves)
                candidates.push_back(candidate);
        EXPECT_EQ(caucus_algorithm_choose(&task_, &model_, nullptr, EXCHANGES, &chosen), CAUCUS_OK);
    }
    ~Choice() {
        caucus_problem_free(&problem_);
    }
    Choice(const Choice &) = delete;
    Choice &operator=(const Choice &) = delete;

    double simulate(const caucus_algorithm *algorithm) const {
        test::Instance instance(algorithm, shape_);
        caucus_simulation simulation{};
        EXPECT_EQ(instance.status, CAUCUS_OK) << instance.text;
        EXPECT_EQ(caucus_schedule_simulate(shape_.ranks, instance.schedules, shape_.nodes, &model_,
                                           nullptr, nullptr, &simulation),
                  CAUCUS_OK);
        return simulation.seconds;
    }
    // How many times what is simulated a cost is.
    double off(const std::string &name) const {
        for (const caucus_candidate &candidate : candidates)
            if (candidate.algorithm->name == name)
                return candidate.seconds / simulate(candidate.algorithm);
        return 0;
    }
    void expect_none_is_faster_by(double factor) const {
        double own = simulate(chosen);
        for (const caucus_candidate &other : candidates)
            EXPECT_LT(own, factor * simulate(other.algorithm))
                << caucus_collective_name(shape_.collective) << " of " << shape_.bytes
                << " bytes on " << shape_.ranks << " ranks: " << chosen->name << ", not "
                << other.algorithm->name;
    }

    std::vector<caucus_candidate> candidates;
    const caucus_algorithm *chosen = nullptr;

  private:
    caucus_problem_shape shape_;
    caucus_problem problem_{};
    caucus_task task_{};
    caucus_model model_{};
};

TEST(ChooseShapes, RootedOnInterleavedNodes) {
    struct Known {
        caucus_collective collective;
        int32_t ranks;
        int64_t bytes;
    };
    for (const Known &known : {Known{CAUCUS_GATHER, 16, 262144},
                               {CAUCUS_SCATTER, 16, 262144},
                               {CAUCUS_GATHER, 64, 65536}}) {
        NodeMap map(Nodes::interleaved, known.ranks, 8);
        Choice choice(shape_of(known.collective, known.ranks, map, known.bytes));
        // Scatters keep away from trees whose messages share a card, which simulations do not know.
        choice.expect_none_is_faster_by(known.collective == CAUCUS_SCATTER ? 1.5 : 1.1);
        EXPECT_NEAR(choice.off("binomial"), 1, 0.1);
    }
}

// Blocks that are longer than the mean by far go straight, and empty ones do not go at all.
TEST(ChooseShapes, RootedWhereOneBlockHasAll) {
    NodeMap map(Nodes::blocks, 48, 4);
    for (auto collective : {CAUCUS_GATHERV, CAUCUS_SCATTERV})
        for (int64_t bytes : {int64_t{8}, int64_t{1} << 25}) {
            std::vector<int64_t> lengths(48);
            lengths[17] = bytes;
            caucus_problem_shape shape = shape_of(collective, 48, map, bytes);
            shape.lengths = lengths.data();
            Choice choice(shape);
            EXPECT_NEAR(choice.off("linear"), 1, 0.2) << bytes;
            if (bytes == 8)
                EXPECT_STREQ(choice.chosen->name, "linear");
            else
                EXPECT_NEAR(choice.off("binomial"), 1, 0.2);
        }
}

TEST(ChooseShapes, RootedOfUnequalBlocks) {
    for (auto collective : {CAUCUS_GATHERV, CAUCUS_SCATTERV})
        for (int64_t bytes : {64, 4096, 262144}) {
            NodeMap map(Nodes::singletons, 48, 1);
            Choice choice(shape_of(collective, 48, map, bytes, true));
            EXPECT_NEAR(choice.off("linear"), 1, 0.1) << bytes;
            EXPECT_NEAR(choice.off("binomial"), 1.1, 0.3) << bytes;
        }
}

TEST(ChooseShapes, AllToAllOfUnequalBlocks) {
    NodeMap map(Nodes::blocks, 16, 2);
    for (auto collective : {CAUCUS_ALLTOALLV, CAUCUS_ALLTOALLW})
        Choice(shape_of(collective, 16, map, 262144, true)).expect_none_is_faster_by(1.1);
}

// A scatter along a tree, in which few ranks of a node send at a time.
TEST(ChooseShapes, BroadcastsInTwoHalvesOnLargeNodes) {
    NodeMap map(Nodes::blocks, 300, 48);
    Choice choice(shape_of(CAUCUS_BCAST, 300, map, 32 << 20));
    EXPECT_NEAR(choice.off("scatter_allgather"), 1, 0.4);
}

TEST(ChooseShapes, ExclusiveScansHaveNoRoundWithoutMessages) {
    for (int32_t ranks : {4, 7, 13, 25, 49}) {
        NodeMap map(Nodes::singletons, ranks, 1);
        Choice choice(shape_of(CAUCUS_EXSCAN, ranks, map, 64));
        EXPECT_NEAR(choice.off("recursive_doubling"), 1, 0.05) << ranks;
    }
}

// Too little to be cut: the last round has half of all blocks.
TEST(ChooseShapes, BroadcastsFromEveryRankOfShortBlocks) {
    NodeMap map(Nodes::blocks, 384, 48);
    Choice choice(shape_of(CAUCUS_ALLGATHERV, 384, map, 168, true));
    EXPECT_NEAR(choice.off("circulant_pipelined"), 1, 0.2);
}

TEST(ChooseShapes, TheLongestRunOfBlocks) {
    std::mt19937_64 random(1);
    for (int32_t ranks : {1, 2, 7, 24}) {
        std::vector<int64_t> lengths(static_cast<size_t>(ranks));
        for (int64_t &length : lengths)
            length = static_cast<int64_t>(random() % 1000);
        caucus_task task{};
        task.ranks = ranks;
        task.receive_bytes = lengths.data();
        for (int32_t count = 0; count <= ranks; count++) {
            int64_t most = 0;
            for (int32_t first = 0; first < ranks; first++) {
                int64_t run = 0;
                for (int32_t i = 0; i < count; i++)
                    run += lengths[static_cast<size_t>((first + i) % ranks)];
                most = std::max(most, run);
            }
            EXPECT_EQ(caucus_allgather_run(&task, count), static_cast<double>(most)) << count;
        }
    }
}

} // namespace
