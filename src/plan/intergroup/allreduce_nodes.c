/* SPDX-License-Identifier: BSD-3-Clause */
/* Allreduce between two groups on nodes of their own.
 *
 *   node_aware         a reduction by nodes in each group, its lowest ranks swap, and a broadcast
 *                      by nodes in each group
 *   node_striped_ring  a reduce-scatter by the striped ring of nodes, then an allgather of the even
 *                      shares in lanes over the nodes of each group
 *
 * Cost: about 2 ⌈log2 nodes⌉ + 1 rounds of all data between nodes; or 2n bytes through each card.
 * For commutative operations; nodes that have ranks of one group only. */
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/vector.h"
#include "plan/intergroup/crossing.h"
#include "plan/intergroup/stripes.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>

extern const struct caucus_algorithm caucus_reduce_node_aware, caucus_bcast_node_aware,
    caucus_allgatherv_lanes, caucus_intergroup_reduce_scatter_node_striped_ring;

static void swap_leaders(struct caucus_builder *builder, const struct caucus_group_blocks *own,
                         const struct caucus_group_blocks *other, int64_t bytes) {
    if (builder->group.rank != own->first)
        return;
    struct caucus_place got = caucus_reserve_scratch(builder, bytes);
    caucus_emit_receive(builder, other->first, got, bytes);
    caucus_emit_send(builder, other->first, caucus_vector_out, bytes);
    caucus_end_step(builder);
    caucus_emit_copy(builder, got, caucus_vector_out, bytes);
    caucus_end_step(builder);
}

static void emit_by_leaders(struct caucus_builder *builder, const struct caucus_task *task,
                            const struct caucus_node_map *map) {
    struct caucus_group_blocks own = caucus_intergroup_own(task),
                               other = caucus_intergroup_other(task);
    struct caucus_task reduce =
        caucus_intergroup_node_part(task, &own, CAUCUS_REDUCE, map, task->bytes);
    struct caucus_task bcast =
        caucus_intergroup_node_part(task, &own, CAUCUS_BCAST, map, task->bytes);
    struct caucus_group before = caucus_intergroup_enter_own(builder, task);
    caucus_reduce_node_aware.emit(builder, &reduce);
    caucus_end_step(builder);
    caucus_enter_group(builder, before);
    swap_leaders(builder, &own, &other, task->bytes);
    caucus_intergroup_enter_own(builder, task);
    caucus_bcast_node_aware.emit(builder, &bcast);
    caucus_enter_group(builder, before);
}

static void emit_by_stripes(struct caucus_builder *builder, const struct caucus_task *task,
                            const struct caucus_node_map *map) {
    struct caucus_group_blocks own = caucus_intergroup_own(task);
    int32_t index = task->rank - own.first;
    struct caucus_task gather =
        caucus_intergroup_node_part(task, &own, CAUCUS_ALLGATHERV, map, task->bytes);
    struct caucus_even_shares shares;
    if (!caucus_even_shares_init(&shares, task, task->bytes)) {
        caucus_builder_fail(builder, CAUCUS_NO_MEMORY, "no memory for the shares of %d ranks",
                            (int)task->ranks);
        return;
    }
    shares.task.node_limit = task->node_limit / 2;
    int64_t begin = caucus_vector_cut(task->bytes, task->element, own.ranks, index);
    caucus_reduce_scatter_by_node_stripes(builder, &shares.task,
                                          caucus_at(caucus_vector_out, begin));
    caucus_end_step(builder);
    gather.receive_bytes = shares.task.receive_bytes;
    gather.bytes = gather.receive_bytes[index];
    gather.in_place = true;
    struct caucus_group before = caucus_intergroup_enter_own(builder, task);
    caucus_allgather_over_nodes(builder, &gather, map->smallest, true);
    caucus_enter_group(builder, before);
    free(shares.length);
}

static void emit(struct caucus_builder *builder, const struct caucus_task *task, bool in_stripes) {
    struct caucus_group_blocks own = caucus_intergroup_own(task);
    struct caucus_node_map map = {0};
    if (!caucus_intergroup_nodes_apart(task)) {
        caucus_builder_fail(builder, CAUCUS_NOT_APPLICABLE, "a node has ranks of both groups");
        return;
    }
    int status = caucus_intergroup_nodes_of(task, &own, &map);
    if (status)
        caucus_builder_fail(builder, status, "no memory for the nodes of a group");
    else if (in_stripes)
        emit_by_stripes(builder, task, &map);
    else
        emit_by_leaders(builder, task, &map);
    caucus_node_map_free(&map);
}

static void emit_leaders(struct caucus_builder *builder, const struct caucus_task *task) {
    emit(builder, task, false);
}

static void emit_stripes(struct caucus_builder *builder, const struct caucus_task *task) {
    emit(builder, task, true);
}

/* What a group does by itself. */
static double part_cost(const struct caucus_task *task, const struct caucus_model *model,
                        const struct caucus_group_blocks *side, bool in_stripes) {
    struct caucus_node_map map = {0};
    double seconds = INFINITY;
    if (caucus_intergroup_nodes_apart(task) &&
        caucus_intergroup_nodes_of(task, side, &map) == CAUCUS_OK) {
        struct caucus_task reduce =
            caucus_intergroup_node_part(task, side, CAUCUS_REDUCE, &map, task->volume);
        struct caucus_task bcast =
            caucus_intergroup_node_part(task, side, CAUCUS_BCAST, &map, task->volume);
        struct caucus_task gather =
            caucus_intergroup_node_part(task, side, CAUCUS_ALLGATHERV, &map, task->volume);
        seconds = in_stripes ? caucus_allgatherv_lanes.cost(&gather, model)
                             : caucus_reduce_node_aware.cost(&reduce, model) +
                                   caucus_bcast_node_aware.cost(&bcast, model);
    }
    caucus_node_map_free(&map);
    return seconds;
}

static double parts_cost(const struct caucus_task *task, const struct caucus_model *model,
                         bool in_stripes) {
    struct caucus_group_blocks own = caucus_intergroup_own(task),
                               other = caucus_intergroup_other(task);
    double first = part_cost(task, model, &own, in_stripes);
    double second = part_cost(task, model, &other, in_stripes);
    return first > second ? first : second;
}

static double cost_leaders(const struct caucus_task *task, const struct caucus_model *model) {
    int32_t nodes = task->nodes->nodes;
    struct caucus_model few =
        caucus_cost_tree_part(task, model, 2 * (nodes - 1), 2 * caucus_cost_rounds(nodes) - 1);
    return parts_cost(task, &few, false) + caucus_cost_between(&few, (double)task->volume, 1);
}

static double cost_stripes(const struct caucus_task *task, const struct caucus_model *model) {
    struct caucus_even_shares shares;
    if (!caucus_even_shares_init(&shares, task, task->volume))
        return INFINITY;
    shares.task.node_limit = task->node_limit / 2;
    double seconds = caucus_intergroup_reduce_scatter_node_striped_ring.cost(&shares.task, model) +
                     parts_cost(task, model, true);
    free(shares.length);
    return seconds;
}

const struct caucus_algorithm caucus_intergroup_allreduce_node_aware = {
    .collective = CAUCUS_ALLREDUCE,
    .name = "node_aware",
    .summary = "a reduction by nodes in each group, whose lowest ranks swap, and a broadcast",
    .needs = CAUCUS_NEEDS_COMMUTATIVE | CAUCUS_NEEDS_NODES,
    .emit = emit_leaders,
    .cost = cost_leaders,
};

const struct caucus_algorithm caucus_intergroup_allreduce_node_striped_ring = {
    .collective = CAUCUS_ALLREDUCE,
    .name = "node_striped_ring",
    .summary = "a reduce-scatter by the striped ring of nodes, then an allgather in lanes",
    .needs = CAUCUS_NEEDS_COMMUTATIVE | CAUCUS_NEEDS_NODES,
    .emit = emit_stripes,
    .cost = cost_stripes,
};
