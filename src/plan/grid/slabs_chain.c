/* SPDX-License-Identifier: BSD-3-Clause */
/* Dynamic programming along a line: cut it into pieces, each with a cost, each joint with a saving
 * that depends on the pieces on both sides. O(points * widths) costs, O(points * widths^2) savings;
 * without savings O(points) memory. */
#include "plan/grid/slabs_internal.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

struct search {
    const struct slabs_chain *chain;
    int32_t *lowest;  /* [point] where the longest piece that ends here begins */
    int32_t *highest; /* the shortest one */
    int64_t *offset;  /* [point] its pieces in cost and before; NULL without savings */
    int64_t *best;    /* [point] least cost up to here */
    int32_t *from;    /* [point] where the last piece begins then */
    int64_t *cost;    /* [piece] least cost up to its end */
    int32_t *before;  /* [piece] where the piece before it begins then, -1: there is none */
};

static void free_search(struct search *search) {
    free(search->lowest);
    free(search->highest);
    free(search->offset);
    free(search->best);
    free(search->from);
    free(search->cost);
    free(search->before);
}

static void find_ranges(struct search *search) {
    const struct slabs_chain *chain = search->chain;
    int32_t low = 0, high = 0, last = chain->count - 1;
    for (int32_t to = 1; to <= last; to++) {
        int64_t end = chain->point[to];
        while (low < to - 1 && end - chain->point[low] > chain->upper)
            low++;
        while (high < to - 1 && end - chain->point[high + 1] >= chain->lower)
            high++;
        search->lowest[to] = low;
        search->highest[to] = high;
        if (end - chain->point[high] < chain->lower) /* even the longest is too narrow */
            search->highest[to] = low - 1;
        if (to == last)
            search->highest[to] = to - 1;
    }
}

static int start_search(struct search *search) {
    int32_t count = search->chain->count;
    search->lowest = caucus_array(count, sizeof *search->lowest);
    search->highest = caucus_array(count, sizeof *search->highest);
    search->best = caucus_array(count, sizeof *search->best);
    search->from = caucus_array(count, sizeof *search->from);
    if (!search->lowest || !search->highest || !search->best || !search->from)
        return CAUCUS_NO_MEMORY;
    find_ranges(search);
    if (!search->chain->saving)
        return CAUCUS_OK;
    search->offset = caucus_array(count, sizeof *search->offset);
    if (!search->offset)
        return CAUCUS_NO_MEMORY;
    int64_t pieces = 0;
    for (int32_t to = 1; to < count; to++) {
        search->offset[to] = pieces - search->lowest[to];
        pieces += search->highest[to] - search->lowest[to] + 1;
    }
    search->cost = caucus_array(pieces, sizeof *search->cost);
    search->before = caucus_array(pieces, sizeof *search->before);
    return search->cost && search->before ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

/* The least cost up to from if the piece (from, to) follows. */
static int64_t reach(const struct search *search, int32_t from, int32_t to, int32_t *before) {
    *before = -1;
    if (from == 0 || !search->offset)
        return search->best[from];
    int64_t least = SLABS_INFINITE;
    for (int32_t start = search->lowest[from]; start <= search->highest[from]; start++) {
        int64_t cost = search->cost[search->offset[from] + start];
        if (cost >= SLABS_INFINITE)
            continue;
        cost -= search->chain->saving(search->chain->context, start, from, to);
        if (cost < least) {
            least = cost;
            *before = start;
        }
    }
    return least;
}

static void extend(struct search *search, int32_t to) {
    search->best[to] = SLABS_INFINITE;
    for (int32_t from = search->lowest[to]; from <= search->highest[to]; from++) {
        int64_t cost = SLABS_INFINITE;
        int32_t before = -1;
        if (search->best[from] < SLABS_INFINITE) {
            cost = search->chain->cost(search->chain->context, from, to);
            if (cost < SLABS_INFINITE)
                cost += reach(search, from, to, &before);
        }
        if (search->offset) {
            search->cost[search->offset[to] + from] = cost;
            search->before[search->offset[to] + from] = before;
        }
        if (cost < search->best[to]) {
            search->best[to] = cost;
            search->from[to] = from;
        }
    }
}

static int32_t trace(const struct search *search, int32_t *cut) {
    int32_t pieces = 0, to = search->chain->count - 1, from = search->from[to];
    while (true) {
        cut[pieces++] = from;
        if (from == 0)
            break;
        int32_t before =
            search->offset ? search->before[search->offset[to] + from] : search->from[from];
        to = from;
        from = before;
    }
    for (int32_t i = 0; i < pieces / 2; i++) {
        int32_t other = cut[pieces - 1 - i];
        cut[pieces - 1 - i] = cut[i];
        cut[i] = other;
    }
    return pieces;
}

int caucus_slabs_chain_solve(const struct slabs_chain *chain, int64_t *cost, int32_t *cut,
                             int32_t *pieces) {
    struct search search = {.chain = chain};
    int status = start_search(&search);
    if (!status) {
        for (int32_t to = 1; to < chain->count; to++)
            extend(&search, to);
        *cost = search.best[chain->count - 1];
        if (cut && *cost < SLABS_INFINITE)
            *pieces = trace(&search, cut);
    }
    free_search(&search);
    return status;
}

static int ascending(const void *a, const void *b) {
    int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;
    return (left > right) - (left < right);
}

/* Beyond a width of 32, a coordinate in sixteen parts of a width, and all even divisions. */
int32_t *caucus_slabs_chain_points(int32_t size, double width, int32_t *count) {
    int32_t step = width > 32 ? (int32_t)(width / 16) : 1;
    int32_t parts = (int32_t)fmin(size / fmax(width, 1), size - 3.) + 2;
    int64_t room = (int64_t)size / step + 2 + (step > 1 ? 4 * ((int64_t)parts + 1) : 0);
    int32_t *point = caucus_array(room, sizeof *point);
    if (!point)
        return NULL;
    int32_t found = 0;
    for (int64_t at = 0; at < size; at += step)
        point[found++] = (int32_t)at;
    point[found++] = size;
    for (int32_t part = parts - 3; step > 1 && part <= parts; part++)
        for (int64_t i = 1; i < part; i++)
            point[found++] = (int32_t)(i * size / part);
    qsort(point, (size_t)found, sizeof *point, ascending);
    int32_t kept = 1;
    for (int32_t i = 1; i < found; i++)
        if (point[i] != point[kept - 1])
            point[kept++] = point[i];
    *count = kept;
    return point;
}

int caucus_slabs_strips_cut(const struct slabs_chain *chain, struct slabs_strips *strips) {
    int32_t *cut = caucus_array(chain->count, sizeof *cut);
    strips->begin = cut;
    if (!cut)
        return CAUCUS_NO_MEMORY;
    int status = caucus_slabs_chain_solve(chain, &strips->cost, cut, &strips->count);
    for (int32_t i = 0; !status && strips->cost < SLABS_INFINITE && i < strips->count; i++)
        cut[i] = chain->point[cut[i]];
    return status;
}
