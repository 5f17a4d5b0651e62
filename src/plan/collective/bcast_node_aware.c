/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast over nodes.
 *
 * node_aware:
 *
 *   1. root's node    the root, who leads it, copies into node memory, its ranks out of it
 *   2. the leaders    broadcast along a postal tree (postal.h), binomial for long data
 *   3. other nodes    as the first
 *
 * Cost: at most ⌈log2 nodes⌉ rounds and one synchronization. On one node large data goes in pieces
 * (node_spread.c), so that the copies of the root and those of the others run at the same time.
 *
 * lanes, for large data: the rank i of every node is in lane i, which carries the i-th part of the
 * data (Träff and Hunold, "Decomposing MPI collectives for exploiting multi-lane communication",
 * IEEE Cluster 2020). There are as many lanes as the smallest node has ranks.
 *
 *   1. root's node    all ranks get all data through node memory
 *   2. in each lane   its part is broadcast over the nodes: round-optimal, in pieces
 *   3. other nodes    allgather of the parts through node memory
 *
 * Cost: every byte crosses each card once in each direction, driven by all processes. */
#include "plan/collective/algorithms.h"
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/parts.h"
#include "plan/collective/postal.h"
#include "plan/collective/vector.h"

#include <stddef.h>

void caucus_bcast_node_aware(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_node node = caucus_node_of(task);
    int32_t leader = caucus_node_leader(task, task->root);
    int32_t root_node = caucus_node_of_rank(task->nodes, task->root);
    builder->schedule.synchronising = task->nodes->largest == 1;
    if (node.index == root_node)
        caucus_node_bcast(builder, &node, leader, caucus_vector_out, task->bytes);
    if (node.local == leader) {
        struct caucus_lane leaders = caucus_lane_enter(builder, task, 0, task->root);
        caucus_bcast_by_postal(builder, root_node, caucus_vector_out, task->bytes);
        caucus_lane_leave(builder, &leaders);
    }
    if (node.index != root_node)
        caucus_node_bcast(builder, &node, leader, caucus_vector_out, task->bytes);
}

double caucus_bcast_node_aware_cost(const struct caucus_task *task,
                                    const struct caucus_model *model) {
    return caucus_node_bcast_cost(task, model, (double)task->volume) +
           caucus_postal_leaders_cost(task, model, false);
}

void caucus_bcast_lanes(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_node node = caucus_node_of(task);
    int32_t lanes = task->nodes->smallest, root_node = caucus_node_of_rank(task->nodes, task->root);
    struct caucus_slices parts = {.parts = lanes, .count = lanes};
    parts.cut = caucus_vector_cuts(builder, task->bytes, 1, lanes);
    struct caucus_place out = caucus_vector_out;
    builder->schedule.synchronising = task->nodes->largest == 1;
    if (!parts.cut)
        return;
    if (node.index == root_node)
        caucus_node_bcast(builder, &node, caucus_local_of_rank(task->nodes, task->root), out,
                          task->bytes);
    if (node.local < lanes) {
        struct caucus_lane lane = caucus_lane_enter(builder, task, node.local, -1);
        caucus_bcast_by_circulant(builder, root_node, caucus_at(out, parts.cut[node.local]),
                                  caucus_slices_bytes(&parts, node.local), task->segment);
        caucus_lane_leave(builder, &lane);
    }
    if (node.index != root_node)
        caucus_node_allgather(builder, &node, &parts, CAUCUS_EVERYBODY, NULL, out);
    caucus_slices_free(&parts);
}

double caucus_bcast_lanes_cost(const struct caucus_task *task, const struct caucus_model *model) {
    double bytes = (double)task->volume, lanes = task->nodes->smallest;
    int rounds = caucus_cost_rounds(task->nodes->nodes);
    if (rounds == 0)
        return caucus_node_bcast_cost(task, model, bytes);
    double segments =
        (double)caucus_vector_segments((int64_t)(bytes / lanes), 1, task->segment, rounds);
    return caucus_node_bcast_cost(task, model, bytes) +
           (rounds + segments - 1) * caucus_cost_between(model, bytes / lanes / segments, lanes) +
           caucus_node_allgather_cost(task, model, bytes, lanes);
}
