/* SPDX-License-Identifier: BSD-3-Clause */
/* Dynamic programming along a line: cut it into pieces, each with a cost, each joint with a saving
 * that depends on the pieces on both sides. O(points * widths) costs, O(points * widths^2) savings;
 * without savings O(points) memory. */
#include "plan/grid/slabs_internal.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

/* A point where the line may be cut. */
struct point {
    int32_t lowest, highest; /* where the longest and the shortest piece that end here begin */
    int64_t offset;          /* piece[offset + from] is the piece from there to here */
    int64_t best;            /* least cost up to here */
    int32_t from;            /* where the last piece begins then */
};

struct piece {
    int64_t cost;   /* least cost up to its end */
    int32_t before; /* where the piece before it begins then, -1: there is none */
};

struct search {
    const struct slabs_chain *chain;
    struct point *point;
    struct piece *piece; /* NULL without savings */
};

/* Finds the pieces that may end at each point; returns how many there are. */
static int64_t find_pieces(struct search *search) {
    const struct slabs_chain *chain = search->chain;
    int32_t low = 0, high = 0, last = chain->count - 1;
    int64_t pieces = 0;
    for (int32_t to = 1; to <= last; to++) {
        struct point *point = &search->point[to];
        int64_t end = chain->point[to];
        while (low < to - 1 && end - chain->point[low] > chain->upper)
            low++;
        while (high < to - 1 && end - chain->point[high + 1] >= chain->lower)
            high++;
        point->lowest = low;
        point->highest = high;
        if (end - chain->point[high] < chain->lower) /* even the longest is too narrow */
            point->highest = low - 1;
        if (to == last)
            point->highest = to - 1;
        point->offset = pieces - low;
        pieces += point->highest - low + 1;
    }
    return pieces;
}

/* The least cost up to from if the piece (from, to) follows. */
static int64_t reach(const struct search *search, int32_t from, int32_t to, int32_t *before) {
    const struct point *point = &search->point[from];
    *before = -1;
    if (from == 0 || !search->piece)
        return point->best;
    int64_t least = SLABS_INFINITE;
    for (int32_t start = point->lowest; start <= point->highest; start++) {
        int64_t cost = search->piece[point->offset + start].cost;
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
    struct point *point = &search->point[to];
    point->best = SLABS_INFINITE;
    for (int32_t from = point->lowest; from <= point->highest; from++) {
        struct piece piece = {SLABS_INFINITE, -1};
        if (search->point[from].best < SLABS_INFINITE) {
            piece.cost = search->chain->cost(search->chain->context, from, to);
            if (piece.cost < SLABS_INFINITE)
                piece.cost += reach(search, from, to, &piece.before);
        }
        if (search->piece)
            search->piece[point->offset + from] = piece;
        if (piece.cost < point->best) {
            point->best = piece.cost;
            point->from = from;
        }
    }
}

static int32_t trace(const struct search *search, int32_t *cut) {
    int32_t pieces = 0, to = search->chain->count - 1, from = search->point[to].from;
    for (cut[pieces++] = from; from > 0; cut[pieces++] = from) {
        int32_t before = search->piece ? search->piece[search->point[to].offset + from].before
                                       : search->point[from].from;
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
    search.point = caucus_array(chain->count, sizeof *search.point);
    if (!search.point)
        return CAUCUS_NO_MEMORY;
    int64_t all = find_pieces(&search);
    if (chain->saving)
        search.piece = caucus_array(all, sizeof *search.piece);
    bool enough = !chain->saving || search.piece;
    if (enough) {
        for (int32_t to = 1; to < chain->count; to++)
            extend(&search, to);
        *cost = search.point[chain->count - 1].best;
        if (cut && *cost < SLABS_INFINITE)
            *pieces = trace(&search, cut);
    }
    free(search.point);
    free(search.piece);
    return enough ? CAUCUS_OK : CAUCUS_NO_MEMORY;
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
    caucus_sort_numbers(found, point);
    int32_t kept = 1;
    for (int32_t i = 1; i < found; i++)
        if (point[i] != point[kept - 1])
            point[kept++] = point[i];
    *count = kept;
    return point;
}
