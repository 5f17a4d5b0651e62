/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/grid/stencil.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/grid/grid.h"

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
    if (ndims < 0 || ndims > CAUCUS_GRID_MAX_DIMS)
        return caucus_fail(CAUCUS_BAD_DIMS, "ndims is %d: it must be 0 to %d", ndims,
                           CAUCUS_GRID_MAX_DIMS);
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
    if (ndims < 0 || ndims > CAUCUS_GRID_MAX_DIMS)
        return caucus_fail(CAUCUS_BAD_DIMS, "ndims is %d: it must be 0 to %d", ndims,
                           CAUCUS_GRID_MAX_DIMS);
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

int caucus_stencil_init_box(struct caucus_stencil *stencil, int ndims) {
    memset(stencil, 0, sizeof *stencil);
    if (ndims < 0 || ndims > CAUCUS_GRID_MAX_DIMS)
        return caucus_fail(CAUCUS_BAD_DIMS, "ndims is %d: it must be 0 to %d", ndims,
                           CAUCUS_GRID_MAX_DIMS);
    int all = 1;
    for (int axis = 0; axis < ndims; axis++)
        all *= 3;
    int *offset = caucus_array((int64_t)all * ndims, sizeof *offset);
    if (!offset)
        return CAUCUS_NO_MEMORY;
    int count = 0;
    for (int code = 0; code < all; code++) {
        if (code == all / 2) /* all zeros */
            continue;
        for (int axis = ndims - 1, rest = code; axis >= 0; axis--, rest /= 3)
            offset[count * ndims + axis] = rest % 3 - 1;
        count++;
    }
    int status = caucus_stencil_init(stencil, ndims, count, offset, NULL);
    free(offset);
    return status;
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
        const int *offset = stencil->offset + (size_t)k * (size_t)stencil->ndims;
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
