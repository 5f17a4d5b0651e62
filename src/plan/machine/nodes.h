/* SPDX-License-Identifier: BSD-3-Clause */
/* The sizes of the nodes: all that a closed-form planner knows of the machine. */
#ifndef CAUCUS_PLAN_MACHINE_NODES_H
#define CAUCUS_PLAN_MACHINE_NODES_H

#include <stddef.h>
#include <stdint.h>

struct caucus_nodes {
    int64_t ranks; /* the sum of the sizes */
    int32_t count; /* at least 1 */
    int32_t equal; /* the size of every node where all are equal, else 0 */
    int32_t *size; /* count entries, each at least 1; NULL where equal != 0 */
};

/* Copies sizes (count entries, each at least 1), finding out whether they are equal. */
int caucus_nodes_init(struct caucus_nodes *nodes, int32_t count, const int32_t *sizes);
/* The same for count nodes of so many ranks each: needs no memory. */
static inline struct caucus_nodes caucus_nodes_alike(int32_t count, int32_t size) {
    return (struct caucus_nodes){
        .ranks = (int64_t)count * size, .count = count, .equal = size, .size = NULL};
}
void caucus_nodes_free(struct caucus_nodes *nodes);

static inline int32_t caucus_nodes_size(const struct caucus_nodes *nodes, int32_t node) {
    return nodes->equal ? nodes->equal : nodes->size[node];
}

/* All nodes, the largest first, equal ones in their order: to be freed; NULL without memory. */
int32_t *caucus_nodes_by_size(const struct caucus_nodes *nodes);

/* How many ranks of each node a grid of fewer ranks than there are takes: the largest nodes
 * whole, one in part. taken has nodes->count entries, some 0; their sum is ranks. */
int caucus_nodes_take(const struct caucus_nodes *nodes, int64_t ranks, int32_t *taken);

#endif
