/* SPDX-License-Identifier: BSD-3-Clause */
/* Scatter and scatterv over nodes: one message for a node.
 *
 *   1. the leaders    scatter the blocks of whole nodes along a binomial tree; the root leads its
 *                     own node; where nodes are interleaved it packs them first
 *   2. on each node   the leader hands out the blocks through node memory
 *
 * Cost: ⌈log2 nodes⌉ rounds, then one synchronization. Any nodes, also one; all know all lengths.
 */
#include "plan/collective/algorithm.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"

#include <stdlib.h>

static void pack(struct caucus_builder *builder, const struct caucus_task *task,
                 const struct caucus_blocks *all, const struct caucus_dealt *dealt,
                 struct caucus_place packed) {
    struct caucus_copying copying = {.builder = builder};
    const struct caucus_node_map *map = task->nodes;
    for (int32_t at = 0; at < map->ranks; at++) {
        int32_t rank = map->rank_at[at];
        if (map->node_of_rank[rank] != map->node_of_rank[task->root])
            caucus_copying_add(&copying, caucus_block_place(all, rank),
                               caucus_at(packed, dealt->offset[rank]),
                               caucus_block_length(all, rank));
    }
    caucus_copying_flush(&copying);
    caucus_end_step(builder);
}

/* The leader has the blocks of its node at packed, or at the root in their places. */
static void hand_out(struct caucus_builder *builder, const struct caucus_task *task,
                     const struct caucus_blocks *all, const struct caucus_dealt *dealt,
                     struct caucus_place packed) {
    struct caucus_node node = caucus_node_of(task);
    int32_t leader = caucus_node_leader(task, task->root);
    struct caucus_spread_block *block = caucus_node_block_array(builder, node.size);
    for (int32_t i = 0; block && i < node.size; i++) {
        int32_t rank = node.ranks[i];
        struct caucus_place place = caucus_block_place(all, rank);
        block[i] = (struct caucus_spread_block){
            .writer = leader,
            .reader = i,
            .bytes = caucus_block_length(all, rank),
            .source = task->rank == task->root
                          ? place
                          : caucus_at(packed, dealt->offset[rank] - dealt->cut[node.index]),
            .target = task->in_place ? place : caucus_vector_out,
        };
    }
    caucus_node_spread(builder, &node,
                       &(struct caucus_spread){.blocks = node.size, .block = block});
    free(block);
}

static void scatter_nodes(struct caucus_builder *builder, const struct caucus_task *task,
                          const struct caucus_blocks *all, const struct caucus_dealt *dealt) {
    const struct caucus_node_map *map = task->nodes;
    int32_t node = map->node_of_rank[task->rank];
    bool root = task->rank == task->root;
    bool leads = map->local_of_rank[task->rank] == caucus_node_leader(task, task->root);
    struct caucus_place packed = all->base;
    if (leads && map->nodes > 1) {
        if (!(root && map->ordered))
            packed = caucus_reserve_scratch(builder,
                                            root ? dealt->cut[map->nodes] : dealt->length[node]);
        if (root && !map->ordered)
            pack(builder, task, all, dealt, packed);
        struct caucus_blocks by_node = {
            .base = packed, .length = dealt->length, .offset = dealt->cut};
        struct caucus_place own = root ? caucus_block_place(&by_node, node) : packed;
        struct caucus_lane leaders = caucus_lane_enter(builder, task, 0, task->root);
        caucus_scatter_by_binomial(builder, map->node_of_rank[task->root], &by_node, own);
        caucus_lane_leave(builder, &leaders);
    }
    hand_out(builder, task, all, dealt, packed);
}

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0};
    struct caucus_blocks all =
        caucus_blocks_in_row(builder, in, task->ranks, task->send_bytes, task->bytes);
    struct caucus_dealt dealt = caucus_dealt_to_lanes(builder, task, 1, &all);
    builder->schedule.synchronising = task->nodes->largest == 1;
    if (!builder->status)
        scatter_nodes(builder, task, &all, &dealt);
    caucus_dealt_free(&dealt);
    caucus_blocks_free(&all);
}

const struct caucus_algorithm caucus_scatter_node_aware = {
    .collective = CAUCUS_SCATTER,
    .name = "node_aware",
    .summary = "leaders along a binomial tree, blocks of a node through node memory to its ranks",
    .needs = CAUCUS_NEEDS_NODES,
    .emit = emit,
    .cost = caucus_node_rooted_cost,
};

const struct caucus_algorithm caucus_scatterv_node_aware = {
    .collective = CAUCUS_SCATTERV,
    .name = "node_aware",
    .summary = "leaders along a binomial tree, blocks of a node through node memory to its ranks",
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_COUNTS,
    .emit = emit,
    .cost = caucus_node_rooted_cost,
};
