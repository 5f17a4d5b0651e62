/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather between two groups on nodes of their own: the striped ring (allgather_striped_ring.c)
 * with nodes for ranks.
 *
 *   1   chunks cross from the ranks that have them and go round the nodes of a group; on each node
 *       its ranks pass them on by turns, so that several are on their way at a time
 *   2   everybody copies all chunks out of node memory, where those who got them put them
 *
 * Cost: no card takes in or sends more than max(M_A, M_B) bytes, for any nodes and lengths (light
 * nodes, stripes.h, send a thousandth more); then two copies of every byte. For large data; nodes
 * that have ranks of one group only. Scratch: the other group's data, where its nodes are no blocks
 * of ranks. */
#include "plan/collective/node_parts.h"
#include "plan/intergroup/crossing.h"
#include "plan/intergroup/stripes.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>

static const struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};

static void hand_out(struct caucus_builder *builder, const struct caucus_node *node,
                     const struct caucus_stripes_parts *parts, struct caucus_place row) {
    struct caucus_spread_block *block = caucus_node_block_array(builder, parts->count);
    struct caucus_spread spread = {.blocks = parts->count, .block = block};
    for (int64_t i = 0; block && i < parts->count; i++)
        block[i] = (struct caucus_spread_block){
            .writer = parts->part[i].local,
            .reader = CAUCUS_EVERYBODY,
            .bytes = parts->part[i].bytes,
            .source = caucus_at(row, parts->part[i].data),
            .target = caucus_at(out, parts->part[i].place),
            .unit = parts->part[i].unit,
        };
    if (parts->count > 0)
        caucus_node_spread(builder, node, &spread);
    free(block);
}

static void emit_stripes(struct caucus_builder *builder, const struct caucus_task *task,
                         const struct caucus_stripes *stripes) {
    struct caucus_node node = caucus_node_of(task);
    struct caucus_group_blocks other = caucus_intergroup_other(task);
    struct caucus_stripes_parts parts = {0};
    struct caucus_place row = out;
    int64_t *cut = caucus_side_cuts(builder, &other);
    int status = CAUCUS_OK;
    if (cut && stripes->length > 0)
        status = caucus_stripes_find_parts(stripes, task->rank, &other, cut, &parts);
    if (status)
        caucus_builder_fail(builder, status, "no memory for the chunks of a node");
    if (cut && !builder->status && stripes->length > 0) {
        if (!parts.straight)
            row = caucus_reserve_scratch(builder, cut[other.ranks]);
        caucus_stripes_emit(builder, stripes, in, row);
        hand_out(builder, &node, &parts, row);
    }
    free(parts.part);
    free(cut);
}

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_stripes stripes;
    if (!caucus_node_can_spread(task->node_limit)) {
        caucus_builder_fail(builder, CAUCUS_NOT_APPLICABLE, "%lld bytes of node memory are too few",
                            (long long)task->node_limit);
        return;
    }
    int status = caucus_stripes_init_nodes(&stripes, task, CAUCUS_STRIPES_LATENCY, task->segment);
    if (status) {
        caucus_builder_fail(builder, status, "no stripes between the nodes of these groups");
        return;
    }
    emit_stripes(builder, task, &stripes);
    caucus_stripes_free(&stripes);
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    struct caucus_stripes stripes;
    if (!caucus_node_can_spread(task->node_limit) ||
        caucus_stripes_init_nodes(&stripes, task, CAUCUS_STRIPES_LATENCY, task->segment))
        return INFINITY;
    double bytes = (double)stripes.length, seconds = 0, ranks = task->nodes->smallest;
    if (bytes > 0)
        seconds = caucus_stripes_node_cost(&stripes, task, model) +
                  caucus_node_allgather_cost(task, model, bytes, ranks);
    if (bytes > 0 && ranks > 1) /* what a rank got itself is in its place */
        seconds -= bytes / ranks * model->copy_byte;
    caucus_stripes_free(&stripes);
    return seconds;
}

static const char summary[] =
    "the striped ring of nodes, whose ranks pass chunks on by turns, then all through node memory";

const struct caucus_algorithm caucus_intergroup_allgather_node_striped_ring = {
    .collective = CAUCUS_ALLGATHER,
    .name = "node_striped_ring",
    .summary = summary,
    .needs = CAUCUS_NEEDS_NODES,
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_intergroup_allgatherv_node_striped_ring = {
    .collective = CAUCUS_ALLGATHERV,
    .name = "node_striped_ring",
    .summary = summary,
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_COUNTS,
    .emit = emit,
    .cost = cost,
};
