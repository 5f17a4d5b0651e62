/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the nested-slabs planner share. Costs are integers, in units of a power of
 * two (1 where all weights are integers), so that no compiler setting can change
 * a decision. An edge counts once in each direction, as in jsum. */
#ifndef CAUCUS_PLAN_GRID_SLABS_INTERNAL_H
#define CAUCUS_PLAN_GRID_SLABS_INTERNAL_H

#include "plan/grid/slabs.h"

#include <math.h>

#define SLABS_INFINITE (INT64_MAX / 4)

static inline int64_t slabs_least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static inline int64_t slabs_most(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* Down and up to integers, the same with every compiler: what is all but an integer is one. */
static inline int64_t slabs_floor(double value) {
    return (int64_t)floor(value + 1e-6);
}

static inline int64_t slabs_ceil(double value) {
    return (int64_t)ceil(value - 1e-6);
}

/* The nodes in the order in which they take positions, as runs of equal sizes. */
struct slabs_runs {
    int32_t count;
    struct slabs_run {
        int32_t start; /* its first position */
        int32_t first; /* its first node, counted in this order */
        int32_t size;  /* of each of its nodes */
    } *run;            /* [count + 1], at the end the numbers of positions and nodes */
    int32_t *node_at;  /* the node that comes in this place; NULL: in the order of their numbers */
};

/* The positions [begin, end) of one node, and its run. */
struct slabs_node {
    int64_t begin, end;
    int32_t run;
};

/* node_at (copied) is a permutation of the nodes, or NULL. */
int caucus_slabs_runs_init(struct slabs_runs *runs, const struct caucus_nodes *nodes,
                           const int32_t *node_at);
void caucus_slabs_runs_free(struct slabs_runs *runs);
struct slabs_node caucus_slabs_runs_node(const struct slabs_runs *runs, int64_t position);

/* The node after this one, which must not be the last. */
static inline void slabs_node_next(const struct slabs_runs *runs, struct slabs_node *node) {
    node->begin = node->end;
    if (node->end == runs->run[node->run + 1].start)
        node->run++;
    node->end += runs->run[node->run].size;
}

/* The grid as one axis order sees it. Axes of size 1 are left out. */
struct slabs_frame {
    int count;
    int axis[CAUCUS_GRID_MAX_DIMS]; /* the grid's axis in each place, slowest first */
    int32_t size[CAUCUS_GRID_MAX_DIMS];
    int64_t rest[CAUCUS_GRID_MAX_DIMS]; /* the product of the sizes of the axes after it */
    bool periodic[CAUCUS_GRID_MAX_DIMS];
    int64_t face[CAUCUS_GRID_MAX_DIMS]; /* weight per cell of a cut across the axis */
    int64_t line[CAUCUS_GRID_MAX_DIMS]; /* the part of it that offsets along the axis have */
    int64_t within_row;    /* face of the last axis but one, offsets within a layer of the last */
    int64_t within_column; /* and the other way round */
    double side[CAUCUS_GRID_MAX_DIMS]; /* of the best box of a mean node */
    double mean;                       /* cells per node */
};

/* Cuts [point[0], point[count - 1]] at some of the points, at least cost. */
struct slabs_chain {
    int32_t count;
    const int32_t *point;
    int64_t lower, upper; /* widths; a single step may be wider, the last piece narrower */
    int64_t (*cost)(void *context, int32_t from, int32_t to); /* of a piece between two points */
    /* what a joint spares, at most the cost of the two pieces; NULL: nothing */
    int64_t (*saving)(void *context, int32_t before, int32_t from, int32_t to);
    void *context;
};

/* cut (may be NULL) gets *pieces point indices, where each piece begins; count entries. */
int caucus_slabs_chain_solve(const struct slabs_chain *chain, int64_t *cost, int32_t *cut,
                             int32_t *pieces);
/* Where slabs and strips of about the given width may begin: every coordinate where that is
 * affordable. To be freed. */
int32_t *caucus_slabs_chain_points(int32_t size, double width, int32_t *count);

/* A part of the grid: the slab chosen on each axis before level, all of the others. */
struct slabs_window {
    int level;
    int32_t width[CAUCUS_GRID_MAX_DIMS];
    uint32_t code;     /* identifies the widths */
    int64_t thickness; /* their product */
    int64_t start;     /* position of its first cell */
};

static inline uint64_t slabs_mix(uint64_t shape, uint64_t place) {
    uint64_t hash = (shape ^ (place + 0x9e3779b97f4a7c15u)) * 0xff51afd7ed558ccdu;
    hash = (hash ^ (hash >> 33) ^ place) * 0xc4ceb9fe1a85ec53u;
    return hash ^ (hash >> 29);
}

/* What strips cost, by their shape and where node borders lie in them, until another takes the
 * place: shape is UINT64_MAX in an empty one. */
enum { SLABS_CACHE_ENTRIES = 2048 };
struct slabs_cache {
    struct slabs_cache_entry {
        uint64_t shape, place;
        int64_t cost;
    } entry[SLABS_CACHE_ENTRIES];
};

/* The best cuts of the last two axes, x and y, over the pillar of a window. begin: where each strip
 * begins, an x for planar strips, a position relative to the window's start for jagged ones. cost
 * is SLABS_INFINITE where there are none. */
struct slabs_strips {
    int64_t cost;
    int32_t count;
    int32_t *begin; /* to be freed, also after a failure */
    int kind;       /* SLABS_PLANAR or SLABS_JAGGED */
};

/* *work goes down by one for every node looked at. */
int caucus_slabs_strips(const struct slabs_frame *frame, const struct slabs_runs *runs,
                        const struct slabs_window *window, struct slabs_cache *cache, int64_t *work,
                        struct slabs_strips *strips);

/* A jagged strip: the cells [first, last) of a plane in x-major order, taken in y-major order. */
struct slabs_jag {
    int64_t thickness, begin_x, begin_rest, end_x, end_rest;
};

static inline struct slabs_jag slabs_jag_between(int64_t thickness, int64_t column, int64_t first,
                                                 int64_t last) {
    struct slabs_jag jag = {thickness, first / column, first % column, last / column,
                            last % column};
    return jag;
}

/* Cells of the strip in the columns' first height cells. */
static inline int64_t slabs_jag_below(const struct slabs_jag *jag, int64_t height) {
    return height * (jag->end_x - jag->begin_x) + slabs_least(height, jag->end_rest) -
           slabs_least(height, jag->begin_rest);
}

/* Cells of the strip in rows before y. */
static inline int64_t slabs_jag_before(const struct slabs_jag *jag, int64_t y) {
    return slabs_jag_below(jag, y * jag->thickness);
}

/* The row of a cell of the strip: slabs_jag_below is linear in three pieces. */
static inline int64_t slabs_jag_row(const struct slabs_jag *jag, int64_t cell) {
    int64_t columns = jag->end_x - jag->begin_x;
    int64_t low = slabs_least(jag->begin_rest, jag->end_rest);
    int64_t high = slabs_most(jag->begin_rest, jag->end_rest);
    int64_t below_low = low * columns, below_high = slabs_jag_below(jag, high), height;
    if (cell < below_low)
        height = cell / columns;
    else if (cell < below_high)
        height = low + (cell - below_low) / (columns + (jag->begin_rest == low ? 1 : -1));
    else
        height = high + (cell - below_high) / columns;
    return height / jag->thickness;
}

/* The first cell of row y, and the one after its last, counted from the pillar at begin_x. */
static inline int64_t slabs_jag_low(const struct slabs_jag *jag, int64_t y) {
    return slabs_least(slabs_most(jag->begin_rest - y * jag->thickness, 0), jag->thickness);
}

static inline int64_t slabs_jag_high(const struct slabs_jag *jag, int64_t y) {
    return (jag->end_x - jag->begin_x) * jag->thickness +
           slabs_least(slabs_most(jag->end_rest - y * jag->thickness, 0), jag->thickness);
}

/* A plan. The words hold a graph of lists, children before parents:
 *   header: 4 * count + kind, then the axes (bits) at whose far end the last cell lies if the first
 *   one lies at their near end;
 *   slabs:  per slab: first coordinate, offset of the list inside it, axes to be mirrored in it;
 *   planar: first x of each strip;
 *   jagged: first position of each strip. */
enum { SLABS_LIST, SLABS_PLANAR, SLABS_JAGGED };
enum { SLABS_HEADER = 2, SLABS_ENTRY = 3 };

struct caucus_slabs {
    struct caucus_grid grid;
    int count; /* axes, as in slabs_frame */
    int axis[CAUCUS_GRID_MAX_DIMS];
    int32_t size[CAUCUS_GRID_MAX_DIMS], rest[CAUCUS_GRID_MAX_DIMS], stride[CAUCUS_GRID_MAX_DIMS];
    struct slabs_runs runs;
    int32_t words;
    int64_t room;
    int32_t *word;
    int32_t root; /* offset of the outermost list; there is none with fewer than two axes */
    double estimate;
};

/* An empty plan for an axis order; owns nothing yet but itself. */
struct caucus_slabs *caucus_slabs_new(const struct caucus_grid *grid, int count, const int *axis);

/* Appends a word and returns its offset, or -1. */
int32_t caucus_slabs_append(struct caucus_slabs *slabs, int32_t word);

/* Fills the words, the root and the cost (in the frame's units). Gives up with
 * CAUCUS_NOT_APPLICABLE when more than *work units were needed, else takes from *work what it used.
 */
int caucus_slabs_solve(const struct slabs_frame *frame, const struct slabs_runs *runs, int effort,
                       int64_t *work, struct caucus_slabs *slabs, int64_t *cost);

/* Writes the node of every cell. */
void caucus_slabs_fill(const struct caucus_slabs *slabs, int32_t *node_of_cell);

#endif
