/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather and allgatherv over nodes and their lanes: lane i of a node is its rank i, and carries
 * the blocks of ranks i, i + lanes, … of the node.
 *
 *   1. on each node   lanes collect their blocks through node memory
 *   2. in each lane   allgather over the nodes: Bruck's, or a ring where there are several
 *   3. on each node   everybody copies all blocks out of node memory, where the lanes put them
 *
 * Every byte comes to a node once.
 *
 * node_aware   One lane, for small data. Cost: two synchronizations, ⌈log2 nodes⌉ rounds.
 * lanes        As many as the smallest node has ranks, so that all processes drive the card (Träff
 *              and Hunold, "Decomposing MPI collectives for exploiting multi-lane communication",
 *              IEEE Cluster 2020). Cost: nodes - 1 rounds of a block in each lane; one
 *              synchronization where nodes are even, also on one node: every rank copies its block
 *              into node memory, and all blocks out of it. */
#include "plan/collective/algorithms.h"
#include "plan/collective/allgather.h"
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"

#include <stdlib.h>

/* What all steps look at. */
struct lanes {
    struct caucus_dealt dealt;
    /* Whether what a lane has of a node is one piece of out; else lanes are packed elsewhere. */
    bool straight;
    struct caucus_place packed;
};

static struct caucus_place carried_at(const struct lanes *lanes, int32_t rank) {
    return lanes->straight ? caucus_block_place(&lanes->dealt.all, rank)
                           : caucus_at(lanes->packed, lanes->dealt.offset[rank]);
}

static void collect(struct caucus_builder *builder, const struct lanes *lanes) {
    const struct caucus_task *task = lanes->dealt.task;
    struct caucus_spread_block *block =
        caucus_builder_array(builder, lanes->dealt.node.size, sizeof *block, "blocks of a node");
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0};
    for (int32_t i = 0; block && i < lanes->dealt.node.size; i++) {
        int32_t rank = caucus_node_member(&lanes->dealt.node, i);
        block[i] = (struct caucus_spread_block){
            .writer = i,
            .reader = caucus_dealt_lane(&lanes->dealt, rank),
            .bytes = caucus_block_length(&lanes->dealt.all, rank),
            .source = task->in_place ? caucus_block_place(&lanes->dealt.all, rank) : in,
            .target = carried_at(lanes, rank),
        };
    }
    caucus_node_spread(builder, &lanes->dealt.node, lanes->dealt.node.size, block);
}

static void pass_lanes(struct caucus_builder *builder, const struct lanes *lanes, bool is_long) {
    const struct caucus_node_map *map = lanes->dealt.task->nodes;
    const struct caucus_blocks *all = &lanes->dealt.all;
    int64_t *offset = caucus_builder_array(builder, map->nodes, sizeof *offset, "nodes");
    for (int32_t node = 0; offset && node < map->nodes; node++) {
        int32_t passer = caucus_rank_in_node(map, node, lanes->dealt.node.local);
        offset[node] = lanes->straight ? caucus_block_offset(all, passer) : lanes->dealt.cut[node];
    }
    struct caucus_blocks by_node = {.base = lanes->straight ? all->base : lanes->packed,
                                    .length = lanes->dealt.length,
                                    .offset = offset};
    struct caucus_lane entered =
        caucus_lane_enter(builder, lanes->dealt.task, lanes->dealt.node.local, -1);
    if (!builder->status && is_long)
        caucus_allgather_by_ring(builder, &by_node);
    else if (!builder->status)
        caucus_allgather_by_bruck(builder, &by_node);
    caucus_lane_leave(builder, &entered);
    free(offset);
}

static void hand_out(struct caucus_builder *builder, const struct lanes *lanes) {
    const struct caucus_task *task = lanes->dealt.task;
    struct caucus_spread_block *block =
        caucus_builder_array(builder, task->ranks, sizeof *block, "blocks of a node");
    bool by_node = lanes->dealt.lanes > 1; /* where nodes are units; else any order will do */
    for (int32_t i = 0; block && i < task->ranks; i++) {
        int32_t rank = by_node ? caucus_rank_at(task->nodes, i) : i;
        block[i] = (struct caucus_spread_block){
            .writer = caucus_dealt_lane(&lanes->dealt, rank),
            .reader = CAUCUS_EVERYBODY,
            .bytes = caucus_block_length(&lanes->dealt.all, rank),
            .source = carried_at(lanes, rank),
            .target = caucus_block_place(&lanes->dealt.all, rank),
            .unit = by_node ? caucus_node_of_rank(task->nodes, rank) : i,
        };
    }
    caucus_node_spread(builder, &lanes->dealt.node, task->ranks, block);
}

void caucus_allgather_over_nodes(struct caucus_builder *builder, const struct caucus_task *task,
                                 struct caucus_place target, int32_t count, bool is_long) {
    const struct caucus_node_map *map = task->nodes;
    struct caucus_blocks all =
        caucus_blocks_in_row(builder, target, task->ranks, task->receive_bytes, task->bytes);
    struct lanes lanes = {caucus_dealt_to_lanes(builder, task, count, all),
                          .straight = count == 1 ? map->ordered : count == map->largest};
    lanes.dealt.node = caucus_node_half(&lanes.dealt.node);
    bool carries = lanes.dealt.node.local < count;
    builder->schedule.synchronising =
        map->largest == 1 || caucus_blocks_none_empty(&all, task->ranks);
    if (!builder->status) {
        if (carries && !lanes.straight)
            lanes.packed = caucus_reserve_scratch(builder, lanes.dealt.cut[map->nodes]);
        collect(builder, &lanes);
        if (carries && map->nodes > 1)
            pass_lanes(builder, &lanes, is_long);
        hand_out(builder, &lanes);
    }
    caucus_dealt_free(&lanes.dealt);
}

void caucus_allgather_node_aware(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_allgather_over_nodes(builder, task, caucus_vector_out, 1, false);
}

void caucus_allgather_lanes(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_allgather_over_nodes(builder, task, caucus_vector_out, task->nodes->smallest, true);
}

/* How many times the bytes of even nodes their leaders forward: each round where one has most. */
static double unevenness(const struct caucus_task *task) {
    double longest = caucus_allgather_run(task, task->nodes->largest);
    double times = longest * task->nodes->nodes / ((double)task->volume + 1);
    double most = caucus_cost_rounds(task->nodes->nodes);
    times = times < most ? times : most;
    return times > 1 ? times : 1;
}

double caucus_allgather_node_aware_cost(const struct caucus_task *task,
                                        const struct caucus_model *model) {
    const struct caucus_node_map *map = task->nodes;
    double bytes = (double)task->volume;
    double turning = map->nodes > 1 ? caucus_cost_copy(model, bytes) : 0;
    return caucus_node_allgather_cost(task, model, bytes / map->nodes, map->largest) +
           caucus_node_halving_cost(task, model, bytes * unevenness(task), 1) + turning +
           caucus_node_bcast_cost(task, model, bytes);
}

double caucus_allgather_lanes_cost(const struct caucus_task *task,
                                   const struct caucus_model *model) {
    const struct caucus_node_map *map = task->nodes;
    double bytes = (double)task->volume, nodes = map->nodes;
    double seconds = caucus_node_allgather_cost(task, model, bytes, map->smallest);
    if (map->smallest < map->largest)
        seconds += caucus_node_allgather_cost(task, model, bytes / nodes, map->largest);
    double longest = caucus_allgather_run(task, 1); /* of the blocks that a lane has of a node */
    double node = caucus_allgather_run(task, map->largest), lanes = map->smallest;
    longest = longest > node / lanes ? longest : node / lanes;
    double sharing = longest > 0 && node / longest < lanes ? node / longest : lanes;
    return seconds + (nodes - 1) * caucus_cost_between(model, longest, sharing);
}
