// SPDX-License-Identifier: BSD-3-Clause
// Every algorithm between two groups, proved for many sizes of both, shapes of nodes, roots and
// lengths. With TEST_FULL all sizes up to 24, and some large ones; with TEST_SHARE=3/40 a fortieth
// of these, and all that is done without TEST_FULL.
#include "collective_case.hpp"
#include "full_run.hpp"
#include "intergroup_case.hpp"
extern "C" {
#include "plan/intergroup/intergroup.h"
}

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <utility>

using test::Instance;
using test::NodeMap;
using test::Nodes;
using test::Pattern;

namespace {

std::vector<const caucus_algorithm *> algorithms() {
    const char *asked = std::getenv("TEST_ALGORITHM");
    std::vector<const caucus_algorithm *> chosen;
    for (int i = 0; caucus_intergroup_algorithm(i); i++) {
        const caucus_algorithm *algorithm = caucus_intergroup_algorithm(i);
        std::string name = caucus_collective_name(algorithm->collective);
        if (!asked || (name + " " + algorithm->name).find(asked) != std::string::npos)
            chosen.push_back(algorithm);
    }
    return chosen;
}

// Sizes of both groups.
std::vector<std::pair<int32_t, int32_t>> sizes() {
    constexpr int32_t most = 24;
    std::vector<std::pair<int32_t, int32_t>> pairs;
    auto whole = [](int32_t first, int32_t second) {
        return test::full_run() && test::in_share(static_cast<uint64_t>(first * 1000 + second));
    };
    for (int32_t first = 1; first <= most; first++)
        for (int32_t second = 1; second <= most; second++)
            if (whole(first, second) || (first <= 4 && second <= 4) || first * second % 29 == 6 ||
                (first == most && second % 12 == 1))
                pairs.emplace_back(first, second);
    pairs.emplace_back(1, 70);
    pairs.emplace_back(64, 64);
    for (auto [first, second] : {std::pair{200, 131}, {3, 300}})
        if (whole(first, second))
            pairs.emplace_back(first, second);
    return pairs;
}

// Whether it served.
bool prove(const caucus_algorithm *algorithm, const caucus_problem_shape &shape, Nodes nodes,
           int32_t most) {
    if (!test::must_serve(algorithm, shape))
        return false;
    Instance instance(algorithm, shape);
    if (instance.status == CAUCUS_NOT_APPLICABLE)
        return false;
    EXPECT_EQ(instance.verify(), CAUCUS_OK)
        << test::describe(algorithm, shape, nodes, most) << ": " << instance.text;
    return true;
}

TEST(Intergroup, EveryAlgorithmAtManySizes) {
    constexpr Nodes kinds[] = {Nodes::none,        Nodes::uneven, Nodes::blocks, Nodes::uneven,
                               Nodes::interleaved, Nodes::one,    Nodes::blocks, Nodes::singletons};
    std::set<const caucus_algorithm *> served;
    uint64_t seed = 1;
    int cases = 0;
    for (const caucus_algorithm *algorithm : algorithms()) {
        for (auto [first, second] : sizes())
            for (int round = 0; round < (test::full_run() ? 8 : 3); round++, seed++) {
                Nodes nodes = kinds[seed % std::size(kinds)];
                auto most = static_cast<int32_t>(1 + seed % 9);
                NodeMap map(nodes, first + second, most);
                test::NodesApart apart(first, second, most, seed % 4 < 2);
                bool are_apart = seed % 3 > 0;
                caucus_problem_shape shape = test::draw_intergroup_shape(
                    algorithm, first + second, first, are_apart ? apart.get() : map.get(), seed);
                nodes = are_apart ? Nodes::uneven : nodes;
                cases++;
                if (prove(algorithm, shape, nodes, most))
                    served.insert(algorithm);
            }
        EXPECT_TRUE(served.count(algorithm)) << algorithm->name << " has never served";
    }
    std::printf("%d cases\n", cases);
}

// Blocks as uneven as they come, pieces from a byte on, and one group with little or nothing.
TEST(Intergroup, UnevenBlocks) {
    constexpr int patterns = static_cast<int>(Pattern::count);
    int cases = 0;
    for (const caucus_algorithm *algorithm : algorithms()) {
        if (algorithm->collective != CAUCUS_ALLGATHERV)
            continue;
        for (auto [first, second] : sizes())
            for (int pair = 0; pair < patterns * patterns; pair++) {
                std::mt19937_64 random(static_cast<uint64_t>(pair) * 10'000 + first * 100 + second);
                if (random() % (first * second > 100 ? 8 : 2) != 0)
                    continue;
                constexpr double total = 3000, shares[] = {0.1, 0.5, 0.9, 1};
                std::vector<int64_t> blocks;
                test::add_blocks(blocks, static_cast<Pattern>(pair / patterns), first, total,
                                 random);
                test::add_blocks(blocks, static_cast<Pattern>(pair % patterns), second,
                                 total * shares[random() % std::size(shares)], random);
                caucus_problem_shape shape{};
                shape.collective = algorithm->collective;
                shape.ranks = first + second;
                shape.first_group = first;
                shape.lengths = blocks.data();
                shape.exchanged = CAUCUS_NEEDS_COUNTS;
                shape.segment = static_cast<int64_t>(random() % 3 ? 30 + random() % 300 : 0);
                cases++;
                prove(algorithm, shape, Nodes::none, pair);
            }
    }
    std::printf("%d cases\n", cases);
}

} // namespace
