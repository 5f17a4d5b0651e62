/* SPDX-License-Identifier: BSD-3-Clause */
/* Vertices by what each would gain, the one that gains most on top; of equal ones the lowest. */
#ifndef CAUCUS_PLAN_GRAPH_HEAP_H
#define CAUCUS_PLAN_GRAPH_HEAP_H

#include <stdint.h>

struct caucus_heap {
    int32_t count;
    int32_t *vertex;     /* room for all that may be in it at a time */
    int32_t *place;      /* of each vertex, -1 for one that is in no heap */
    const int64_t *gain; /* of each vertex */
};

/* Puts a vertex in, or to where it belongs now that its gain is another one. */
void caucus_heap_set(struct caucus_heap *heap, int32_t vertex);

/* Takes the one on top out; count is not 0. */
int32_t caucus_heap_pop(struct caucus_heap *heap);

/* Takes all out. */
void caucus_heap_empty(struct caucus_heap *heap);

#endif
