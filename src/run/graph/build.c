/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/graph/build.h"

#include "base/status.h"
#include "run/support/mpi_status.h"

/* The ranks that take part, in the order of their roles. */
static int order(const struct caucus_attachment *attachment, int role, MPI_Comm *ordered) {
    int status = caucus_mpi_status(
        PMPI_Comm_split(attachment->comm, role < 0 ? MPI_UNDEFINED : 0, role, ordered),
        "MPI_Comm_split");
    if (!status && *ordered != MPI_COMM_NULL)
        PMPI_Comm_set_errhandler(*ordered, MPI_ERRORS_RETURN);
    return status;
}

/* Where there are weights, a list without edges may not be just any pointer in all MPIs. */
static const int *weights_of(const struct caucus_role_edges *neighbors, int count,
                             const int *weights) {
    if (!neighbors->weighted)
        return MPI_UNWEIGHTED;
    return count > 0 ? weights : MPI_WEIGHTS_EMPTY;
}

static int make(MPI_Comm comm, const struct caucus_role_edges *neighbors, MPI_Info info,
                MPI_Comm *made) {
    int indegree = neighbors->indegree, outdegree = neighbors->outdegree;
    return caucus_mpi_status(PMPI_Dist_graph_create_adjacent(
                                 comm, indegree, neighbors->sources,
                                 weights_of(neighbors, indegree, neighbors->source_weights),
                                 outdegree, neighbors->destinations,
                                 weights_of(neighbors, outdegree, neighbors->destination_weights),
                                 info, 0, made),
                             "MPI_Dist_graph_create_adjacent");
}

int caucus_build_graph(const struct caucus_attachment *attachment,
                       const struct caucus_new_ranks *ranks, struct caucus_role_edges *neighbors,
                       MPI_Info info, MPI_Comm *made) {
    MPI_Comm ordered;
    *made = MPI_COMM_NULL;
    if (!ranks->moved)
        return make(attachment->comm, neighbors, info, made);
    int status = order(attachment, ranks->role, &ordered);
    if (status)
        return status;
    status = caucus_role_edges_hand_over(attachment, ordered, ranks->giver, neighbors);
    if (!status)
        status = make(ordered, neighbors, info, made);
    PMPI_Comm_free(&ordered);
    return status;
}

int caucus_build_whole_graph(const struct caucus_attachment *attachment,
                             const struct caucus_new_ranks *ranks, int nodes, const int *index,
                             const int *edges, MPI_Comm *made) {
    MPI_Comm ordered;
    *made = MPI_COMM_NULL;
    int status = order(attachment, ranks->role, &ordered);
    if (status || ordered == MPI_COMM_NULL)
        return status;
    status = caucus_mpi_status(PMPI_Graph_create(ordered, nodes, index, edges, 0, made),
                               "MPI_Graph_create");
    PMPI_Comm_free(&ordered);
    return status;
}
