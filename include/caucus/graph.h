/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief Communicators with the topology of any graph, whose neighbours share a node.
 */
#ifndef CAUCUS_GRAPH_H
#define CAUCUS_GRAPH_H

#include <caucus/grid.h>

/**
 * @defgroup graph Node-aware graphs
 * @brief MPI_Dist_graph_create and MPI_Graph_create with reordering that reduces the traffic
 * between nodes.
 *
 * For neighbourhoods that are no grid, such as the parts of an unstructured mesh. As with grids
 * (caucus/grid.h), MPI may reorder ranks if reorder = 1, but MPI libraries leave every rank where
 * it is. The functions here work out which process should have which rank, and return an ordinary
 * MPI communicator with MPI's own topology; neighbourhood collectives work on it.
 *
 * @code
 * MPI_Comm graph;
 * caucus_dist_graph_create_adjacent(comm, indegree, sources, sourceweights, outdegree,
 *                                   destinations, destweights, MPI_INFO_NULL, 1, &graph);
 * MPI_Comm_rank(graph, &rank);                    // whose part of the mesh this process has now
 * MPI_Dist_graph_neighbors_count(graph, &indegree, &outdegree, &weighted);
 * MPI_Dist_graph_neighbors(graph, ...);           // its neighbours
 * @endcode
 *
 * @par What reordering means
 * The graph is given in ranks of the old communicator, and holds for the ranks of the new one: the
 * process that gets rank i there has the neighbours that were given for rank i, by whichever
 * process. So a program must ask for its rank and its neighbours after the call, and then
 * distribute its data.
 *
 * The result is never worse than without reordering: the weight of all edges between nodes is less,
 * by the part CAUCUS_CART_THRESHOLD at least, or ranks only trade places within their nodes, if
 * that takes as much from between packages or shared caches; otherwise all keep their ranks. What
 * counts is the weight of each edge, as often as it is given; edges from a rank to itself cost
 * nothing. Partitions of METIS and Scotch compete where they can be loaded (CAUCUS_METIS,
 * CAUCUS_SCOTCH). docs/graphs.md is the guide.
 *
 * Errors that are found before anything is made are returned on every rank. The functions call the
 * error handler of the communicator given, and caucus_error_text() explains.
 *
 * Memory: rank 0 gathers the graph, so it needs memory for all edges, of which there may be
 * CAUCUS_GRAPH_CENTRAL; with more edges, one rank of each node needs it for the edges of the ranks
 * of a few nodes, and some bytes for each node.
 *
 * Limits: of the edges of MPI_Dist_graph_create_adjacent a rank may give 2^30 - 1 in each
 * direction, of those of MPI_Dist_graph_create 2^30 - 1 in all, and as many may enter and leave a
 * rank (MPI_ERR_ARG, MPI_ERR_NO_MEM). Where ranks are reordered above CAUCUS_GRAPH_CENTRAL, 2^31 -
 * 1 edges may leave the ranks of a node, and the edges of the nodes that meet, 4 numbers each, must
 * fit into messages of 2^31 - 1 numbers (MPI_ERR_NO_MEM).
 *
 * Threads: as for collectives of MPI on the same communicator.
 * @{
 */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes a communicator of a graph of which each rank gives its own edges, as
 * MPI_Dist_graph_create_adjacent does.
 *
 * Collective over @p comm_old. Attaches @p comm_old if it is not attached (caucus/comm.h). An edge
 * must be given by both of its ends, with the same weight.
 *
 * Cost: a few small collectives, and if ranks are reordered one MPI_Comm_split; rank 0 works the
 * ranks out, in some 30 ms for 100 ranks, a second for 10^4 and some seconds for 10^5, or up to a
 * minute where these have ten neighbours each that lie anywhere in the graph.
 *
 * @param[in] comm_old      An intracommunicator.
 * @param[in] indegree      Number of edges into the calling rank.
 * @param[in] sources       @p indegree ranks that these edges come from; the same rank may come
 *                          several times, and be the calling one.
 * @param[in] sourceweights @p indegree weights, not negative; MPI_UNWEIGHTED: all 1, on all ranks
 *                          alike; MPI_WEIGHTS_EMPTY for no edges.
 * @param[in] outdegree     Number of edges out of the calling rank.
 * @param[in] destinations  @p outdegree ranks that these edges lead to.
 * @param[in] destweights   @p outdegree weights, as @p sourceweights.
 * @param[in] info          MPI_INFO_NULL, or an info object, which MPI gets too. Its key
 *                          caucus_cart_threshold replaces the setting CAUCUS_CART_THRESHOLD.
 * @param[in] reorder       Not 0 if ranks may be reordered; the same on all ranks.
 * @param[out] comm_dist_graph The new communicator, to be freed by MPI_Comm_free. Neighbours of its
 *                          rank i have the order in which rank i of @p comm_old gave them.
 * @return MPI_SUCCESS, or on every rank: MPI_ERR_COMM (MPI_COMM_NULL or an intercommunicator),
 *         MPI_ERR_RANK (a neighbour that is no rank), MPI_ERR_ARG (a null pointer, a negative
 *         number or weight, weights on some ranks only, a value of @p reorder or an info key that
 *         differs between ranks, a malformed setting), MPI_ERR_NO_MEM. Nothing is made then.
 */
int caucus_dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int sources[],
                                      const int *sourceweights, int outdegree,
                                      const int destinations[], const int *destweights,
                                      MPI_Info info, int reorder, MPI_Comm *comm_dist_graph);

/**
 * Makes a communicator of a graph of which each rank gives some edges, between any ranks, as
 * MPI_Dist_graph_create does. Unlike MPICH's (docs/mpi-faults.md) it returns on several nodes.
 *
 * Collective over @p comm_old. Cost as caucus_dist_graph_create_adjacent, and two MPI_Alltoallv.
 * Memory: O(ranks) on every rank.
 *
 * @param[in] comm_old     An intracommunicator.
 * @param[in] n            Number of entries of @p sources and @p degrees.
 * @param[in] sources      @p n ranks that edges come from.
 * @param[in] degrees      @p n numbers: how many edges are given for each of them.
 * @param[in] destinations The ranks that these edges lead to: those of sources[0], then those of
 *                         sources[1], and so on.
 * @param[in] weights      A weight for each of them, not negative; MPI_UNWEIGHTED: all 1, on all
 *                         ranks alike; MPI_WEIGHTS_EMPTY for no edges.
 * @param[in] info         As in caucus_dist_graph_create_adjacent.
 * @param[in] reorder      Not 0 if ranks may be reordered; the same on all ranks.
 * @param[out] comm_dist_graph The new communicator, to be freed by MPI_Comm_free. Neighbours are in
 *                         the order of the ranks that gave them, and for each of these in the order
 *                         in which it gave them.
 * @return MPI_SUCCESS, or an error as caucus_dist_graph_create_adjacent on every rank.
 */
int caucus_dist_graph_create(MPI_Comm comm_old, int n, const int sources[], const int degrees[],
                             const int destinations[], const int *weights, MPI_Info info,
                             int reorder, MPI_Comm *comm_dist_graph);

/**
 * Makes a communicator of a graph that every rank gives whole, as MPI_Graph_create does.
 *
 * Collective over @p comm_old, with the same arguments on all ranks. Cost as
 * caucus_dist_graph_create_adjacent, and one MPI_Comm_split in any case.
 *
 * @param[in] comm_old    An intracommunicator.
 * @param[in] nnodes      Number of nodes of the graph, from 0 to the size of @p comm_old.
 * @param[in] index       @p nnodes numbers: how many edges the nodes up to this one have in all.
 * @param[in] edges       The neighbours of node 0, of node 1 and so on: each a node of the graph.
 * @param[in] reorder     Not 0 if ranks may be reordered.
 * @param[out] comm_graph The new communicator, to be freed by MPI_Comm_free. If the graph has fewer
 *                        nodes than @p comm_old has ranks, the ranks left over get MPI_COMM_NULL.
 *                        With @p reorder these need not be the last ranks of @p comm_old.
 * @return MPI_SUCCESS, or on every rank: MPI_ERR_COMM, MPI_ERR_ARG (@p nnodes out of range, numbers
 *         in @p index that fall, a null pointer, arguments that differ between ranks, a malformed
 *         setting), MPI_ERR_RANK (a neighbour that is no node), MPI_ERR_NO_MEM.
 */
int caucus_graph_create(MPI_Comm comm_old, int nnodes, const int index[], const int edges[],
                        int reorder, MPI_Comm *comm_graph);

/**
 * Measures the traffic between nodes of a communicator with the topology of a graph: what its edges
 * weigh that lead to other nodes. For a communicator that Caucus did not make, given and placed are
 * the same.
 *
 * Collective over @p comm_graph. Cost: a few small collectives. Memory: O(ranks) on every rank.
 *
 * @param[in] comm_graph A communicator with the topology of a graph, distributed or not.
 * @param[out] report    The report, the same on every rank. mapper is the method that placed the
 *                       ranks: exchanged, grown, metis, scotch, annealed, distributed
 *                       (docs/graphs.md), other-ranks (the graph has fewer nodes than there are
 *                       ranks, and others take them), within-node, chaos, or given. bound and
 *                       rank0_cost are 0.
 * @return MPI_SUCCESS, or: MPI_ERR_TOPOLOGY (no topology of a graph), MPI_ERR_COMM (MPI_COMM_NULL
 *         or an intercommunicator), MPI_ERR_ARG (a null pointer), MPI_ERR_NO_MEM.
 */
int caucus_graph_report(MPI_Comm comm_graph, caucus_cart_report_data *report);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
