/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduce-scatter over nodes and their lanes: lane i of a node is its rank i, and carries the blocks
 * of ranks i, i + lanes, … of all nodes.
 *
 *   1. on each node   each lane combines, in node memory, what it carries of all operands
 *   2. in each lane   reduce-scatter over the nodes
 *   3. on each node   lanes hand out the blocks of their ranks, where they carry more than one
 *
 * In the order of ranks where nodes are blocks of them, which _ordered asks for instead of an
 * operation that is commutative.
 *
 * node_aware   One lane, for small data. Cost: two synchronizations, ⌈log2 nodes⌉ rounds.
 * lanes        As many as the smallest node has ranks, so that all processes drive the card (Träff
 *              and Hunold, "Decomposing MPI collectives for exploiting multi-lane communication",
 *              IEEE Cluster 2020), for large data. Cost: one synchronization and more where node
 *              memory is short, one more where nodes are uneven; ⌈log2 nodes⌉ rounds, in which a
 *              card carries what is not for its node once. */
#include "plan/collective/algorithms.h"
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"

struct lanes {
    struct caucus_dealt dealt;          /* of the operand */
    struct caucus_place packed, result; /* what a lane carries, and what of it is for its node */
};

static void combine(struct caucus_builder *builder, const struct lanes *lanes) {
    const struct caucus_task *task = lanes->dealt.task;
    struct caucus_combine_block *block =
        caucus_builder_array(builder, task->ranks, sizeof *block, "blocks of a node");
    for (int32_t i = 0; block && i < task->ranks; i++) {
        int32_t rank = caucus_rank_at(task->nodes, i);
        block[i] = (struct caucus_combine_block){
            .reader = caucus_dealt_lane(&lanes->dealt, rank),
            .offset = caucus_block_offset(&lanes->dealt.all, rank),
            .bytes = caucus_block_length(&lanes->dealt.all, rank),
            .target = caucus_at(lanes->packed, lanes->dealt.offset[rank]),
            .unit = lanes->dealt.lanes > 1 ? caucus_node_of_rank(task->nodes, rank) : i,
        };
    }
    struct caucus_combine combine = {caucus_vector_in(task), task->element, lanes->dealt.node.size,
                                     task->ranks, block};
    caucus_node_combine(builder, &lanes->dealt.node, &combine);
}

static void pass_lane(struct caucus_builder *builder, const struct lanes *lanes) {
    const struct caucus_task *task = lanes->dealt.task;
    struct caucus_lane lane = caucus_lane_enter(builder, task, lanes->dealt.node.local, -1);
    struct caucus_cuts cuts = {0, task->element, task->nodes->nodes, lanes->dealt.cut};
    (task->commutative ? caucus_reduce_scatter_by_circulant
                       : caucus_reduce_scatter_by_recursive_halving)(builder, lanes->packed,
                                                                     lanes->result, &cuts);
    caucus_lane_leave(builder, &lane);
}

static void hand_out(struct caucus_builder *builder, const struct lanes *lanes) {
    struct caucus_spread_block *block =
        caucus_builder_array(builder, lanes->dealt.node.size, sizeof *block, "blocks of a node");
    for (int32_t i = 0; block && i < lanes->dealt.node.size; i++) {
        int32_t rank = caucus_node_member(&lanes->dealt.node, i);
        int64_t at = lanes->dealt.offset[rank] - lanes->dealt.cut[lanes->dealt.node.index];
        block[i] = (struct caucus_spread_block){
            .writer = i % lanes->dealt.lanes,
            .reader = i,
            .bytes = caucus_block_length(&lanes->dealt.all, rank),
            .source = caucus_at(lanes->result, at),
            .target = caucus_vector_out,
        };
    }
    caucus_node_spread(builder, &lanes->dealt.node, lanes->dealt.node.size, block);
}

/* Whether every rank of the node gets a block. */
static bool gives_all_some(const struct caucus_node *node, const struct caucus_blocks *all) {
    for (int32_t i = 0; i < node->size; i++)
        if (caucus_block_length(all, caucus_node_member(node, i)) == 0)
            return false;
    return true;
}

static void emit(struct caucus_builder *builder, const struct caucus_task *task, int32_t count) {
    struct caucus_blocks all = caucus_blocks_in_row(builder, caucus_vector_in(task), task->ranks,
                                                    task->receive_bytes, task->bytes);
    struct lanes lanes = {caucus_dealt_to_lanes(builder, task, count, all),
                          .result = caucus_vector_out};
    struct caucus_node *node = &lanes.dealt.node;
    bool carries = node->local < count; /* this rank is a lane */
    *node = caucus_node_half(node);
    if (!builder->status) {
        builder->schedule.synchronising = node->size == 1 || gives_all_some(node, &all);
        if (carries)
            lanes.packed = caucus_reserve_scratch(builder, lanes.dealt.cut[task->nodes->nodes]);
        if (carries && count < node->size)
            lanes.result = caucus_reserve_scratch(builder, lanes.dealt.length[node->index]);
        combine(builder, &lanes);
        if (carries)
            pass_lane(builder, &lanes);
        hand_out(builder, &lanes);
    }
    caucus_dealt_free(&lanes.dealt);
}

void caucus_reduce_scatter_node_aware(struct caucus_builder *builder,
                                      const struct caucus_task *task) {
    emit(builder, task, 1);
}

void caucus_reduce_scatter_lanes(struct caucus_builder *builder, const struct caucus_task *task) {
    emit(builder, task, task->nodes->smallest);
}

double caucus_reduce_scatter_node_aware_cost(const struct caucus_task *task,
                                             const struct caucus_model *model) {
    double bytes = (double)task->volume;
    return caucus_node_reduce_cost(task, model, bytes) +
           caucus_node_halving_reduce_cost(task, model, bytes, 1) + caucus_cost_copy(model, bytes) +
           caucus_node_allgather_cost(task, model, bytes / task->nodes->nodes, 1);
}

double caucus_reduce_scatter_lanes_cost(const struct caucus_task *task,
                                        const struct caucus_model *model) {
    const struct caucus_node_map *map = task->nodes;
    double bytes = (double)task->volume, room = (double)task->node_limit / 2;
    double seconds = caucus_node_blocks_cost(task, model, bytes, map->nodes, map->smallest, room) +
                     caucus_node_halving_reduce_cost(task, model, bytes, map->smallest) +
                     caucus_cost_copy(model, bytes / map->smallest);
    if (map->smallest < map->largest)
        seconds += caucus_node_allgather_cost(task, model, bytes / map->nodes, map->smallest);
    return seconds;
}
