/* SPDX-License-Identifier: BSD-3-Clause */
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
    if (slabs->words == slabs->capacity) {
        int64_t capacity = slabs->capacity ? 2 * (int64_t)slabs->capacity : 32;
        int32_t *larger = capacity > INT32_MAX ? NULL : caucus_array(capacity, sizeof *larger);
        if (!larger)
            return -1;
        if (slabs->words > 0)
            memcpy(larger, slabs->word, (size_t)slabs->words * sizeof *larger);
        free(slabs->word);
        slabs->word = larger;
        slabs->capacity = (int32_t)capacity;
    }
    slabs->word[slabs->words] = word;
    return slabs->words++;
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

size_t caucus_slabs_memory(const struct caucus_slabs *slabs) {
    const struct slabs_runs *runs = &slabs->runs;
    size_t runs_memory = (3 * (size_t)runs->count + 2) * sizeof(int32_t);
    size_t order_memory = 0;
    if (runs->node_at)
        order_memory = 2 * (size_t)runs->first[runs->count] * sizeof(int32_t);
    return sizeof *slabs + (size_t)slabs->capacity * sizeof *slabs->word + runs_memory +
           order_memory;
}
