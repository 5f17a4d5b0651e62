/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduce-scatter between two groups on nodes of their own: the striped ring
 * (reduce_scatter_striped_ring.c) with nodes for ranks.
 *
 *   1   on each node the operands of all ranks are combined through node memory, each chunk by the
 *       rank that passes it on
 *   2   chunks go round the nodes of a group, and cross complete to whose block they are
 *
 * Cost: no card takes in or sends more than the n bytes of an operand, after a combination in node
 * memory. For large data and commutative operations; nodes that have ranks of one group only.
 * Scratch: 2n bytes. */
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"
#include "plan/intergroup/crossing.h"
#include "plan/intergroup/stripes.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

static const struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};

/* The chunks that this rank passes on, combined, go to sums. */
static void combine(struct caucus_builder *builder, const struct caucus_task *task,
                    const struct caucus_stripes_parts *parts, struct caucus_place sums) {
    struct caucus_node node = caucus_node_of(task);
    struct caucus_combine_block *block = caucus_array(parts->count, sizeof *block);
    struct caucus_combine all = {.operand = in,
                                 .element = task->element,
                                 .upto = node.size,
                                 .blocks = parts->count,
                                 .block = block};
    if (!block) {
        caucus_builder_fail(builder, CAUCUS_NO_MEMORY, "no memory for the chunks of a node");
        return;
    }
    for (int64_t i = 0; i < parts->count; i++)
        block[i] = (struct caucus_combine_block){
            .reader = parts->part[i].local,
            .offset = parts->part[i].place,
            .bytes = parts->part[i].bytes,
            .target = caucus_at(sums, parts->part[i].data),
            .unit = parts->part[i].unit,
        };
    caucus_node_combine(builder, &node, &all);
    free(block);
}

static void emit_stripes(struct caucus_builder *builder, const struct caucus_task *task,
                         const struct caucus_stripes *stripes, struct caucus_place result) {
    struct caucus_group_blocks other = caucus_intergroup_other(task);
    struct caucus_stripes_parts parts = {0};
    int64_t *cut = caucus_side_cuts(builder, &other);
    if (cut && caucus_stripes_find_parts(stripes, task->rank, &other, cut, &parts))
        caucus_builder_fail(builder, CAUCUS_NO_MEMORY, "no memory for the chunks of a node");
    if (cut && !builder->status) {
        struct caucus_place sums = caucus_reserve_scratch(builder, cut[other.ranks]);
        combine(builder, task, &parts, sums);
        caucus_end_step(builder);
        caucus_stripes_emit_reduce(builder, stripes, sums, result);
    }
    free(parts.part);
    free(cut);
}

static bool fits(const struct caucus_task *task, int64_t bytes) {
    return caucus_node_can_combine(task->node_limit, task->nodes->largest, bytes, task->element);
}

void caucus_reduce_scatter_by_node_stripes(struct caucus_builder *builder,
                                           const struct caucus_task *task,
                                           struct caucus_place result) {
    struct caucus_stripes stripes;
    int status = caucus_stripes_init_nodes(&stripes, task, CAUCUS_STRIPES_LATENCY, task->segment);
    if (!status && !fits(task, stripes.length))
        caucus_builder_fail(builder, CAUCUS_NOT_APPLICABLE, "%lld bytes of node memory are too few",
                            (long long)task->node_limit);
    else if (!status && stripes.length > 0)
        emit_stripes(builder, task, &stripes, result);
    if (status)
        caucus_builder_fail(builder, status, "no stripes between the nodes of these groups");
    else
        caucus_stripes_free(&stripes);
}

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_reduce_scatter_by_node_stripes(builder, task, out);
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    struct caucus_stripes stripes;
    double seconds = INFINITY;
    if (caucus_stripes_init_nodes(&stripes, task, CAUCUS_STRIPES_LATENCY, task->segment))
        return seconds;
    if (fits(task, stripes.length)) {
        double bytes = (double)stripes.length;
        seconds = caucus_stripes_node_cost(&stripes, task, model) +
                  caucus_node_reduce_scatter_cost(task, model, bytes, task->nodes->smallest);
    }
    caucus_stripes_free(&stripes);
    return seconds;
}

static const char summary[] =
    "operands are combined in node memory, then the striped ring of nodes, backwards";

const struct caucus_algorithm caucus_intergroup_reduce_scatter_node_striped_ring = {
    .collective = CAUCUS_REDUCE_SCATTER,
    .name = "node_striped_ring",
    .summary = summary,
    .needs = CAUCUS_NEEDS_COMMUTATIVE | CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_COUNTS,
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_intergroup_reduce_scatter_block_node_striped_ring = {
    .collective = CAUCUS_REDUCE_SCATTER_BLOCK,
    .name = "node_striped_ring",
    .summary = summary,
    .needs = CAUCUS_NEEDS_COMMUTATIVE | CAUCUS_NEEDS_NODES,
    .emit = emit,
    .cost = cost,
};
