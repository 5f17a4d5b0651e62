/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of overlays, and trees that all origins share: the tree of origin 0 without directions,
 * where a cast leaves on every link but the one it came in on. */
#include "plan/overlay/overlay.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

static const struct caucus_overlay_kind *const kinds[] = {
    &caucus_overlay_finger, &caucus_overlay_two_level, &caucus_overlay_skip_ring};

const struct caucus_overlay_kind *caucus_overlay_listed(int index) {
    return index >= 0 && index < (int)(sizeof kinds / sizeof *kinds) ? kinds[index] : NULL;
}

/* The links of a rank in the tree of origin 0, to its parent last. */
static int neighbours(const struct caucus_overlay *overlay, int32_t rank, int32_t *list) {
    int32_t up = rank ? overlay->kind->parent(overlay, rank, 0) : rank;
    int count = overlay->kind->forwards(overlay, rank, up, 0, list);
    if (rank)
        list[count++] = up;
    return count;
}

int caucus_overlay_forwards(const struct caucus_overlay *overlay, int32_t rank, int32_t sender,
                            int32_t origin, int32_t *to) {
    if (!overlay->shared)
        return overlay->kind->forwards(overlay, rank, sender, origin, to);
    int all = neighbours(overlay, rank, to), count = 0;
    for (int i = 0; i < all; i++)
        if (to[i] != sender || rank == origin)
            to[count++] = to[i];
    return count;
}

int32_t caucus_overlay_parent(const struct caucus_overlay *overlay, int32_t rank, int32_t origin) {
    if (!overlay->shared)
        return overlay->kind->parent(overlay, rank, origin);
    for (int32_t below = origin; below;) {
        int32_t up = overlay->kind->parent(overlay, below, 0);
        if (up == rank)
            return below;
        below = up;
    }
    return overlay->kind->parent(overlay, rank, 0);
}

static int ascending(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* All links on one side, sorted and each once. */
static int links(const struct caucus_overlay *overlay, int32_t rank, int step, int32_t *count,
                 int32_t **list) {
    const struct caucus_overlay_kind *kind = overlay->kind;
    int32_t all = overlay->shared ? CAUCUS_OVERLAY_DEGREE : kind->links(overlay, rank, step, NULL);
    int32_t *found = *list = caucus_array(all, sizeof *found);
    *count = 0;
    if (!found)
        return CAUCUS_NO_MEMORY;
    all = overlay->shared ? neighbours(overlay, rank, found)
                          : kind->links(overlay, rank, step, found);
    qsort(found, (size_t)all, sizeof *found, ascending);
    for (int32_t i = 0; i < all; i++)
        if (!i || found[i] != found[i - 1])
            found[(*count)++] = found[i];
    return CAUCUS_OK;
}

int caucus_overlay_sources(const struct caucus_overlay *overlay, int32_t rank, int32_t *count,
                           int32_t **list) {
    return links(overlay, rank, -1, count, list);
}

int caucus_overlay_targets(const struct caucus_overlay *overlay, int32_t rank, int32_t *count,
                           int32_t **list) {
    return links(overlay, rank, 1, count, list);
}
