// SPDX-License-Identifier: BSD-3-Clause
// The striped ring: no port passes more bytes than the larger group has, whatever the blocks are,
// and the time is near that.
#include "collective_case.hpp"
#include "full_run.hpp"
#include "intergroup_case.hpp"
extern "C" {
#include "plan/choice/choose.h"
#include "plan/intergroup/stripes.h"
#include "study/simulate/simulate.h"
}

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

using test::Pattern;

namespace {

struct Groups {
    Groups(int32_t p, int32_t q, Pattern first_pattern, Pattern second_pattern, double total,
           double share, std::mt19937_64 &random)
        : first(p), second(q) {
        test::add_blocks(blocks, first_pattern, p, total, random);
        test::add_blocks(blocks, second_pattern, q, total * share, random);
        int64_t sums[2] = {};
        for (int32_t i = 0; i < p + q; i++)
            sums[i >= p] += blocks[static_cast<size_t>(i)];
        bound = std::max(sums[0], sums[1]);
    }
    caucus_problem_shape shape() const {
        caucus_problem_shape asked{};
        asked.collective = CAUCUS_ALLGATHERV;
        asked.ranks = first + second;
        asked.first_group = first;
        asked.lengths = blocks.data();
        asked.exchanged = CAUCUS_NEEDS_COUNTS;
        return asked;
    }

    int32_t first, second;
    std::vector<int64_t> blocks;
    int64_t bound;
};

Pattern any_pattern(std::mt19937_64 &random) {
    return static_cast<Pattern>(random() % static_cast<uint64_t>(Pattern::count));
}

// The bytes that the busiest port passes, and the tokens of a rank.
struct Load {
    int64_t bytes = 0, tokens = 0;
};

Load heaviest_load(const Groups &groups, double latency, int64_t chunk) {
    caucus_problem_shape shape = groups.shape();
    caucus_problem problem{};
    caucus_task task;
    caucus_stripes stripes;
    Load load;
    test::require(caucus_problem_init(&problem, &shape));
    test::require(caucus_problem_task(&problem, 0, &task));
    test::require(caucus_stripes_init(&stripes, &task, latency, chunk));
    for (int32_t rank = 0; rank < shape.ranks; rank++) {
        caucus_striped_list list;
        test::require(caucus_stripes_messages(&stripes, rank, &list));
        int64_t passed[2] = {}, tokens = 0;
        for (int64_t i = 0; i < list.count; i++) {
            const caucus_striped &message = list.message[i];
            (message.token ? tokens : passed[message.sends]) += message.end - message.begin;
        }
        load.bytes = std::max({load.bytes, passed[0], passed[1]});
        load.tokens = std::max(load.tokens, tokens);
        std::free(list.message);
    }
    caucus_stripes_free(&stripes);
    caucus_problem_free(&problem);
    return load;
}

// Where latencies count, light ranks may pass a block more, of a thousandth at the most.
TEST(IntergroupStripes, NoPortPassesMoreThanTheLargerGroupHas) {
    constexpr int cases = 10'000;
    constexpr int32_t most = 24;
    int64_t tokens = 0;
    double heaviest = 0;
    for (int i = 0; i < cases; i++) {
        std::mt19937_64 random(static_cast<uint64_t>(i));
        auto p = static_cast<int32_t>(1 + random() % most);
        auto q = static_cast<int32_t>(1 + random() % most);
        std::uniform_real_distribution<double> uniform(0, 1);
        double total = std::pow(10, 3 + 6 * uniform(random));
        Groups groups(p, q, any_pattern(random), any_pattern(random), total, uniform(random),
                      random);
        bool long_data = i % 2 == 0;
        constexpr int chunks = 60;
        Load load = long_data ? heaviest_load(groups, 0, groups.bound / chunks)
                              : heaviest_load(groups, total / 1000, 0);
        int64_t light = long_data ? 0 : groups.bound / CAUCUS_STRIPES_LIGHT;
        EXPECT_LE(load.bytes, groups.bound + light) << p << " and " << q << " ranks, case " << i;
        EXPECT_LE(load.tokens, 2 * (p + q)) << p << " and " << q << " ranks, case " << i;
        tokens = std::max(tokens, load.tokens);
        if (groups.bound > 0)
            heaviest = std::max(heaviest, static_cast<double>(load.bytes) /
                                              static_cast<double>(groups.bound));
    }
    std::printf("%d cases, at most %.6f times the bound, %lld tokens a rank\n", cases, heaviest,
                static_cast<long long>(tokens));
}

// A machine on which a message costs as much as so many bytes, a rank passes one at a time, and a
// long one waits for its receive.
caucus_model one_port(double latency) {
    caucus_model model{};
    model.latency[CAUCUS_BETWEEN_NODES] = latency;
    model.byte[CAUCUS_BETWEEN_NODES] = 1;
    model.ports = 1;
    model.eager = latency;
    return model;
}

double simulated(const caucus_algorithm *algorithm, const caucus_problem_shape &shape,
                 const caucus_model &model) {
    test::Instance instance(algorithm, shape);
    if (instance.status == CAUCUS_NOT_APPLICABLE)
        return HUGE_VAL;
    caucus_simulation simulation;
    test::require(instance.status);
    test::require(caucus_schedule_simulate(shape.ranks, instance.schedules, nullptr, &model,
                                           nullptr, nullptr, &simulation));
    return simulation.seconds;
}

struct Chosen {
    const char *name;
    double ratio, regret; /* of the chosen one to the bound, and to the best one */
};

Chosen choose(const Groups &groups, double latency) {
    caucus_problem_shape shape = groups.shape();
    caucus_model model = one_port(latency);
    caucus_problem problem{};
    caucus_task task;
    const caucus_algorithm *chosen = nullptr, *algorithm;
    test::require(caucus_problem_init(&problem, &shape));
    test::require(caucus_problem_task(&problem, 0, &task));
    test::require(caucus_algorithm_choose(&task, &model, nullptr, CAUCUS_NEEDS_COUNTS, &chosen));
    double best = HUGE_VAL, taken = simulated(chosen, shape, model);
    for (int i = 0; (algorithm = caucus_intergroup_algorithm(i)); i++)
        if (algorithm->collective == CAUCUS_ALLGATHERV)
            best = std::min(best, algorithm == chosen ? taken : simulated(algorithm, shape, model));
    caucus_problem_free(&problem);
    return {chosen->name, taken / static_cast<double>(groups.bound), taken / best};
}

// The bytes of the larger group, as so many messages' latencies, and how near the choice comes.
struct Figures {
    double latencies, ratio, regret;
};

TEST(IntergroupStripes, TheChoiceIsNearTheBound) {
    constexpr std::array<Figures, 2> figures = {{{1e4, 1.18, 1.1}, {1e5, 1.06, 1.04}}};
    constexpr double shares[] = {0.1, 0.5, 0.9, 1};
    constexpr int32_t counts[] = {1, 2, 5, 11, 16, 23, 24};
    for (const Figures &figure : figures) {
        std::vector<double> ratios;
        Chosen worst{};
        for (int i = 0; i < (test::full_run() ? 2000 : 40); i++) {
            std::mt19937_64 random(static_cast<uint64_t>(i));
            int32_t p = counts[random() % std::size(counts)];
            int32_t q = counts[random() % std::size(counts)];
            constexpr double latency = CAUCUS_STRIPES_LATENCY;
            Pattern second = any_pattern(random);
            Pattern first = static_cast<Pattern>(random() % static_cast<uint64_t>(Pattern::none));
            Groups groups(p, q, first, second, figure.latencies * latency,
                          shares[random() % std::size(shares)], random);
            Chosen chosen = choose(groups, latency);
            std::string what = std::to_string(p) + " ranks " + name_of(first) + ", " +
                               std::to_string(q) + " ranks " + name_of(second) + " by " +
                               chosen.name;
            EXPECT_LE(chosen.ratio, figure.ratio) << what << " at " << figure.latencies;
            EXPECT_LE(chosen.regret, figure.regret) << what << " at " << figure.latencies;
            worst.ratio = std::max(worst.ratio, chosen.ratio);
            worst.regret = std::max(worst.regret, chosen.regret);
            ratios.push_back(chosen.ratio);
        }
        std::sort(ratios.begin(), ratios.end());
        std::printf("at %g: %zu cases, median %.3f, worst %.3f; regret at most %.3f\n",
                    figure.latencies, ratios.size(), ratios[ratios.size() / 2], worst.ratio,
                    worst.regret);
    }
}

} // namespace
