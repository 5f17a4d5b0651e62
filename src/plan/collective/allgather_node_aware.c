/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather and allgatherv over nodes and their lanes: lane i of a node is its rank i, and carries
 * the blocks of ranks i, i + lanes, … of the node.
 *
 *   1. on each node   lanes collect their blocks through node memory
 *   2. in each lane   allgather over the nodes: Bruck's, or a ring where there are several
 *   3. on each node   everybody copies all blocks out of node memory, where the lanes put them
 *
 * This one has one lane, and is for small data; allgather_lanes.c has as many as the smallest node
 * has ranks. Every byte comes to a node once. Cost: two synchronizations, ⌈log2 nodes⌉ rounds. */
#include "plan/collective/algorithm.h"
#include "plan/collective/allgather.h"
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

/* What all steps look at. */
struct lanes {
    const struct caucus_task *task;
    struct caucus_node node;
    struct caucus_blocks all; /* in out */
    struct caucus_dealt dealt;
    /* Whether what a lane has of a node is one piece of out; else lanes are packed elsewhere. */
    bool straight;
    struct caucus_place packed;
};

static int32_t lane_of(const struct lanes *lanes, int32_t rank) {
    return lanes->task->nodes->local_of_rank[rank] % lanes->dealt.lanes;
}

static struct caucus_place carried_at(const struct lanes *lanes, int32_t rank) {
    return lanes->straight ? caucus_block_place(&lanes->all, rank)
                           : caucus_at(lanes->packed, lanes->dealt.offset[rank]);
}

static void collect(struct caucus_builder *builder, const struct lanes *lanes) {
    const struct caucus_task *task = lanes->task;
    struct caucus_spread_block *block = caucus_node_block_array(builder, lanes->node.size);
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0};
    for (int32_t i = 0; block && i < lanes->node.size; i++) {
        int32_t rank = lanes->node.ranks[i];
        block[i] = (struct caucus_spread_block){
            .writer = i,
            .reader = lane_of(lanes, rank),
            .bytes = caucus_block_length(&lanes->all, rank),
            .source = task->in_place ? caucus_block_place(&lanes->all, rank) : in,
            .target = carried_at(lanes, rank),
        };
    }
    caucus_node_spread(builder, &lanes->node,
                       &(struct caucus_spread){.blocks = lanes->node.size, .block = block});
    free(block);
}

static void pass_lanes(struct caucus_builder *builder, const struct lanes *lanes, bool is_long) {
    const struct caucus_node_map *map = lanes->task->nodes;
    int64_t *offset = caucus_array_copy(lanes->dealt.cut, map->nodes, sizeof *offset);
    if (!offset) {
        caucus_builder_fail(builder, CAUCUS_NO_MEMORY, "no memory for %d nodes", (int)map->nodes);
        return;
    }
    int32_t lane = lanes->node.local;
    for (int32_t node = 0; node < map->nodes && lanes->straight; node++)
        offset[node] = caucus_block_offset(&lanes->all, map->rank_at[map->first[node] + lane]);
    struct caucus_blocks by_node = {.base = lanes->straight ? lanes->all.base : lanes->packed,
                                    .length = lanes->dealt.length,
                                    .offset = offset};
    struct caucus_lane entered = caucus_lane_enter(builder, lanes->task, lane, -1);
    if (!builder->status && is_long)
        caucus_allgather_by_ring(builder, &by_node);
    else if (!builder->status)
        caucus_allgather_by_bruck(builder, &by_node);
    caucus_lane_leave(builder, &entered);
    free(offset);
}

static void hand_out(struct caucus_builder *builder, const struct lanes *lanes) {
    const struct caucus_task *task = lanes->task;
    struct caucus_spread_block *block = caucus_node_block_array(builder, task->ranks);
    bool by_node = lanes->dealt.lanes > 1; /* where nodes are units; else any order will do */
    for (int32_t i = 0; block && i < task->ranks; i++) {
        int32_t rank = by_node ? task->nodes->rank_at[i] : i;
        block[i] = (struct caucus_spread_block){
            .writer = lane_of(lanes, rank),
            .reader = CAUCUS_EVERYBODY,
            .bytes = caucus_block_length(&lanes->all, rank),
            .source = carried_at(lanes, rank),
            .target = caucus_block_place(&lanes->all, rank),
            .unit = by_node ? task->nodes->node_of_rank[rank] : i,
        };
    }
    caucus_node_spread(builder, &lanes->node,
                       &(struct caucus_spread){.blocks = task->ranks, .block = block});
    free(block);
}

static bool all_have_blocks(const struct caucus_task *task) {
    for (int32_t rank = 0; rank < task->ranks; rank++)
        if (caucus_task_receive(task, rank) == 0)
            return false;
    return true;
}

void caucus_allgather_over_nodes(struct caucus_builder *builder, const struct caucus_task *task,
                                 int32_t count, bool is_long) {
    caucus_allgather_over_nodes_to(builder, task, caucus_vector_out, count, is_long);
}

void caucus_allgather_over_nodes_to(struct caucus_builder *builder, const struct caucus_task *task,
                                    struct caucus_place target, int32_t count, bool is_long) {
    const struct caucus_node_map *map = task->nodes;
    struct caucus_node node = caucus_node_of(task);
    struct lanes lanes = {.task = task, .node = caucus_node_half(&node)};
    lanes.all =
        caucus_blocks_in_row(builder, target, task->ranks, task->receive_bytes, task->bytes);
    lanes.dealt = caucus_dealt_to_lanes(builder, task, count, &lanes.all);
    lanes.straight = count == 1 ? map->ordered : count == map->largest;
    builder->schedule.synchronising = map->largest == 1 || all_have_blocks(task);
    if (!builder->status) {
        if (!lanes.straight && node.local < count)
            lanes.packed = caucus_reserve_scratch(builder, lanes.dealt.cut[map->nodes]);
        collect(builder, &lanes);
        if (node.local < count && map->nodes > 1)
            pass_lanes(builder, &lanes, is_long);
        hand_out(builder, &lanes);
    }
    caucus_dealt_free(&lanes.dealt);
    caucus_blocks_free(&lanes.all);
}

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_allgather_over_nodes(builder, task, 1, false);
}

/* How many times the bytes of even nodes their leaders forward: each round where one has most. */
static double unevenness(const struct caucus_task *task) {
    double longest = caucus_allgather_run(task, task->nodes->largest);
    double times = longest * task->nodes->nodes / ((double)task->volume + 1);
    double most = caucus_cost_rounds(task->nodes->nodes);
    times = times < most ? times : most;
    return times > 1 ? times : 1;
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    const struct caucus_node_map *map = task->nodes;
    double bytes = (double)task->volume;
    double turning = map->nodes > 1 ? caucus_cost_copy(model, bytes) : 0;
    return caucus_node_allgather_cost(task, model, bytes / map->nodes, map->largest) +
           caucus_node_halving_cost(task, model, bytes * unevenness(task), 1) + turning +
           caucus_node_bcast_cost(task, model, bytes);
}

const struct caucus_algorithm caucus_allgather_node_aware = {
    .collective = CAUCUS_ALLGATHER,
    .name = "node_aware",
    .summary = "blocks of a node through node memory to its leader, leaders by Bruck's, and back",
    .needs = CAUCUS_NEEDS_NODES,
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_allgatherv_node_aware = {
    .collective = CAUCUS_ALLGATHERV,
    .name = "node_aware",
    .summary = "blocks of a node through node memory to its leader, leaders by Bruck's, and back",
    .needs = CAUCUS_NEEDS_NODES,
    .emit = emit,
    .cost = cost,
};
