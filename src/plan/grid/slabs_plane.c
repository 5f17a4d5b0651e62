/* SPDX-License-Identifier: BSD-3-Clause */
/* A plane over a pillar: what its strips need to know. */
#include "plan/grid/slabs_internal.h"
#include "plan/grid/slabs_memo.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>

/* pillar[r]: the edges within a pillar between its first r cells and the others. */
static int64_t *pillar_cuts(const struct slabs_frame *frame, const int32_t *width,
                            int64_t thickness) {
    int64_t *pillar = caucus_array(thickness, sizeof *pillar);
    if (!pillar)
        return NULL;
    int levels = frame->count - 2;
    int32_t at[CAUCUS_GRID_MAX_DIMS] = {0};
    for (int64_t cell = 0; cell + 1 < thickness; cell++) {
        pillar[cell + 1] = pillar[cell];
        for (int level = 0; level < levels; level++) {
            bool closed = frame->periodic[level] && width[level] == frame->size[level];
            bool first = at[level] == 0, last = at[level] + 1 == width[level];
            int opened = (!last - !first) * (closed ? 2 : 1);
            pillar[cell + 1] += opened * frame->line[level];
        }
        for (int level = levels - 1; level >= 0 && ++at[level] == width[level]; level--)
            at[level] = 0;
    }
    return pillar;
}

/* The width of a strip such that a mean node has the best sides. */
static double best_width(const struct slabs_plane *plane) {
    const struct slabs_frame *frame = plane->frame;
    int64_t heaviest = slabs_most(slabs_most(plane->face_x, plane->face_y), 1);
    double face_x = fmax((double)plane->face_x, (double)heaviest / 4096);
    double face_y = fmax((double)plane->face_y, (double)heaviest / 4096);
    double area = frame->mean / (double)plane->thickness;
    double width = sqrt(area * face_x / face_y);
    return fmin(fmax(width, area / plane->size_y), plane->size_x);
}

int caucus_slabs_plane_init(struct slabs_plane *plane, const struct slabs_frame *frame,
                            const struct slabs_runs *runs, const struct slabs_window *window) {
    int x = frame->count - 2, y = frame->count - 1;
    *plane = (struct slabs_plane){.frame = frame,
                                  .runs = runs,
                                  .code = window->code,
                                  .start = window->start,
                                  .thickness = window->thickness,
                                  .column = window->thickness * frame->size[y],
                                  .size_x = frame->size[x],
                                  .size_y = frame->size[y],
                                  .periodic_x = frame->periodic[x],
                                  .periodic_y = frame->periodic[y],
                                  .face_x = frame->face[x],
                                  .face_y = frame->face[y]};
    plane->total = plane->column * plane->size_x;
    plane->width = best_width(plane);
    /* the fewer strips, the more their widths may have to vary */
    double strips = plane->size_x / plane->width;
    plane->narrowest = (strips > 24 ? .7 : strips > 6 ? .5 : .25) * plane->width;
    plane->widest = (strips > 24 ? 1.25 : strips > 6 ? 2 : 4) * plane->width + 1;
    for (int level = 0; level < x; level++)
        plane->pillar_limit += frame->line[level];
    plane->pillar = pillar_cuts(frame, window->width, window->thickness);
    return plane->pillar ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

int64_t caucus_slabs_plane_strip(const struct slabs_plane *plane, int64_t first, int64_t cells,
                                 bool jagged,
                                 int64_t (*count)(const struct slabs_plane *, int64_t, int64_t)) {
    int64_t begin = plane->start + first;
    struct slabs_node node = caucus_slabs_runs_node(plane->runs, begin);
    if (begin + cells > plane->runs->start[node.run + 1] || (jagged && begin > node.begin))
        return count(plane, first, cells);
    /* all four numbers are below 2^31 */
    uint64_t size = (uint64_t)(node.end - node.begin);
    uint64_t phase = (uint64_t)(jagged ? first % plane->column : begin - node.begin);
    struct slabs_cache_entry *entry = caucus_slabs_cache_find(
        plane->cache, (uint64_t)jagged << 63 | (uint64_t)plane->code << 32 | size,
        phase << 32 | (uint64_t)cells);
    if (entry->cost < 0)
        entry->cost = count(plane, first, cells);
    return entry->cost;
}
