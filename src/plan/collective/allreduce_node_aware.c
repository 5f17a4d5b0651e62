/* SPDX-License-Identifier: BSD-3-Clause */
/* Allreduce over nodes and their lanes: the rank i of every node is in lane i, which carries the
 * i-th part of the operand.
 *
 *   1. on each node   reduce-scatter through node memory to the lanes
 *   2. in each lane   allreduce over the nodes: recursive doubling; in several lanes, which are for
 *                     large data, reduce-scatter and allgather
 *   3. on each node   everybody gathers the parts through node memory
 *
 * In the order of ranks where nodes are blocks of them, which _ordered asks for instead of an
 * operation that is commutative.
 *
 * node_aware   One lane, for small data. Cost: two synchronizations, ⌈log2 nodes⌉ rounds.
 * lanes        As many as the smallest node has ranks, so that all processes drive the card (Träff
 *              and Hunold, "Decomposing MPI collectives for exploiting multi-lane communication",
 *              IEEE Cluster 2020), for large data. Cost: about two synchronizations; 2 ⌈log2 nodes⌉
 *              rounds, in which a card carries the operand twice. */
#include "plan/collective/algorithms.h"
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"

#include <stddef.h>

static void pass_lane(struct caucus_builder *builder, const struct caucus_task *task,
                      struct caucus_place part, int64_t bytes, bool is_long) {
    int32_t local = caucus_local_of_rank(task->nodes, task->rank);
    struct caucus_lane lane = caucus_lane_enter(builder, task, local, -1);
    if (!is_long)
        caucus_allreduce_by_recursive_doubling(builder, part, part, bytes);
    else if (task->commutative)
        caucus_allreduce_by_circulant(builder, part, part, bytes, task->element);
    else
        caucus_reduce_by_recursive_halving(builder, CAUCUS_EVERY_ROOT, part, part, bytes,
                                           task->element);
    caucus_lane_leave(builder, &lane);
}

/* What a lane carries is one piece only where its slices are taken in one turn. */
static void emit(struct caucus_builder *builder, const struct caucus_task *task, int32_t lanes,
                 bool is_long) {
    struct caucus_node node = caucus_node_of(task), half = caucus_node_half(&node);
    struct caucus_slices slices = caucus_slices_init(builder, task, lanes);
    int64_t bytes = caucus_slices_bytes(&slices, node.local);
    struct caucus_place part = caucus_vector_out, *packed = NULL;
    if (slices.count > lanes && lanes > 1) {
        part = caucus_reserve_scratch(builder, bytes);
        packed = &part;
    } else if (lanes > 1 && node.local < slices.count) {
        part.offset = slices.cut[node.local];
    }
    builder->schedule.synchronising = task->nodes->largest == 1 || task->bytes > 0;
    if (lanes == 1)
        caucus_node_reduce(builder, &half, 0, caucus_vector_in(task), part, task->bytes,
                           task->element);
    else
        caucus_node_reduce_scatter(builder, &half, &slices, caucus_vector_in(task), packed,
                                   caucus_vector_out, task->element);
    if (node.local < lanes)
        pass_lane(builder, task, part, bytes, is_long);
    caucus_node_allgather(builder, &half, &slices, CAUCUS_EVERYBODY, packed, caucus_vector_out);
    caucus_slices_free(&slices);
}

void caucus_allreduce_node_aware(struct caucus_builder *builder, const struct caucus_task *task) {
    emit(builder, task, 1, false);
}

void caucus_allreduce_lanes(struct caucus_builder *builder, const struct caucus_task *task) {
    emit(builder, task, task->nodes->smallest, true);
}

double caucus_allreduce_node_aware_cost(const struct caucus_task *task,
                                        const struct caucus_model *model) {
    double bytes = (double)task->volume;
    const struct caucus_model few = caucus_cost_lanes_part(task, model, 1);
    return caucus_node_reduce_cost(task, model, bytes) +
           caucus_cost_rounds(task->nodes->nodes) *
               (caucus_cost_between(&few, bytes, 1) + caucus_cost_reduce(model, bytes)) +
           caucus_node_bcast_cost(task, model, bytes);
}
