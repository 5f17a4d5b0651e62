/* SPDX-License-Identifier: BSD-3-Clause */
#include "fortran/constants.h"
#include "fortran/glue.h"

#include <stdlib.h>

const int *caucus_f_weights(const MPI_Fint *given) {
    const struct caucus_f_constants *constants = caucus_f_constants();
    if (given == constants->unweighted)
        return MPI_UNWEIGHTED;
    return given == constants->weights_empty ? MPI_WEIGHTS_EMPTY : given;
}

MPI_Datatype *caucus_f_types(const MPI_Fint given[], int count) {
    MPI_Datatype *types = count > 0 ? malloc((size_t)count * sizeof *types) : NULL;
    for (int i = 0; i < count && types; i++)
        types[i] = MPI_Type_f2c(given[i]);
    return types;
}

static int neighbors(MPI_Comm comm, int topology, bool sends) {
    int rank = 0, count = 0, sources = 0, destinations = 0, weighted = 0;
    switch (topology) {
    case MPI_CART:
        PMPI_Cartdim_get(comm, &count);
        return 2 * count;
    case MPI_DIST_GRAPH:
        PMPI_Dist_graph_neighbors_count(comm, &sources, &destinations, &weighted);
        return sends ? destinations : sources;
    default:
        PMPI_Comm_rank(comm, &rank);
        PMPI_Graph_neighbors_count(comm, rank, &count);
        return count;
    }
}

int caucus_f_neighbors(MPI_Comm comm, bool sends) {
    int topology = MPI_UNDEFINED;
    if (comm != MPI_COMM_NULL)
        PMPI_Topo_test(comm, &topology);
    return topology == MPI_UNDEFINED ? 0 : neighbors(comm, topology, sends);
}

int caucus_f_blocks(MPI_Comm comm) {
    int inter = 0, size = 0;
    if (comm == MPI_COMM_NULL)
        return 0;
    PMPI_Comm_test_inter(comm, &inter);
    if (inter)
        PMPI_Comm_remote_size(comm, &size);
    else
        PMPI_Comm_size(comm, &size);
    return size;
}

int caucus_f_group_blocks(caucus_group group) {
    int size = 0;
    if (group != CAUCUS_GROUP_NULL)
        caucus_group_size(group, &size);
    return size;
}

void caucus_f_indices(int indices[], int count) {
    for (int i = 0; i < count; i++)
        indices[i]++;
}
