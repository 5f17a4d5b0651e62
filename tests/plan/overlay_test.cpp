// SPDX-License-Identifier: BSD-3-Clause
// Overlays: for every number of ranks, every division into nodes and every origin, each rank hears
// exactly once, within the promised hops, over links that are known beforehand, whose classes fall.
extern "C" {
#include "plan/overlay/overlay.h"
}

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <vector>

namespace {

using Links = std::set<std::pair<int32_t, int32_t>>;

struct Nodes {
    caucus_node_map map{};
    explicit Nodes(const std::vector<int32_t> &node_of_rank) {
        EXPECT_EQ(caucus_node_map_init(&map, static_cast<int32_t>(node_of_rank.size()),
                                       node_of_rank.data()),
                  0);
    }
    ~Nodes() {
        caucus_node_map_free(&map);
    }
    Nodes(const Nodes &) = delete;
    Nodes &operator=(const Nodes &) = delete;
};

int floor_log2(int64_t n) {
    return n > 1 ? 1 + floor_log2(n / 2) : 0;
}

int ceiling_log2(int64_t n) {
    return n > 1 ? 1 + floor_log2(n - 1) : 0;
}

// Classes of links, which fall strictly along every path: so waits for room on a link, by ranks
// that keep the room of the link that a message came in on, never form a cycle.
constexpr int CLASSES = 192; // classes are at least 0 and less than this

int dimension(int32_t size, int32_t from, int32_t to) {
    return __builtin_ctz(static_cast<unsigned>(to >= from ? to - from : size - (from - to)));
}

// What came in on dimension k leaves on dimensions below k, between nodes, then within the last.
int class_in_two_levels(const caucus_node_map *map, int32_t from, int32_t to) {
    int32_t node = caucus_node_of_rank(map, from), other = caucus_node_of_rank(map, to);
    if (node != other)
        return 32 + dimension(map->nodes, node, other);
    return dimension(caucus_node_size(map, node), caucus_local_of_rank(map, from),
                     caucus_local_of_rank(map, to));
}

int level(const caucus_overlay &overlay, int32_t rank) {
    return rank ? __builtin_ctz(static_cast<unsigned>(rank)) : floor_log2(overlay.ranks - 1);
}

// On the way up the levels of targets rise, on the way down they fall.
int class_in_skip_ring(const caucus_overlay &overlay, int32_t from, int32_t to) {
    int target = level(overlay, to);
    return target > level(overlay, from) ? CAUCUS_OVERLAY_DEGREE - target : target;
}

int depth(const caucus_overlay &overlay, int32_t rank) {
    return rank ? 1 + depth(overlay, overlay.kind->parent(&overlay, rank, 0)) : 0;
}

int class_of(const caucus_overlay &overlay, int32_t from, int32_t to) {
    if (overlay.shared) { // up to the root and down again, like the skip ring
        int a = depth(overlay, from), b = depth(overlay, to);
        return a > b ? CLASSES / 2 + b : CLASSES / 2 - b;
    }
    if (overlay.kind == &caucus_overlay_finger)
        return dimension(overlay.ranks, from, to);
    return overlay.kind == &caucus_overlay_two_level ? class_in_two_levels(overlay.nodes, from, to)
                                                     : class_in_skip_ring(overlay, from, to);
}

struct Heard {
    int hops = 0;      // on the longest path
    int crossings = 0; // messages between nodes
    std::vector<int> sends, entries;
};

// Follows one cast to all ranks. False where a rank heard twice or not at all.
bool follow(const caucus_overlay &overlay, int32_t origin, Heard &heard, Links *links = nullptr) {
    auto n = static_cast<size_t>(overlay.ranks);
    std::vector<int> hops(n, -1), arrived(n, CLASSES);
    std::vector<int32_t> sender(n, origin), queue{origin};
    int32_t to[CAUCUS_OVERLAY_DEGREE];
    hops[static_cast<size_t>(origin)] = 0;
    heard.sends.assign(n, 0);
    if (overlay.nodes)
        heard.entries.assign(static_cast<size_t>(overlay.nodes->nodes), 0);
    for (size_t i = 0; i < queue.size(); i++) {
        int32_t rank = queue[i];
        auto at = static_cast<size_t>(rank);
        int count = caucus_overlay_forwards(&overlay, rank, sender[at], origin, to);
        heard.sends[at] += count;
        for (int j = 0; j < count; j++) {
            auto target = static_cast<size_t>(to[j]);
            if (to[j] < 0 || to[j] >= overlay.ranks || hops[target] >= 0)
                return false;
            hops[target] = hops[at] + 1;
            sender[target] = rank;
            arrived[target] = class_of(overlay, rank, to[j]);
            if (arrived[target] < 0 || arrived[target] >= arrived[at])
                return false;
            if (caucus_overlay_parent(&overlay, to[j], origin) != rank)
                return false;
            heard.hops = std::max(heard.hops, hops[target]);
            if (overlay.nodes && caucus_node_of_rank(overlay.nodes, rank) !=
                                     caucus_node_of_rank(overlay.nodes, to[j])) {
                heard.crossings++;
                heard.entries[static_cast<size_t>(caucus_node_of_rank(overlay.nodes, to[j]))]++;
            }
            if (links)
                links->emplace(rank, to[j]);
            queue.push_back(to[j]);
        }
    }
    return queue.size() == n;
}

// The links that ranks know of are those that casts use, no more and no less.
void expect_links(const caucus_overlay &overlay, const Links &used) {
    Links out, in;
    for (int32_t rank = 0; rank < overlay.ranks; rank++) {
        int32_t *list, count;
        ASSERT_EQ(caucus_overlay_targets(&overlay, rank, &count, &list), 0);
        for (int32_t i = 0; i < count; i++)
            EXPECT_TRUE(out.emplace(rank, list[i]).second);
        free(list);
        ASSERT_EQ(caucus_overlay_sources(&overlay, rank, &count, &list), 0);
        for (int32_t i = 0; i < count; i++)
            EXPECT_TRUE(in.emplace(list[i], rank).second);
        free(list);
    }
    EXPECT_EQ(out, used);
    EXPECT_EQ(in, used);
}

int most_hops(const caucus_overlay &overlay) {
    int n = overlay.ranks, shared = overlay.shared ? 2 : 1;
    if (overlay.kind == &caucus_overlay_finger)
        return shared * floor_log2(n);
    if (overlay.kind == &caucus_overlay_two_level)
        return shared * (floor_log2(overlay.nodes->nodes) + floor_log2(overlay.nodes->largest));
    return shared * (n > 4 ? 2 * ceiling_log2(n) - 2 : ceiling_log2(n));
}

void expect_every_origin(const caucus_overlay &overlay) {
    Links links;
    for (int32_t origin = 0; origin < overlay.ranks; origin++) {
        Heard heard;
        ASSERT_TRUE(follow(overlay, origin, heard, &links)) << "origin " << origin;
        ASSERT_LE(heard.hops, most_hops(overlay)) << "origin " << origin;
        if (overlay.nodes) {
            ASSERT_EQ(heard.crossings, overlay.nodes->nodes - 1) << "origin " << origin;
            heard.entries[static_cast<size_t>(caucus_node_of_rank(overlay.nodes, origin))]++;
            ASSERT_EQ(*std::min_element(heard.entries.begin(), heard.entries.end()), 1);
        }
    }
    expect_links(overlay, links);
}

TEST(Overlay, EveryOriginReachesEveryRankOnce) {
    for (bool shared : {false, true})
        for (const auto *kind : {&caucus_overlay_finger, &caucus_overlay_skip_ring})
            for (int32_t n = 1; n <= 256; n += n < 140 ? 1 : 29) {
                SCOPED_TRACE(std::string(kind->name) + " of " + std::to_string(n));
                expect_every_origin({kind, n, nullptr, shared});
            }
}

TEST(Overlay, LargeFingerTrees) {
    std::mt19937 random(1);
    for (int32_t n = 1; n <= 4096; n++) {
        caucus_overlay overlay{&caucus_overlay_finger, n, nullptr, false};
        Heard heard;
        ASSERT_TRUE(
            follow(overlay, static_cast<int32_t>(random() % static_cast<unsigned>(n)), heard));
        ASSERT_EQ(heard.hops, floor_log2(n)) << n;
    }
}

// What the test above sees for one origin holds for all, since ranks count from the origin.
TEST(Overlay, FingerTreesTurnWithTheOrigin) {
    int32_t to[CAUCUS_OVERLAY_DEGREE], turned[CAUCUS_OVERLAY_DEGREE];
    for (int32_t n : {1, 2, 3, 7, 64, 1000, 4095, 4096}) {
        caucus_overlay overlay{&caucus_overlay_finger, n, nullptr, false};
        for (int32_t origin = 0; origin < n; origin += 1 + n / 50)
            for (int32_t d = 0; d < n; d++) {
                int32_t rank = (origin + d) % n;
                int count = caucus_overlay_forwards(&overlay, d, 0, 0, to);
                ASSERT_EQ(caucus_overlay_forwards(&overlay, rank, 0, origin, turned), count);
                for (int i = 0; i < count; i++)
                    ASSERT_EQ(turned[i], (to[i] + origin) % n);
            }
    }
}

TEST(Overlay, LargestSizes) {
    int32_t to[CAUCUS_OVERLAY_DEGREE];
    caucus_overlay overlay{&caucus_overlay_finger, INT32_MAX, nullptr, false};
    ASSERT_EQ(caucus_overlay_forwards(&overlay, INT32_MAX - 1, 0, INT32_MAX - 1, to), 31);
    EXPECT_EQ(to[0], (1 << 30) - 1);
    EXPECT_EQ(to[30], 0);
    EXPECT_EQ(caucus_overlay_parent(&overlay, 5, INT32_MAX - 2), 4);
}

void expect_nodes(const std::vector<int32_t> &node_of_rank) {
    Nodes nodes(node_of_rank);
    for (bool shared : {false, true})
        expect_every_origin({&caucus_overlay_two_level, nodes.map.ranks, &nodes.map, shared});
}

TEST(Overlay, TwoLevelsOfEqualNodes) {
    for (int32_t per_node : {1, 2, 3, 5, 8, 24})
        for (int32_t n = 1; n <= 130; n += n < 40 ? 1 : 15) {
            std::vector<int32_t> blocks(static_cast<size_t>(n)), cyclic(static_cast<size_t>(n));
            for (int32_t i = 0; i < n; i++) {
                blocks[static_cast<size_t>(i)] = i / per_node;
                cyclic[static_cast<size_t>(i)] = i % ((n + per_node - 1) / per_node);
            }
            SCOPED_TRACE(std::to_string(n) + " by " + std::to_string(per_node));
            expect_nodes(blocks);
            expect_nodes(cyclic);
        }
}

TEST(Overlay, TwoLevelsOfRandomNodes) {
    std::mt19937 random(2);
    for (int round = 0; round < 300; round++) {
        std::vector<int32_t> node_of_rank(1 + random() % 60);
        auto nodes = 1 + random() % node_of_rank.size();
        for (auto &node : node_of_rank) // skewed: some nodes have most ranks
            node = static_cast<int32_t>(random() % (1 + random() % nodes));
        SCOPED_TRACE("round " + std::to_string(round));
        expect_nodes(node_of_rank);
    }
}

// Sends of the busiest rank over the mean, when every rank casts once.
double imbalance(const caucus_overlay &overlay) {
    std::vector<int64_t> sends(static_cast<size_t>(overlay.ranks));
    for (int32_t origin = 0; origin < overlay.ranks; origin++) {
        Heard heard;
        EXPECT_TRUE(follow(overlay, origin, heard));
        for (size_t i = 0; i < sends.size(); i++)
            sends[i] += heard.sends[i];
    }
    return static_cast<double>(*std::max_element(sends.begin(), sends.end())) *
           static_cast<double>(sends.size()) /
           static_cast<double>(std::accumulate(sends.begin(), sends.end(), int64_t{0}));
}

TEST(Overlay, LoadIsEvenWhenAllCast) {
    for (int32_t n : {2, 3, 17, 240})
        EXPECT_EQ(imbalance({&caucus_overlay_finger, n, nullptr, false}), 1.0);
    for (int32_t per_node : {1, 4, 24}) {
        std::vector<int32_t> blocks(240);
        for (size_t i = 0; i < blocks.size(); i++)
            blocks[i] = static_cast<int32_t>(i) / per_node;
        Nodes nodes(blocks);
        EXPECT_EQ(imbalance({&caucus_overlay_two_level, 240, &nodes.map, false}), 1.0);
    }
    EXPECT_GT(imbalance({&caucus_overlay_skip_ring, 240, nullptr, false}), 6);
}

double mean_crossings(const caucus_overlay_kind *kind, const Nodes &nodes) {
    caucus_overlay overlay{kind, nodes.map.ranks, &nodes.map, false};
    double sum = 0;
    for (int32_t origin = 0; origin < overlay.ranks; origin++) {
        Heard heard;
        EXPECT_TRUE(follow(overlay, origin, heard));
        sum += heard.crossings;
    }
    return sum / overlay.ranks;
}

TEST(Overlay, CrossingsOfTenNodesOf24) {
    std::vector<int32_t> blocks(240);
    for (size_t i = 0; i < blocks.size(); i++)
        blocks[i] = static_cast<int32_t>(i) / 24;
    Nodes nodes(blocks);
    EXPECT_EQ(mean_crossings(&caucus_overlay_two_level, nodes), 9.0);
    EXPECT_NEAR(mean_crossings(&caucus_overlay_skip_ring, nodes), 16.4, 0.05);
    EXPECT_NEAR(mean_crossings(&caucus_overlay_finger, nodes), 31.7, 0.05);
}

TEST(Overlay, Drawings) {
    int32_t to[CAUCUS_OVERLAY_DEGREE];
    auto list = [&](const caucus_overlay &overlay, int32_t rank, int32_t sender, int32_t origin) {
        return std::vector<int32_t>(
            to, to + caucus_overlay_forwards(&overlay, rank, sender, origin, to));
    };
    using Ranks = std::vector<int32_t>;
    caucus_overlay finger{&caucus_overlay_finger, 8, nullptr, false};
    EXPECT_EQ(list(finger, 6, 6, 6), (Ranks{2, 0, 7}));
    EXPECT_EQ(list(finger, 2, 6, 6), (Ranks{4, 3}));
    caucus_overlay ring{&caucus_overlay_skip_ring, 8, nullptr, false};
    EXPECT_EQ(list(ring, 2, 2, 2), (Ranks{4, 3}));
    EXPECT_EQ(list(ring, 4, 2, 2), (Ranks{0, 6, 5}));
    EXPECT_EQ(list(ring, 0, 4, 2), (Ranks{1}));
    Nodes nodes({0, 0, 0, 0, 1, 1, 1, 1});
    caucus_overlay two{&caucus_overlay_two_level, 8, &nodes.map, false};
    EXPECT_EQ(list(two, 1, 1, 1), (Ranks{5, 3, 2}));
    EXPECT_EQ(list(two, 5, 1, 1), (Ranks{7, 6}));
    caucus_overlay shared{&caucus_overlay_finger, 8, nullptr, true};
    EXPECT_EQ(list(shared, 6, 6, 6), (Ranks{7, 4}));
    EXPECT_EQ(list(shared, 4, 6, 6), (Ranks{5, 0}));
}

TEST(Overlay, TheListEnds) {
    EXPECT_EQ(caucus_overlay_listed(-1), nullptr);
    EXPECT_EQ(caucus_overlay_listed(3), nullptr);
}

} // namespace
