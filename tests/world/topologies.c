/* SPDX-License-Identifier: BSD-3-Clause */
/* What communicators with a topology are asked. */
#include "world.h"

#include <stdlib.h>
#include <string.h>

static struct topology *topology_of(MPI_Comm handle, int kind, const char *name,
                                    struct comm **comm) {
    *comm = comm_of(handle, name);
    struct topology *topology = *comm ? (*comm)->topology : NULL;
    return topology && topology->kind == kind ? topology : NULL;
}

#define TOPOLOGY(kind)                                                                             \
    struct comm *comm;                                                                             \
    struct topology *topology = topology_of(handle, kind, __func__, &comm);                        \
    if (!topology)                                                                                 \
    return comm_error(comm, MPI_ERR_TOPOLOGY)

int world_Topo_test(MPI_Comm handle, int *kind) {
    struct comm *comm = comm_of(handle, "MPI_Topo_test");
    if (!comm)
        return comm_error(NULL, MPI_ERR_COMM);
    *kind = comm->topology ? comm->topology->kind : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

int world_Cartdim_get(MPI_Comm handle, int *dimensions) {
    TOPOLOGY(MPI_CART);
    *dimensions = topology->dimensions;
    return MPI_SUCCESS;
}

static void coordinates_of(const struct topology *topology, int rank, int most, int *coordinates) {
    for (int i = topology->dimensions - 1; i >= 0; i--) {
        if (i < most)
            coordinates[i] = rank % topology->dims[i];
        rank /= topology->dims[i];
    }
}

int world_Cart_coords(MPI_Comm handle, int rank, int most, int coordinates[]) {
    TOPOLOGY(MPI_CART);
    if (rank < 0 || rank >= comm->context->size[0])
        return comm_error(comm, MPI_ERR_RANK);
    coordinates_of(topology, rank, most, coordinates);
    return MPI_SUCCESS;
}

int world_Cart_get(MPI_Comm handle, int most, int dims[], int periods[], int coordinates[]) {
    TOPOLOGY(MPI_CART);
    for (int i = 0; i < topology->dimensions && i < most; i++) {
        dims[i] = topology->dims[i];
        periods[i] = topology->periods[i];
    }
    coordinates_of(topology, comm->rank, most, coordinates);
    return MPI_SUCCESS;
}

int world_Cart_rank(MPI_Comm handle, const int coordinates[], int *rank) {
    TOPOLOGY(MPI_CART);
    *rank = 0;
    for (int i = 0; i < topology->dimensions; i++) {
        int at = coordinates[i], size = topology->dims[i];
        if ((at < 0 || at >= size) && !topology->periods[i])
            return comm_error(comm, MPI_ERR_ARG);
        *rank = *rank * size + ((at % size) + size) % size;
    }
    return MPI_SUCCESS;
}

static int shifted(const struct topology *topology, int rank, int axis, int by) {
    int coordinates[32], at = 0;
    coordinates_of(topology, rank, 32, coordinates);
    coordinates[axis] += by;
    int size = topology->dims[axis];
    if ((coordinates[axis] < 0 || coordinates[axis] >= size) && !topology->periods[axis])
        return MPI_PROC_NULL;
    coordinates[axis] = ((coordinates[axis] % size) + size) % size;
    for (int i = 0; i < topology->dimensions; i++)
        at = at * topology->dims[i] + coordinates[i];
    return at;
}

int world_Cart_shift(MPI_Comm handle, int axis, int by, int *source, int *target) {
    TOPOLOGY(MPI_CART);
    if (axis < 0 || axis >= topology->dimensions)
        return comm_error(comm, MPI_ERR_DIMS);
    *source = shifted(topology, comm->rank, axis, -by);
    *target = shifted(topology, comm->rank, axis, by);
    return MPI_SUCCESS;
}

int world_Cart_map(MPI_Comm handle, int dimensions, const int dims[], const int periods[],
                   int *rank) {
    struct comm *comm = comm_of(handle, "MPI_Cart_map");
    int size = 1;
    (void)periods;
    for (int i = 0; i < dimensions; i++)
        size *= dims[i];
    *rank = comm->rank < size ? comm->rank : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

int world_Graph_map(MPI_Comm handle, int nodes, const int index[], const int edges[], int *rank) {
    struct comm *comm = comm_of(handle, "MPI_Graph_map");
    (void)index, (void)edges;
    *rank = comm->rank < nodes ? comm->rank : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

int world_Graph_neighbors_count(MPI_Comm handle, int rank, int *count) {
    TOPOLOGY(MPI_GRAPH);
    *count = topology->index[rank] - (rank > 0 ? topology->index[rank - 1] : 0);
    return MPI_SUCCESS;
}

int world_Graph_neighbors(MPI_Comm handle, int rank, int most, int list[]) {
    TOPOLOGY(MPI_GRAPH);
    int first = rank > 0 ? topology->index[rank - 1] : 0;
    for (int i = 0; i < most && first + i < topology->index[rank]; i++)
        list[i] = topology->edge[first + i];
    return MPI_SUCCESS;
}

int world_Graphdims_get(MPI_Comm handle, int *nodes, int *edges) {
    TOPOLOGY(MPI_GRAPH);
    *nodes = topology->dimensions;
    *edges = topology->edges;
    return MPI_SUCCESS;
}

int world_Dist_graph_neighbors_count(MPI_Comm handle, int *in, int *out, int *weighted) {
    TOPOLOGY(MPI_DIST_GRAPH);
    *in = topology->in;
    *out = topology->out;
    *weighted = topology->weighted;
    return MPI_SUCCESS;
}

static void copy(int *to, const int *from, int most, int count) {
    if (to != MPI_UNWEIGHTED && to != MPI_WEIGHTS_EMPTY && from)
        memcpy(to, from, (size_t)(most < count ? most : count) * sizeof *to);
}

int world_Dist_graph_neighbors(MPI_Comm handle, int most_in, int sources[], int in_weights[],
                               int most_out, int targets[], int out_weights[]) {
    TOPOLOGY(MPI_DIST_GRAPH);
    copy(sources, topology->sources, most_in, topology->in);
    copy(in_weights, topology->in_weights, most_in, topology->in);
    copy(targets, topology->targets, most_out, topology->out);
    copy(out_weights, topology->out_weights, most_out, topology->out);
    return MPI_SUCCESS;
}

/* Of neighbourhood collectives. The lists of a grid are of this call only. */
void neighbors(const struct comm *comm, int *in, int **sources, int *out, int **targets) {
    const struct topology *topology = comm->topology;
    if (!topology)
        finish(BROKEN, 1, "rank %d: a neighbourhood collective without a topology", comm->rank);
    if (topology->kind == MPI_DIST_GRAPH) {
        *in = topology->in, *sources = topology->sources;
        *out = topology->out, *targets = topology->targets;
        return;
    }
    if (topology->kind == MPI_GRAPH) {
        int first = comm->rank > 0 ? topology->index[comm->rank - 1] : 0;
        *in = *out = topology->index[comm->rank] - first;
        *sources = *targets = topology->edge + first;
        return;
    }
    int *list = NEW(2 * topology->dimensions, int);
    for (int i = 0; i < topology->dimensions; i++) {
        list[2 * i] = shifted(topology, comm->rank, i, -1);
        list[2 * i + 1] = shifted(topology, comm->rank, i, 1);
    }
    *in = *out = 2 * topology->dimensions;
    *sources = *targets = list;
}
