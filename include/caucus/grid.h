/* SPDX-License-Identifier: BSD-3-Clause */
/* Cartesian topologies whose neighbours are on the same node as far as can be.
 *
 * MPI_Cart_create promises that reorder = 1 may place ranks well; MPI libraries keep the ranks as
 * they are. These functions find the nodes (MPI_Comm_split_type; CAUCUS_NODES overrides), work out
 * which rank should take which cell, and return an ordinary MPI communicator with MPI's own
 * Cartesian topology, so that MPI_Cart_coords, MPI_Cart_shift, MPI_Cart_sub and the neighbourhood
 * collectives work on it.
 *
 * Method: nested slabs and a portfolio of published mappers (docs/mapping.md), after W. Gropp,
 * Using Node Information to Implement MPI Cartesian Topologies, EuroMPI 2018. Never worse than not
 * reordering: where nothing is gained between nodes (CAUCUS_CART_THRESHOLD), ranks trade places
 * within their nodes at most, and where packages and caches gain nothing either, all keep theirs.
 */
#ifndef CAUCUS_GRID_H
#define CAUCUS_GRID_H

#include <caucus/traffic.h>

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As MPI_Cart_create. Ranks beyond the product of dims get MPI_COMM_NULL; with reorder these need
 * not be the last ones of comm_old. With reorder = 0 just MPI_Cart_create.
 *
 * Must be called by all ranks of comm_old, with the same arguments. ndims at most 10 with reorder.
 * Cost: one MPI_Comm_split and a few small collectives; O(nodes) memory a rank, one rank O(ranks)
 * up to CAUCUS_CART_CENTRAL ranks.
 * Errors, on every rank and with nothing made: MPI_ERR_COMM (null, intercommunicator),
 * MPI_ERR_DIMS (ndims negative or too large, a dimension below 1, product above the size of
 * comm_old or above INT_MAX), MPI_ERR_ARG (null pointer, arguments that differ between ranks, a
 * malformed setting). */
int caucus_cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
                       int reorder, MPI_Comm *comm_cart);

/* The same where halos differ: weights[i] is the number of bytes (or any unit) that a rank sends
 * each way along axis i. NULL is all equal; NaN, infinite or negative weights, or all zero, are
 * MPI_ERR_ARG. */
int caucus_cart_create_weighted(MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
                                const double weights[], int reorder, MPI_Comm *comm_cart);

/* The same for any neighbourhood: every rank sends weights[k] bytes to the rank at its coordinates
 * plus offsets[k * ndims + i]. weights may be NULL (all 1). No offset may be all zeros. info may
 * force a mapper (key caucus_cart_mapper), set the threshold (caucus_cart_threshold), or be
 * MPI_INFO_NULL. The result is a Cartesian communicator. */
int caucus_stencil_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
                          int noffsets, const int offsets[], const double weights[], MPI_Info info,
                          int reorder, MPI_Comm *comm_cart);

/* As MPI_Cart_map: the rank that this process would have in the communicator that
 * caucus_cart_create makes with reorder = 1, MPI_UNDEFINED if none. Collective over comm. */
int caucus_cart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank);

/* Fills the zeros of dims, keeps the others, such that nranks processes laid out over the nodes of
 * comm move the fewest bytes between nodes, and few bytes in all. extents: the size of the global
 * mesh along each axis, NULL for a cube. periods may be NULL (all open). Unlike MPI_Dims_create the
 * result need not be balanced.
 *
 * Must be called by all ranks of comm, with the same arguments; nranks from 1 to the size of comm.
 * Errors: as caucus_cart_create; MPI_ERR_DIMS if the entries given do not divide nranks. */
int caucus_dims_create(MPI_Comm comm, int nranks, int ndims, const double extents[],
                       const int periods[], int dims[]);

typedef struct caucus_cart_report_data {
    int nodes;                  /* that the communicator lies on */
    char mapper[32];            /* what placed the ranks: "given" if they kept their place */
    double bound;               /* no placement has less off_node; 0 where it was not worked out */
    caucus_cart_traffic given;  /* without reordering */
    caucus_cart_traffic placed; /* as the communicator is */
} caucus_cart_report_data;

/* What reordering did for a Cartesian communicator, measured: one rank of every node counts the
 * edges that leave it. For one that Caucus did not make, given and placed are the same and the
 * stencil is MPI's own (distance 1 along each axis, all weights 1).
 *
 * Must be called by all ranks of comm_cart; every rank gets the same report. A few small
 * collectives. Errors: MPI_ERR_TOPOLOGY if comm_cart has no Cartesian topology,
 * MPI_ERR_COMM, MPI_ERR_ARG (null pointer). */
int caucus_cart_report(MPI_Comm comm_cart, caucus_cart_report_data *report);

#ifdef __cplusplus
}
#endif

#endif
