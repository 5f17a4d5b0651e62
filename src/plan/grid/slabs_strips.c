/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the nesting ends: a plane over a pillar is cut into planar or jagged strips, whichever are
 * cheaper. Edges are counted exactly for offsets of one step along an axis; strips that see the
 * same node borders are counted once. */
#include "plan/grid/slabs_internal.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

/* The last two axes, x and y, over a pillar of all axes before them. */
struct plane {
    const struct slabs_frame *frame;
    const struct slabs_runs *runs;
    struct slabs_cache *cache;
    int64_t *work;     /* goes down by one for every node looked at */
    uint64_t code;     /* identifies the pillar's shape */
    int64_t start;     /* position of its first cell */
    int64_t thickness; /* cells of a pillar */
    int64_t column;    /* cells of one x */
    int64_t total;     /* cells of the plane */
    int32_t size_x, size_y;
    bool periodic_x, periodic_y;
    int64_t face_x, face_y;
    double width;             /* of the best strip */
    double narrowest, widest; /* strip worth trying */
    const int64_t *pillar;    /* [thickness] weight of the edges that a cut before this cell cuts */
    int64_t pillar_limit;     /* what a single cell can have of these */
};

static int64_t pillar_cut(const struct plane *plane, int64_t offset, int64_t cells) {
    return slabs_least(plane->pillar[offset], plane->pillar_limit * cells);
}

/* How many of the pairs (i, i + distance), 0 <= i < limit, a cut before this place parts, if those
 * with i below from don't count. */
static int64_t parted(int64_t from, int64_t cut, int64_t distance, int64_t limit) {
    return slabs_most(slabs_least(cut, limit) - slabs_most(from, cut - distance), 0);
}

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
static double best_width(const struct plane *plane) {
    const struct slabs_frame *frame = plane->frame;
    int64_t heaviest = slabs_most(slabs_most(plane->face_x, plane->face_y), 1);
    double face_x = fmax((double)plane->face_x, (double)heaviest / 4096);
    double face_y = fmax((double)plane->face_y, (double)heaviest / 4096);
    double area = frame->mean / (double)plane->thickness;
    double width = sqrt(area * face_x / face_y);
    return fmin(fmax(width, area / plane->size_y), plane->size_x);
}

/* All but cache and work. Its pillar is to be freed, also after a failure. */
static int init_plane(struct plane *plane, const struct slabs_frame *frame,
                      const struct slabs_runs *runs, const struct slabs_window *window) {
    int x = frame->count - 2, y = frame->count - 1;
    *plane = (struct plane){.frame = frame,
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

/* The cost of a strip (count works it out), from the cache where it lies within a run of nodes of
 * one size. */
static int64_t strip_cost(const struct plane *plane, int64_t first, int64_t cells, bool jagged,
                          int64_t (*count)(const struct plane *, int64_t, int64_t)) {
    int64_t begin = plane->start + first;
    struct slabs_node node = caucus_slabs_runs_node(plane->runs, begin);
    if (begin + cells > plane->runs->run[node.run + 1].start || (jagged && begin > node.begin))
        return count(plane, first, cells);
    /* all four numbers are below 2^31 */
    uint64_t size = (uint64_t)(node.end - node.begin);
    uint64_t phase = (uint64_t)(jagged ? first % plane->column : begin - node.begin);
    uint64_t shape = (uint64_t)jagged << 63 | (uint64_t)plane->code << 32 | size;
    uint64_t place = phase << 32 | (uint64_t)cells;
    struct slabs_cache_entry *entry =
        &plane->cache->entry[slabs_mix(shape, place) % SLABS_CACHE_ENTRIES];
    if (entry->shape != shape || entry->place != place)
        *entry = (struct slabs_cache_entry){shape, place, count(plane, first, cells)};
    return entry->cost;
}

/* A plane about to be cut at some of the points. */
struct cuts {
    const struct plane *plane;
    const int32_t *point;
};

/* Planar strips: a plane is cut across x into strips, walked boustrophedon along y, row by row;
 * nodes take consecutive cells, and may straddle two strips. Edges are counted exactly inside
 * strips and at their joints, for offsets of one step along an axis. O(size_x * widths * nodes in a
 * strip); strips that see the same node borders are counted once. */
struct strip {
    const struct plane *plane;
    int64_t length; /* cells */
    int64_t row;    /* cells of one y */
    bool closed;    /* its rows go all the way round */
};

/* Edges between the cells [from, to) of a node and those after it in the strip. */
static int64_t planar_end_cost(const struct strip *strip, int64_t from, int64_t to) {
    const struct plane *plane = strip->plane;
    const struct slabs_frame *frame = plane->frame;
    int64_t row = strip->row, thickness = plane->thickness;
    int64_t cells = to - from, offset = to % row;
    int64_t cost = plane->face_y * parted(from, to, row, strip->length - row);
    if (offset == 0)
        return cost;
    int64_t before = slabs_most(offset - cells, 0);
    cost += frame->within_row * parted(before, offset, thickness, row - thickness);
    if (strip->closed)
        cost += frame->within_row * parted(before, offset, row - thickness, thickness);
    return cost + pillar_cut(plane, offset % thickness, cells);
}

/* Cells of the first row whose node has their neighbour in the last row too. */
static int64_t planar_kept_round(const struct strip *strip, int64_t from, int64_t to) {
    int64_t span = strip->length - strip->row;
    return slabs_most(slabs_least(to - span, strip->row) - slabs_most(from, 0), 0);
}

static int64_t planar_count_strip(const struct plane *plane, int64_t first, int64_t cells) {
    int64_t width = cells / plane->column, begin = plane->start + first;
    struct strip strip = {plane, cells, width * plane->thickness,
                          plane->periodic_x && width == plane->size_x};
    struct slabs_node node = caucus_slabs_runs_node(plane->runs, begin);
    int64_t cost = 0, kept = 0;
    while (true) {
        int64_t from = slabs_most(node.begin - begin, 0);
        int64_t to = slabs_least(node.end - begin, strip.length);
        kept += planar_kept_round(&strip, from, to);
        --*plane->work;
        if (to == strip.length)
            break;
        cost += planar_end_cost(&strip, from, to);
        slabs_node_next(plane->runs, &node);
    }
    return plane->periodic_y ? cost + plane->face_y * (strip.row - kept) : cost;
}

static int64_t planar_piece_cost(void *context, int32_t from, int32_t to) {
    const struct cuts *cuts = context;
    const struct plane *plane = cuts->plane;
    int64_t width = cuts->point[to] - cuts->point[from];
    bool last = cuts->point[to] == plane->size_x;
    bool border = last ? plane->periodic_x && from > 0 : true;
    return strip_cost(plane, cuts->point[from] * plane->column, width * plane->column, false,
                      planar_count_strip) +
           (border ? plane->face_x * plane->column : 0);
}

/* The edges across a joint that stay on the node that straddles it: the strips meet with their
 * last and first columns, the node has whole rows and a part of one on either side. */
static int64_t joint_saving(void *context, int32_t before, int32_t from, int32_t to) {
    const struct cuts *cuts = context;
    const struct plane *plane = cuts->plane;
    const int32_t *point = cuts->point;
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

/* Jagged strips: a plane in x-major order is cut at borders of nodes, so that strips hold whole
 * nodes and their borders have a step; inside a strip nodes take consecutive cells in y-major
 * order. Edges are counted exactly for offsets of one step along an axis, where nodes are larger
 * than a row of their strip. O(candidates * widths * (rows + nodes) of a strip). */
/* Edges between the strip [from, to) and what comes after it. */
static int64_t border_cost(const struct plane *plane, int64_t from, int64_t to) {
    const struct slabs_frame *frame = plane->frame;
    int64_t cost = plane->face_x * parted(from, to, plane->column, plane->total - plane->column);
    int64_t rest = to % plane->column, thickness = plane->thickness;
    if (rest == 0)
        return cost;
    cost += frame->within_column * parted(0, rest, thickness, plane->column - thickness);
    if (plane->periodic_y)
        cost += frame->within_column * parted(0, rest, plane->column - thickness, thickness);
    return cost + pillar_cut(plane, rest % thickness, to - from);
}

/* Edges between a node of so many cells and those after it in the strip; its end lies offset cells
 * into row y. */
static int64_t jagged_end_cost(const struct plane *plane, const struct slabs_jag *jag, int64_t y,
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
    int64_t beside = parted(low, end, plane->thickness, high - plane->thickness);
    cost += plane->frame->within_row * slabs_least(beside, cells);
    return cost + pillar_cut(plane, end % plane->thickness, cells);
}

/* How many edges along y between the strip's first row and its last one stay on the node that has
 * the strip's cells [from, to). */
static int64_t jagged_kept_round(const struct slabs_jag *jag, int32_t rows, int64_t from,
                                 int64_t to) {
    int64_t low = slabs_jag_low(jag, 0), high = slabs_jag_high(jag, rows - 1);
    int64_t behind = slabs_jag_before(jag, rows - 1) - slabs_jag_low(jag, rows - 1);
    return slabs_most(slabs_least(high, to - behind) - (low + from), 0);
}

static int64_t jagged_count_strip(const struct plane *plane, int64_t first, int64_t length) {
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
            round -= jagged_kept_round(&jag, plane->size_y, from, to);
        --*plane->work;
        if (to == length)
            break;
        int64_t y = slabs_jag_row(&jag, to);
        cost += jagged_end_cost(plane, &jag, y, to - slabs_jag_before(&jag, y), to - from);
        slabs_node_next(plane->runs, &node);
    }
    return plane->periodic_y ? cost + plane->face_y * slabs_most(round, 0) : cost;
}

static int64_t jagged_piece_cost(void *context, int32_t from, int32_t to) {
    const struct cuts *cuts = context;
    const struct plane *plane = cuts->plane;
    int64_t first = cuts->point[from], last = cuts->point[to];
    if (last - first == plane->total)
        return SLABS_INFINITE; /* what a planar strip does as well */
    int64_t cost = border_cost(plane, first, last);
    if (last == plane->total && plane->periodic_x)
        cost += plane->face_x * plane->column;
    return cost + strip_cost(plane, first, last - first, true, jagged_count_strip);
}

/* The borders of nodes next to every x, on both sides of it. */
static int32_t *find_candidates(const struct plane *plane, int32_t *count) {
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

/* Cuts the plane into strips of strips->kind. */
static int cut_plane(const struct plane *plane, struct slabs_strips *strips) {
    bool jagged = strips->kind == SLABS_JAGGED;
    double unit = jagged ? (double)plane->column : 1; /* of a coordinate, in what points count */
    struct slabs_chain chain = {.cost = jagged ? jagged_piece_cost : planar_piece_cost,
                                .saving = jagged ? NULL : joint_saving,
                                .lower = slabs_floor(plane->narrowest * unit),
                                .upper = slabs_ceil(plane->widest * unit)};
    int32_t *point = jagged ? find_candidates(plane, &chain.count)
                            : caucus_slabs_chain_points(plane->size_x, plane->width, &chain.count);
    if (!point)
        return CAUCUS_NO_MEMORY;
    chain.point = point;
    chain.context = &(struct cuts){plane, point};
    chain.lower = jagged ? chain.lower : slabs_most(chain.lower, 1);
    int32_t *cut = strips->begin = caucus_array(chain.count, sizeof *cut);
    int status = cut ? caucus_slabs_chain_solve(&chain, &strips->cost, cut, &strips->count)
                     : CAUCUS_NO_MEMORY;
    for (int32_t i = 0; !status && strips->cost < SLABS_INFINITE && i < strips->count; i++)
        cut[i] = point[cut[i]];
    free(point);
    return status;
}

int caucus_slabs_strips(const struct slabs_frame *frame, const struct slabs_runs *runs,
                        const struct slabs_window *window, struct slabs_cache *cache, int64_t *work,
                        struct slabs_strips *strips) {
    struct plane plane;
    struct slabs_strips other = {.kind = SLABS_JAGGED};
    *strips = (struct slabs_strips){.kind = SLABS_PLANAR};
    int status = init_plane(&plane, frame, runs, window);
    plane.cache = cache;
    plane.work = work;
    if (!status)
        status = cut_plane(&plane, strips);
    if (!status)
        status = cut_plane(&plane, &other);
    if (!status && other.cost < strips->cost) {
        struct slabs_strips worse = *strips;
        *strips = other;
        other = worse;
    }
    free(other.begin);
    free((void *)plane.pillar);
    return status;
}
