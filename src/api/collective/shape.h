/* SPDX-License-Identifier: BSD-3-Clause */
/* Which arguments a collective has and how its buffers are made of blocks: one table for checking,
 * measuring and laying out. The table is made by tools/generate_collectives.py. */
#ifndef CAUCUS_API_COLLECTIVE_SHAPE_H
#define CAUCUS_API_COLLECTIVE_SHAPE_H

#include "plan/collective/task.h"

enum caucus_side_kind {
    CAUCUS_SIDE_ABSENT,
    CAUCUS_SIDE_ONE,     /* count elements */
    CAUCUS_SIDE_EACH,    /* count elements for each rank or neighbour, one after the other */
    CAUCUS_SIDE_VARYING, /* counts and displacements in elements */
    CAUCUS_SIDE_TYPED,   /* counts, displacements in bytes, and datatypes */
    CAUCUS_SIDE_TOTAL,   /* as many elements as all blocks of the counts */
    CAUCUS_SIDE_OWN      /* as many as the own block of the counts */
};

enum caucus_in_place { CAUCUS_IN_PLACE_NEVER, CAUCUS_IN_PLACE_SEND, CAUCUS_IN_PLACE_RECEIVE };

struct caucus_side_shape {
    enum caucus_side_kind kind;
    bool root_only;                                   /* matters at the root alone */
    bool counted;                                     /* by an array */
    const char *buffer, *count, *displacement, *type; /* MPI's names of the arguments */
};

struct caucus_shape {
    struct caucus_side_shape send, receive;
    enum caucus_in_place in_place; /* which buffer may be MPI_IN_PLACE */
    bool rooted, reduces, neighbors;
};

extern const struct caucus_shape caucus_shapes[CAUCUS_COLLECTIVES];

#endif
