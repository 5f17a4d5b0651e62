/* SPDX-License-Identifier: BSD-3-Clause */
/* What the entries of table.c emit and cost, as algorithm.h says. Collectives that differ in
 * lengths only share the functions of the plainest one. x and x_cost are in x.c, but for those
 * before which another file is named. */
#ifndef CAUCUS_PLAN_COLLECTIVE_ALGORITHMS_H
#define CAUCUS_PLAN_COLLECTIVE_ALGORITHMS_H

#include "plan/collective/algorithm.h"

caucus_algorithm_emit caucus_barrier_dissemination, caucus_barrier_node_aware;
caucus_algorithm_cost caucus_barrier_dissemination_cost, caucus_barrier_node_aware_cost;

/* barrier_node_aware.c */
caucus_algorithm_emit caucus_barrier_node_lines;
caucus_algorithm_cost caucus_barrier_node_lines_cost;

caucus_algorithm_emit caucus_bcast_postal, caucus_bcast_scatter_allgather, caucus_bcast_circulant,
    caucus_bcast_node_aware;
caucus_algorithm_cost caucus_bcast_postal_cost, caucus_bcast_scatter_allgather_cost,
    caucus_bcast_circulant_cost, caucus_bcast_node_aware_cost;

/* bcast_postal.c, bcast_node_aware.c */
caucus_algorithm_emit caucus_bcast_binomial, caucus_bcast_lanes;
caucus_algorithm_cost caucus_bcast_binomial_cost, caucus_bcast_lanes_cost;

caucus_algorithm_emit caucus_reduce_postal, caucus_reduce_circulant, caucus_reduce_node_aware;
caucus_algorithm_cost caucus_reduce_postal_cost, caucus_reduce_circulant_cost,
    caucus_reduce_node_aware_cost;

/* reduce_postal.c, reduce_node_aware.c; the cost of lanes is that of an allreduce too, node_cost.c
 */
caucus_algorithm_emit caucus_reduce_binomial, caucus_reduce_lanes;
caucus_algorithm_cost caucus_reduce_binomial_cost, caucus_node_lanes_cost;

/* Of allreduce too; node_direct is in reduce_node_memory.c. */
caucus_algorithm_emit caucus_reduce_recursive_halving, caucus_reduce_node_memory,
    caucus_reduce_node_direct;
caucus_algorithm_cost caucus_reduce_recursive_halving_cost, caucus_reduce_node_memory_cost,
    caucus_reduce_node_direct_cost;

caucus_algorithm_emit caucus_allreduce_recursive_doubling, caucus_allreduce_circulant,
    caucus_allreduce_ring, caucus_allreduce_node_aware;
caucus_algorithm_cost caucus_allreduce_recursive_doubling_cost, caucus_allreduce_circulant_cost,
    caucus_allreduce_ring_cost, caucus_allreduce_node_aware_cost;

/* allreduce_node_aware.c */
caucus_algorithm_emit caucus_allreduce_lanes;

/* Gather(v) and scatter(v); the cost by nodes is in node_cost.c. */
caucus_algorithm_emit caucus_rooted_binomial, caucus_rooted_linear, caucus_rooted_node_aware,
    caucus_rooted_node_memory;
caucus_algorithm_cost caucus_rooted_binomial_cost, caucus_rooted_linear_cost,
    caucus_node_rooted_cost;

caucus_algorithm_emit caucus_allgather_bruck, caucus_allgather_circulant, caucus_allgather_ring,
    caucus_allgather_node_aware, caucus_allgatherv_circulant_pipelined;
caucus_algorithm_cost caucus_allgather_bruck_cost, caucus_allgather_circulant_cost,
    caucus_allgather_ring_cost, caucus_allgather_node_aware_cost,
    caucus_allgatherv_circulant_pipelined_cost;

/* allgather_node_aware.c */
caucus_algorithm_emit caucus_allgather_lanes;
caucus_algorithm_cost caucus_allgather_lanes_cost;

caucus_algorithm_emit caucus_alltoall_bruck, caucus_alltoall_node_aggregated;
caucus_algorithm_cost caucus_alltoall_bruck_cost;

/* alltoall_straight.c */
caucus_algorithm_emit caucus_alltoall_linear, caucus_alltoall_pairwise;
caucus_algorithm_cost caucus_alltoall_linear_cost, caucus_alltoall_pairwise_cost;

caucus_algorithm_emit caucus_reduce_scatter_recursive_halving, caucus_reduce_scatter_circulant,
    caucus_reduce_scatter_pairwise, caucus_reduce_scatter_node_memory,
    caucus_reduce_scatter_node_aware;
caucus_algorithm_cost caucus_reduce_scatter_recursive_halving_cost,
    caucus_reduce_scatter_circulant_cost, caucus_reduce_scatter_pairwise_cost,
    caucus_reduce_scatter_node_memory_cost, caucus_reduce_scatter_node_aware_cost;

/* reduce_scatter_node_aware.c */
caucus_algorithm_emit caucus_reduce_scatter_lanes;
caucus_algorithm_cost caucus_reduce_scatter_lanes_cost;

caucus_algorithm_emit caucus_scan_recursive_doubling, caucus_scan_chain, caucus_scan_node_aware,
    caucus_exscan_recursive_doubling;
caucus_algorithm_cost caucus_scan_recursive_doubling_cost, caucus_scan_chain_cost,
    caucus_scan_node_aware_cost, caucus_exscan_recursive_doubling_cost;

/* scan_chain.c, with the same cost; scan_node_aware.c */
caucus_algorithm_emit caucus_exscan_chain, caucus_scan_node_memory;
caucus_algorithm_cost caucus_scan_node_memory_cost;

/* neighbor.c */
caucus_algorithm_emit caucus_neighbor_linear, caucus_neighbor_node_aggregated;

/* traffic.c: of alltoall(v, w) and neighbourhoods */
caucus_algorithm_cost caucus_traffic_cost_straight, caucus_traffic_cost_by_nodes;

#endif
