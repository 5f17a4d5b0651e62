/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduce-scatter over nodes in as many lanes as the smallest node has ranks, so that all processes
 * drive the card (Träff and Hunold, "Decomposing MPI collectives for exploiting multi-lane
 * communication", IEEE Cluster 2020). The steps are in reduce_scatter_node_aware.c.
 *
 * Cost: one synchronization and more where node memory is short, one more where nodes are uneven;
 * ⌈log2 nodes⌉ rounds, in which a card carries what is not for its node once. For large data. */
#include "plan/collective/algorithm.h"
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_reduce_scatter_over_nodes(builder, task, task->nodes->smallest);
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    const struct caucus_node_map *map = task->nodes;
    double bytes = (double)task->volume, room = (double)task->node_limit / 2;
    double seconds = caucus_node_blocks_cost(task, model, bytes, map->nodes, room) +
                     caucus_node_halving_reduce_cost(task, model, bytes, map->smallest) +
                     caucus_cost_copy(model, bytes / map->smallest);
    if (map->smallest < map->largest)
        seconds += caucus_node_allgather_cost(task, model, bytes / map->nodes, map->smallest);
    return seconds;
}

const struct caucus_algorithm caucus_reduce_scatter_lanes = {
    .collective = CAUCUS_REDUCE_SCATTER,
    .name = "lanes",
    .summary = "each rank of a node reduces a part between nodes, the rest by node memory",
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_COMMUTATIVE,
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_reduce_scatter_lanes_ordered = {
    .collective = CAUCUS_REDUCE_SCATTER,
    .name = "lanes_ordered",
    .summary = "as lanes, in the order of ranks, where nodes are blocks of them",
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_ORDERED,
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_reduce_scatter_block_lanes = {
    .collective = CAUCUS_REDUCE_SCATTER_BLOCK,
    .name = "lanes",
    .summary = "each rank of a node reduces a part between nodes, the rest by node memory",
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_COMMUTATIVE,
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_reduce_scatter_block_lanes_ordered = {
    .collective = CAUCUS_REDUCE_SCATTER_BLOCK,
    .name = "lanes_ordered",
    .summary = "as lanes, in the order of ranks, where nodes are blocks of them",
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_ORDERED,
    .emit = emit,
    .cost = cost,
};
