/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbourhood collectives by nodes (node_exchange.h): what the ranks of a node have for those of
 * another travels together, and a block that is for several ranks of a node (allgathers) travels
 * there once.
 *
 *   step 1   every rank copies its blocks into the regions of their nodes, in node memory
 *   step 2   the regions travel between nodes, dealt to the ranks
 *   step 3   every rank copies its blocks out
 *
 * Who sends how much to whom is exchanged at init. Cost: a message for each pair of neighbouring
 * nodes, and two copies of every byte; deduplication saves what goes to several ranks of a node
 * (as in Ghazimirsaeed, Mirsadeghi and Afsahi, An Efficient Collaborative Communication Mechanism
 * for MPI Neighborhood Collectives, IPDPS 2019). For small blocks, many neighbours, or many ranks
 * on a node; any graph. */
#include "plan/collective/algorithm.h"
#include "plan/collective/neighborhood.h"
#include "plan/collective/node_exchange.h"
#include "plan/collective/traffic.h"

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_neighborhood neighborhood;
    struct caucus_node_exchange exchange;
    caucus_neighborhood_init(&neighborhood, builder, task);
    caucus_node_exchange_init(&exchange, builder, task);
    caucus_node_exchange_from_traffic(&exchange, builder, task, &neighborhood.sent,
                                      &neighborhood.received, neighborhood.shared);
    if (!exchange.fits) {
        caucus_neighborhood_straight(&neighborhood, builder, task);
    } else {
        caucus_neighborhood_keep(&neighborhood, builder, task);
        caucus_node_exchange_emit(&exchange, builder, task);
    }
    caucus_node_exchange_free(&exchange);
    caucus_neighborhood_free(&neighborhood);
}

static const char summary[] = "what one node has for another travels together, equal blocks once";

const struct caucus_algorithm caucus_neighbor_allgather_node_aggregated = {
    .collective = CAUCUS_NEIGHBOR_ALLGATHER,
    .name = "node_aggregated",
    .summary = summary,
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_TRAFFIC,
    .emit = emit,
    .cost = caucus_traffic_cost_by_nodes,
};

const struct caucus_algorithm caucus_neighbor_allgatherv_node_aggregated = {
    .collective = CAUCUS_NEIGHBOR_ALLGATHERV,
    .name = "node_aggregated",
    .summary = summary,
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_TRAFFIC,
    .emit = emit,
    .cost = caucus_traffic_cost_by_nodes,
};

const struct caucus_algorithm caucus_neighbor_alltoall_node_aggregated = {
    .collective = CAUCUS_NEIGHBOR_ALLTOALL,
    .name = "node_aggregated",
    .summary = summary,
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_TRAFFIC,
    .emit = emit,
    .cost = caucus_traffic_cost_by_nodes,
};

const struct caucus_algorithm caucus_neighbor_alltoallv_node_aggregated = {
    .collective = CAUCUS_NEIGHBOR_ALLTOALLV,
    .name = "node_aggregated",
    .summary = summary,
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_TRAFFIC,
    .emit = emit,
    .cost = caucus_traffic_cost_by_nodes,
};

const struct caucus_algorithm caucus_neighbor_alltoallw_node_aggregated = {
    .collective = CAUCUS_NEIGHBOR_ALLTOALLW,
    .name = "node_aggregated",
    .summary = summary,
    .needs = CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_TRAFFIC,
    .emit = emit,
    .cost = caucus_traffic_cost_by_nodes,
};
