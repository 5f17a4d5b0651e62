/* SPDX-License-Identifier: BSD-3-Clause */
/* Allreduce over nodes in as many lanes as the smallest node has ranks, so that all processes drive
 * the card (Träff and Hunold, "Decomposing MPI collectives for exploiting multi-lane
 * communication", IEEE Cluster 2020). The steps are in allreduce_node_aware.c.
 *
 * Cost: about two synchronizations; 2 ⌈log2 nodes⌉ rounds, in which a card carries the operand
 * twice. For large data. */
#include "plan/collective/algorithm.h"
#include "plan/collective/node_parts.h"

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_allreduce_over_nodes(builder, task, task->nodes->smallest, true);
}

const struct caucus_algorithm caucus_allreduce_lanes = {
    .collective = CAUCUS_ALLREDUCE,
    .name = "lanes",
    .summary = "each rank of a node reduces a part between nodes, the rest by node memory",
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_COMMUTATIVE,
    .emit = emit,
    .cost = caucus_node_lanes_cost,
};

const struct caucus_algorithm caucus_allreduce_lanes_ordered = {
    .collective = CAUCUS_ALLREDUCE,
    .name = "lanes_ordered",
    .summary = "as lanes, in the order of ranks, where nodes are blocks of them",
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_ORDERED,
    .emit = emit,
    .cost = caucus_node_lanes_cost,
};
