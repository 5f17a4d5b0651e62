/* SPDX-License-Identifier: BSD-3-Clause */
/* Planar strips: a plane is cut across x into strips, walked boustrophedon along y, row by row;
 * nodes take consecutive cells, and may straddle two strips. Edges are counted exactly inside
 * strips and at their joints, for offsets of one step along an axis. O(size_x * widths * nodes in a
 * strip); strips that see the same node borders are counted once. */
#include "plan/grid/slabs_internal.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

struct planar {
    const struct slabs_plane *plane;
    const int32_t *point;
};

struct strip {
    const struct slabs_plane *plane;
    int64_t length; /* cells */
    int64_t row;    /* cells of one y */
    bool closed;    /* its rows go all the way round */
};

/* Edges between the cells [from, to) of a node and those after it in the strip. */
static int64_t end_cost(const struct strip *strip, int64_t from, int64_t to) {
    const struct slabs_plane *plane = strip->plane;
    const struct slabs_frame *frame = plane->frame;
    int64_t row = strip->row, thickness = plane->thickness;
    int64_t cells = to - from, offset = to % row;
    int64_t cost = plane->face_y * slabs_parted(from, to, row, strip->length - row);
    if (offset == 0)
        return cost;
    int64_t before = slabs_most(offset - cells, 0);
    cost += frame->within_row * slabs_parted(before, offset, thickness, row - thickness);
    if (strip->closed)
        cost += frame->within_row * slabs_parted(before, offset, row - thickness, thickness);
    return cost + slabs_pillar_cut(plane, offset % thickness, cells);
}

/* Cells of the first row whose node has their neighbour in the last row too. */
static int64_t kept_round(const struct strip *strip, int64_t from, int64_t to) {
    int64_t span = strip->length - strip->row;
    return slabs_most(slabs_least(to - span, strip->row) - slabs_most(from, 0), 0);
}

static int64_t count_strip(const struct slabs_plane *plane, int64_t first, int64_t cells) {
    int64_t width = cells / plane->column, begin = plane->start + first;
    struct strip strip = {plane, cells, width * plane->thickness,
                          plane->periodic_x && width == plane->size_x};
    struct slabs_node node = caucus_slabs_runs_node(plane->runs, begin);
    int64_t cost = 0, kept = 0;
    while (true) {
        int64_t from = slabs_most(node.begin - begin, 0);
        int64_t to = slabs_least(node.end - begin, strip.length);
        kept += kept_round(&strip, from, to);
        --*plane->work;
        if (to == strip.length)
            break;
        cost += end_cost(&strip, from, to);
        slabs_node_next(plane->runs, &node);
    }
    return plane->periodic_y ? cost + plane->face_y * (strip.row - kept) : cost;
}

static int64_t piece_cost(void *context, int32_t from, int32_t to) {
    const struct planar *planar = context;
    const struct slabs_plane *plane = planar->plane;
    int64_t width = planar->point[to] - planar->point[from];
    bool last = planar->point[to] == plane->size_x;
    bool border = last ? plane->periodic_x && from > 0 : true;
    return caucus_slabs_plane_strip(plane, planar->point[from] * plane->column,
                                    width * plane->column, false, count_strip) +
           (border ? plane->face_x * plane->column : 0);
}

/* The edges across a joint that stay on the node that straddles it: the strips meet with their
 * last and first columns, the node has whole rows and a part of one on either side. */
static int64_t joint_saving(void *context, int32_t before, int32_t from, int32_t to) {
    const struct planar *planar = context;
    const struct slabs_plane *plane = planar->plane;
    const int32_t *point = planar->point;
    int64_t joint = plane->start + point[from] * plane->column;
    struct slabs_node node = caucus_slabs_runs_node(plane->runs, joint);
    if (node.begin == joint)
        return 0;
    int64_t left_width = point[from] - point[before], right_width = point[to] - point[from];
    int64_t left = slabs_least(joint - node.begin, left_width * plane->column);
    int64_t right = slabs_least(node.end - joint, right_width * plane->column);
    int64_t left_row = left_width * plane->thickness, right_row = right_width * plane->thickness;
    int64_t left_part = slabs_least(left % left_row, plane->thickness);
    int64_t right_part = slabs_least(right % right_row, plane->thickness);
    int64_t left_rows = left / left_row, right_rows = right / right_row;
    int64_t edges = slabs_least(left_rows, right_rows) * plane->thickness;
    if (left_rows < right_rows)
        edges += left_part;
    else if (right_rows < left_rows)
        edges += right_part;
    else
        edges += slabs_most(left_part + right_part - plane->thickness, 0);
    return plane->face_x * edges;
}

int caucus_slabs_strips_planar(const struct slabs_plane *plane, struct slabs_strips *strips) {
    int32_t count;
    int32_t *point = caucus_slabs_chain_points(plane->size_x, plane->width, &count);
    if (!point)
        return CAUCUS_NO_MEMORY;
    struct planar planar = {plane, point};
    struct slabs_chain chain = {.count = count,
                                .point = point,
                                .lower = slabs_most(slabs_floor(plane->narrowest), 1),
                                .upper = slabs_ceil(plane->widest),
                                .cost = piece_cost,
                                .saving = joint_saving,
                                .context = &planar};
    int status = caucus_slabs_strips_cut(&chain, strips);
    free(point);
    return status;
}
