/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/grid/stencil.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Summed up over any grid, and doubled, that is still a number. */
static const double most_weight = 1e290;

static int check_offset(int ndims, int index, const int *offset, double weight) {
    bool moves = false;
    for (int axis = 0; axis < ndims; axis++)
        moves = moves || offset[axis] != 0;
    if (!moves)
        return caucus_fail(
            CAUCUS_BAD_ARGUMENT,
            "offset %d of the stencil is all zeros: a cell is no neighbour of itself", index);
    if (!isfinite(weight) || weight < 0)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "the weight of offset %d is %g: it must be finite and not negative",
                           index, weight);
    return CAUCUS_OK;
}

int caucus_stencil_init(struct caucus_stencil *stencil, int ndims, int count, const int *offsets,
                        const double *weights) {
    memset(stencil, 0, sizeof *stencil);
    if (caucus_grid_check_ndims(ndims))
        return CAUCUS_BAD_DIMS;
    if (count < 0)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "the stencil has %d offsets: the number can't be negative", count);
    if (count > CAUCUS_STENCIL_MOST_OFFSETS)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "the stencil has %d offsets: there may be %d",
                           count, CAUCUS_STENCIL_MOST_OFFSETS);
    if (count > 0 && !offsets)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "offsets is a null pointer: %d are needed", count);
    double sum = 0;
    for (int k = 0; k < count; k++) {
        int status =
            check_offset(ndims, k, offsets + (size_t)k * (size_t)ndims, weights ? weights[k] : 1);
        if (status)
            return status;
        sum += weights ? weights[k] : 1;
    }
    if (sum > most_weight)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "the weights of the stencil add up to %g: it may be at most %g", sum,
                           most_weight);
    stencil->ndims = ndims;
    stencil->count = count;
    stencil->offset = caucus_array_copy(offsets, (int64_t)count * ndims, sizeof(int));
    stencil->weight = caucus_array(count, sizeof(double));
    if (!stencil->offset || !stencil->weight) {
        caucus_stencil_free(stencil);
        return CAUCUS_NO_MEMORY;
    }
    for (int k = 0; k < count; k++)
        stencil->weight[k] = weights ? weights[k] : 1;
    return CAUCUS_OK;
}

int caucus_stencil_init_star(struct caucus_stencil *stencil, int ndims,
                             const double *axis_weights) {
    int offset[2 * CAUCUS_GRID_MAX_DIMS * CAUCUS_GRID_MAX_DIMS] = {0};
    double weight[2 * CAUCUS_GRID_MAX_DIMS];
    memset(stencil, 0, sizeof *stencil);
    if (caucus_grid_check_ndims(ndims))
        return CAUCUS_BAD_DIMS;
    for (int axis = 0; axis < ndims; axis++) {
        offset[2 * axis * ndims + axis] = -1;
        offset[(2 * axis + 1) * ndims + axis] = 1;
        weight[2 * axis] = weight[2 * axis + 1] = axis_weights ? axis_weights[axis] : 1;
        if (!isfinite(weight[2 * axis]) || weight[2 * axis] < 0)
            return caucus_fail(CAUCUS_BAD_ARGUMENT,
                               "weights[%d] is %g: it must be finite and not negative", axis,
                               weight[2 * axis]);
    }
    return caucus_stencil_init(stencil, ndims, 2 * ndims, offset, weight);
}

void caucus_stencil_free(struct caucus_stencil *stencil) {
    free(stencil->offset);
    free(stencil->weight);
    memset(stencil, 0, sizeof *stencil);
}

bool caucus_stencil_is_star(const struct caucus_stencil *stencil, double *axis_weight) {
    bool star = true;
    for (int axis = 0; axis_weight && axis < stencil->ndims; axis++)
        axis_weight[axis] = 0;
    for (int k = 0; k < stencil->count; k++) {
        const int *offset = caucus_stencil_offset(stencil, k);
        int moves = 0, along = 0;
        for (int axis = 0; axis < stencil->ndims; axis++) {
            moves += offset[axis] != 0;
            along = offset[axis] ? axis : along;
        }
        bool unit_step = moves == 1 && (offset[along] == 1 || offset[along] == -1);
        star = star && unit_step;
        if (axis_weight && unit_step)
            axis_weight[along] += stencil->weight[k] / 2;
    }
    return star;
}

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

/* Codes one step, with the axes of mask reversed; -1 if it leads from no cell to another. */
static int64_t encode(const struct caucus_grid *grid, const int *offset, unsigned mask) {
    int64_t code = 0;
    bool moves = false;
    for (int axis = 0; axis < grid->ndims; axis++) {
        int64_t size = grid->dims[axis], along = offset[axis];
        int64_t step = caucus_grid_step(grid, axis, mask >> axis & 1 ? -along : along);
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
        for (int back = 0; stencil->weight[k] > 0 && back < 2; back++) {
            int64_t code = encode(grid, caucus_stencil_offset(stencil, k), back ? ~0u : 0);
            if (code < 0)
                continue;
            entry[count] = (struct entry){code, stencil->weight[k] / 2, count};
            count++;
        }
    qsort(entry, (size_t)count, sizeof *entry, compare_entries);
    return count;
}

int caucus_steps_init(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                      struct caucus_stencil *steps) {
    int64_t most = 2 * (int64_t)stencil->count;
    *steps = (struct caucus_stencil){.ndims = grid->ndims};
    struct entry *entry = caucus_array(most, sizeof *entry);
    steps->offset = caucus_array(most * grid->ndims, sizeof *steps->offset);
    steps->weight = caucus_array(most, sizeof *steps->weight);
    if (!entry || !steps->offset || !steps->weight) {
        free(entry);
        caucus_stencil_free(steps);
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

static int compare_weights(const void *a, const void *b) {
    const struct entry *left = a, *right = b;
    if (left->code != right->code)
        return left->code < right->code ? -1 : 1;
    return (left->weight > right->weight) - (left->weight < right->weight);
}

/* Lists all offsets with the axes of mask reversed, sorted. */
static void list_mirrored(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                          unsigned mask, struct entry *entry) {
    for (int k = 0; k < stencil->count; k++)
        entry[k] = (struct entry){encode(grid, caucus_stencil_offset(stencil, k), mask),
                                  stencil->weight[k], 0};
    qsort(entry, (size_t)stencil->count, sizeof *entry, compare_weights);
}

int caucus_stencil_is_mirrored(const struct caucus_grid *grid, const struct caucus_stencil *stencil,
                               unsigned mask, bool *same) {
    struct entry *entry = caucus_array(2 * (int64_t)stencil->count, sizeof *entry);
    if (!entry)
        return CAUCUS_NO_MEMORY;
    struct entry *mirrored = entry + stencil->count;
    list_mirrored(grid, stencil, 0, entry);
    list_mirrored(grid, stencil, mask, mirrored);
    *same = true;
    for (int k = 0; k < stencil->count && *same; k++) /* what leads nowhere counts nothing */
        *same = entry[k].code == mirrored[k].code &&
                (entry[k].code < 0 || entry[k].weight == mirrored[k].weight);
    free(entry);
    return CAUCUS_OK;
}

int caucus_steps_table(const struct caucus_grid *grid, const struct caucus_stencil *steps,
                       int32_t **table) {
    *table = caucus_array(grid->size * steps->count, sizeof **table);
    if (!*table)
        return CAUCUS_NO_MEMORY;
    int at[CAUCUS_GRID_MAX_DIMS] = {0};
    int32_t *entry = *table;
    for (int64_t cell = 0; cell < grid->size; cell++) {
        for (int k = 0; k < steps->count; k++) {
            int64_t neighbor = caucus_grid_neighbor(grid, at, caucus_stencil_offset(steps, k));
            *entry++ = (int32_t)(neighbor < 0 ? cell : neighbor);
        }
        caucus_grid_next(grid, at);
    }
    return CAUCUS_OK;
}
