/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather and allreduce of little data between two groups, with as few messages as there can be:
 * what MPI libraries do between groups.
 *
 *   1   blocks, or their combination, go to the lowest rank of each group
 *   2   these two swap
 *   3   and broadcast what they got
 *
 * By nodes, of one group each: on each node its leader collects the blocks or combines them; the
 * leaders of a group gather along a binomial tree, or reduce, and broadcast along a postal tree,
 * and everybody copies out of node memory. An allreduce goes without nodes too, along postal trees.
 *
 * Cost: 2 ⌈log2 nodes⌉ + 1 rounds, of which an allgather's last half have all data; 2 (nodes - 1)
 * messages between nodes in all, where others take nodes times their rounds. Scratch: at the lowest
 * rank, its own group's blocks, or one operand. By nodes, for commutative operations. */
#include "plan/collective/algorithms.h"
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"
#include "plan/intergroup/algorithms.h"
#include "plan/intergroup/parts.h"

#include "base/status.h"

#include <math.h>

static const struct caucus_place out = {CAUCUS_BUFFER_OUT, 0};

/* What goes to the lowest rank of a side. */
static int64_t collected(const struct caucus_task *task, const struct caucus_group_side *side) {
    return task->collective == CAUCUS_ALLREDUCE ? task->bytes : caucus_group_total(side);
}

/* How it goes there by nodes. */
static struct caucus_task collecting(const struct caucus_task *task,
                                     const struct caucus_group_side *side,
                                     const struct caucus_node_map *map) {
    bool reduces = task->collective == CAUCUS_ALLREDUCE;
    struct caucus_task part = caucus_intergroup_node_part(
        task, side, reduces ? CAUCUS_REDUCE : CAUCUS_GATHERV, map, collected(task, side));
    if (reduces)
        return part;
    part.bytes = side->bytes;
    part.receive_bytes = side->length;
    part.counts_known = true;
    return part;
}

static void emit_parts(struct caucus_builder *builder, const struct caucus_task *task,
                       const struct caucus_node_map *map) {
    struct caucus_group_side own = caucus_own_side(task), other = caucus_other_side(task);
    bool leads = task->rank == own.first, reduces = task->collective == CAUCUS_ALLREDUCE;
    int64_t ours = collected(task, &own), theirs = collected(task, &other);
    struct caucus_task collect = collecting(task, &own, map);
    struct caucus_task bcast = caucus_intergroup_node_part(task, &own, CAUCUS_BCAST, map, theirs);
    struct caucus_place all = out, got = out;
    if (leads && !reduces)
        all = caucus_reserve_scratch(builder, ours);
    struct caucus_group before = caucus_intergroup_enter_own(builder, task);
    if (reduces)
        caucus_reduce_node_aware(builder, &collect);
    else
        caucus_rooted_over_nodes(builder, &collect, all);
    caucus_end_step(builder);
    caucus_enter_group(builder, before);
    if (leads) {
        if (reduces)
            got = caucus_reserve_scratch(builder, theirs);
        caucus_emit_receive(builder, other.first, got, theirs);
        caucus_emit_send(builder, other.first, all, ours);
        caucus_end_step(builder);
        caucus_emit_copy(builder, got, out, theirs);
        caucus_end_step(builder);
    }
    caucus_intergroup_enter_own(builder, task);
    caucus_bcast_node_aware(builder, &bcast);
    caucus_enter_group(builder, before);
}

void caucus_intergroup_node_leaders(struct caucus_builder *builder,
                                    const struct caucus_task *task) {
    struct caucus_group_side own = caucus_own_side(task), other = caucus_other_side(task);
    struct caucus_node_map map = {0};
    if (!caucus_intergroup_nodes_apart(task)) {
        caucus_builder_fail(builder, CAUCUS_NOT_APPLICABLE, "a node has ranks of both groups");
        return;
    }
    int status = caucus_node_map_part(&map, task->nodes, own.first, own.ranks);
    if (!status && (collected(task, &own) < 0 || collected(task, &other) < 0))
        status = CAUCUS_BAD_ARGUMENT;
    if (status)
        caucus_builder_fail(builder, status, "the blocks or nodes of %d ranks are too many",
                            (int)task->ranks);
    else
        emit_parts(builder, task, &map);
    caucus_node_map_free(&map);
}

/* A node's blocks pass as many leaders as its number has bits: what a node that has nearly all
 * takes to the first one. */
static double heaviest_cost(const struct caucus_task *gather, const struct caucus_model *model) {
    const struct caucus_node_map *map = gather->nodes;
    double most = 0;
    for (int32_t node = 0; gather->receive_bytes && node < map->nodes; node++) {
        double bytes = 0, hops = 0;
        for (int32_t local = 0; local < caucus_node_size(map, node); local++)
            bytes += (double)gather->receive_bytes[caucus_rank_in_node(map, node, local)];
        for (int32_t rest = node; rest; rest &= rest - 1)
            hops++;
        most = fmax(most, hops * caucus_cost_between(model, bytes, 1) +
                              caucus_node_allgather_cost(gather, model, bytes, 1));
    }
    return most;
}

/* What a group does by itself. */
static double part_cost(const struct caucus_task *task, const struct caucus_model *model,
                        const struct caucus_group_side *side, int64_t coming) {
    struct caucus_node_map map = {0};
    double seconds = INFINITY;
    if (caucus_node_map_part(&map, task->nodes, side->first, side->ranks) == CAUCUS_OK) {
        struct caucus_task collect = collecting(task, side, &map);
        struct caucus_task bcast =
            caucus_intergroup_node_part(task, side, CAUCUS_BCAST, &map, coming);
        seconds =
            collect.collective == CAUCUS_REDUCE
                ? caucus_reduce_node_aware_cost(&collect, model)
                : fmax(caucus_node_rooted_cost(&collect, model), heaviest_cost(&collect, model));
        seconds += caucus_bcast_node_aware_cost(&bcast, model);
    }
    caucus_node_map_free(&map);
    return seconds;
}

double caucus_intergroup_node_leaders_cost(const struct caucus_task *task,
                                           const struct caucus_model *model) {
    struct caucus_group_side own = caucus_own_side(task), other = caucus_other_side(task);
    int64_t ours = collected(task, &own), theirs = collected(task, &other);
    if (ours < 0 || theirs < 0 || !caucus_intergroup_nodes_apart(task))
        return INFINITY;
    int32_t nodes = task->nodes->nodes;
    struct caucus_model few =
        caucus_cost_tree_part(task, model, 2 * (nodes - 1), 2 * caucus_cost_rounds(nodes) - 1);
    double first = part_cost(task, &few, &own, theirs);
    double second = part_cost(task, &few, &other, ours);
    return fmax(first, second) + caucus_cost_between(&few, fmax((double)ours, (double)theirs), 1);
}

void caucus_intergroup_allreduce_leaders(struct caucus_builder *builder,
                                         const struct caucus_task *task) {
    struct caucus_group_side own = caucus_own_side(task), other = caucus_other_side(task);
    struct caucus_place sum = caucus_intergroup_reduce_to_lowest(builder, task);
    if (task->rank == own.first) {
        caucus_emit_receive(builder, other.first, out, task->bytes);
        caucus_emit_send(builder, other.first, sum, task->bytes);
    }
    caucus_end_step(builder);
    struct caucus_group before = caucus_intergroup_enter_own(builder, task);
    caucus_bcast_by_postal(builder, 0, out, task->bytes);
    caucus_enter_group(builder, before);
}

/* To the lowest rank, and from it. */
static double trees_cost(const struct caucus_task *task, const struct caucus_model *model,
                         const struct caucus_group_side *side) {
    struct caucus_node_map nodes;
    struct caucus_task part = caucus_intergroup_side_part(task, side, task->volume, &nodes);
    return caucus_reduce_postal_cost(&part, model) + caucus_bcast_postal_cost(&part, model);
}

double caucus_intergroup_allreduce_leaders_cost(const struct caucus_task *task,
                                                const struct caucus_model *model) {
    struct caucus_group_side own = caucus_own_side(task), other = caucus_other_side(task);
    struct caucus_model few = caucus_cost_tree_part(task, model, 2 * (task->ranks - 1),
                                                    2 * caucus_cost_rounds(task->ranks) - 1);
    return fmax(trees_cost(task, &few, &own), trees_cost(task, &few, &other)) +
           caucus_cost_between(&few, (double)task->volume, 1);
}
