/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/neighbors.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/support/mpi_status.h"

#include <stdbool.h>
#include <stdlib.h>

static int make_list(struct caucus_neighbor_list *list, int32_t blocks) {
    list->blocks = blocks;
    list->rank = caucus_array(blocks, sizeof *list->rank);
    list->block = caucus_array(blocks, sizeof *list->block);
    return list->rank && list->block ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

static int make(struct caucus_neighbors *neighbors, int32_t sources, int32_t destinations) {
    int status = make_list(&neighbors->sources, sources);
    return status ? status : make_list(&neighbors->destinations, destinations);
}

static void add(struct caucus_neighbor_list *list, int rank, int block) {
    if (rank == MPI_PROC_NULL)
        return;
    list->rank[list->count] = rank;
    list->block[list->count++] = block;
}

/* Blocks come in pairs along the axes, the one for the lower neighbour first. What goes down
 * arrives from above: sources stand upper first, so that where both are the same rank, the first
 * that it sends meets the block for what comes from above. */
static int grid(MPI_Comm comm, struct caucus_neighbors *neighbors) {
    int axes, lower, upper;
    int status = caucus_mpi_status(PMPI_Cartdim_get(comm, &axes), "MPI_Cartdim_get");
    if (!status)
        status = make(neighbors, 2 * axes, 2 * axes);
    for (int axis = 0; axis < axes && !status; axis++) {
        status =
            caucus_mpi_status(PMPI_Cart_shift(comm, axis, 1, &lower, &upper), "MPI_Cart_shift");
        if (status)
            break;
        add(&neighbors->destinations, lower, 2 * axis);
        add(&neighbors->destinations, upper, 2 * axis + 1);
        add(&neighbors->sources, upper, 2 * axis + 1);
        add(&neighbors->sources, lower, 2 * axis);
    }
    return status;
}

static void add_all(struct caucus_neighbors *neighbors, int sources, const int *source,
                    int destinations, const int *destination) {
    for (int i = 0; i < sources; i++)
        add(&neighbors->sources, source[i], i);
    for (int i = 0; i < destinations; i++)
        add(&neighbors->destinations, destination[i], i);
}

static int distributed_graph(MPI_Comm comm, struct caucus_neighbors *neighbors) {
    int sources, destinations, weighted;
    int status =
        caucus_mpi_status(PMPI_Dist_graph_neighbors_count(comm, &sources, &destinations, &weighted),
                          "MPI_Dist_graph_neighbors_count");
    if (status)
        return status;
    int *lists = caucus_array(2 * ((int64_t)sources + destinations), sizeof *lists);
    if (!lists)
        return CAUCUS_NO_MEMORY;
    int *destination = lists + sources, *weight = destination + destinations;
    status = make(neighbors, sources, destinations);
    if (!status) /* room for weights even where there are none: some MPIs write them */
        status =
            caucus_mpi_status(PMPI_Dist_graph_neighbors(comm, sources, lists, weight, destinations,
                                                        destination, weight + sources),
                              "MPI_Dist_graph_neighbors");
    if (!status)
        add_all(neighbors, sources, lists, destinations, destination);
    free(lists);
    return status;
}

static int graph(MPI_Comm comm, struct caucus_neighbors *neighbors) {
    int rank, count;
    PMPI_Comm_rank(comm, &rank);
    int status = caucus_mpi_status(PMPI_Graph_neighbors_count(comm, rank, &count),
                                   "MPI_Graph_neighbors_count");
    if (status)
        return status;
    int *list = caucus_array(count, sizeof *list);
    if (!list)
        return CAUCUS_NO_MEMORY;
    status = make(neighbors, count, count);
    if (!status)
        status =
            caucus_mpi_status(PMPI_Graph_neighbors(comm, rank, count, list), "MPI_Graph_neighbors");
    if (!status)
        add_all(neighbors, count, list, count, list);
    free(list);
    return status;
}

int caucus_neighbors_create(MPI_Comm comm, struct caucus_neighbors *neighbors) {
    int kind = MPI_UNDEFINED;
    int status = caucus_mpi_status(PMPI_Topo_test(comm, &kind), "MPI_Topo_test");
    *neighbors = (struct caucus_neighbors){0};
    if (status)
        return status;
    if (kind == MPI_CART)
        status = grid(comm, neighbors);
    else if (kind == MPI_DIST_GRAPH)
        status = distributed_graph(comm, neighbors);
    else if (kind == MPI_GRAPH)
        status = graph(comm, neighbors);
    else
        return caucus_fail(CAUCUS_BAD_TOPOLOGY,
                           "the communicator has no topology: it takes a Cartesian, a "
                           "distributed graph or a graph communicator");
    if (status)
        caucus_neighbors_free(neighbors);
    return status;
}

void caucus_neighbors_free(struct caucus_neighbors *neighbors) {
    free(neighbors->sources.rank);
    free(neighbors->sources.block);
    free(neighbors->destinations.rank);
    free(neighbors->destinations.block);
    *neighbors = (struct caucus_neighbors){0};
}
