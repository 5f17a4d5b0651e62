/* SPDX-License-Identifier: BSD-3-Clause */
/* The finger tree: for every origin the binomial tree on ranks counted from it (circle.h), so that
 * rank r has links to r + 2^k only. The furthest is sent first, since most hear from there.
 *
 *   n = 8, origin 6:   6 -> 2 (4 on), 0 (2 on), 7;   2 -> 4, 3;   0 -> 1;   4 -> 5
 *
 * At most ⌊log2 n⌋ hops, ⌈log2 n⌉ rounds where a rank sends one message at a time, which is the
 * least there can be, and if all ranks cast once, every rank sends n - 1 times. The circle of
 * fingers is that of Chord (Stoica et al., SIGCOMM 2001). */
#include "plan/overlay/circle.h"
#include "plan/overlay/overlay.h"

static int forwards(const struct caucus_overlay *overlay, int32_t rank, int32_t sender,
                    int32_t origin, int32_t *to) {
    (void)sender;
    return caucus_circle_children(overlay->ranks, rank, origin, to);
}

static int32_t parent(const struct caucus_overlay *overlay, int32_t rank, int32_t origin) {
    return caucus_circle_parent(overlay->ranks, rank, origin);
}

static int32_t links(const struct caucus_overlay *overlay, int32_t rank, int step, int32_t *list) {
    return caucus_circle_links(overlay->ranks, rank, step, list);
}

const struct caucus_overlay_kind caucus_overlay_finger = {
    .name = "finger",
    .summary = "a binomial tree on ranks counted from the origin",
    .forwards = forwards,
    .parent = parent,
    .links = links,
};
