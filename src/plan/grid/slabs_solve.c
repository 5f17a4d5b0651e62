/* SPDX-License-Identifier: BSD-3-Clause */
/* The outer dynamic programme: the first axis is cut into slabs, each slab along the next axis, and
 * so on; the last two axes are cut into planar or jagged strips, whichever are cheaper. Windows of
 * one shape in which node borders lie alike are solved once. The best cuts are then written as the
 * words of a plan. */
#include "plan/grid/slabs_internal.h"
#include "plan/grid/slabs_memo.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

struct solver {
    const struct slabs_frame *frame;
    const struct slabs_runs *runs;
    struct caucus_slabs *slabs;
    struct slabs_memo memo;
    struct slabs_cache cache;
    int64_t work; /* left */
    int effort;
    int status;
};

static int64_t window_cost(struct solver *solver, const struct slabs_window *window);

static struct slabs_memo_entry *find_memo(struct solver *solver,
                                          const struct slabs_window *window) {
    const struct slabs_frame *frame = solver->frame;
    int64_t cells = window->thickness * frame->size[window->level] * frame->rest[window->level];
    struct slabs_node node = caucus_slabs_runs_node(solver->runs, window->start);
    uint64_t shape = (uint64_t)window->level << 32 | window->code, place = (uint64_t)window->start;
    if (window->start + cells <= solver->runs->start[node.run + 1])
        place = (uint64_t)(node.end - node.begin) << 32 | (uint64_t)(window->start - node.begin);
    struct slabs_memo_entry *entry = caucus_slabs_memo_find(&solver->memo, shape, place);
    if (!entry)
        solver->status = CAUCUS_NO_MEMORY;
    return entry;
}

/* The best strips of a plane; *kind tells which. */
static int solve_plane(struct solver *solver, const struct slabs_window *window, int *kind,
                       struct slabs_strips *strips) {
    struct slabs_plane plane;
    struct slabs_strips other = {0};
    int status = caucus_slabs_plane_init(&plane, solver->frame, solver->runs, window);
    plane.cache = &solver->cache;
    plane.work = &solver->work;
    if (!status)
        status = caucus_slabs_strips_planar(&plane, strips);
    if (!status)
        status = caucus_slabs_strips_jagged(&plane, &other);
    *kind = SLABS_PLANAR;
    if (!status && other.cost < strips->cost) {
        struct slabs_strips worse = *strips;
        *strips = other;
        other = worse;
        *kind = SLABS_JAGGED;
    }
    free(other.begin);
    free((void *)plane.pillar);
    return status;
}

/* A window cut into slabs along its first axis. */
struct slicing {
    struct solver *solver;
    const struct slabs_window *window;
    int32_t *point;
    int32_t points;
    int64_t layer; /* cells per coordinate */
};

static struct slabs_window slab_window(const struct slicing *slicing, int32_t from, int32_t to) {
    struct slabs_window slab = *slicing->window;
    int32_t width = slicing->point[to] - slicing->point[from];
    slab.start += slicing->point[from] * slicing->layer;
    slab.code =
        slab.code * (uint32_t)slicing->solver->frame->size[slab.level] + (uint32_t)width - 1;
    slab.thickness *= width;
    slab.width[slab.level++] = width;
    return slab;
}

static int64_t slab_cost(void *context, int32_t from, int32_t to) {
    const struct slicing *slicing = context;
    const struct slabs_frame *frame = slicing->solver->frame;
    struct slabs_window slab = slab_window(slicing, from, to);
    int64_t cost = window_cost(slicing->solver, &slab);
    int level = slicing->window->level;
    bool last = slicing->point[to] == frame->size[level];
    if (!last || (frame->periodic[level] && from > 0))
        cost += frame->face[level] * slicing->layer;
    return cost;
}

/* What the node that straddles a joint spares: its faces on both sides overlap almost wholly. */
static int64_t slab_saving(void *context, int32_t before, int32_t from, int32_t to) {
    const struct slicing *slicing = context;
    const int32_t *point = slicing->point;
    int64_t joint = slicing->window->start + point[from] * slicing->layer;
    struct slabs_node node = caucus_slabs_runs_node(slicing->solver->runs, joint);
    if (node.begin == joint)
        return 0;
    int64_t left = (joint - node.begin) / (point[from] - point[before]);
    int64_t right = (node.end - joint) / (point[to] - point[from]);
    int64_t overlap = slabs_least(slicing->layer, slabs_least(left, right));
    return slicing->solver->frame->face[slicing->window->level] * overlap;
}

static void slab_widths(const struct solver *solver, int level, int64_t *lower, int64_t *upper) {
    double side = solver->frame->side[level];
    double low = solver->effort == 0 ? .6 * side : side;
    double high = solver->effort == 0 ? 1.5 * side : side;
    if (solver->effort == 2)
        low = high = (double)slabs_floor(side + .5);
    *lower = slabs_most(slabs_floor(low), 1);
    *upper = slabs_least(slabs_ceil(high), solver->frame->size[level]);
    int64_t size = solver->frame->size[level], pieces = (size + *upper - 1) / *upper;
    if (pieces * *lower > size) /* the widths don't add up */
        *lower = 1;
}

static int solve_slabs(struct solver *solver, const struct slabs_window *window,
                       struct slicing *slicing, int64_t *cost, int32_t *cut, int32_t *pieces) {
    struct slabs_chain chain = {.count = slicing->points,
                                .point = slicing->point,
                                .cost = slab_cost,
                                .saving = slab_saving,
                                .context = slicing};
    slab_widths(solver, window->level, &chain.lower, &chain.upper);
    int status = caucus_slabs_chain_solve(&chain, cost, cut, pieces);
    return status ? status : solver->status;
}

static int start_slicing(struct solver *solver, const struct slabs_window *window,
                         struct slicing *slicing) {
    const struct slabs_frame *frame = solver->frame;
    int level = window->level;
    *slicing = (struct slicing){
        .solver = solver, .window = window, .layer = window->thickness * frame->rest[level]};
    slicing->point =
        caucus_slabs_chain_points(frame->size[level], frame->side[level], &slicing->points);
    return slicing->point ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

static bool is_plane(const struct solver *solver, const struct slabs_window *window) {
    return window->level == solver->frame->count - 2;
}

static int solve_window(struct solver *solver, const struct slabs_window *window, int64_t *cost) {
    if (is_plane(solver, window)) {
        struct slabs_strips strips = {0};
        int kind, status = solve_plane(solver, window, &kind, &strips);
        *cost = strips.cost;
        free(strips.begin);
        return status;
    }
    struct slicing slicing;
    int status = start_slicing(solver, window, &slicing);
    if (!status)
        status = solve_slabs(solver, window, &slicing, cost, NULL, NULL);
    free(slicing.point);
    return status;
}

/* SLABS_INFINITE once something has failed: the chain then ends soon. */
static int64_t window_cost(struct solver *solver, const struct slabs_window *window) {
    if (solver->work < 0 && !solver->status)
        solver->status = CAUCUS_NOT_APPLICABLE;
    struct slabs_memo_entry *entry = solver->status ? NULL : find_memo(solver, window);
    if (!entry)
        return SLABS_INFINITE;
    if (entry->cost >= 0)
        return entry->cost;
    int64_t cost = SLABS_INFINITE;
    int status = solve_window(solver, window, &cost);
    if (status) {
        solver->status = status;
        return SLABS_INFINITE;
    }
    entry = find_memo(solver, window);
    if (entry)
        entry->cost = cost;
    return cost;
}

static int write_window(struct solver *solver, const struct slabs_window *window, int32_t *list);

static int write_words(struct solver *solver, const int32_t *word, int32_t count, int32_t *list) {
    *list = solver->slabs->words;
    for (int32_t i = 0; i < count; i++)
        if (caucus_slabs_append(solver->slabs, word[i]) < 0)
            return CAUCUS_NO_MEMORY;
    return CAUCUS_OK;
}

static int write_plane(struct solver *solver, const struct slabs_window *window, int32_t *list) {
    struct slabs_strips strips = {0};
    int kind, status = solve_plane(solver, window, &kind, &strips);
    int32_t far_x = 1 << window->level, far_y = 2 << window->level;
    bool ends_at_far_y = kind == SLABS_JAGGED || strips.count % 2;
    int32_t header[SLABS_HEADER] = {4 * strips.count + kind, ends_at_far_y ? far_x | far_y : far_x};
    int32_t body;
    if (!status)
        status = write_words(solver, header, SLABS_HEADER, list);
    if (!status)
        status = write_words(solver, strips.begin, strips.count, &body);
    free(strips.begin);
    return status;
}

/* Every slab is mirrored such that it begins in the corner where the one before it ended. */
static int write_cut(struct slicing *slicing, const int32_t *cut, int32_t pieces, int32_t *word) {
    int32_t ends = 0;
    for (int32_t i = 0; i < pieces; i++) {
        int32_t *entry = word + SLABS_HEADER + i * SLABS_ENTRY;
        int32_t to = i + 1 < pieces ? cut[i + 1] : slicing->points - 1;
        struct slabs_window slab = slab_window(slicing, cut[i], to);
        entry[0] = slicing->point[cut[i]];
        entry[2] = ends;
        int status = write_window(slicing->solver, &slab, &entry[1]);
        if (status)
            return status;
        ends ^= slicing->solver->slabs->word[entry[1] + 1];
    }
    word[0] = 4 * pieces + SLABS_LIST;
    word[1] = ends | 1 << slicing->window->level;
    return CAUCUS_OK;
}

static int write_slabs(struct solver *solver, const struct slabs_window *window, int32_t *list) {
    struct slicing slicing;
    int64_t cost;
    int32_t pieces = 0, *cut = NULL, *word = NULL;
    int status = start_slicing(solver, window, &slicing);
    if (!status) {
        cut = caucus_array(slicing.points, sizeof *cut);
        status =
            cut ? solve_slabs(solver, window, &slicing, &cost, cut, &pieces) : CAUCUS_NO_MEMORY;
    }
    if (!status) {
        word = caucus_array(SLABS_HEADER + (int64_t)pieces * SLABS_ENTRY, sizeof *word);
        status = word ? write_cut(&slicing, cut, pieces, word) : CAUCUS_NO_MEMORY;
    }
    if (!status)
        status = write_words(solver, word, SLABS_HEADER + pieces * SLABS_ENTRY, list);
    free(word);
    free(cut);
    free(slicing.point);
    return status;
}

static int write_window(struct solver *solver, const struct slabs_window *window, int32_t *list) {
    struct slabs_memo_entry *entry = find_memo(solver, window);
    if (!entry)
        return solver->status;
    *list = entry->list;
    if (*list >= 0)
        return CAUCUS_OK;
    int status = is_plane(solver, window) ? write_plane(solver, window, list)
                                          : write_slabs(solver, window, list);
    entry = status ? NULL : find_memo(solver, window);
    if (entry)
        entry->list = *list;
    return status ? status : solver->status;
}

int caucus_slabs_solve(const struct slabs_frame *frame, const struct slabs_runs *runs, int effort,
                       int64_t *work, struct caucus_slabs *slabs, int64_t *cost) {
    *cost = 0;
    if (frame->count < 2)
        return CAUCUS_OK;
    struct solver *solver = caucus_array(1, sizeof *solver);
    if (!solver)
        return CAUCUS_NO_MEMORY;
    *solver = (struct solver){
        .frame = frame, .runs = runs, .slabs = slabs, .work = *work, .effort = effort};
    caucus_slabs_cache_clear(&solver->cache);
    struct slabs_window all = {.thickness = 1};
    *cost = window_cost(solver, &all);
    int status = solver->status;
    if (!status) {
        *work = solver->work;
        solver->work = INT64_MAX / 2;
        status = write_window(solver, &all, &slabs->root);
    }
    caucus_slabs_memo_free(&solver->memo);
    free(solver);
    return status;
}
