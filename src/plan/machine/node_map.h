/* SPDX-License-Identifier: BSD-3-Clause */
/* Who shares a node with whom: what a node-aware schedule is worked out from. Made once for a
 * communicator, 12 bytes a rank. */
#ifndef CAUCUS_PLAN_MACHINE_NODE_MAP_H
#define CAUCUS_PLAN_MACHINE_NODE_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct caucus_node_map {
    int32_t ranks, nodes;
    int32_t largest, smallest; /* ranks of a node */
    int32_t *node_of_rank;     /* nodes are numbered by their lowest rank */
    int32_t *local_of_rank;    /* 0 for the lowest rank of the node, which leads it */
    int32_t *first;            /* nodes + 1 entries: where a node begins in rank_at */
    int32_t *rank_at;          /* all ranks, node by node, ascending inside a node */
    bool ordered;              /* by blocks: rank_at[i] is i */
};

/* node_of_rank has any numbers, at least 0. */
int caucus_node_map_init(struct caucus_node_map *map, int32_t ranks, const int32_t *node_of_rank);
/* Blocks of per_node ranks, the last one smaller if need be. */
int caucus_node_map_blocks(struct caucus_node_map *map, int32_t ranks, int32_t per_node);
void caucus_node_map_free(struct caucus_node_map *map);

static inline int32_t caucus_node_size(const struct caucus_node_map *map, int32_t node) {
    return map->first[node + 1] - map->first[node];
}

#endif
