// SPDX-License-Identifier: BSD-3-Clause
// The choice of an algorithm: the same on all ranks, the cheapest, or the one asked for.
extern "C" {
#include "base/status.h"
#include "plan/choice/choose.h"
#include "study/collective/problem.h"
#include "study/simulate/simulate.h"
}

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr unsigned EXCHANGES = CAUCUS_NEEDS_COUNTS | CAUCUS_NEEDS_TRAFFIC;

class Asked {
  public:
    Asked(caucus_collective collective, int32_t ranks, int32_t ppn, int64_t bytes,
          bool commutative = true, bool irregular = false) {
        caucus_node_map_blocks(&nodes_, ranks, ppn);
        caucus_problem_shape shape{};
        shape.commutative = commutative;
        shape.irregular = irregular;
        ask(collective, bytes, shape);
    }
    // On nodes that are given by that of each rank; with blocks of these lengths, if there are any,
    // and the node memory that calls have.
    Asked(caucus_collective collective, const std::vector<int32_t> &node_of_rank, int64_t bytes,
          const std::vector<int64_t> &lengths)
        : lengths_(lengths) {
        EXPECT_EQ(caucus_node_map_init(&nodes_, static_cast<int32_t>(node_of_rank.size()),
                                       node_of_rank.data()),
                  CAUCUS_OK);
        caucus_problem_shape shape{};
        shape.commutative = true;
        shape.node_limit = 4 << 20;
        if (!lengths_.empty())
            shape.lengths = lengths_.data();
        ask(collective, bytes, shape);
    }
    Asked(const Asked &) = delete;
    Asked &operator=(const Asked &) = delete;
    ~Asked() {
        caucus_problem_free(&problem_);
        caucus_node_map_free(&nodes_);
    }
    caucus_task task(int32_t rank) {
        caucus_task task;
        EXPECT_EQ(caucus_problem_task(&problem_, rank, &task), CAUCUS_OK);
        return task;
    }
    int choose(int32_t rank, const char *forced, unsigned allowed,
               const caucus_algorithm **algorithm) {
        caucus_task asked = task(rank);
        return caucus_algorithm_choose(&asked, &model_, forced, allowed, algorithm);
    }
    int choose_measured(const caucus_model &measured, const caucus_algorithm **algorithm) {
        caucus_task asked = task(0);
        return caucus_algorithm_choose_measured(&asked, &measured, &model_, EXCHANGES, algorithm);
    }
    const caucus_model &model() const {
        return model_;
    }
    // Seconds of all ranks together, from their operations and not from the formula.
    double simulate(const caucus_algorithm *algorithm) {
        caucus_schedule *schedules = nullptr;
        caucus_simulation simulation{};
        EXPECT_EQ(caucus_problem_build(&problem_, algorithm, &schedules), CAUCUS_OK);
        EXPECT_EQ(caucus_schedule_simulate(nodes_.ranks, schedules, &nodes_, &model_, nullptr,
                                           nullptr, &simulation),
                  CAUCUS_OK);
        caucus_problem_schedules_free(schedules, nodes_.ranks);
        return simulation.seconds;
    }
    std::vector<caucus_candidate> candidates(unsigned allowed = EXCHANGES) {
        return candidates_by(model_, allowed);
    }
    std::vector<caucus_candidate> candidates_by(const caucus_model &model, unsigned allowed) {
        std::vector<caucus_candidate> found;
        caucus_task asked = task(0);
        caucus_candidate candidate;
        while (caucus_algorithm_explain(&asked, &model, allowed, static_cast<int>(found.size()),
                                        &candidate))
            found.push_back(candidate);
        return found;
    }

  private:
    void ask(caucus_collective collective, int64_t bytes, caucus_problem_shape &shape) {
        caucus_model_default(&model_);
        shape.collective = collective;
        shape.ranks = nodes_.ranks;
        shape.element = 1;
        shape.bytes = collective == CAUCUS_BARRIER ? 0 : bytes;
        shape.seed = 5;
        shape.nodes = &nodes_;
        shape.exchanged = EXCHANGES;
        if (collective >= CAUCUS_NEIGHBOR_ALLGATHER) {
            shape.neighbourhood = CAUCUS_NEIGHBOURHOOD_RANDOM;
            shape.degree = 4;
        }
        EXPECT_EQ(caucus_problem_init(&problem_, &shape), CAUCUS_OK) << caucus_error_text();
    }

    std::vector<int64_t> lengths_;
    caucus_node_map nodes_{};
    caucus_model model_{};
    caucus_problem problem_{};
};

caucus_collective collective_at(int index) {
    return static_cast<caucus_collective>(index);
}

TEST(Choose, AllRanksChooseTheSame) {
    for (int index = 0; index < CAUCUS_COLLECTIVES; index++)
        for (int64_t bytes : {1, 1000, 1000000})
            for (int32_t ranks : {1, 7, 24}) {
                Asked asked(collective_at(index), ranks, 5, bytes, true, true);
                const caucus_algorithm *first = nullptr, *other = nullptr;
                ASSERT_EQ(asked.choose(0, nullptr, EXCHANGES, &first), CAUCUS_OK)
                    << caucus_error_text();
                for (int32_t rank = 1; rank < ranks; rank++) {
                    ASSERT_EQ(asked.choose(rank, "", EXCHANGES, &other), CAUCUS_OK);
                    EXPECT_EQ(first, other);
                }
            }
}

TEST(Choose, TakesTheCheapestAndOfEqualsTheFirst) {
    for (int index = 0; index < CAUCUS_COLLECTIVES; index++)
        for (int64_t bytes : {8, 4096, 1 << 20}) {
            Asked asked(collective_at(index), 48, 8, bytes);
            const caucus_algorithm *chosen = nullptr;
            ASSERT_EQ(asked.choose(0, nullptr, EXCHANGES, &chosen), CAUCUS_OK);
            const caucus_candidate *best = nullptr;
            auto candidates = asked.candidates();
            for (const auto &candidate : candidates)
                if (candidate.serves && (!best || candidate.seconds < best->seconds))
                    best = &candidate;
            ASSERT_NE(best, nullptr);
            EXPECT_STREQ(best->algorithm->name, chosen->name);
        }
}

size_t cheapest_of(const std::vector<caucus_candidate> &candidates) {
    size_t best = candidates.size();
    for (size_t i = 0; i < candidates.size(); i++)
        if (candidates[i].serves &&
            (best == candidates.size() || candidates[i].seconds < candidates[best].seconds))
            best = i;
    return best;
}

TEST(Choose, WhatWasMeasuredCountsWhereItSaysTwice) {
    int changed = 0, kept = 0;
    for (int index = 0; index < CAUCUS_COLLECTIVES; index++)
        for (int64_t bytes : {8, 4096, 1 << 20})
            for (double factor : {1.0, 0.5, 3.0, 0.05, 20.0}) {
                Asked asked(collective_at(index), 48, 8, bytes);
                caucus_model measured = asked.model();
                measured.copy_byte *= factor;
                measured.reduce_byte *= factor;
                measured.signal /= factor;
                const caucus_algorithm *chosen = nullptr;
                ASSERT_EQ(asked.choose_measured(measured, &chosen), CAUCUS_OK);
                auto by_measured = asked.candidates_by(measured, EXCHANGES);
                size_t usual = cheapest_of(asked.candidates()), best = cheapest_of(by_measured);
                bool twice = 2 * by_measured[best].seconds < by_measured[usual].seconds;
                EXPECT_STREQ(by_measured[twice ? best : usual].algorithm->name, chosen->name);
                changed += twice;
                kept += !twice && best != usual;
            }
    EXPECT_GT(changed, 0);
    EXPECT_GT(kept, 0);
}

// What comes first in the simulation of all that serve, by so much that a formula can't be excused.
TEST(Choose, TakesWhatSimulationShowsToBeTheFastest) {
    struct Known {
        caucus_collective collective;
        int32_t ranks, ppn;
        int64_t bytes;
        const char *name;
    };
    constexpr Known known[] = {
        {CAUCUS_BARRIER, 48, 8, 0, "node_aware"},
        {CAUCUS_BARRIER, 16, 16, 0, "node_lines"},
        {CAUCUS_BCAST, 48, 8, 8, "node_aware"},
        {CAUCUS_BCAST, 48, 8, 1 << 20, "lanes"},
        {CAUCUS_REDUCE, 16, 1, 1 << 20, "circulant"},
        {CAUCUS_ALLREDUCE, 16, 16, 8, "node_direct"},
        {CAUCUS_GATHER, 16, 16, 4096, "node_aware"},
        {CAUCUS_GATHER, 16, 1, 4096, "linear"},
        {CAUCUS_SCATTER, 16, 1, 4096, "linear"},
        {CAUCUS_ALLGATHER, 48, 8, 8, "node_aware"},
        {CAUCUS_ALLGATHER, 48, 8, 1 << 20, "lanes"},
        {CAUCUS_ALLGATHER, 16, 1, 4096, "circulant"},
        {CAUCUS_ALLTOALL, 48, 8, 8, "node_aggregated"},
        {CAUCUS_ALLTOALL, 48, 8, 4096, "linear"},
        {CAUCUS_ALLTOALL, 16, 1, 8, "bruck"},
        {CAUCUS_REDUCE_SCATTER, 16, 16, 4096, "node_memory"},
        {CAUCUS_REDUCE_SCATTER, 16, 1, 4096, "circulant"},
        {CAUCUS_SCAN, 48, 8, 8, "node_aware"},
        {CAUCUS_SCAN, 16, 1, 1 << 20, "chain"},
        {CAUCUS_NEIGHBOR_ALLTOALL, 16, 16, 8, "node_aggregated"},
        {CAUCUS_NEIGHBOR_ALLTOALL, 48, 8, 4096, "linear"},
    };
    for (const Known &k : known) {
        Asked asked(k.collective, k.ranks, k.ppn, k.bytes);
        const caucus_algorithm *chosen = nullptr;
        ASSERT_EQ(asked.choose(0, nullptr, EXCHANGES, &chosen), CAUCUS_OK);
        EXPECT_STREQ(chosen->name, k.name) << caucus_collective_name(k.collective) << " of "
                                           << k.bytes << " bytes on " << k.ranks << " ranks";
        double own = asked.simulate(chosen);
        for (const auto &other : asked.candidates())
            if (other.serves && other.algorithm != chosen) {
                EXPECT_GT(asked.simulate(other.algorithm), 1.1 * own) << other.algorithm->name;
            }
    }
}

TEST(Choose, IsNeverFarFromTheFastestInSimulation) {
    for (int index = 0; index < CAUCUS_COLLECTIVES; index++) {
        // 1.14 is met: a small allgatherv, each rank on a node of its own. Scatters keep away from
        // trees whose messages share a card, which simulations do not know: 1.28.
        bool scatters = index == CAUCUS_SCATTER || index == CAUCUS_SCATTERV;
        double far = scatters ? 1.3 : 1.15;
        for (auto [ranks, ppn] : {std::pair{48, 8}, {16, 16}, {16, 1}})
            for (int64_t bytes : {8, 4096, 1 << 20}) {
                Asked asked(collective_at(index), ranks, ppn, bytes);
                const caucus_algorithm *chosen = nullptr;
                ASSERT_EQ(asked.choose(0, nullptr, EXCHANGES, &chosen), CAUCUS_OK);
                double own = asked.simulate(chosen);
                for (const auto &other : asked.candidates())
                    if (other.serves) {
                        EXPECT_LT(own, far * asked.simulate(other.algorithm))
                            << caucus_collective_name(index) << " of " << bytes << " bytes on "
                            << ranks << " ranks, " << ppn << " a node: " << chosen->name << ", not "
                            << other.algorithm->name;
                    }
            }
    }
}

// So many ranks on each node, one node after the other, or dealt out to so many in turns.
std::vector<int32_t> ranks_on(const std::vector<int32_t> &sizes) {
    std::vector<int32_t> node_of_rank;
    for (size_t node = 0; node < sizes.size(); node++)
        node_of_rank.insert(node_of_rank.end(), static_cast<size_t>(sizes[node]),
                            static_cast<int32_t>(node));
    return node_of_rank;
}

std::vector<int32_t> ranks_in_turns(int32_t ranks, int32_t nodes) {
    std::vector<int32_t> node_of_rank(static_cast<size_t>(ranks));
    for (int32_t rank = 0; rank < ranks; rank++)
        node_of_rank[static_cast<size_t>(rank)] = rank % nodes;
    return node_of_rank;
}

// Beside the least time of all that serve: so much more, and what a message between nodes takes,
// which costs of trees do not count where all blocks but one are empty.
void expect_close(Asked &asked, double far, const std::string &what) {
    const double message = 1.5e-6;
    const caucus_algorithm *chosen = nullptr;
    ASSERT_EQ(asked.choose(0, nullptr, EXCHANGES, &chosen), CAUCUS_OK) << caucus_error_text();
    double own = asked.simulate(chosen);
    for (const auto &other : asked.candidates())
        if (other.serves) {
            double seconds = asked.simulate(other.algorithm);
            EXPECT_LT(own, far * seconds + message)
                << what << ": " << chosen->name << ", not " << other.algorithm->name << ", x "
                << own / seconds;
        }
}

constexpr caucus_collective whole_vectors[] = {CAUCUS_BCAST, CAUCUS_REDUCE, CAUCUS_ALLREDUCE,
                                               CAUCUS_SCAN, CAUCUS_EXSCAN};

TEST(Choose, IsSeldomFarFromTheFastestWhereNodesAreUneven) {
    const std::vector<int32_t> nodes[] = {ranks_on({24, 4, 4, 4, 4}), ranks_on({16, 16, 16, 1}),
                                          ranks_in_turns(48, 6)};
    for (int index = 0; index < CAUCUS_COLLECTIVES; index++)
        for (const auto &node_of_rank : nodes)
            for (int64_t bytes : {64, 8192, 1 << 18, 8 << 20}) {
                caucus_collective collective = collective_at(index);
                bool whole =
                    std::count(std::begin(whole_vectors), std::end(whole_vectors), collective) > 0;
                auto ranks = static_cast<int64_t>(node_of_rank.size());
                Asked asked(collective, node_of_rank, whole ? bytes : bytes / ranks, {});
                expect_close(asked, 1.4,
                             std::string(caucus_collective_name(index)) + " of " +
                                 std::to_string(bytes) + " bytes in all, " + std::to_string(ranks) +
                                 " ranks, rank 1 on node " + std::to_string(node_of_rank[1]));
            }
}

TEST(Choose, IsSeldomFarFromTheFastestWhereOneBlockIsLong) {
    const std::vector<int32_t> nodes[] = {ranks_on({32, 32}), ranks_on({32}),
                                          ranks_on({6, 6, 6, 6, 6, 6, 6, 6}),
                                          ranks_on({24, 4, 4, 4, 4})};
    for (auto collective :
         {CAUCUS_GATHERV, CAUCUS_SCATTERV, CAUCUS_ALLGATHERV, CAUCUS_REDUCE_SCATTER})
        for (const auto &node_of_rank : nodes)
            for (int64_t bytes : {8192, 1 << 18, 8 << 20})
                for (int64_t other : {0, 8}) {
                    std::vector<int64_t> lengths(node_of_rank.size(), other);
                    lengths[lengths.size() / 3] = bytes;
                    Asked asked(collective, node_of_rank, 0, lengths);
                    expect_close(asked, 1.8,
                                 std::string(caucus_collective_name(collective)) + ", a block of " +
                                     std::to_string(bytes) + " bytes, others of " +
                                     std::to_string(other) + ", " + std::to_string(lengths.size()) +
                                     " ranks");
                }
}

TEST(Choose, SaysWhyAnAlgorithmCannotServe) {
    Asked ordered(CAUCUS_ALLREDUCE, 48, 8, 64, false);
    int refused = 0;
    for (const auto &candidate : ordered.candidates()) {
        bool commutative_only = candidate.algorithm->needs & CAUCUS_NEEDS_COMMUTATIVE;
        if (commutative_only) {
            EXPECT_FALSE(candidate.serves);
            EXPECT_NE(std::string(candidate.why).find("not commutative"), std::string::npos);
        }
        EXPECT_EQ(candidate.serves, std::string(candidate.why).empty());
        refused += commutative_only;
    }
    EXPECT_GT(refused, 0);
}

// What is wrong with the first algorithm of a collective that needs just this.
std::string objection(caucus_collective collective, unsigned needs, void (*spoil)(caucus_task &)) {
    Asked asked(collective, 24, 6, 100);
    caucus_task task = asked.task(0);
    spoil(task);
    for (int i = 0; caucus_algorithm_entry(i); i++) {
        const caucus_algorithm *algorithm = caucus_algorithm_entry(i);
        if (algorithm->collective == collective && algorithm->needs == needs &&
            caucus_algorithm_serves(algorithm, &task) == CAUCUS_NOT_APPLICABLE) {
            std::string text = caucus_error_text();
            return text.substr(text.find("can't serve: "));
        }
    }
    return "none";
}

TEST(Choose, SaysWhatIsMissing) {
    EXPECT_EQ(objection(CAUCUS_BCAST, CAUCUS_NEEDS_NODES, [](auto &task) { task.nodes = nullptr; }),
              "can't serve: no memory is shared");
    EXPECT_EQ(objection(CAUCUS_ALLREDUCE, CAUCUS_NEEDS_ONE_NODE, [](auto &) {}),
              "can't serve: the ranks are on several nodes");
    EXPECT_EQ(
        objection(CAUCUS_GATHERV, CAUCUS_NEEDS_COUNTS, [](auto &task) { task.counts_known = 0; }),
        "can't serve: the counts of all ranks are known to persistent operations only");
    EXPECT_EQ(objection(CAUCUS_ALLTOALLV, CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_TRAFFIC,
                        [](auto &task) { task.traffic = nullptr; }),
              "can't serve: who sends to whom is known to persistent operations only");
    EXPECT_EQ(objection(CAUCUS_BCAST, CAUCUS_NEEDS_NODES, [](auto &) {}), "none");
}

TEST(Choose, ExchangesOnlyWhereAllowed) {
    for (int index = 0; index < CAUCUS_COLLECTIVES; index++) {
        Asked asked(collective_at(index), 24, 6, 100);
        const caucus_algorithm *chosen = nullptr;
        ASSERT_EQ(asked.choose(0, nullptr, 0, &chosen), CAUCUS_OK) << caucus_error_text();
        EXPECT_EQ(chosen->needs & EXCHANGES, 0U);
        for (const auto &candidate : asked.candidates(0)) {
            if (candidate.algorithm->needs & EXCHANGES) {
                EXPECT_FALSE(candidate.serves);
                EXPECT_EQ(asked.choose(0, candidate.algorithm->name, 0, &chosen),
                          CAUCUS_NOT_APPLICABLE);
            }
        }
    }
}

TEST(Choose, ForcedByName) {
    Asked asked(CAUCUS_ALLGATHER, 24, 6, 1);
    const caucus_algorithm *chosen = nullptr;
    ASSERT_EQ(asked.choose(0, "ring", 0, &chosen), CAUCUS_OK);
    EXPECT_STREQ(chosen->name, "ring");
    EXPECT_EQ(asked.choose(0, "magic", 0, &chosen), CAUCUS_BAD_ARGUMENT);
    EXPECT_NE(std::string(caucus_error_text()).find("'magic' of allgather"), std::string::npos);
}

// What a formula may not fall below when the volume grows: what it was before; an exchange by nodes
// goes straight where its regions have become too long for node memory.
double least(const std::vector<caucus_candidate> &candidates, size_t index, double before) {
    if (std::string(candidates[index].algorithm->name) != "node_aggregated")
        return before;
    for (const auto &other : candidates)
        if (std::string(other.algorithm->name) == "linear")
            return std::min(before, 0.9 * other.seconds);
    return before;
}

struct Exact {
    caucus_collective collective;
    const char *name;
    double close = 0.02;
};

// By what factor a formula is off at most, for short, middle and long data.
double furthest_off(const Exact &exact, int32_t ranks, int32_t ppn) {
    double off = INFINITY;
    for (int64_t bytes : {8, 4096, 1 << 20}) {
        Asked asked(exact.collective, ranks, ppn, bytes);
        for (const auto &candidate : asked.candidates())
            if (candidate.serves && std::string(candidate.algorithm->name) == exact.name) {
                double simulated = asked.simulate(candidate.algorithm);
                double error = std::fabs(candidate.seconds / simulated - 1);
                off = std::isinf(off) ? error : std::max(off, error);
            }
    }
    return off;
}

TEST(Cost, IsWhatSimulationTakes) {
    // Messages at the same time share a card, which costs that and simulations do not know.
    constexpr Exact apart[] = {
        {CAUCUS_BARRIER, "dissemination"},
        {CAUCUS_BARRIER, "node_aware"},
        {CAUCUS_BCAST, "postal"},
        {CAUCUS_BCAST, "binomial"},
        {CAUCUS_BCAST, "scatter_allgather"},
        {CAUCUS_BCAST, "node_aware"},
        {CAUCUS_REDUCE, "postal"},
        {CAUCUS_REDUCE, "binomial"},
        {CAUCUS_REDUCE, "circulant"},
        {CAUCUS_REDUCE, "node_aware"},
        {CAUCUS_ALLREDUCE, "recursive_doubling"},
        {CAUCUS_ALLREDUCE, "recursive_halving"},
        {CAUCUS_ALLREDUCE, "ring"},
        {CAUCUS_GATHER, "binomial", 0.1},
        {CAUCUS_SCATTER, "binomial", 0.5},
        {CAUCUS_ALLGATHER, "ring"},
        {CAUCUS_ALLGATHER, "node_aware"},
        {CAUCUS_ALLTOALL, "bruck"},
    };
    for (const Exact &exact : apart)
        EXPECT_LT(furthest_off(exact, 16, 1), exact.close)
            << caucus_collective_name(exact.collective) << " by " << exact.name;
    constexpr Exact together[] = {
        {CAUCUS_BCAST, "circulant"},
        {CAUCUS_REDUCE, "circulant"},
        {CAUCUS_REDUCE_SCATTER, "recursive_halving"},
        {CAUCUS_REDUCE_SCATTER, "pairwise"},
        {CAUCUS_SCAN, "node_memory"},
    };
    for (const Exact &exact : together)
        EXPECT_LT(furthest_off(exact, 16, 16), exact.close)
            << caucus_collective_name(exact.collective) << " by " << exact.name;
}

TEST(Cost, IsNeverTwiceOrHalfOfWhatSimulationTakes) {
    for (int index = 0; index < CAUCUS_COLLECTIVES; index++)
        for (auto [ranks, ppn] : {std::pair{16, 1}, {48, 8}})
            for (int64_t bytes : {8, 4096, 1 << 20}) {
                Asked asked(collective_at(index), ranks, ppn, bytes);
                for (const auto &candidate : asked.candidates()) {
                    if (!candidate.serves)
                        continue;
                    double off = candidate.seconds / asked.simulate(candidate.algorithm);
                    EXPECT_TRUE(0.7 < off && off < 1.85)
                        << caucus_collective_name(index) << " by " << candidate.algorithm->name
                        << ", " << bytes << " bytes, " << ranks << " ranks: by " << off;
                }
            }
}

// What every formula promises.
TEST(Cost, IsNeverNegativeAndGrowsWithTheVolume) {
    for (int index = 0; index < CAUCUS_COLLECTIVES; index++)
        for (int32_t ranks : {1, 2, 5, 64, 100})
            for (int32_t ppn : {1, 4, 100}) {
                std::vector<double> before;
                for (int64_t bytes = 1; bytes < 100000000; bytes *= 7) {
                    Asked asked(collective_at(index), ranks, ppn, bytes);
                    auto candidates = asked.candidates();
                    before.resize(candidates.size());
                    for (size_t i = 0; i < candidates.size(); i++) {
                        if (!candidates[i].serves)
                            continue;
                        EXPECT_GE(candidates[i].seconds,
                                  least(candidates, i, before[i]) * (1 - 1e-12))
                            << caucus_collective_name(index) << " by "
                            << candidates[i].algorithm->name << ", " << bytes << " bytes, " << ranks
                            << " ranks, " << ppn << " a node";
                        before[i] = candidates[i].seconds;
                    }
                }
            }
}

} // namespace
