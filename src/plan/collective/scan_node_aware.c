/* SPDX-License-Identifier: BSD-3-Clause */
/* Scan and exscan by node memory.
 *
 * node_memory: on one node, everybody copies its operand there, and combines those of the ranks
 * before it. Cost: one synchronization; the last rank makes p combinations.
 *
 * node_aware: over nodes that are blocks of ranks.
 *
 *   1. on each node     scan, or exscan, through node memory: results but for the nodes before
 *   2. the last ranks   of the nodes, which have the combination of their node: exscan by messages
 *   3. on each node     the last rank hands out what comes from the nodes before, all combine it
 *                       with what they have
 *
 * Cost: two synchronizations, and the rounds of that exscan. For small data. */
#include "plan/collective/algorithms.h"
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"

void caucus_scan_node_memory(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_node node = caucus_node_of(task);
    builder->schedule.synchronising = task->ranks == 1;
    caucus_node_scan(builder, &node, caucus_vector_in(task), caucus_vector_out, task->bytes,
                     task->element, task->collective == CAUCUS_SCAN);
}

double caucus_scan_node_memory_cost(const struct caucus_task *task,
                                    const struct caucus_model *model) {
    return caucus_node_scan_cost(task, model, (double)task->volume);
}

/* Where the last rank has the combination of its node. */
static struct caucus_place scan_node(struct caucus_builder *builder, const struct caucus_task *task,
                                     const struct caucus_node *node) {
    struct caucus_place in = caucus_vector_in(task), out = caucus_vector_out, kept = out;
    bool inclusive = task->collective == CAUCUS_SCAN;
    bool last = node->local == node->size - 1;
    if (last && !inclusive) {
        kept = caucus_reserve_scratch(builder, task->bytes);
        caucus_emit_copy(builder, in, kept, task->bytes);
        caucus_end_step(builder);
    }
    caucus_node_scan(builder, node, in, out, task->bytes, task->element, inclusive);
    if (inclusive)
        return out;
    if (last && node->local > 0)
        caucus_emit_reduce(builder, out, kept, task->bytes);
    caucus_end_step(builder);
    return kept;
}

void caucus_scan_node_aware(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_node node = caucus_node_of(task), half = caucus_node_half(&node);
    bool last = node.local == node.size - 1;
    struct caucus_place before =
        caucus_reserve_scratch(builder, last || node.index > 0 ? task->bytes : 0);
    builder->schedule.synchronising = node.size == 1;
    struct caucus_place whole = scan_node(builder, task, &half);
    if (last) {
        struct caucus_lane lane = caucus_lane_enter(builder, task, -1, -1);
        caucus_exscan_by_recursive_doubling(builder, whole, before, task->bytes);
        caucus_lane_leave(builder, &lane);
    }
    if (node.index == 0)
        return;
    caucus_node_bcast(builder, &half, node.size - 1, before, task->bytes);
    if (task->collective == CAUCUS_SCAN || node.local > 0)
        caucus_emit_reduce(builder, before, caucus_vector_out, task->bytes);
    else
        caucus_emit_copy(builder, before, caucus_vector_out, task->bytes);
    caucus_end_step(builder);
}

static double exscan_of_nodes(const struct caucus_task *task, const struct caucus_model *model,
                              double bytes) {
    const struct caucus_model few = caucus_cost_lanes_part(task, model, 1);
    int rounds = caucus_exscan_rounds(task->nodes->nodes);
    int early = rounds - caucus_exscan_waits(task->nodes->nodes);
    return rounds * (caucus_cost_between(&few, bytes, 1) + caucus_cost_reduce(model, bytes)) -
           early * few.latency[CAUCUS_BETWEEN_NODES];
}

double caucus_scan_node_aware_cost(const struct caucus_task *task,
                                   const struct caucus_model *model) {
    double bytes = (double)task->volume;
    return caucus_node_scan_cost(task, model, bytes) + exscan_of_nodes(task, model, bytes) +
           caucus_node_bcast_cost(task, model, bytes) + caucus_cost_reduce(model, bytes);
}
