/* SPDX-License-Identifier: BSD-3-Clause */
/* All algorithms between two groups, those of a collective together, the one for small data first.
 * ALGORITHM(x) stands for caucus_intergroup_x, ALIKE(x) for caucus_x of one group, which serves the
 * union of both as it is. No include guard: table.c reads this more than once. */

ALIKE(barrier_dissemination)
ALIKE(barrier_node_lines)
ALIKE(barrier_node_aware)
ALGORITHM(barrier_direct)

ALGORITHM(bcast_node_aware)
ALGORITHM(bcast_postal)
ALGORITHM(bcast_binomial)
ALGORITHM(bcast_scatter_allgather)
ALGORITHM(bcast_circulant)
ALGORITHM(bcast_node_circulant)
ALGORITHM(bcast_direct)

ALGORITHM(reduce_node_aware)
ALGORITHM(reduce_postal)
ALGORITHM(reduce_recursive_halving)
ALGORITHM(reduce_circulant)
ALGORITHM(reduce_node_circulant)
ALGORITHM(reduce_direct)

ALGORITHM(allreduce_node_aware)
ALGORITHM(allreduce_partners)
ALGORITHM(allreduce_leaders)
ALGORITHM(allreduce_crossing)
ALGORITHM(allreduce_striped_ring)
ALGORITHM(allreduce_node_striped_ring)
ALGORITHM(allreduce_direct)

ALGORITHM(gather_binomial)
ALGORITHM(gather_direct)

ALGORITHM(gatherv_binomial)
ALGORITHM(gatherv_direct)

ALGORITHM(scatter_binomial)
ALGORITHM(scatter_direct)

ALGORITHM(scatterv_binomial)
ALGORITHM(scatterv_direct)

ALGORITHM(allgather_leaders)
ALGORITHM(allgather_node_aware)
ALGORITHM(allgather_dissemination)
ALGORITHM(allgather_direct)
ALGORITHM(allgather_crossing)
ALGORITHM(allgather_ring)
ALGORITHM(allgather_striped_ring)
ALGORITHM(allgather_lanes)
ALGORITHM(allgather_node_striped_ring)

ALGORITHM(allgatherv_leaders)
ALGORITHM(allgatherv_node_aware)
ALGORITHM(allgatherv_dissemination)
ALGORITHM(allgatherv_direct)
ALGORITHM(allgatherv_crossing)
ALGORITHM(allgatherv_ring)
ALGORITHM(allgatherv_striped_ring)
ALGORITHM(allgatherv_lanes)
ALGORITHM(allgatherv_node_striped_ring)

ALGORITHM(alltoall_direct)
ALGORITHM(alltoall_pairwise)

ALGORITHM(alltoallv_direct)
ALGORITHM(alltoallv_pairwise)

ALGORITHM(alltoallw_direct)
ALGORITHM(alltoallw_pairwise)

ALGORITHM(reduce_scatter_crossing)
ALGORITHM(reduce_scatter_striped_ring)
ALGORITHM(reduce_scatter_node_striped_ring)
ALGORITHM(reduce_scatter_direct)

ALGORITHM(reduce_scatter_block_crossing)
ALGORITHM(reduce_scatter_block_striped_ring)
ALGORITHM(reduce_scatter_block_node_striped_ring)
ALGORITHM(reduce_scatter_block_direct)
