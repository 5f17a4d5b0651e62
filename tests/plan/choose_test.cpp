// SPDX-License-Identifier: BSD-3-Clause
// The choice of an algorithm: the same on all ranks, the cheapest, or the one asked for.
#include "base/status.h"
#include "plan/collective/choose.h"
#include "plan/collective/problem.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

constexpr unsigned EXCHANGES = CAUCUS_NEEDS_COUNTS | CAUCUS_NEEDS_TRAFFIC;

class Asked {
  public:
    Asked(caucus_collective collective, int32_t ranks, int32_t ppn, int64_t bytes,
          bool commutative = true, bool irregular = false) {
        caucus_node_map_blocks(&nodes_, ranks, ppn);
        caucus_model_default(&model_);
        caucus_problem_shape shape{};
        shape.collective = collective;
        shape.ranks = ranks;
        shape.commutative = commutative;
        shape.element = 1;
        shape.bytes = collective == CAUCUS_BARRIER ? 0 : bytes;
        shape.irregular = irregular;
        shape.seed = 5;
        shape.nodes = &nodes_;
        shape.exchanged = EXCHANGES;
        if (collective >= CAUCUS_NEIGHBOR_ALLGATHER) {
            shape.neighbourhood = CAUCUS_NEIGHBOURHOOD_RANDOM;
            shape.degree = 4;
        }
        EXPECT_EQ(caucus_problem_init(&problem_, &shape), CAUCUS_OK) << caucus_error_text();
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
    std::vector<caucus_candidate> candidates(unsigned allowed = EXCHANGES) {
        std::vector<caucus_candidate> found;
        caucus_task asked = task(0);
        caucus_candidate candidate;
        while (caucus_algorithm_explain(&asked, &model_, allowed, static_cast<int>(found.size()),
                                        &candidate))
            found.push_back(candidate);
        return found;
    }

  private:
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
