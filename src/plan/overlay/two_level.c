/* SPDX-License-Identifier: BSD-3-Clause */
/* The two-level tree: finger trees (circle.h) over nodes and then inside every node, so that each
 * node is entered once.
 *
 * A cast of a rank with index l in its node is for another node of p ranks the business of index
 * l mod p there, so that ranks of a node share what enters and leaves it. That rank sends to
 * further nodes first, the furthest first, then within its own.
 *
 *   2 nodes of 4, origin 1:   1 -> 5, 3, 2;   3 -> 0;   5 -> 7, 6;   7 -> 4
 *
 * nodes - 1 crossings, at most ⌊log2 nodes⌋ + ⌊log2 largest⌋ hops. Where nodes are unequal, a rank
 * may hear on one dimension from several ranks of the same node. */
#include "plan/overlay/circle.h"
#include "plan/overlay/overlay.h"

#include <stddef.h>

struct place {
    int32_t node, local, size; /* ranks of the node */
};

static struct place place_of(const struct caucus_overlay *overlay, int32_t rank) {
    int32_t node = caucus_node_of_rank(overlay->nodes, rank);
    return (struct place){node, caucus_local_of_rank(overlay->nodes, rank),
                          caucus_node_size(overlay->nodes, node)};
}

static int32_t rank_at(const struct caucus_overlay *overlay, int32_t node, int32_t index) {
    const struct caucus_node_map *map = overlay->nodes;
    return caucus_rank_in_node(map, node, index % caucus_node_size(map, node));
}

static int forwards(const struct caucus_overlay *overlay, int32_t rank, int32_t sender,
                    int32_t origin, int32_t *to) {
    struct place own = place_of(overlay, rank), start = place_of(overlay, origin);
    int32_t entry = start.local % own.size;
    int count = 0;
    (void)sender;
    if (own.local == entry)
        count = caucus_circle_children(overlay->nodes->nodes, own.node, start.node, to);
    for (int i = 0; i < count; i++)
        to[i] = rank_at(overlay, to[i], start.local);
    int all = count + caucus_circle_children(own.size, own.local, entry, to + count);
    for (int i = count; i < all; i++)
        to[i] = rank_at(overlay, own.node, to[i]);
    return all;
}

static int32_t parent(const struct caucus_overlay *overlay, int32_t rank, int32_t origin) {
    struct place own = place_of(overlay, rank), start = place_of(overlay, origin);
    int32_t entry = start.local % own.size;
    if (own.local != entry)
        return rank_at(overlay, own.node, caucus_circle_parent(own.size, own.local, entry));
    return rank_at(overlay, caucus_circle_parent(overlay->nodes->nodes, own.node, start.node),
                   start.local);
}

/* The ranks of the largest node whose casts go from a node on a dimension. */
static int32_t largest_origin(const struct caucus_overlay *overlay, int32_t node, int k) {
    int32_t nodes = overlay->nodes->nodes, largest = 0;
    for (int64_t d = 0; d + ((int64_t)1 << k) < nodes; d += (int64_t)2 << k) {
        int32_t origin = caucus_circle_on(nodes, node, d ? nodes - (int32_t)d : 0);
        int32_t size = caucus_node_size(overlay->nodes, origin);
        largest = size > largest ? size : largest;
    }
    return largest;
}

/* The ranks of another node that share a cast with this place of its own: all origins' indices
 * that come to this place, as the other node numbers them; each at most once. */
static int32_t counterparts(const struct caucus_overlay *overlay, struct place own, int32_t other,
                            int32_t indices, int32_t *list) {
    int32_t size = caucus_node_size(overlay->nodes, other), count = 0;
    for (int64_t index = own.local; index < indices; index += own.size) {
        int32_t partner = (int32_t)(index % size);
        if (count && partner == own.local % size)
            break; /* from here on the same again */
        if (list)
            list[count] = rank_at(overlay, other, partner);
        count++;
    }
    return count;
}

static int32_t links(const struct caucus_overlay *overlay, int32_t rank, int step, int32_t *list) {
    int32_t nodes = overlay->nodes->nodes, count = 0;
    struct place own = place_of(overlay, rank);
    for (int k = 0; k < caucus_circle_dimensions(nodes); k++) {
        int32_t on = (int32_t)1 << k;
        int32_t other = caucus_circle_on(nodes, own.node, step > 0 ? on : nodes - on);
        int32_t indices = largest_origin(overlay, step > 0 ? own.node : other, k);
        count += counterparts(overlay, own, other, indices, list ? list + count : NULL);
    }
    int32_t all =
        count + caucus_circle_links(own.size, own.local, step, list ? list + count : NULL);
    for (int32_t i = count; list && i < all; i++)
        list[i] = rank_at(overlay, own.node, list[i]);
    return all;
}

const struct caucus_overlay_kind caucus_overlay_two_level = {
    .name = "two_level",
    .summary = "finger trees over nodes and inside each, every node entered once",
    .forwards = forwards,
    .parent = parent,
    .links = links,
};
