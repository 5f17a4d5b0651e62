/* SPDX-License-Identifier: BSD-3-Clause */
/* Who shares a node with whom: what a node-aware schedule is worked out from. Made once for a
 * communicator. Where nodes are blocks of equally many ranks, the last one perhaps smaller, it is
 * a formula and takes no memory; else 12 bytes a rank and 4 a node. */
#ifndef CAUCUS_PLAN_MACHINE_NODE_MAP_H
#define CAUCUS_PLAN_MACHINE_NODE_MAP_H

#include <stdbool.h>
#include <stdint.h>

/* Read it by the functions below. */
struct caucus_node_map {
    int32_t ranks, nodes;
    int32_t largest, smallest; /* ranks of a node */
    bool ordered;              /* by blocks: the ranks, node by node, are in their order */
    int32_t block;             /* ranks of a block; 0: any nodes, and there are arrays: */
    int32_t *node_of_rank;     /* nodes are numbered by their lowest rank */
    int32_t *local_of_rank;    /* 0 for the lowest rank of the node, which leads it */
    int32_t *first;            /* nodes + 1 entries: where a node begins in rank_at */
    int32_t *rank_at;          /* all ranks, node by node, ascending inside a node */
};

/* node_of_rank has any numbers, at least 0. Without memory where they say blocks and rise. */
int caucus_node_map_init(struct caucus_node_map *map, int32_t ranks, const int32_t *node_of_rank);
/* Blocks of per_node ranks, the last one smaller if need be. Needs no memory, so it is well. */
int caucus_node_map_blocks(struct caucus_node_map *map, int32_t ranks, int32_t per_node);
/* Of ranks first, first + 1, … of another map, under numbers from 0 on. */
int caucus_node_map_part(struct caucus_node_map *map, const struct caucus_node_map *whole,
                         int32_t first, int32_t ranks);
void caucus_node_map_free(struct caucus_node_map *map);

static inline int32_t caucus_node_of_rank(const struct caucus_node_map *map, int32_t rank) {
    return map->block ? rank / map->block : map->node_of_rank[rank];
}

static inline int32_t caucus_local_of_rank(const struct caucus_node_map *map, int32_t rank) {
    return map->block ? rank % map->block : map->local_of_rank[rank];
}

/* Where a node begins in the list of all ranks, node by node; of the number of nodes, its end. */
static inline int32_t caucus_node_first(const struct caucus_node_map *map, int32_t node) {
    if (!map->block)
        return map->first[node];
    return node < map->nodes ? node * map->block : map->ranks;
}

/* An entry of that list. */
static inline int32_t caucus_rank_at(const struct caucus_node_map *map, int32_t at) {
    return map->block ? at : map->rank_at[at];
}

static inline int32_t caucus_node_size(const struct caucus_node_map *map, int32_t node) {
    return caucus_node_first(map, node + 1) - caucus_node_first(map, node);
}

/* The local-th rank of a node. */
static inline int32_t caucus_rank_in_node(const struct caucus_node_map *map, int32_t node,
                                          int32_t local) {
    return caucus_rank_at(map, caucus_node_first(map, node) + local);
}

#endif
