/* SPDX-License-Identifier: BSD-3-Clause */
/* The outer dynamic programme: the first axis is cut into slabs, each slab along the next axis, and
 * so on; the last two axes are cut into planar or jagged strips, whichever are cheaper. Windows of
 * one shape in which node borders lie alike are solved once. The best cuts are then written as the
 * words of a plan. */
#include "plan/grid/slabs_internal.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* What has been worked out of windows, by shape and by where node borders lie in them. */
struct memo_entry {
    uint64_t shape, place; /* the key; shape is never UINT64_MAX */
    int64_t cost;          /* negative if unknown */
    int32_t list;          /* offset of the words that carry it out, -1: not written yet */
};

struct memo {
    int64_t count, capacity; /* capacity is a power of two, or 0 */
    struct memo_entry *entry;
};

struct solver {
    const struct slabs_frame *frame;
    const struct slabs_runs *runs;
    struct caucus_slabs *slabs;
    struct memo memo;
    struct slabs_cache cache;
    int64_t work; /* left */
    int effort;
    int status;
};

static struct memo_entry *slot(struct memo_entry *entry, int64_t capacity, uint64_t shape,
                               uint64_t place) {
    uint64_t mask = (uint64_t)capacity - 1, at = slabs_mix(shape, place) & mask;
    while (entry[at].shape != UINT64_MAX && (entry[at].shape != shape || entry[at].place != place))
        at = (at + 1) & mask;
    return &entry[at];
}

static int grow(struct memo *memo) {
    int64_t capacity = memo->capacity ? 2 * memo->capacity : 64;
    struct memo_entry *entry = caucus_array(capacity, sizeof *entry);
    if (!entry)
        return 0;
    for (int64_t i = 0; i < capacity; i++)
        entry[i].shape = UINT64_MAX;
    for (int64_t i = 0; i < memo->capacity; i++)
        if (memo->entry[i].shape != UINT64_MAX)
            *slot(entry, capacity, memo->entry[i].shape, memo->entry[i].place) = memo->entry[i];
    free(memo->entry);
    memo->entry = entry;
    memo->capacity = capacity;
    return 1;
}

/* The entry of a key, a new one if need be; NULL without memory. Valid until the next call. */
static struct memo_entry *look_up(struct memo *memo, uint64_t shape, uint64_t place) {
    if (4 * memo->count >= 3 * memo->capacity && !grow(memo))
        return NULL;
    struct memo_entry *entry = slot(memo->entry, memo->capacity, shape, place);
    if (entry->shape == UINT64_MAX) {
        *entry = (struct memo_entry){shape, place, -1, -1};
        memo->count++;
    }
    return entry;
}

static int64_t window_cost(struct solver *solver, const struct slabs_window *window);

static struct memo_entry *find_memo(struct solver *solver, const struct slabs_window *window) {
    const struct slabs_frame *frame = solver->frame;
    int64_t cells = window->thickness * frame->size[window->level] * frame->rest[window->level];
    struct slabs_node node = caucus_slabs_runs_node(solver->runs, window->start);
    uint64_t shape = (uint64_t)window->level << 32 | window->code, place = (uint64_t)window->start;
    if (window->start + cells <= solver->runs->run[node.run + 1].start)
        place = (uint64_t)(node.end - node.begin) << 32 | (uint64_t)(window->start - node.begin);
    struct memo_entry *entry = look_up(&solver->memo, shape, place);
    if (!entry)
        solver->status = CAUCUS_NO_MEMORY;
    return entry;
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

/* Finds the best cuts of a window; with a list also writes them. */
static int cut_window(struct solver *solver, const struct slabs_window *window, int64_t *cost,
                      int32_t *list);

/* SLABS_INFINITE once something has failed: the chain then ends soon. */
static int64_t window_cost(struct solver *solver, const struct slabs_window *window) {
    if (solver->work < 0 && !solver->status)
        solver->status = CAUCUS_NOT_APPLICABLE;
    struct memo_entry *entry = solver->status ? NULL : find_memo(solver, window);
    if (!entry)
        return SLABS_INFINITE;
    if (entry->cost >= 0)
        return entry->cost;
    int64_t cost = SLABS_INFINITE;
    int status = cut_window(solver, window, &cost, NULL);
    if (status) {
        solver->status = status;
        return SLABS_INFINITE;
    }
    entry = find_memo(solver, window);
    if (entry)
        entry->cost = cost;
    return cost;
}

static int write_words(struct solver *solver, const int32_t *word, int32_t count, int32_t *list) {
    *list = solver->slabs->words;
    for (int32_t i = 0; i < count; i++)
        if (caucus_slabs_append(solver->slabs, word[i]) < 0)
            return CAUCUS_NO_MEMORY;
    return CAUCUS_OK;
}

static int cut_plane(struct solver *solver, const struct slabs_window *window, int64_t *cost,
                     int32_t *list) {
    struct slabs_strips strips;
    int32_t far_x = 1 << window->level, far_y = 2 << window->level, body;
    int status = caucus_slabs_strips(solver->frame, solver->runs, window, &solver->cache,
                                     &solver->work, &strips);
    *cost = strips.cost;
    if (!status && list) {
        bool ends_at_far_y = strips.kind == SLABS_JAGGED || strips.count % 2;
        int32_t header[SLABS_HEADER] = {4 * strips.count + strips.kind,
                                        ends_at_far_y ? far_x | far_y : far_x};
        status = write_words(solver, header, SLABS_HEADER, list);
        if (!status)
            status = write_words(solver, strips.begin, strips.count, &body);
    }
    free(strips.begin);
    return status;
}

static int write_window(struct solver *solver, const struct slabs_window *window, int32_t *list) {
    int64_t cost;
    struct memo_entry *entry = find_memo(solver, window);
    if (!entry)
        return solver->status;
    *list = entry->list;
    if (*list >= 0)
        return CAUCUS_OK;
    int status = cut_window(solver, window, &cost, list);
    entry = status ? NULL : find_memo(solver, window);
    if (entry)
        entry->list = *list;
    return status ? status : solver->status;
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

static int cut_slabs(struct solver *solver, const struct slabs_window *window, int64_t *cost,
                     int32_t *list) {
    const struct slabs_frame *frame = solver->frame;
    int level = window->level;
    struct slicing slicing = {
        .solver = solver, .window = window, .layer = window->thickness * frame->rest[level]};
    struct slabs_chain chain = {.cost = slab_cost, .saving = slab_saving, .context = &slicing};
    int32_t pieces = 0, *cut = NULL, *word = NULL;
    slab_widths(solver, level, &chain.lower, &chain.upper);
    slicing.point = caucus_slabs_chain_points(frame->size[level], frame->side[level], &chain.count);
    chain.point = slicing.point;
    slicing.points = chain.count;
    if (slicing.point && list)
        cut = caucus_array(chain.count, sizeof *cut);
    int status = slicing.point && (cut || !list) ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    if (!status)
        status = caucus_slabs_chain_solve(&chain, cost, cut, &pieces);
    if (!status)
        status = solver->status;
    if (!status && list) {
        word = caucus_array(SLABS_HEADER + (int64_t)pieces * SLABS_ENTRY, sizeof *word);
        status = word ? write_cut(&slicing, cut, pieces, word) : CAUCUS_NO_MEMORY;
        if (!status)
            status = write_words(solver, word, SLABS_HEADER + pieces * SLABS_ENTRY, list);
    }
    free(word);
    free(cut);
    free(slicing.point);
    return status;
}

static int cut_window(struct solver *solver, const struct slabs_window *window, int64_t *cost,
                      int32_t *list) {
    return window->level == solver->frame->count - 2 ? cut_plane(solver, window, cost, list)
                                                     : cut_slabs(solver, window, cost, list);
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
    for (int i = 0; i < SLABS_CACHE_ENTRIES; i++)
        solver->cache.entry[i].shape = UINT64_MAX;
    struct slabs_window all = {.thickness = 1};
    *cost = window_cost(solver, &all);
    int status = solver->status;
    if (!status) {
        *work = solver->work;
        solver->work = INT64_MAX / 2;
        status = write_window(solver, &all, &slabs->root);
    }
    free(solver->memo.entry);
    free(solver);
    return status;
}
