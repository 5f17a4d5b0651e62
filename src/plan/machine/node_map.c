/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/machine/node_map.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

void caucus_node_map_free(struct caucus_node_map *map) {
    free(map->node_of_rank);
    free(map->local_of_rank);
    free(map->first);
    free(map->rank_at);
    *map = (struct caucus_node_map){0};
}

static int compare_labels(const void *a, const void *b) {
    const int32_t *x = a, *y = b; /* pairs: label, rank */
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* Nodes by their lowest rank. The pairs, sorted by label and rank, tell each rank the lowest of its
 * node; the lowest ranks in ascending order are the nodes. */
static void number_nodes(struct caucus_node_map *map, const int32_t *pairs) {
    int32_t lowest = 0, *lowest_of_rank = map->local_of_rank; /* lent */
    for (int32_t i = 0; i < map->ranks; i++) {
        if (i == 0 || pairs[2 * i] != pairs[2 * i - 2])
            lowest = pairs[2 * i + 1];
        lowest_of_rank[pairs[2 * i + 1]] = lowest;
    }
    for (int32_t rank = 0; rank < map->ranks; rank++)
        map->node_of_rank[rank] =
            lowest_of_rank[rank] == rank ? map->nodes++ : map->node_of_rank[lowest_of_rank[rank]];
}

static void fill_nodes(struct caucus_node_map *map) {
    for (int32_t rank = 0; rank < map->ranks; rank++)
        map->first[map->node_of_rank[rank] + 1]++;
    map->largest = map->smallest = map->first[1];
    for (int32_t node = 0; node < map->nodes; node++) {
        int32_t size = map->first[node + 1];
        map->largest = size > map->largest ? size : map->largest;
        map->smallest = size < map->smallest ? size : map->smallest;
        map->first[node + 1] += map->first[node];
    }
    map->ordered = true;
    for (int32_t rank = map->ranks; rank-- > 0;) { /* each node is filled from its end */
        int32_t at = --map->first[map->node_of_rank[rank] + 1];
        map->rank_at[at] = rank;
        map->ordered = map->ordered && at == rank;
    }
    for (int32_t node = 0; node < map->nodes; node++) /* every entry is one node early now */
        map->first[node] = map->first[node + 1];
    map->first[map->nodes] = map->ranks;
    for (int32_t node = 0; node < map->nodes; node++)
        for (int32_t at = map->first[node]; at < map->first[node + 1]; at++)
            map->local_of_rank[map->rank_at[at]] = at - map->first[node];
}

/* The length of the blocks; 0 where the numbers are no blocks of one length, or do not rise. */
static int32_t length_of_blocks(int32_t ranks, const int32_t *node_of_rank) {
    int32_t block = 1;
    while (block < ranks && node_of_rank[block] == node_of_rank[0])
        block++;
    for (int32_t rank = block; rank < ranks; rank++)
        if (rank % block == 0 ? node_of_rank[rank] <= node_of_rank[rank - 1]
                              : node_of_rank[rank] != node_of_rank[rank - 1])
            return 0;
    return block;
}

/* Numbers the nodes, and makes room for where each begins. */
static int init_nodes(struct caucus_node_map *map, const int32_t *node_of_rank, int32_t *pairs) {
    for (int32_t rank = 0; rank < map->ranks; rank++) {
        pairs[2 * rank] = node_of_rank[rank];
        pairs[2 * rank + 1] = rank;
    }
    qsort(pairs, (size_t)map->ranks, 2 * sizeof *pairs, compare_labels);
    number_nodes(map, pairs);
    map->first = caucus_array((int64_t)map->nodes + 1, sizeof *map->first);
    return map->first ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

static int init_arrays(struct caucus_node_map *map, int32_t ranks, const int32_t *node_of_rank) {
    *map = (struct caucus_node_map){.ranks = ranks};
    int32_t *pairs = caucus_array(2 * (int64_t)ranks, sizeof *pairs);
    map->node_of_rank = caucus_array(ranks, sizeof *map->node_of_rank);
    map->local_of_rank = caucus_array(ranks, sizeof *map->local_of_rank);
    map->rank_at = caucus_array(ranks, sizeof *map->rank_at);
    bool has_room = pairs && map->node_of_rank && map->local_of_rank && map->rank_at;
    int status = has_room ? init_nodes(map, node_of_rank, pairs) : CAUCUS_NO_MEMORY;
    if (status)
        caucus_node_map_free(map);
    else
        fill_nodes(map);
    free(pairs);
    return status;
}

int caucus_node_map_init(struct caucus_node_map *map, int32_t ranks, const int32_t *node_of_rank) {
    int32_t block = length_of_blocks(ranks, node_of_rank);
    return block ? caucus_node_map_blocks(map, ranks, block)
                 : init_arrays(map, ranks, node_of_rank);
}

int caucus_node_map_blocks(struct caucus_node_map *map, int32_t ranks, int32_t per_node) {
    int32_t block = per_node < ranks ? per_node : ranks;
    *map = (struct caucus_node_map){
        .ranks = ranks,
        .nodes = (ranks - 1) / block + 1,
        .largest = block,
        .smallest = (ranks - 1) % block + 1,
        .ordered = true,
        .block = block,
    };
    return CAUCUS_OK;
}

int caucus_node_map_part(struct caucus_node_map *map, const struct caucus_node_map *whole,
                         int32_t first, int32_t ranks) {
    if (!whole->block)
        return caucus_node_map_init(map, ranks, whole->node_of_rank + first);
    if (first % whole->block == 0)
        return caucus_node_map_blocks(map, ranks, whole->block);
    *map = (struct caucus_node_map){0};
    int32_t *labels = caucus_array(ranks, sizeof *labels);
    for (int32_t rank = 0; labels && rank < ranks; rank++)
        labels[rank] = caucus_node_of_rank(whole, first + rank);
    int status = labels ? caucus_node_map_init(map, ranks, labels) : CAUCUS_NO_MEMORY;
    free(labels);
    return status;
}
