/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief Cartesian communicators whose neighbours share a node wherever possible.
 */
#ifndef CAUCUS_GRID_H
#define CAUCUS_GRID_H

#include <caucus/traffic.h>

#include <mpi.h>

/**
 * @defgroup grid Node-aware grids
 * @brief MPI_Cart_create with reordering that reduces the traffic between nodes.
 *
 * MPI_Cart_create may reorder ranks if reorder = 1, but MPI libraries leave every rank where it is.
 * The functions here find out which ranks share a node (MPI_Comm_split_type; the setting
 * CAUCUS_NODES overrides it), work out which rank should take which cell of the grid, and return an
 * ordinary MPI communicator with MPI's own Cartesian topology. MPI_Cart_coords, MPI_Cart_shift,
 * MPI_Cart_sub and the neighbourhood collectives work on it.
 *
 * @code
 * int dims[2] = {0, 0}, periods[2] = {1, 1}, size;
 * MPI_Comm grid;
 * MPI_Comm_size(comm, &size);
 * caucus_dims_create(comm, size, 2, NULL, periods, dims);    // chooses dims
 * caucus_cart_create(comm, 2, dims, periods, 1, &grid);
 * ...                                                        // use it as any communicator
 * MPI_Comm_free(&grid);
 * @endcode
 *
 * The result is never worse than without reordering; a mapper that is forced by CAUCUS_CART_MAPPER
 * and would be is not taken, with a warning. Rank 0 stays rank 0 wherever that costs nothing or no
 * more than CAUCUS_CART_RANK0 allows. If reordering would save less than the part
 * CAUCUS_CART_THRESHOLD of the traffic between nodes, ranks only trade places within their nodes,
 * and only if traffic between packages or shared caches decreases by that; otherwise all ranks keep
 * their places.
 *
 * Source: W. Gropp, Using Node Information to Implement MPI Cartesian Topologies, EuroMPI 2018. The
 * method is nested slabs and a portfolio of published mappers (docs/mapping.md). docs/grids.md is
 * the guide.
 *
 * Errors that are found before anything is made are returned on every rank. The functions call the
 * error handler of the communicator given, and caucus_error_text() explains.
 *
 * Threads: as for collectives of MPI on the same communicator.
 * @{
 */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes a Cartesian communicator, as MPI_Cart_create does. If @p reorder is 0, it is
 * MPI_Cart_create.
 *
 * Collective over @p comm_old, with the same arguments on all ranks. Attaches @p comm_old if it is
 * not attached (caucus/comm.h).
 *
 * Cost: one MPI_Comm_split if ranks are reordered, MPI_Cart_create, and a few small collectives.
 * Memory: O(nodes) on each rank; on rank 0 also O(ranks), for at most CAUCUS_CART_CENTRAL ranks.
 *
 * @param[in] comm_old  An intracommunicator.
 * @param[in] ndims     Number of dimensions, at least 0; at most 10 if @p reorder is not 0.
 * @param[in] dims      Number of ranks along each dimension: @p ndims entries, each at least 1. The
 *                      product is at most the size of @p comm_old.
 * @param[in] periods   @p ndims flags: not 0 if the dimension is periodic.
 * @param[in] reorder   Not 0 if ranks may be reordered.
 * @param[out] comm_cart The new communicator, to be freed by MPI_Comm_free. If the grid has fewer
 *                      cells than @p comm_old has ranks, the ranks left over get MPI_COMM_NULL.
 *                      With @p reorder these need not be the last ranks of @p comm_old.
 * @return MPI_SUCCESS, or on every rank: MPI_ERR_COMM (MPI_COMM_NULL or an intercommunicator),
 *         MPI_ERR_DIMS (@p ndims negative or too large, a dimension below 1, a product above the
 *         size of @p comm_old), MPI_ERR_ARG (a null pointer, arguments that differ between ranks, a
 *         malformed setting), MPI_ERR_NO_MEM. Nothing is made then.
 */
int caucus_cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
                       int reorder, MPI_Comm *comm_cart);

/**
 * As caucus_cart_create, where messages along different dimensions have different lengths.
 *
 * Collective over @p comm_old, with the same arguments on all ranks. Cost as caucus_cart_create.
 *
 * @param[in] comm_old  An intracommunicator.
 * @param[in] ndims     Number of dimensions, 0 to 10.
 * @param[in] dims      Number of ranks along each dimension: @p ndims entries.
 * @param[in] periods   @p ndims flags: not 0 if the dimension is periodic.
 * @param[in] weights   @p ndims entries: how many bytes (or any other unit) a rank sends to each of
 *                      its two neighbours along the dimension. Finite, not negative, not all zero,
 *                      at most 5e289 in all. NULL: all equal.
 * @param[in] reorder   Not 0 if ranks may be reordered.
 * @param[out] comm_cart The new communicator or MPI_COMM_NULL, as in caucus_cart_create.
 * @return MPI_SUCCESS, or an error as caucus_cart_create on every rank; MPI_ERR_ARG also for
 *         weights that are negative, infinite, NaN, or all zero.
 */
int caucus_cart_create_weighted(MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
                                const double weights[], int reorder, MPI_Comm *comm_cart);

/**
 * As caucus_cart_create, for any neighbourhood that is the same for all ranks: for instance with
 * diagonal neighbours, or neighbours at a distance of two.
 *
 * @code
 * int offsets[] = {1, 0, -1, 0, 0, 1, 0, -1, 1, 1, -1, -1};    // six neighbours in two dimensions
 * caucus_stencil_create(comm, 2, dims, periods, 6, offsets, NULL, MPI_INFO_NULL, 1, &grid);
 * @endcode
 *
 * Collective over @p comm_old, with the same arguments on all ranks. Cost as caucus_cart_create.
 *
 * @param[in] comm_old  An intracommunicator.
 * @param[in] ndims     Number of dimensions, 0 to 10.
 * @param[in] dims      Number of ranks along each dimension: @p ndims entries.
 * @param[in] periods   @p ndims flags: not 0 if the dimension is periodic.
 * @param[in] noffsets  Number of neighbours that a rank sends to, 0 to 2^20.
 * @param[in] offsets   @p noffsets times @p ndims entries: neighbour k of a rank has its
 *                      coordinates plus offsets[k * ndims + i] along each dimension i. Not all
 *                      entries of a neighbour may be zero.
 * @param[in] weights   @p noffsets entries: how many bytes (or any other unit) a rank sends to the
 *                      neighbour. Finite, not negative, not all zero, at most 1e290 in all. NULL:
 *                      all 1.
 * @param[in] info      MPI_INFO_NULL, or an info object whose keys caucus_cart_mapper (the name of
 *                      a mapper to be used), caucus_cart_threshold and caucus_cart_rank0 replace
 * the settings CAUCUS_CART_MAPPER, CAUCUS_CART_THRESHOLD and CAUCUS_CART_RANK0.
 * @param[in] reorder   Not 0 if ranks may be reordered.
 * @param[out] comm_cart The new communicator or MPI_COMM_NULL, as in caucus_cart_create. Its
 *                      topology is Cartesian: MPI knows nothing of the other neighbours.
 * @return MPI_SUCCESS, or an error as caucus_cart_create on every rank; MPI_ERR_ARG also for wrong
 *         offsets, weights, or info values.
 */
int caucus_stencil_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
                          int noffsets, const int offsets[], const double weights[], MPI_Info info,
                          int reorder, MPI_Comm *comm_cart);

/**
 * Tells which rank the calling process would have in the communicator that caucus_cart_create makes
 * with reorder = 1, as MPI_Cart_map does. Makes no communicator.
 *
 * Collective over @p comm, with the same arguments on all ranks; MPI_Cart_map is not: one rank may
 * call that alone.
 *
 * @param[in] comm      An intracommunicator.
 * @param[in] ndims     Number of dimensions, 0 to 10.
 * @param[in] dims      Number of ranks along each dimension: @p ndims entries.
 * @param[in] periods   @p ndims flags: not 0 if the dimension is periodic.
 * @param[out] newrank  The rank, or MPI_UNDEFINED if the process would not be in the grid.
 * @return MPI_SUCCESS, or an error as caucus_cart_create on every rank.
 */
int caucus_cart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank);

/**
 * Chooses dimensions for a grid, as MPI_Dims_create does, but such that few bytes cross between the
 * nodes of @p comm and few bytes are sent at all. Unlike those of MPI_Dims_create, the dimensions
 * need not be close to each other.
 *
 * Collective over @p comm, with the same arguments on all ranks. Cost: a few small collectives;
 * rank 0 works it out.
 *
 * @param[in] comm      An intracommunicator.
 * @param[in] nranks    Number of ranks in the grid, from 1 to the size of @p comm.
 * @param[in] ndims     Number of dimensions, 0 to 10.
 * @param[in] extents   @p ndims entries: the size of the global mesh along each dimension, in
 *                      points. Finite and positive, and their product, and what is above 1 of
 *                      them over what is below, at most 1e270. NULL: the same along all.
 * @param[in] periods   @p ndims flags: not 0 if the dimension is periodic. NULL: none is.
 * @param[in,out] dims  @p ndims entries. Zeros are replaced by the dimensions chosen; positive
 *                      entries are kept, and their product must divide @p nranks.
 * @return MPI_SUCCESS, or on every rank: MPI_ERR_COMM (MPI_COMM_NULL or an intercommunicator),
 *         MPI_ERR_DIMS (@p nranks or @p ndims out of range, a negative entry of @p dims, entries
 *         that do not divide @p nranks), MPI_ERR_ARG (a null pointer, wrong extents, arguments that
 *         differ between ranks), MPI_ERR_NO_MEM.
 */
int caucus_dims_create(MPI_Comm comm, int nranks, int ndims, const double extents[],
                       const int periods[], int dims[]);

/** What reordering did for a Cartesian communicator. */
typedef struct caucus_cart_report_data {
    int nodes;       /**< Number of nodes that the communicator's ranks are on. */
    char mapper[32]; /**< Name of the mapper that placed the ranks, "given" if they kept theirs. */
    double bound;    /**< No placement of the ranks that take part has less traffic
                        off_node; 0 if this was not worked out. */
    caucus_cart_traffic given;  /**< Traffic without reordering. */
    caucus_cart_traffic placed; /**< Traffic of the communicator as it is. */
    int rank0_kept;    /**< 1 if rank 0 of the old communicator is rank 0 of this one, else 0. */
    double rank0_cost; /**< By which fraction keeping rank 0 has raised off_node or off_node_worst,
                            whichever more, or would have raised it if rank 0 was not kept: what
                            CAUCUS_CART_RANK0 must allow. Infinite if there would be no such traffic
                            otherwise; 0 if that setting is never. */
} caucus_cart_report_data;

/**
 * Measures the traffic between nodes of a Cartesian communicator: one rank of each node gathers
 * which cells its ranks have, and counts the neighbours elsewhere. For a communicator that Caucus
 * did not make, given and placed are the same, rank 0 counts as kept, and the neighbourhood is that
 * of MPI (distance 1 along each dimension, all weights 1).
 *
 * Collective over @p comm_cart. Cost: a few small collectives; one rank of each node needs memory
 * for the ranks of its node.
 *
 * @param[in] comm_cart A communicator with a Cartesian topology of at most 10 dimensions.
 * @param[out] report   The report, the same on every rank.
 * @return MPI_SUCCESS, or: MPI_ERR_TOPOLOGY (no Cartesian topology), MPI_ERR_COMM (MPI_COMM_NULL or
 *         an intercommunicator), MPI_ERR_DIMS (more than 10 dimensions), MPI_ERR_ARG (a null
 *         pointer), MPI_ERR_NO_MEM.
 */
int caucus_cart_report(MPI_Comm comm_cart, caucus_cart_report_data *report);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
