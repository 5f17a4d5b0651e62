/* SPDX-License-Identifier: BSD-3-Clause */
/* Gather and gatherv over nodes: one message for a node.
 *
 *   1. on each node   the leader collects the blocks of its node through node memory; the root
 *                     leads its own node, and collects into their places
 *   2. the leaders    gather along a binomial tree; where nodes are interleaved the root unpacks
 *
 * Cost: one synchronization, then ⌈log2 nodes⌉ rounds. Any nodes, also one; all know all lengths.
 */
#include "plan/collective/algorithm.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"

#include <stdlib.h>

/* The leader gets the blocks of its node at packed, or at the root in their places. */
static void collect(struct caucus_builder *builder, const struct caucus_task *task,
                    const struct caucus_blocks *all, const struct caucus_dealt *dealt,
                    struct caucus_place packed) {
    struct caucus_node node = caucus_node_of(task);
    int32_t leader = caucus_node_leader(task, task->root);
    struct caucus_spread_block *block = caucus_node_block_array(builder, node.size);
    for (int32_t i = 0; block && i < node.size; i++) {
        int32_t rank = node.ranks[i];
        struct caucus_place place = caucus_block_place(all, rank);
        struct caucus_place in = {CAUCUS_BUFFER_IN, 0};
        block[i] = (struct caucus_spread_block){
            .writer = i,
            .reader = leader,
            .bytes = caucus_block_length(all, rank),
            .source = task->in_place ? place : in,
            .target = task->rank == task->root
                          ? place
                          : caucus_at(packed, dealt->offset[rank] - dealt->cut[node.index]),
        };
    }
    caucus_node_spread(builder, &node,
                       &(struct caucus_spread){.blocks = node.size, .block = block});
    free(block);
}

/* Brings the blocks of other nodes from where they are packed to their places. */
static void unpack(struct caucus_builder *builder, const struct caucus_task *task,
                   const struct caucus_blocks *all, const struct caucus_dealt *dealt,
                   struct caucus_place packed) {
    struct caucus_copying copying = {.builder = builder};
    const struct caucus_node_map *map = task->nodes;
    for (int32_t at = 0; at < map->ranks; at++) {
        int32_t rank = map->rank_at[at];
        if (map->node_of_rank[rank] != map->node_of_rank[task->root])
            caucus_copying_add(&copying, caucus_at(packed, dealt->offset[rank]),
                               caucus_block_place(all, rank), caucus_block_length(all, rank));
    }
    caucus_copying_flush(&copying);
    caucus_end_step(builder);
}

static void gather_nodes(struct caucus_builder *builder, const struct caucus_task *task,
                         const struct caucus_blocks *all, const struct caucus_dealt *dealt) {
    const struct caucus_node_map *map = task->nodes;
    int32_t node = map->node_of_rank[task->rank];
    bool root = task->rank == task->root;
    bool leads = map->local_of_rank[task->rank] == caucus_node_leader(task, task->root);
    struct caucus_place packed = all->base;
    if (leads && !(root && map->ordered))
        packed =
            caucus_reserve_scratch(builder, root ? dealt->cut[map->nodes] : dealt->length[node]);
    collect(builder, task, all, dealt, packed);
    if (!leads || map->nodes == 1)
        return;
    struct caucus_blocks by_node = {.base = packed, .length = dealt->length, .offset = dealt->cut};
    struct caucus_place own = root ? caucus_block_place(&by_node, node) : packed;
    struct caucus_lane leaders = caucus_lane_enter(builder, task, 0, task->root);
    caucus_gather_by_binomial(builder, map->node_of_rank[task->root], own, &by_node);
    caucus_lane_leave(builder, &leaders);
    if (root && !map->ordered)
        unpack(builder, task, all, dealt, packed);
}

void caucus_gather_over_nodes_to(struct caucus_builder *builder, const struct caucus_task *task,
                                 struct caucus_place target) {
    struct caucus_blocks all =
        caucus_blocks_in_row(builder, target, task->ranks, task->receive_bytes, task->bytes);
    struct caucus_dealt dealt = caucus_dealt_to_lanes(builder, task, 1, &all);
    builder->schedule.synchronising = task->nodes->largest == 1;
    if (!builder->status)
        gather_nodes(builder, task, &all, &dealt);
    caucus_dealt_free(&dealt);
    caucus_blocks_free(&all);
}

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_gather_over_nodes_to(builder, task, caucus_vector_out);
}

const struct caucus_algorithm caucus_gather_node_aware = {
    .collective = CAUCUS_GATHER,
    .name = "node_aware",
    .summary = "blocks of a node through node memory to its leader, leaders along a binomial tree",
    .needs = CAUCUS_NEEDS_NODES,
    .emit = emit,
    .cost = caucus_node_rooted_cost,
};

const struct caucus_algorithm caucus_gatherv_node_aware = {
    .collective = CAUCUS_GATHERV,
    .name = "node_aware",
    .summary = "blocks of a node through node memory to its leader, leaders along a binomial tree",
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_COUNTS,
    .emit = emit,
    .cost = caucus_node_rooted_cost,
};
