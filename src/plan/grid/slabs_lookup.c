/* SPDX-License-Identifier: BSD-3-Clause */
/* Position to cell and back: one bisection per axis, no table of cells. */
#include "plan/grid/slabs_internal.h"

/* The last of count ascending numbers, stride words apart, that is at most the value. */
static int32_t last_entry(const int32_t *entry, int32_t count, int32_t stride, int64_t value) {
    int32_t low = 0, high = count;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (entry[middle * stride] <= value)
            low = middle;
        else
            high = middle;
    }
    return low;
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
    int32_t slab = last_entry(entry, count, SLABS_ENTRY, coordinate);
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
    int32_t strip = last_entry(entry, count, 1, value);
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

static int32_t planar_place(const struct caucus_slabs *slabs, const struct walk *walk, int32_t x,
                            int32_t y, int32_t offset) {
    int32_t size_y = slabs->size[slabs->count - 1];
    int64_t begin, end;
    int32_t strip = find_strip(walk, x, slabs->size[slabs->count - 2], &begin, &end);
    int32_t first = (int32_t)begin, width = (int32_t)end - first;
    int32_t row = strip % 2 ? size_y - 1 - y : y;
    return (first * size_y + row * width + x - first) * walk->thickness + offset;
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

static int32_t jagged_place(const struct caucus_slabs *slabs, const struct walk *walk, int32_t x,
                            int32_t y, int32_t offset) {
    int32_t thickness = walk->thickness, column = thickness * slabs->size[slabs->count - 1];
    int64_t begin, end;
    find_strip(walk, (int64_t)x * column + (int64_t)y * thickness + offset,
               (int64_t)column * slabs->size[slabs->count - 2], &begin, &end);
    struct slabs_jag jag = slabs_jag_between(thickness, column, begin, end);
    int64_t in_row = (x - jag.begin_x) * thickness + offset - slabs_jag_low(&jag, y);
    return (int32_t)(begin + slabs_jag_before(&jag, y) + in_row);
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

int64_t caucus_slabs_position(const struct caucus_slabs *slabs, int64_t cell) {
    if (slabs->count < 2)
        return cell;
    struct walk walk = {.list = slabs->word + slabs->root, .thickness = 1};
    int32_t coordinate[CAUCUS_GRID_MAX_DIMS], position = 0, offset = 0;
    for (int level = 0; level < slabs->count; level++)
        coordinate[level] = (int32_t)cell / slabs->stride[level] % slabs->size[level];
    while (at_slabs(slabs, &walk)) {
        int32_t level = walk.level, layer = walk.thickness * slabs->rest[level];
        int32_t at = coordinate[level];
        if (walk.mirrored >> level & 1)
            at = slabs->size[level] - 1 - at;
        enter(slabs, &walk, at);
        position += walk.begin[level] * layer;
        offset = offset * walk.width[level] + at - walk.begin[level];
    }
    int32_t last[2];
    for (int i = 0; i < 2; i++) {
        int level = slabs->count - 2 + i;
        last[i] = walk.mirrored >> level & 1 ? slabs->size[level] - 1 - coordinate[level]
                                             : coordinate[level];
    }
    return position + (walk.list[0] % 4 == SLABS_PLANAR
                           ? planar_place(slabs, &walk, last[0], last[1], offset)
                           : jagged_place(slabs, &walk, last[0], last[1], offset));
}
