/* SPDX-License-Identifier: BSD-3-Clause */
/* A plan and what is looked up in it, without a table of cells: who owns a position, by one
 * bisection of the runs of nodes of equal size, and which cell that is, by one for each axis. */
#include "plan/grid/slabs_internal.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

struct caucus_slabs *caucus_slabs_new(const struct caucus_grid *grid, int count, const int *axis) {
    struct caucus_slabs *slabs = caucus_array(1, sizeof *slabs);
    if (!slabs)
        return NULL;
    slabs->grid = *grid;
    slabs->count = count;
    int32_t rest = 1, stride[CAUCUS_GRID_MAX_DIMS + 1] = {0};
    stride[grid->ndims] = 1;
    for (int i = grid->ndims - 1; i >= 0; i--)
        stride[i] = stride[i + 1] * grid->dims[i];
    for (int place = count - 1; place >= 0; place--) {
        slabs->axis[place] = axis[place];
        slabs->size[place] = grid->dims[axis[place]];
        slabs->stride[place] = stride[axis[place] + 1];
        slabs->rest[place] = rest;
        rest *= slabs->size[place];
    }
    return slabs;
}

void caucus_slabs_free(struct caucus_slabs *slabs) {
    if (!slabs)
        return;
    caucus_slabs_runs_free(&slabs->runs);
    free(slabs->word);
    free(slabs);
}

int32_t caucus_slabs_append(struct caucus_slabs *slabs, int32_t word) {
    if (slabs->words == INT32_MAX)
        return -1;
    int32_t *array = caucus_array_grow(slabs->word, slabs->words, &slabs->room, sizeof *array);
    if (!array)
        return -1;
    slabs->word = array;
    slabs->word[slabs->words] = word;
    return slabs->words++;
}

enum { RUN_WORDS = sizeof(struct slabs_run) / sizeof(int32_t) };

/* The last of count ascending numbers, stride words apart, that is at most the value; the first one
 * is. */
static int32_t last_at_most(const int32_t *numbers, int32_t count, int32_t stride, int64_t value) {
    int32_t low = 0, high = count;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (numbers[middle * stride] <= value)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int caucus_slabs_runs_init(struct slabs_runs *runs, const struct caucus_nodes *nodes,
                           const int32_t *node_at) {
    int32_t places = nodes->equal ? 1 : nodes->count, position = 0;
    memset(runs, 0, sizeof *runs);
    runs->run = caucus_array((int64_t)places + 1, sizeof *runs->run);
    if (node_at)
        runs->node_at = caucus_array_copy(node_at, nodes->count, sizeof *node_at);
    if (!runs->run || (node_at && !runs->node_at)) {
        caucus_slabs_runs_free(runs);
        return CAUCUS_NO_MEMORY;
    }
    for (int32_t place = 0; place < places; place++) {
        int32_t size = caucus_nodes_size(nodes, node_at ? node_at[place] : place);
        if (place == 0 || size != runs->run[runs->count - 1].size)
            runs->run[runs->count++] = (struct slabs_run){position, place, size};
        position += size;
    }
    runs->run[runs->count] = (struct slabs_run){(int32_t)nodes->ranks, nodes->count, 0};
    return CAUCUS_OK;
}

void caucus_slabs_runs_free(struct slabs_runs *runs) {
    free(runs->run);
    free(runs->node_at);
    memset(runs, 0, sizeof *runs);
}

/* The run with this position. */
static int32_t run_at(const struct slabs_runs *runs, int64_t position) {
    return last_at_most(&runs->run->start, runs->count, RUN_WORDS, position);
}

struct slabs_node caucus_slabs_runs_node(const struct slabs_runs *runs, int64_t position) {
    int32_t index = run_at(runs, position);
    const struct slabs_run *run = &runs->run[index];
    int64_t begin = run->start + (position - run->start) / run->size * run->size;
    return (struct slabs_node){begin, begin + run->size, index};
}

int32_t caucus_slabs_node(const struct caucus_slabs *slabs, int64_t position) {
    const struct slabs_run *run = &slabs->runs.run[run_at(&slabs->runs, position)];
    int32_t place = run->first + (int32_t)(position - run->start) / run->size;
    return slabs->runs.node_at ? slabs->runs.node_at[place] : place;
}

int64_t caucus_slabs_first(const struct caucus_slabs *slabs, int32_t node) {
    const struct slabs_runs *runs = &slabs->runs;
    int32_t place = node;
    if (runs->node_at)
        for (place = 0; runs->node_at[place] != node; place++)
            ;
    const struct slabs_run *run =
        &runs->run[last_at_most(&runs->run->first, runs->count, RUN_WORDS, place)];
    return run->start + (int64_t)(place - run->first) * run->size;
}

/* Where a walk from the outermost list has come to. */
struct walk {
    const int32_t *list;
    int32_t level;
    int32_t mirrored;                    /* axes, as bits */
    int32_t thickness;                   /* cells of the pillar so far */
    int32_t begin[CAUCUS_GRID_MAX_DIMS]; /* of the slab, per axis passed */
    int32_t width[CAUCUS_GRID_MAX_DIMS];
};

static int32_t list_count(const struct walk *walk) {
    return walk->list[0] / 4;
}

/* Goes into the slab that has this coordinate. */
static void enter(const struct caucus_slabs *slabs, struct walk *walk, int32_t coordinate) {
    const int32_t *entry = walk->list + SLABS_HEADER;
    int32_t count = list_count(walk), level = walk->level++;
    int32_t slab = last_at_most(entry, count, SLABS_ENTRY, coordinate);
    int32_t end = slab + 1 < count ? entry[(slab + 1) * SLABS_ENTRY] : slabs->size[level];
    entry += slab * SLABS_ENTRY;
    walk->begin[level] = entry[0];
    walk->width[level] = end - entry[0];
    walk->thickness *= walk->width[level];
    walk->list = slabs->word + entry[1];
    walk->mirrored ^= entry[2];
}

static bool at_slabs(const struct caucus_slabs *slabs, const struct walk *walk) {
    return walk->level < slabs->count - 2;
}

/* A strip of the walk's list: the strip's index, where it begins and ends. */
static int32_t find_strip(const struct walk *walk, int64_t value, int64_t end_of_all,
                          int64_t *begin, int64_t *end) {
    const int32_t *entry = walk->list + SLABS_HEADER;
    int32_t count = list_count(walk);
    int32_t strip = last_at_most(entry, count, 1, value);
    *begin = entry[strip];
    *end = strip + 1 < count ? entry[strip + 1] : end_of_all;
    return strip;
}

static void planar_cell(const struct caucus_slabs *slabs, const struct walk *walk, int32_t place,
                        int32_t *x, int32_t *y, int32_t *offset) {
    int32_t size_y = slabs->size[slabs->count - 1], column = walk->thickness * size_y;
    int64_t begin, end;
    int32_t strip = find_strip(walk, place / column, slabs->size[slabs->count - 2], &begin, &end);
    place -= (int32_t)begin * column;
    int32_t row = (int32_t)(end - begin) * walk->thickness, in_row = place % row;
    *y = strip % 2 ? size_y - 1 - place / row : place / row;
    *x = (int32_t)begin + in_row / walk->thickness;
    *offset = in_row % walk->thickness;
}

static void jagged_cell(const struct caucus_slabs *slabs, const struct walk *walk, int32_t place,
                        int32_t *x, int32_t *y, int32_t *offset) {
    int32_t column = walk->thickness * slabs->size[slabs->count - 1];
    int64_t begin, end;
    find_strip(walk, place, (int64_t)column * slabs->size[slabs->count - 2], &begin, &end);
    struct slabs_jag jag = slabs_jag_between(walk->thickness, column, begin, end);
    place -= (int32_t)begin;
    int64_t row = slabs_jag_row(&jag, place);
    int64_t in_row = place - slabs_jag_before(&jag, row) + slabs_jag_low(&jag, row);
    *y = (int32_t)row;
    *x = (int32_t)(jag.begin_x + in_row / walk->thickness);
    *offset = (int32_t)(in_row % walk->thickness);
}

static int64_t cell_at(const struct caucus_slabs *slabs, const struct walk *walk,
                       const int32_t *coordinate) {
    int64_t cell = 0;
    for (int level = 0; level < slabs->count; level++) {
        bool mirrored = walk->mirrored >> level & 1;
        int32_t at = mirrored ? slabs->size[level] - 1 - coordinate[level] : coordinate[level];
        cell += (int64_t)at * slabs->stride[level];
    }
    return cell;
}

int64_t caucus_slabs_cell(const struct caucus_slabs *slabs, int64_t position) {
    if (slabs->count < 2)
        return position;
    struct walk walk = {.list = slabs->word + slabs->root, .thickness = 1};
    int32_t coordinate[CAUCUS_GRID_MAX_DIMS], place = (int32_t)position, offset;
    while (at_slabs(slabs, &walk)) {
        int32_t layer = walk.thickness * slabs->rest[walk.level];
        enter(slabs, &walk, place / layer);
        place -= walk.begin[walk.level - 1] * layer;
    }
    int32_t *x = &coordinate[slabs->count - 2], *y = &coordinate[slabs->count - 1];
    if (walk.list[0] % 4 == SLABS_PLANAR)
        planar_cell(slabs, &walk, place, x, y, &offset);
    else
        jagged_cell(slabs, &walk, place, x, y, &offset);
    for (int level = slabs->count - 3; level >= 0; level--) {
        coordinate[level] = walk.begin[level] + offset % walk.width[level];
        offset /= walk.width[level];
    }
    return cell_at(slabs, &walk, coordinate);
}

void caucus_slabs_fill(const struct caucus_slabs *slabs, int32_t *node_of_cell) {
    int64_t size = slabs->grid.size;
    struct slabs_node node = caucus_slabs_runs_node(&slabs->runs, 0);
    for (int64_t position = 0; position < size;) {
        int32_t owner = caucus_slabs_node(slabs, position);
        for (; position < node.end; position++)
            node_of_cell[caucus_slabs_cell(slabs, position)] = owner;
        if (position < size)
            slabs_node_next(&slabs->runs, &node);
    }
}

double caucus_slabs_estimate(const struct caucus_slabs *slabs) {
    return slabs->estimate;
}
