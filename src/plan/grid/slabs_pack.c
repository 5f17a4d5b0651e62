/* SPDX-License-Identifier: BSD-3-Clause */
/* A plan as a flat array of numbers, to be sent from the rank that planned:
 *   format, cells, nodes, axes, root, words, places, the estimate's bits,
 *   then the axes in their order, the words, and the node in each place, or no places where nodes
 *   keep their order.
 * Unpacking believes nothing: whatever it accepts is a permutation of the cells. */
#include "plan/grid/slabs_internal.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

enum { FORMAT = 1 };
enum { AT_FORMAT, AT_CELLS, AT_NODES, AT_AXES, AT_ROOT, AT_WORDS, AT_PLACES, AT_ESTIMATE, FIXED };

int caucus_slabs_pack(const struct caucus_slabs *slabs, int64_t **packed, int64_t *count) {
    const struct slabs_runs *runs = &slabs->runs;
    int32_t nodes = runs->run[runs->count].first;
    int32_t places = runs->node_at ? nodes : 0;
    *count = FIXED + (int64_t)slabs->count + slabs->words + places;
    int64_t *next = caucus_array(*count, sizeof *next);
    *packed = next;
    if (!next)
        return CAUCUS_NO_MEMORY;
    next[AT_FORMAT] = FORMAT;
    next[AT_CELLS] = slabs->grid.size;
    next[AT_NODES] = nodes;
    next[AT_AXES] = slabs->count;
    next[AT_ROOT] = slabs->root;
    next[AT_WORDS] = slabs->words;
    next[AT_PLACES] = places;
    memcpy(&next[AT_ESTIMATE], &slabs->estimate, sizeof slabs->estimate);
    next += FIXED;
    for (int place = 0; place < slabs->count; place++)
        *next++ = slabs->axis[place];
    for (int32_t i = 0; i < slabs->words; i++)
        *next++ = slabs->word[i];
    for (int32_t place = 0; place < places; place++)
        *next++ = runs->node_at[place];
    return CAUCUS_OK;
}

static int malformed(const char *what) {
    return caucus_fail(CAUCUS_BAD_ARGUMENT,
                       "the packed plan is not one of this grid and these nodes: %s", what);
}

static int check_fixed(const struct caucus_grid *grid, const struct caucus_nodes *nodes,
                       const int64_t *packed, int64_t count) {
    if (count < FIXED)
        return malformed("it is too short");
    if (packed[AT_FORMAT] != FORMAT)
        return malformed("its format is unknown");
    if (packed[AT_CELLS] != grid->size || packed[AT_NODES] != nodes->count ||
        nodes->ranks != grid->size)
        return malformed("the numbers of cells or nodes differ");
    if (packed[AT_AXES] < 0 || packed[AT_AXES] > CAUCUS_GRID_MAX_DIMS || packed[AT_WORDS] < 0 ||
        packed[AT_WORDS] > INT32_MAX || packed[AT_ROOT] < 0 || packed[AT_ROOT] > INT32_MAX ||
        (packed[AT_PLACES] != 0 && packed[AT_PLACES] != nodes->count))
        return malformed("a number of its head is out of range");
    int64_t expected = FIXED + packed[AT_AXES] + packed[AT_WORDS] + packed[AT_PLACES];
    return count == expected ? CAUCUS_OK : malformed("its length is wrong");
}

/* Each axis that is longer than 1 once, no others. */
static int read_axes(const struct caucus_grid *grid, const int64_t *packed, int *axis) {
    int count = (int)packed[AT_AXES], long_axes = 0, seen = 0;
    for (int a = 0; a < grid->ndims; a++)
        long_axes += grid->dims[a] > 1;
    for (int place = 0; place < count; place++) {
        int64_t at = packed[FIXED + place];
        if (at < 0 || at >= grid->ndims || grid->dims[at] == 1 || (seen >> at & 1))
            return malformed("its axes are not the grid's");
        seen |= 1 << at;
        axis[place] = (int)at;
    }
    return count == long_axes ? CAUCUS_OK : malformed("its axes are not the grid's");
}

static bool check_list(const struct caucus_slabs *slabs, int level, int32_t list, int32_t before,
                       int32_t thickness, int32_t *checked);

static bool check_slabs(const struct caucus_slabs *slabs, int level, int32_t list,
                        int32_t thickness, int32_t *checked) {
    const int32_t *word = slabs->word + list;
    int32_t count = word[0] / 4, later = (1 << slabs->count) - (2 << level);
    for (int32_t i = 0; i < count; i++) {
        const int32_t *entry = word + SLABS_HEADER + i * SLABS_ENTRY;
        int32_t end = i + 1 < count ? entry[SLABS_ENTRY] : slabs->size[level];
        if (entry[0] < 0 || entry[0] >= end || end > slabs->size[level] || (entry[2] & ~later) ||
            (i == 0 && entry[0] > 0) ||
            !check_list(slabs, level + 1, entry[1], list, thickness * (end - entry[0]), checked))
            return false;
    }
    return true;
}

static bool check_strips(const int32_t *begin, int32_t count, int64_t end_of_all) {
    if (begin[0] != 0)
        return false;
    for (int32_t i = 0; i < count; i++)
        if (begin[i] >= (i + 1 < count ? begin[i + 1] : end_of_all))
            return false;
    return true;
}

/* Whether a list lies before the word `before` and cuts the whole of its window. checked: the
 * thinnest pillar with which each list was found right, the hardest for jagged strips; else 0. */
static bool check_list(const struct caucus_slabs *slabs, int level, int32_t list, int32_t before,
                       int32_t thickness, int32_t *checked) {
    if (list < 0 || list > before - SLABS_HEADER)
        return false;
    if (checked[list] > 0 && checked[list] <= thickness)
        return true;
    int kind = slabs->word[list] & 3;
    int64_t count = slabs->word[list] / 4, plane = slabs->count - 2;
    int64_t length = SLABS_HEADER + count * (kind == SLABS_LIST ? SLABS_ENTRY : 1);
    if (slabs->word[list] < 4 || list + length > before || kind > SLABS_JAGGED ||
        (kind == SLABS_LIST) != (level < plane))
        return false;
    const int32_t *begin = slabs->word + list + SLABS_HEADER;
    bool right;
    if (kind == SLABS_LIST)
        right = check_slabs(slabs, level, list, thickness, checked);
    else if (kind == SLABS_PLANAR)
        right = check_strips(begin, (int32_t)count, slabs->size[plane]);
    else
        right = check_strips(begin, (int32_t)count,
                             (int64_t)thickness * slabs->size[plane] * slabs->rest[plane]);
    if (right)
        checked[list] = thickness;
    return right;
}

static int read_words(struct caucus_slabs *slabs, const int64_t *packed) {
    const int64_t *word = packed + FIXED + slabs->count;
    int32_t words = (int32_t)packed[AT_WORDS];
    for (int32_t i = 0; i < words; i++) {
        if (word[i] < 0 || word[i] > INT32_MAX)
            return malformed("a word is out of range");
        if (caucus_slabs_append(slabs, (int32_t)word[i]) < 0)
            return CAUCUS_NO_MEMORY;
    }
    slabs->root = (int32_t)packed[AT_ROOT];
    if (slabs->count < 2)
        return CAUCUS_OK;
    int32_t *checked = caucus_array(words, sizeof *checked);
    if (!checked)
        return CAUCUS_NO_MEMORY;
    bool right = check_list(slabs, 0, slabs->root, words, 1, checked);
    free(checked);
    return right ? CAUCUS_OK : malformed("its cuts don't fit the grid");
}

static int read_nodes(struct caucus_slabs *slabs, const struct caucus_nodes *nodes,
                      const int64_t *packed) {
    if (packed[AT_PLACES] == 0)
        return caucus_slabs_runs_init(&slabs->runs, nodes, NULL);
    const int64_t *next = packed + FIXED + slabs->count + slabs->words;
    int32_t *node_at = caucus_array(nodes->count, sizeof *node_at);
    bool *seen = caucus_array(nodes->count, sizeof *seen);
    int status = node_at && seen ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    for (int32_t place = 0; place < nodes->count && !status; place++) {
        if (next[place] < 0 || next[place] >= nodes->count || seen[next[place]]) {
            status = malformed("its node order is no permutation");
        } else {
            node_at[place] = (int32_t)next[place];
            seen[next[place]] = true;
        }
    }
    if (!status)
        status = caucus_slabs_runs_init(&slabs->runs, nodes, node_at);
    free(node_at);
    free(seen);
    return status;
}

int caucus_slabs_unpack(const struct caucus_grid *grid, const struct caucus_nodes *nodes,
                        const int64_t *packed, int64_t count, struct caucus_slabs **slabs) {
    int axis[CAUCUS_GRID_MAX_DIMS];
    *slabs = NULL;
    int status = check_fixed(grid, nodes, packed, count);
    if (!status)
        status = read_axes(grid, packed, axis);
    if (status)
        return status;
    struct caucus_slabs *plan = caucus_slabs_new(grid, (int)packed[AT_AXES], axis);
    if (!plan)
        return CAUCUS_NO_MEMORY;
    memcpy(&plan->estimate, &packed[AT_ESTIMATE], sizeof plan->estimate);
    status = read_words(plan, packed);
    if (!status)
        status = read_nodes(plan, nodes, packed);
    if (status) {
        caucus_slabs_free(plan);
        return status;
    }
    *slabs = plan;
    return CAUCUS_OK;
}
