/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduce-scatter over nodes and their lanes: lane i of a node is its rank i, and carries the blocks
 * of ranks i, i + lanes, … of all nodes.
 *
 *   1. on each node   each lane combines, in node memory, what it carries of all operands
 *   2. in each lane   reduce-scatter over the nodes
 *   3. on each node   lanes hand out the blocks of their ranks, where they carry more than one
 *
 * This one has one lane, and is for small data; reduce_scatter_lanes.c has many. Cost: two
 * synchronizations, ⌈log2 nodes⌉ rounds. In the order of ranks where nodes are blocks of them,
 * which _ordered asks for instead of an operation that is commutative. */
#include "plan/collective/algorithm.h"
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

struct lanes {
    const struct caucus_task *task;
    struct caucus_node node;
    struct caucus_blocks all; /* of the operand */
    struct caucus_dealt dealt;
    bool carries;                       /* this rank is a lane */
    struct caucus_place packed, result; /* what a lane carries, and what of it is for its node */
};

static void combine(struct caucus_builder *builder, const struct lanes *lanes) {
    const struct caucus_task *task = lanes->task;
    struct caucus_combine_block *block = caucus_array(task->ranks, sizeof *block);
    if (!block) {
        caucus_builder_fail(builder, CAUCUS_NO_MEMORY, "no memory for %d blocks", (int)task->ranks);
        return;
    }
    for (int32_t i = 0; i < task->ranks; i++) {
        int32_t rank = task->nodes->rank_at[i];
        block[i] = (struct caucus_combine_block){
            .reader = task->nodes->local_of_rank[rank] % lanes->dealt.lanes,
            .offset = caucus_block_offset(&lanes->all, rank),
            .bytes = caucus_block_length(&lanes->all, rank),
            .target = caucus_at(lanes->packed, lanes->dealt.offset[rank]),
            .unit = lanes->dealt.lanes > 1 ? task->nodes->node_of_rank[rank] : i,
        };
    }
    caucus_node_combine(builder, &lanes->node,
                        &(struct caucus_combine){.operand = caucus_vector_in(task),
                                                 .element = task->element,
                                                 .upto = lanes->node.size,
                                                 .blocks = task->ranks,
                                                 .block = block});
    free(block);
}

static void pass_lane(struct caucus_builder *builder, const struct lanes *lanes) {
    const struct caucus_task *task = lanes->task;
    struct caucus_lane lane = caucus_lane_enter(builder, task, lanes->node.local, -1);
    if (task->commutative)
        caucus_reduce_scatter_by_circulant(builder, lanes->packed, lanes->result, lanes->dealt.cut,
                                           task->element);
    else
        caucus_reduce_scatter_by_recursive_halving(builder, lanes->packed, lanes->result,
                                                   lanes->dealt.cut, task->element);
    caucus_lane_leave(builder, &lane);
}

static void hand_out(struct caucus_builder *builder, const struct lanes *lanes) {
    struct caucus_spread_block *block = caucus_node_block_array(builder, lanes->node.size);
    for (int32_t i = 0; block && i < lanes->node.size; i++) {
        int32_t rank = lanes->node.ranks[i];
        int64_t at = lanes->dealt.offset[rank] - lanes->dealt.cut[lanes->node.index];
        block[i] = (struct caucus_spread_block){
            .writer = i % lanes->dealt.lanes,
            .reader = i,
            .bytes = caucus_block_length(&lanes->all, rank),
            .source = caucus_at(lanes->result, at),
            .target = caucus_vector_out,
        };
    }
    caucus_node_spread(builder, &lanes->node,
                       &(struct caucus_spread){.blocks = lanes->node.size, .block = block});
    free(block);
}

static bool node_has_blocks(const struct lanes *lanes) {
    for (int32_t i = 0; i < lanes->node.size; i++)
        if (caucus_block_length(&lanes->all, lanes->node.ranks[i]) == 0)
            return false;
    return true;
}

void caucus_reduce_scatter_over_nodes(struct caucus_builder *builder,
                                      const struct caucus_task *task, int32_t count) {
    const struct caucus_node_map *map = task->nodes;
    struct caucus_node node = caucus_node_of(task);
    struct lanes lanes = {.task = task, .node = caucus_node_half(&node)};
    lanes.all = caucus_blocks_in_row(builder, caucus_vector_in(task), task->ranks,
                                     task->receive_bytes, task->bytes);
    lanes.dealt = caucus_dealt_to_lanes(builder, task, count, &lanes.all);
    lanes.result = caucus_vector_out;
    if (!builder->status) {
        builder->schedule.synchronising = node.size == 1 || node_has_blocks(&lanes);
        lanes.carries = node.local < count;
        if (lanes.carries)
            lanes.packed = caucus_reserve_scratch(builder, lanes.dealt.cut[map->nodes]);
        if (lanes.carries && count < node.size)
            lanes.result = caucus_reserve_scratch(builder, lanes.dealt.length[node.index]);
        combine(builder, &lanes);
        if (lanes.carries)
            pass_lane(builder, &lanes);
        hand_out(builder, &lanes);
    }
    caucus_dealt_free(&lanes.dealt);
    caucus_blocks_free(&lanes.all);
}

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_reduce_scatter_over_nodes(builder, task, 1);
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    double bytes = (double)task->volume;
    return caucus_node_reduce_cost(task, model, bytes) +
           caucus_node_halving_reduce_cost(task, model, bytes, 1) + caucus_cost_copy(model, bytes) +
           caucus_node_allgather_cost(task, model, bytes / task->nodes->nodes, 1);
}

const struct caucus_algorithm caucus_reduce_scatter_node_aware = {
    .collective = CAUCUS_REDUCE_SCATTER,
    .name = "node_aware",
    .summary = "the leader of each node combines its operands, leaders reduce-scatter, and back",
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_COMMUTATIVE,
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_reduce_scatter_node_aware_ordered = {
    .collective = CAUCUS_REDUCE_SCATTER,
    .name = "node_aware_ordered",
    .summary = "as node_aware, in the order of ranks, where nodes are blocks of them",
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_ORDERED,
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_reduce_scatter_block_node_aware = {
    .collective = CAUCUS_REDUCE_SCATTER_BLOCK,
    .name = "node_aware",
    .summary = "the leader of each node combines its operands, leaders reduce-scatter, and back",
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_COMMUTATIVE,
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_reduce_scatter_block_node_aware_ordered = {
    .collective = CAUCUS_REDUCE_SCATTER_BLOCK,
    .name = "node_aware_ordered",
    .summary = "as node_aware, in the order of ranks, where nodes are blocks of them",
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_ORDERED,
    .emit = emit,
    .cost = cost,
};
