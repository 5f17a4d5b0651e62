/* SPDX-License-Identifier: BSD-3-Clause */
/* Jagged strips: a plane in x-major order is cut at borders of nodes, so that strips hold whole
 * nodes and their borders have a step; inside a strip nodes take consecutive cells in y-major
 * order. Edges are counted exactly for offsets of one step along an axis, where nodes are larger
 * than a row of their strip. O(candidates * widths * (rows + nodes) of a strip). */
#include "plan/grid/slabs_internal.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

struct jagged {
    const struct slabs_plane *plane;
    const int32_t *point;
};

/* Edges between the strip [from, to) and what comes after it. */
static int64_t border_cost(const struct slabs_plane *plane, int64_t from, int64_t to) {
    const struct slabs_frame *frame = plane->frame;
    int64_t cost =
        plane->face_x * slabs_parted(from, to, plane->column, plane->total - plane->column);
    int64_t rest = to % plane->column, thickness = plane->thickness;
    if (rest == 0)
        return cost;
    cost += frame->within_column * slabs_parted(0, rest, thickness, plane->column - thickness);
    if (plane->periodic_y)
        cost += frame->within_column * slabs_parted(0, rest, plane->column - thickness, thickness);
    return cost + slabs_pillar_cut(plane, rest % thickness, to - from);
}

/* Edges between a node of so many cells and those after it in the strip; its end lies offset cells
 * into row y. */
static int64_t end_cost(const struct slabs_plane *plane, const struct slabs_jag *jag, int64_t y,
                        int64_t offset, int64_t cells) {
    int64_t low = slabs_jag_low(jag, y), high = slabs_jag_high(jag, y), end = low + offset;
    int64_t ahead = 0;
    if (y + 1 < plane->size_y)
        ahead += slabs_most(slabs_least(end, slabs_jag_high(jag, y + 1)) - low, 0);
    if (y > 0)
        ahead += slabs_most(high - slabs_most(end, slabs_jag_low(jag, y - 1)), 0);
    int64_t cost = plane->face_y * slabs_least(ahead, cells);
    if (offset == 0)
        return cost;
    int64_t beside = slabs_parted(low, end, plane->thickness, high - plane->thickness);
    cost += plane->frame->within_row * slabs_least(beside, cells);
    return cost + slabs_pillar_cut(plane, end % plane->thickness, cells);
}

/* How many edges along y between the strip's first row and its last one stay on the node that has
 * the strip's cells [from, to). */
static int64_t kept_round(const struct slabs_jag *jag, int32_t rows, int64_t from, int64_t to) {
    int64_t low = slabs_jag_low(jag, 0), high = slabs_jag_high(jag, rows - 1);
    int64_t behind = slabs_jag_before(jag, rows - 1) - slabs_jag_low(jag, rows - 1);
    return slabs_most(slabs_least(high, to - behind) - (low + from), 0);
}

static int64_t count_strip(const struct slabs_plane *plane, int64_t first, int64_t length) {
    struct slabs_jag jag =
        slabs_jag_between(plane->thickness, plane->column, first, first + length);
    int64_t begin = plane->start + first;
    int64_t cost = 0;
    int64_t round = slabs_jag_high(&jag, plane->size_y - 1) - slabs_jag_low(&jag, 0);
    struct slabs_node node = caucus_slabs_runs_node(plane->runs, begin);
    while (true) {
        int64_t from = slabs_most(node.begin - begin, 0);
        int64_t to = slabs_least(node.end - begin, length);
        if (plane->periodic_y)
            round -= kept_round(&jag, plane->size_y, from, to);
        --*plane->work;
        if (to == length)
            break;
        int64_t y = slabs_jag_row(&jag, to);
        cost += end_cost(plane, &jag, y, to - slabs_jag_before(&jag, y), to - from);
        slabs_node_next(plane->runs, &node);
    }
    return plane->periodic_y ? cost + plane->face_y * slabs_most(round, 0) : cost;
}

static int64_t piece_cost(void *context, int32_t from, int32_t to) {
    const struct jagged *jagged = context;
    const struct slabs_plane *plane = jagged->plane;
    int64_t first = jagged->point[from], last = jagged->point[to];
    if (last - first == plane->total)
        return SLABS_INFINITE; /* what a planar strip does as well */
    int64_t cost = border_cost(plane, first, last);
    if (last == plane->total && plane->periodic_x)
        cost += plane->face_x * plane->column;
    return cost + caucus_slabs_plane_strip(plane, first, last - first, true, count_strip);
}

/* The borders of nodes next to every x, on both sides of it. */
static int32_t *find_candidates(const struct slabs_plane *plane, int32_t *count) {
    int32_t *point = caucus_array(2 * (int64_t)plane->size_x + 4, sizeof *point);
    if (!point)
        return NULL;
    int32_t found = 0;
    point[found++] = 0;
    for (int64_t x = 0; x <= plane->size_x; x++) {
        int64_t at = plane->start + slabs_least(x * plane->column, plane->total - 1);
        struct slabs_node node = caucus_slabs_runs_node(plane->runs, at);
        int64_t near[2] = {node.begin - plane->start, node.end - plane->start};
        for (int i = 0; i < 2; i++)
            if (near[i] > point[found - 1] && near[i] < plane->total)
                point[found++] = (int32_t)near[i];
    }
    point[found++] = (int32_t)plane->total;
    *count = found;
    return point;
}

int caucus_slabs_strips_jagged(const struct slabs_plane *plane, struct slabs_strips *strips) {
    int32_t count;
    int32_t *point = find_candidates(plane, &count);
    if (!point)
        return CAUCUS_NO_MEMORY;
    struct jagged jagged = {plane, point};
    struct slabs_chain chain = {.count = count,
                                .point = point,
                                .lower = slabs_floor(plane->narrowest * (double)plane->column),
                                .upper = slabs_ceil(plane->widest * (double)plane->column),
                                .cost = piece_cost,
                                .context = &jagged};
    int status = caucus_slabs_strips_cut(&chain, strips);
    free(point);
    return status;
}
