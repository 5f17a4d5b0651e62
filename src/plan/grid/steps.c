/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/grid/steps.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* A step as one number, digit by digit in base 2 * size: at most 2^41. */
struct entry {
    int64_t code;
    double weight;
    int index; /* so that equal steps are summed in the same order everywhere */
};

static int compare_entries(const void *a, const void *b) {
    const struct entry *left = a, *right = b;
    if (left->code != right->code)
        return left->code < right->code ? -1 : 1;
    return left->index - right->index;
}

/* Codes one step; -1 if it leads from no cell to another. */
static int64_t encode(const struct caucus_grid *grid, const int *offset, int sign) {
    int64_t code = 0;
    bool moves = false;
    for (int axis = 0; axis < grid->ndims; axis++) {
        int64_t size = grid->dims[axis];
        int64_t step = sign * (int64_t)offset[axis];
        if (grid->periodic[axis])
            step = (step % size + size) % size;
        if (step <= -size || step >= size)
            return -1;
        moves = moves || step != 0;
        code = code * 2 * size + step + size;
    }
    return moves ? code : -1;
}

static void decode(const struct caucus_grid *grid, int64_t code, int *offset) {
    for (int axis = grid->ndims - 1; axis >= 0; axis--) {
        int64_t size = grid->dims[axis];
        offset[axis] = (int)(code % (2 * size) - size);
        code /= 2 * size;
    }
}

/* Lists both directions of all offsets, sorted; returns how many. */
static int list_entries(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                        struct entry *entry) {
    int count = 0;
    for (int k = 0; k < stencil->count; k++)
        for (int sign = 1; stencil->weight[k] > 0 && sign >= -1; sign -= 2) {
            int64_t code = encode(grid, stencil->offset + (size_t)k * (size_t)grid->ndims, sign);
            if (code < 0)
                continue;
            entry[count] = (struct entry){code, stencil->weight[k] / 2, count};
            count++;
        }
    qsort(entry, (size_t)count, sizeof *entry, compare_entries);
    return count;
}

int caucus_steps_init(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                      struct caucus_steps *steps) {
    int64_t most = 2 * (int64_t)stencil->count;
    memset(steps, 0, sizeof *steps);
    struct entry *entry = caucus_array(most, sizeof *entry);
    steps->offset = caucus_array(most * grid->ndims, sizeof *steps->offset);
    steps->weight = caucus_array(most, sizeof *steps->weight);
    if (!entry || !steps->offset || !steps->weight) {
        free(entry);
        caucus_steps_free(steps);
        return CAUCUS_NO_MEMORY;
    }
    int count = list_entries(grid, stencil, entry);
    for (int i = 0; i < count; i++) {
        if (i == 0 || entry[i].code != entry[i - 1].code)
            decode(grid, entry[i].code,
                   steps->offset + (size_t)steps->count++ * (size_t)grid->ndims);
        steps->weight[steps->count - 1] += entry[i].weight;
    }
    free(entry);
    return CAUCUS_OK;
}

void caucus_steps_free(struct caucus_steps *steps) {
    free(steps->offset);
    free(steps->weight);
    memset(steps, 0, sizeof *steps);
}

int caucus_steps_table(const struct caucus_grid *grid, const struct caucus_steps *steps,
                       int32_t **table) {
    *table = caucus_array(grid->size * steps->count, sizeof **table);
    if (!*table)
        return CAUCUS_NO_MEMORY;
    int at[CAUCUS_GRID_MAX_DIMS] = {0};
    int32_t *entry = *table;
    for (int64_t cell = 0; cell < grid->size; cell++) {
        for (int k = 0; k < steps->count; k++) {
            const int *offset = steps->offset + (size_t)k * (size_t)grid->ndims;
            int64_t neighbor = caucus_grid_neighbor(grid, at, offset);
            *entry++ = (int32_t)(neighbor < 0 ? cell : neighbor);
        }
        for (int axis = grid->ndims - 1; axis >= 0 && ++at[axis] == grid->dims[axis]; axis--)
            at[axis] = 0;
    }
    return CAUCUS_OK;
}
