// SPDX-License-Identifier: BSD-3-Clause
// What casts take: against times worked out by hand, and what overlays are known for.
extern "C" {
#include "plan/overlay/estimate.h"
}

#include <gtest/gtest.h>

#include <vector>

namespace {

// Round figures: within a node 1 + 2 + 1 seconds and 1 a byte, between nodes 10 + 100 + 10 and 10 a
// byte, of which a card takes 5.
caucus_model round_figures() {
    caucus_model model{};
    model.overhead[CAUCUS_WITHIN_NODE] = 1;
    model.latency[CAUCUS_WITHIN_NODE] = 2;
    model.byte[CAUCUS_WITHIN_NODE] = 1;
    model.overhead[CAUCUS_BETWEEN_NODES] = 10;
    model.latency[CAUCUS_BETWEEN_NODES] = 100;
    model.byte[CAUCUS_BETWEEN_NODES] = 10;
    model.card_byte = 5;
    return model;
}

struct Blocks {
    caucus_node_map map{};
    Blocks(int32_t ranks, int32_t per_node) {
        EXPECT_EQ(caucus_node_map_blocks(&map, ranks, per_node), 0);
    }
    ~Blocks() {
        caucus_node_map_free(&map);
    }
    Blocks(const Blocks &) = delete;
    Blocks &operator=(const Blocks &) = delete;
};

caucus_overlay_times estimate(const caucus_overlay_kind *kind, const caucus_node_map &nodes,
                              const caucus_model &model, int64_t bytes, int64_t segment = 1 << 30,
                              int32_t origin = 0) {
    caucus_overlay overlay{kind, nodes.ranks, &nodes, false};
    caucus_overlay_times times;
    EXPECT_EQ(caucus_overlay_estimate(&overlay, &nodes, &model, bytes, segment, origin, &times), 0);
    return times;
}

TEST(OverlayEstimate, OneRank) {
    Blocks one(1, 1);
    auto times = estimate(&caucus_overlay_finger, one.map, round_figures(), 5);
    EXPECT_EQ(times.one, 0);
    EXPECT_EQ(times.together, 0);
    EXPECT_EQ(times.hops, 0);
}

TEST(OverlayEstimate, OneMessage) {
    Blocks together(2, 2), apart(2, 1);
    auto model = round_figures();
    EXPECT_EQ(estimate(&caucus_overlay_finger, together.map, model, 0).one, 4);
    EXPECT_EQ(estimate(&caucus_overlay_finger, together.map, model, 7).one, 11);
    EXPECT_EQ(estimate(&caucus_overlay_finger, apart.map, model, 0).one, 120);
    EXPECT_EQ(estimate(&caucus_overlay_finger, apart.map, model, 7).one, 190);
    model.card_byte = 20; // then the card is what takes longest
    EXPECT_EQ(estimate(&caucus_overlay_finger, apart.map, model, 7).one, 260);
}

// 0 -> 2 at 4, then 0 -> 1; 2 -> 3: no byte, the sender can go on after 1.
TEST(OverlayEstimate, FourRanksOfANode) {
    Blocks node(4, 4);
    auto times = estimate(&caucus_overlay_finger, node.map, round_figures(), 0);
    EXPECT_EQ(times.one, 8);
    EXPECT_EQ(times.hops, 2);
    EXPECT_EQ(times.crossings, 0);
    EXPECT_EQ(times.imbalance, 1);
    // Each rank sends 3 times and hears 3 times while all four cast once.
    EXPECT_EQ(times.together, 6.0 / 4);
}

// The second message waits for the card of the first: both ranks of a node send at once.
TEST(OverlayEstimate, CardsAreShared) {
    Blocks nodes(4, 2);
    auto model = round_figures();
    model.card_byte = 50;
    // 0 -> 2 leaves at 10 and takes the card until 60; 0 -> 1 leaves at 20 + 1, comes at 25;
    // 2 has it at 10 + 100 + 50 + 10 and 3 at 174 + 1.
    EXPECT_EQ(estimate(&caucus_overlay_finger, nodes.map, model, 1).one, 175);
    // 1 -> 3 leaves at 10, 1 -> 2 waits until 60 and comes at 60 + 150 + 10; 3 -> 0 comes at 340.
    EXPECT_EQ(estimate(&caucus_overlay_finger, nodes.map, model, 1, 1 << 30, 1).one, 340);
}

TEST(OverlayEstimate, PiecesFollowEachOther) {
    Blocks together(2, 2);
    auto model = round_figures();
    // The first piece of 5 takes 9, and the sender needs 6 for each; 7 for one of each rank.
    EXPECT_EQ(estimate(&caucus_overlay_finger, together.map, model, 15, 5).one, 21);
    EXPECT_EQ(estimate(&caucus_overlay_finger, together.map, model, 15, 5).together, 3 * 7.0 / 2);
}

TEST(OverlayEstimate, ManyNodes) {
    caucus_model model;
    caucus_model_default(&model);
    Blocks nodes(240, 24);
    for (int64_t bytes : {8, 1000, 8192}) {
        auto of = [&](const caucus_overlay_kind &kind) {
            return estimate(&kind, nodes.map, model, bytes, 1 << 30, 101);
        };
        auto ring = of(caucus_overlay_skip_ring), finger = of(caucus_overlay_finger);
        auto two = of(caucus_overlay_two_level);
        EXPECT_LT(two.one, 1.2 * finger.one); // which enters nodes by many ranks at a time
        EXPECT_LT(finger.one, 0.9 * ring.one);
        EXPECT_LT(two.together, finger.together);
        EXPECT_LT(finger.together, ring.together);
        EXPECT_EQ(two.crossings, 9);
        EXPECT_GT(ring.imbalance, 6);
        EXPECT_EQ(finger.imbalance, 1);
    }
}

TEST(OverlayEstimate, Chooses) {
    caucus_model model;
    caucus_model_default(&model);
    Blocks many(240, 24), apart(64, 1);
    caucus_overlay overlay;
    ASSERT_EQ(caucus_overlay_choose(&many.map, &model, 100, true, &overlay), 0);
    EXPECT_EQ(overlay.kind, &caucus_overlay_two_level);
    EXPECT_EQ(overlay.nodes, &many.map);
    EXPECT_EQ(overlay.ranks, 240);
    for (bool together : {false, true}) {
        ASSERT_EQ(caucus_overlay_choose(&apart.map, &model, 100, together, &overlay), 0);
        EXPECT_EQ(overlay.kind, &caucus_overlay_finger);
    }
    model.latency[CAUCUS_BETWEEN_NODES] = 20e-6; // then crossings in a row are what counts
    model.byte[CAUCUS_BETWEEN_NODES] = model.card_byte = 1 / 1e8;
    ASSERT_EQ(caucus_overlay_choose(&many.map, &model, 8192, false, &overlay), 0);
    EXPECT_EQ(overlay.kind, &caucus_overlay_two_level);
}

TEST(OverlayEstimate, ManyRanks) {
    caucus_model model;
    caucus_model_default(&model);
    Blocks nodes(8000, 100);
    auto times = estimate(&caucus_overlay_two_level, nodes.map, model, 100);
    EXPECT_EQ(times.crossings, 79);
    EXPECT_EQ(times.hops, 6 + 6);
}

} // namespace
