/* SPDX-License-Identifier: BSD-3-Clause */
/* Gather(v) and scatter(v) over nodes: one message for a node.
 *
 *   gather    on each node   the leader collects the blocks of its node through node memory; the
 *                            root leads its own node, and collects into their places
 *             the leaders    gather along a binomial tree; where nodes are interleaved the root
 *                            unpacks
 *   scatter   the same backwards, in which the root packs
 *
 * Cost: one synchronization and ⌈log2 nodes⌉ rounds. Any nodes, also one; all know all lengths. */
#include "plan/collective/algorithms.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/parts.h"
#include "plan/collective/rooted.h"

/* Between the ranks of a node and its leader, who has their blocks at packed, or at the root in
 * their places. */
static void pass_node(struct caucus_builder *builder, const struct caucus_dealt *dealt,
                      struct caucus_place packed) {
    const struct caucus_task *task = dealt->task;
    const struct caucus_node *node = &dealt->node;
    bool gathers = caucus_gathers(task), root = task->rank == task->root;
    int32_t leader = caucus_node_leader(task, task->root);
    struct caucus_place own = caucus_rooted_own(task, &dealt->all);
    struct caucus_spread_block *block =
        caucus_builder_array(builder, node->size, sizeof *block, "blocks of a node");
    packed = caucus_at(packed, -dealt->cut[node->index]);
    for (int32_t i = 0; block && i < node->size; i++) {
        int32_t rank = caucus_node_member(node, i);
        struct caucus_place led =
            root ? caucus_block_place(&dealt->all, rank) : caucus_at(packed, dealt->offset[rank]);
        block[i] = (struct caucus_spread_block){
            .writer = gathers ? i : leader,
            .reader = gathers ? leader : i,
            .bytes = caucus_block_length(&dealt->all, rank),
            .source = gathers ? own : led,
            .target = gathers ? led : own,
        };
    }
    caucus_node_spread(builder, node, node->size, block);
}

/* Copies the blocks of other nodes between where they are packed and their places. */
static void pack(struct caucus_builder *builder, const struct caucus_dealt *dealt,
                 struct caucus_place packed) {
    const struct caucus_task *task = dealt->task;
    const struct caucus_node_map *map = task->nodes;
    bool gathers = caucus_gathers(task);
    struct caucus_copying copying = {.builder = builder};
    for (int32_t at = 0; at < map->ranks; at++) {
        int32_t rank = caucus_rank_at(map, at);
        struct caucus_place place = caucus_block_place(&dealt->all, rank);
        struct caucus_place carried = caucus_at(packed, dealt->offset[rank]);
        if (caucus_node_of_rank(map, rank) != dealt->node.index)
            caucus_copying_add(&copying, gathers ? carried : place, gathers ? place : carried,
                               caucus_block_length(&dealt->all, rank));
    }
    caucus_copying_flush(&copying);
    caucus_end_step(builder);
}

static void pass_leaders(struct caucus_builder *builder, const struct caucus_dealt *dealt,
                         struct caucus_place packed) {
    const struct caucus_task *task = dealt->task;
    struct caucus_blocks by_node = {.base = packed, .length = dealt->length, .offset = dealt->cut};
    struct caucus_place own = packed;
    if (task->rank == task->root)
        own = caucus_block_place(&by_node, dealt->node.index);
    struct caucus_lane leaders = caucus_lane_enter(builder, task, 0, task->root);
    caucus_rooted_by_binomial(builder, caucus_gathers(task),
                              caucus_node_of_rank(task->nodes, task->root), own, &by_node);
    caucus_lane_leave(builder, &leaders);
}

static void emit(struct caucus_builder *builder, const struct caucus_dealt *dealt) {
    const struct caucus_task *task = dealt->task;
    const struct caucus_node_map *map = task->nodes;
    bool gathers = caucus_gathers(task), root = task->rank == task->root;
    bool leads = map->nodes > 1 && dealt->node.local == caucus_node_leader(task, task->root);
    bool packs = leads && root && !map->ordered;
    struct caucus_place packed = dealt->all.base;
    if (packs || (leads && !root))
        packed = caucus_reserve_scratch(builder, root ? dealt->cut[map->nodes]
                                                      : dealt->length[dealt->node.index]);
    if (gathers)
        pass_node(builder, dealt, packed);
    else if (packs)
        pack(builder, dealt, packed);
    if (leads)
        pass_leaders(builder, dealt, packed);
    if (!gathers)
        pass_node(builder, dealt, packed);
    else if (packs)
        pack(builder, dealt, packed);
}

void caucus_rooted_over_nodes(struct caucus_builder *builder, const struct caucus_task *task,
                              struct caucus_place base) {
    struct caucus_dealt dealt =
        caucus_dealt_to_lanes(builder, task, 1, caucus_rooted_blocks(builder, task, base));
    builder->schedule.synchronising = task->nodes->largest == 1;
    if (!builder->status)
        emit(builder, &dealt);
    caucus_dealt_free(&dealt);
}

void caucus_rooted_node_aware(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_rooted_over_nodes(builder, task, caucus_rooted_base(task));
}
