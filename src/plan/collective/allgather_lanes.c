/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather and allgatherv over nodes in as many lanes as the smallest node has ranks, so that all
 * processes drive the card (Träff and Hunold, "Decomposing MPI collectives for exploiting
 * multi-lane communication", IEEE Cluster 2020). The steps are in allgather_node_aware.c.
 *
 * Cost: nodes - 1 rounds of a block in each lane; one synchronization where nodes are even, also on
 * one node: every rank copies its block into node memory, and all blocks out of it. */
#include "plan/collective/algorithm.h"
#include "plan/collective/allgather.h"
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_allgather_over_nodes(builder, task, task->nodes->smallest, true);
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    const struct caucus_node_map *map = task->nodes;
    double bytes = (double)task->volume, nodes = map->nodes;
    double seconds = caucus_node_allgather_cost(task, model, bytes, map->smallest);
    if (map->smallest < map->largest)
        seconds += caucus_node_allgather_cost(task, model, bytes / nodes, map->largest);
    double longest = caucus_allgather_run(task, 1); /* of the blocks that a lane has of a node */
    double node = caucus_allgather_run(task, map->largest), lanes = map->smallest;
    longest = longest > node / lanes ? longest : node / lanes;
    double sharing = longest > 0 && node / longest < lanes ? node / longest : lanes;
    return seconds + (nodes - 1) * caucus_cost_between(model, longest, sharing);
}

const struct caucus_algorithm caucus_allgather_lanes = {
    .collective = CAUCUS_ALLGATHER,
    .name = "lanes",
    .summary = "a ring of nodes in each of many lanes, then all blocks through node memory",
    .needs = CAUCUS_NEEDS_NODES,
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_allgatherv_lanes = {
    .collective = CAUCUS_ALLGATHERV,
    .name = "lanes",
    .summary = "a ring of nodes in each of many lanes, then all blocks through node memory",
    .needs = CAUCUS_NEEDS_NODES,
    .emit = emit,
    .cost = cost,
};
