/* SPDX-License-Identifier: BSD-3-Clause */
/* One buffer of a call as blocks in the order of the task: what is measured and laid out. */
#ifndef CAUCUS_API_COLLECTIVE_VIEW_H
#define CAUCUS_API_COLLECTIVE_VIEW_H

#include "api/collective/call.h"
#include "api/collective/neighbors.h"
#include "api/collective/shape.h"
#include "run/layout/layout.h"

struct caucus_view {
    void *base;
    MPI_Datatype type;
    int64_t block_bytes; /* packed bytes of a block where all are alike */
    int64_t bytes;       /* packed bytes of all */
    /* Elements in a row from base, unless there are arrays. */
    int64_t elements;
    int32_t blocks;
    int64_t *counts, *displacements, *lengths; /* elements, bytes from base, packed bytes */
    MPI_Datatype *types;                       /* NULL where all blocks are of type */
};

/* Measures a side of the call, whose arguments are good. order gives the user's number of each
 * block; NULL where the task has them in the user's order. To be freed. */
int caucus_view_create(struct caucus_view *view, enum caucus_side_kind kind,
                       const struct caucus_side *side, int32_t blocks, const int32_t *order,
                       int32_t own);
void caucus_view_free(struct caucus_view *view);

/* The layout of all blocks, and of the one of them that is given. */
int caucus_view_layout(const struct caucus_view *view, struct caucus_layout *layout);
int caucus_view_block_layout(const struct caucus_view *view, int32_t block,
                             struct caucus_layout *layout);

#endif
