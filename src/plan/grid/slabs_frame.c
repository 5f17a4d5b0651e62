/* SPDX-License-Identifier: BSD-3-Clause */
/* The grid and the stencil as one axis order sees them: what a cell of a cut costs, and the sides
 * of the box that a mean node would like to be. */
#include "plan/grid/slabs_internal.h"

#include <math.h>
#include <string.h>

/* The steps that an offset really makes: shortest way round on a periodic axis. False if it leads
 * nowhere, or back to the cell. */
static bool real_steps(const struct caucus_grid *grid, const int *offset, int64_t *step) {
    bool moves = false;
    for (int axis = 0; axis < grid->ndims; axis++) {
        int64_t size = grid->dims[axis];
        step[axis] = offset[axis] < 0 ? -(int64_t)offset[axis] : offset[axis];
        if (grid->periodic[axis])
            step[axis] = slabs_least(step[axis] % size, size - step[axis] % size);
        if (step[axis] >= size)
            return false;
        moves = moves || step[axis] > 0;
    }
    return moves;
}

static const int *offset_of(const struct caucus_stencil *stencil, int k) {
    return stencil->offset + (size_t)k * (size_t)stencil->ndims;
}

/* Integer weights stay as they are, unless sums could overflow; others get 26 bits for them all. */
int caucus_slabs_exponent(const struct caucus_grid *grid, const struct caucus_stencil *stencil) {
    double heaviest = 0, steps = 0;
    bool integers = true;
    for (int k = 0; k < stencil->count; k++) {
        int64_t step[CAUCUS_GRID_MAX_DIMS];
        if (!real_steps(grid, offset_of(stencil, k), step))
            continue;
        for (int axis = 0; axis < grid->ndims; axis++)
            steps += (double)step[axis];
        heaviest = fmax(heaviest, stencil->weight[k]);
        integers = integers && stencil->weight[k] == floor(stencil->weight[k]);
    }
    /* bits of the largest sum for one cell: as they come, and at most */
    int weight_bits, step_bits, size_bits;
    frexp(heaviest, &weight_bits);
    frexp(steps, &step_bits);
    frexp((double)grid->size, &size_bits);
    int bits = weight_bits + step_bits, most = 57 - size_bits;
    if (heaviest <= 0 || (integers && bits <= most))
        return 0;
    return (most < 26 ? most : 26) - bits;
}

static void add_offset(struct slabs_frame *frame, const int64_t *step, int64_t weight) {
    int moving = 0;
    for (int place = 0; place < frame->count; place++)
        moving += step[frame->axis[place]] > 0;
    for (int place = 0; place < frame->count; place++) {
        frame->face[place] += weight * step[frame->axis[place]];
        if (moving == 1)
            frame->line[place] += weight * step[frame->axis[place]];
    }
    if (frame->count < 2)
        return;
    int64_t x = step[frame->axis[frame->count - 2]], y = step[frame->axis[frame->count - 1]];
    if (y == 0)
        frame->within_row += weight * x;
    if (x == 0)
        frame->within_column += weight * y;
}

static double side_at(const struct slabs_frame *frame, int place, double factor) {
    int64_t heaviest = 1;
    for (int other = 0; other < frame->count; other++)
        heaviest = slabs_most(heaviest, frame->face[other]);
    double face = fmax((double)frame->face[place], (double)heaviest / 4096);
    return fmin(fmax(face * factor, 1), frame->size[place]);
}

/* Sides in proportion to the faces have the least surface; here within 1 and the grid's sizes. */
static void find_sides(struct slabs_frame *frame) {
    double low = 1e-30, high = 1e30;
    for (int round = 0; round < 200; round++) {
        double middle = sqrt(low * high), volume = 1;
        for (int place = 0; place < frame->count; place++)
            volume *= side_at(frame, place, middle);
        if (volume < frame->mean)
            low = middle;
        else
            high = middle;
    }
    for (int place = 0; place < frame->count; place++)
        frame->side[place] = side_at(frame, place, high);
}

void caucus_slabs_frame_init(struct slabs_frame *frame, const struct caucus_grid *grid,
                             const struct caucus_stencil *stencil, int exponent, int32_t nodes,
                             int count, const int *axis) {
    memset(frame, 0, sizeof *frame);
    frame->count = count;
    frame->mean = (double)grid->size / nodes;
    for (int place = 0; place < count; place++) {
        frame->axis[place] = axis[place];
        frame->size[place] = grid->dims[axis[place]];
        frame->periodic[place] = grid->periodic[axis[place]];
    }
    int64_t rest = 1;
    for (int place = count - 1; place >= 0; place--) {
        frame->rest[place] = rest;
        rest *= frame->size[place];
    }
    for (int k = 0; k < stencil->count; k++) {
        int64_t step[CAUCUS_GRID_MAX_DIMS];
        if (real_steps(grid, offset_of(stencil, k), step))
            add_offset(frame, step, llround(ldexp(stencil->weight[k], exponent)));
    }
    find_sides(frame);
}

bool caucus_slabs_frame_same(const struct slabs_frame *a, const struct slabs_frame *b) {
    bool same = a->count == b->count && a->within_row == b->within_row &&
                a->within_column == b->within_column;
    for (int place = 0; place < a->count && same; place++)
        same = a->size[place] == b->size[place] && a->periodic[place] == b->periodic[place] &&
               a->face[place] == b->face[place] && a->line[place] == b->line[place];
    return same;
}
