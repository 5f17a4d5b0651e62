/* SPDX-License-Identifier: BSD-3-Clause */
/* Who computes what: a Cartesian communicator, and the block of cells of this process. */
#ifndef HEAT_BLOCKS_H
#define HEAT_BLOCKS_H

#include "heat_file.h"
#include "heat_options.h"

struct heat_blocks {
    MPI_Comm cart; /* MPI_COMM_NULL for a process beyond the grid */
    int ndims;
    int extents[3]; /* of the whole, in cells */
    int dims[3];
    int first[3]; /* the first cell of this process */
    int length[3];
    size_t stride[3]; /* in an array of the block with one layer of ghost cells around it */
    size_t cells;     /* of such an array */
};

/* The first cell of part `part` of `parts`; lengths differ by one at most. */
static inline int heat_first(int extent, int parts, int part) {
    return (int)((long long)extent * part / parts);
}

static inline void heat_blocks_check(struct heat_blocks *blocks, int size) {
    long long wanted = 1;
    for (int axis = 0; axis < blocks->ndims; axis++) {
        if (blocks->dims[axis] > blocks->extents[axis])
            heat_stop("%d processes along axis %d are too many for %d cells: choose other --dims.",
                      blocks->dims[axis], axis, blocks->extents[axis]);
        wanted *= blocks->dims[axis];
        if (wanted > size)
            heat_stop("The grid of --dims wants more than the %d processes there are.", size);
    }
}

static inline void heat_blocks_local(struct heat_blocks *blocks) {
    int rank, coords[3];
    MPI_Comm_rank(blocks->cart, &rank);
    MPI_Cart_coords(blocks->cart, rank, blocks->ndims, coords);
    blocks->cells = 1;
    for (int axis = blocks->ndims - 1; axis >= 0; axis--) {
        int extent = blocks->extents[axis], parts = blocks->dims[axis];
        blocks->first[axis] = heat_first(extent, parts, coords[axis]);
        blocks->length[axis] = heat_first(extent, parts, coords[axis] + 1) - blocks->first[axis];
        blocks->stride[axis] = blocks->cells;
        blocks->cells *= (size_t)blocks->length[axis] + 2;
    }
}

static inline struct heat_blocks heat_blocks_make(const struct heat_options *options,
                                                  const struct heat_file *file) {
    struct heat_blocks blocks = {.cart = MPI_COMM_NULL, .ndims = options->ndims};
    int size, periods[3];
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int axis = 0; axis < blocks.ndims; axis++) {
        long long extent = (long long)file->extents[axis] * options->refine;
        if (extent > INT_MAX - 2)
            heat_stop("--refine %d makes more cells than can be counted.", options->refine);
        blocks.extents[axis] = (int)extent;
        blocks.dims[axis] = options->dims[axis];
        periods[axis] = options->periodic;
    }
    if (blocks.dims[0] == 0)
        MPI_Dims_create(size, blocks.ndims, blocks.dims);
    heat_blocks_check(&blocks, size);
    MPI_Cart_create(MPI_COMM_WORLD, blocks.ndims, blocks.dims, periods, 1, &blocks.cart);
    if (blocks.cart != MPI_COMM_NULL)
        heat_blocks_local(&blocks);
    return blocks;
}

#endif
