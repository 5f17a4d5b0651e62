/* SPDX-License-Identifier: BSD-3-Clause */
/* All algorithms, those of a collective together, the one for small data first. ALGORITHM(x) stands
 * for caucus_x in x.c; collectives that differ in lengths only share the file of the plainest one.
 * No include guard: table.c reads this more than once. */

ALGORITHM(barrier_dissemination)
ALGORITHM(barrier_node_lines)
ALGORITHM(barrier_node_aware)

ALGORITHM(bcast_postal)
ALGORITHM(bcast_binomial)
ALGORITHM(bcast_scatter_allgather)
ALGORITHM(bcast_circulant)
ALGORITHM(bcast_node_aware)
ALGORITHM(bcast_lanes)

ALGORITHM(reduce_postal)
ALGORITHM(reduce_binomial)
ALGORITHM(reduce_recursive_halving)
ALGORITHM(reduce_circulant)
ALGORITHM(reduce_node_direct)
ALGORITHM(reduce_node_memory)
ALGORITHM(reduce_node_aware)
ALGORITHM(reduce_node_aware_ordered)
ALGORITHM(reduce_lanes)
ALGORITHM(reduce_lanes_ordered)

ALGORITHM(allreduce_recursive_doubling)
ALGORITHM(allreduce_recursive_halving)
ALGORITHM(allreduce_circulant)
ALGORITHM(allreduce_ring)
ALGORITHM(allreduce_node_direct)
ALGORITHM(allreduce_node_memory)
ALGORITHM(allreduce_node_aware)
ALGORITHM(allreduce_node_aware_ordered)
ALGORITHM(allreduce_lanes)
ALGORITHM(allreduce_lanes_ordered)

ALGORITHM(gather_binomial)
ALGORITHM(gather_linear)
ALGORITHM(gather_node_aware)

ALGORITHM(gatherv_binomial)
ALGORITHM(gatherv_linear)
ALGORITHM(gatherv_node_aware)
ALGORITHM(gatherv_node_memory)

ALGORITHM(scatter_binomial)
ALGORITHM(scatter_linear)
ALGORITHM(scatter_node_aware)

ALGORITHM(scatterv_binomial)
ALGORITHM(scatterv_linear)
ALGORITHM(scatterv_node_aware)
ALGORITHM(scatterv_node_memory)

ALGORITHM(allgather_bruck)
ALGORITHM(allgather_circulant)
ALGORITHM(allgather_ring)
ALGORITHM(allgather_node_aware)
ALGORITHM(allgather_lanes)

ALGORITHM(allgatherv_bruck)
ALGORITHM(allgatherv_circulant)
ALGORITHM(allgatherv_circulant_pipelined)
ALGORITHM(allgatherv_ring)
ALGORITHM(allgatherv_node_aware)
ALGORITHM(allgatherv_lanes)

ALGORITHM(alltoall_bruck)
ALGORITHM(alltoall_linear)
ALGORITHM(alltoall_pairwise)
ALGORITHM(alltoall_node_aggregated)

ALGORITHM(alltoallv_linear)
ALGORITHM(alltoallv_pairwise)
ALGORITHM(alltoallv_node_aggregated)

ALGORITHM(alltoallw_linear)
ALGORITHM(alltoallw_pairwise)
ALGORITHM(alltoallw_node_aggregated)

ALGORITHM(reduce_scatter_recursive_halving)
ALGORITHM(reduce_scatter_circulant)
ALGORITHM(reduce_scatter_pairwise)
ALGORITHM(reduce_scatter_node_memory)
ALGORITHM(reduce_scatter_node_aware)
ALGORITHM(reduce_scatter_node_aware_ordered)
ALGORITHM(reduce_scatter_lanes)
ALGORITHM(reduce_scatter_lanes_ordered)

ALGORITHM(reduce_scatter_block_recursive_halving)
ALGORITHM(reduce_scatter_block_circulant)
ALGORITHM(reduce_scatter_block_pairwise)
ALGORITHM(reduce_scatter_block_node_memory)
ALGORITHM(reduce_scatter_block_node_aware)
ALGORITHM(reduce_scatter_block_node_aware_ordered)
ALGORITHM(reduce_scatter_block_lanes)
ALGORITHM(reduce_scatter_block_lanes_ordered)

ALGORITHM(scan_recursive_doubling)
ALGORITHM(scan_chain)
ALGORITHM(scan_node_memory)
ALGORITHM(scan_node_aware)

ALGORITHM(exscan_recursive_doubling)
ALGORITHM(exscan_chain)
ALGORITHM(exscan_node_memory)
ALGORITHM(exscan_node_aware)

ALGORITHM(neighbor_allgather_linear)
ALGORITHM(neighbor_allgather_node_aggregated)

ALGORITHM(neighbor_allgatherv_linear)
ALGORITHM(neighbor_allgatherv_node_aggregated)

ALGORITHM(neighbor_alltoall_linear)
ALGORITHM(neighbor_alltoall_node_aggregated)

ALGORITHM(neighbor_alltoallv_linear)
ALGORITHM(neighbor_alltoallv_node_aggregated)

ALGORITHM(neighbor_alltoallw_linear)
ALGORITHM(neighbor_alltoallw_node_aggregated)
