/* SPDX-License-Identifier: BSD-3-Clause */
/* Who forwards to whom when any rank may cast: for every origin a tree over all ranks, worked out
 * from (rank, sender, origin) alone. Nobody keeps a table of origins, and n - 1 sends reach all n
 * ranks.
 *
 *   kind       hops at most                  sends of the busiest rank    entered nodes
 *   skip_ring  2 ⌈log2 n⌉ - 2 (n > 4)        log2 n casts pass rank 0     not looked at
 *   finger     ⌊log2 n⌋                      even when all cast           not looked at
 *   two_level  ⌊log2 nodes⌋ + ⌊log2 largest⌋  even where nodes are equal   once each
 *
 * A link is an ordered pair of ranks that some origin's tree uses. Links have classes that fall
 * strictly along every path (tests/plan/overlay_test.cpp has them), so that ranks may wait for room
 * on a link while they keep the room of the link that a message came in on: such waits never form a
 * cycle. */
#ifndef CAUCUS_PLAN_OVERLAY_OVERLAY_H
#define CAUCUS_PLAN_OVERLAY_OVERLAY_H

#include "plan/machine/node_map.h"

#include <stdbool.h>
#include <stdint.h>

enum { CAUCUS_OVERLAY_DEGREE = 64 /* no rank forwards one cast to more */ };

struct caucus_overlay;

/* One kind of overlay. Ranks are numbers within the overlay's size; to and from have room for what
 * is returned. */
struct caucus_overlay_kind {
    const char *name, *summary;
    /* Whom rank forwards a cast of origin to that came from sender (rank itself at the origin),
     * in the order of sending. */
    int (*forwards)(const struct caucus_overlay *overlay, int32_t rank, int32_t sender,
                    int32_t origin, int32_t *to);
    /* Who forwards to rank, which is not the origin. */
    int32_t (*parent)(const struct caucus_overlay *overlay, int32_t rank, int32_t origin);
    /* All links out of rank where step is 1, into it where it is -1; with a null list they are only
     * counted, perhaps some twice. */
    int32_t (*links)(const struct caucus_overlay *overlay, int32_t rank, int step, int32_t *list);
};

extern const struct caucus_overlay_kind caucus_overlay_skip_ring, caucus_overlay_finger,
    caucus_overlay_two_level;

struct caucus_overlay {
    const struct caucus_overlay_kind *kind;
    int32_t ranks;
    const struct caucus_node_map *nodes; /* of the two-level tree; borrowed */
    /* All casts go along the tree of origin 0, taken as undirected: for causal order. */
    bool shared;
};

/* NULL beyond the last. */
const struct caucus_overlay_kind *caucus_overlay_listed(int index);

/* As in the kind, for shared trees too. O(log n) steps each, besides sources and targets of a
 * two-level tree: O(nodes + largest node) steps for each dimension. */
int caucus_overlay_forwards(const struct caucus_overlay *overlay, int32_t rank, int32_t sender,
                            int32_t origin, int32_t *to);
int32_t caucus_overlay_parent(const struct caucus_overlay *overlay, int32_t rank, int32_t origin);

/* The ranks with a link to this one, or from it, each once and ascending: *list, which the caller
 * frees. */
int caucus_overlay_sources(const struct caucus_overlay *overlay, int32_t rank, int32_t *count,
                           int32_t **list);
int caucus_overlay_targets(const struct caucus_overlay *overlay, int32_t rank, int32_t *count,
                           int32_t **list);

#endif
