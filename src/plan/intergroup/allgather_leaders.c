/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather of little data between two groups on nodes of their own, with as few messages as there
 * can be: what MPI libraries do between groups, by nodes.
 *
 *   1   on each node its leader collects the blocks; the leaders of a group gather along a binomial
 *       tree to the lowest rank of the group
 *   2   the lowest ranks of both groups swap
 *   3   the leaders broadcast along a postal tree, and everybody copies out of node memory
 *
 * Cost: 2 ⌈log2 nodes⌉ + 1 rounds, of which the last half have all data; 2 (nodes - 1) messages
 * between nodes in all, where others take nodes times their rounds. Nodes that have ranks of one
 * group only. Scratch: at the lowest rank, its own group's blocks. */
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/vector.h"
#include "plan/intergroup/crossing.h"

#include "base/status.h"

#include <math.h>

extern const struct caucus_algorithm caucus_gatherv_node_aware, caucus_bcast_node_aware;

static struct caucus_task gather_of(const struct caucus_task *task,
                                    const struct caucus_group_blocks *side,
                                    const struct caucus_node_map *map) {
    struct caucus_task part =
        caucus_intergroup_node_part(task, side, CAUCUS_GATHERV, map, caucus_group_total(side));
    part.bytes = side->bytes;
    part.receive_bytes = side->length;
    part.counts_known = true;
    return part;
}

static void emit_parts(struct caucus_builder *builder, const struct caucus_task *task,
                       const struct caucus_node_map *map) {
    struct caucus_group_blocks own = caucus_intergroup_own(task),
                               other = caucus_intergroup_other(task);
    int64_t ours = caucus_group_total(&own), theirs = caucus_group_total(&other);
    struct caucus_task gather = gather_of(task, &own, map);
    struct caucus_task bcast = caucus_intergroup_node_part(task, &own, CAUCUS_BCAST, map, theirs);
    bool leads = task->rank == own.first;
    struct caucus_place all = caucus_vector_out;
    if (leads)
        all = caucus_reserve_scratch(builder, ours);
    struct caucus_group before = caucus_intergroup_enter_own(builder, task);
    caucus_gather_over_nodes_to(builder, &gather, all);
    caucus_end_step(builder);
    caucus_enter_group(builder, before);
    if (leads) {
        caucus_emit_receive(builder, other.first, caucus_vector_out, theirs);
        caucus_emit_send(builder, other.first, all, ours);
    }
    caucus_end_step(builder);
    caucus_intergroup_enter_own(builder, task);
    caucus_bcast_node_aware.emit(builder, &bcast);
    caucus_enter_group(builder, before);
}

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_group_blocks own = caucus_intergroup_own(task),
                               other = caucus_intergroup_other(task);
    struct caucus_node_map map = {0};
    if (!caucus_intergroup_nodes_apart(task)) {
        caucus_builder_fail(builder, CAUCUS_NOT_APPLICABLE, "a node has ranks of both groups");
        return;
    }
    int status = caucus_intergroup_nodes_of(task, &own, &map);
    if (!status && (caucus_group_total(&own) < 0 || caucus_group_total(&other) < 0))
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
        for (int32_t at = map->first[node]; at < map->first[node] + caucus_node_size(map, node);
             at++)
            bytes += (double)gather->receive_bytes[map->rank_at[at]];
        for (int32_t rest = node; rest; rest &= rest - 1)
            hops++;
        most = fmax(most, hops * caucus_cost_between(model, bytes, 1) +
                              caucus_node_allgather_cost(gather, model, bytes, 1));
    }
    return most;
}

/* What a group does by itself. */
static double part_cost(const struct caucus_task *task, const struct caucus_model *model,
                        const struct caucus_group_blocks *side, int64_t coming) {
    struct caucus_node_map map = {0};
    double seconds = INFINITY;
    if (caucus_intergroup_nodes_of(task, side, &map) == CAUCUS_OK) {
        struct caucus_task gather = gather_of(task, side, &map);
        struct caucus_task bcast =
            caucus_intergroup_node_part(task, side, CAUCUS_BCAST, &map, coming);
        seconds =
            fmax(caucus_gatherv_node_aware.cost(&gather, model), heaviest_cost(&gather, model)) +
            caucus_bcast_node_aware.cost(&bcast, model);
    }
    caucus_node_map_free(&map);
    return seconds;
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    struct caucus_group_blocks own = caucus_intergroup_own(task),
                               other = caucus_intergroup_other(task);
    int64_t ours = caucus_group_total(&own), theirs = caucus_group_total(&other);
    if (ours < 0 || theirs < 0 || !caucus_intergroup_nodes_apart(task))
        return INFINITY;
    int32_t nodes = task->nodes->nodes;
    struct caucus_model few =
        caucus_cost_tree_part(task, model, 2 * (nodes - 1), 2 * caucus_cost_rounds(nodes) - 1);
    double first = part_cost(task, &few, &own, theirs);
    double second = part_cost(task, &few, &other, ours);
    return fmax(first, second) + caucus_cost_between(&few, fmax((double)ours, (double)theirs), 1);
}

static const char summary[] =
    "gathered by nodes to the lowest rank of each group, which swap, and broadcast by nodes";

const struct caucus_algorithm caucus_intergroup_allgather_leaders = {
    .collective = CAUCUS_ALLGATHER,
    .name = "leaders",
    .summary = summary,
    .needs = CAUCUS_NEEDS_NODES,
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_intergroup_allgatherv_leaders = {
    .collective = CAUCUS_ALLGATHERV,
    .name = "leaders",
    .summary = summary,
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_COUNTS,
    .emit = emit,
    .cost = cost,
};
