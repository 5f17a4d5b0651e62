/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators with the topology of a graph. */
#ifndef CAUCUS_RUN_GRAPH_BUILD_H
#define CAUCUS_RUN_GRAPH_BUILD_H

#include "run/graph/role_edges.h"

#include <stdbool.h>

/* What becomes of this rank. */
struct caucus_new_ranks {
    bool moved; /* whether any rank gets another number; the same on all */
    int role;   /* this rank's; -1 if it takes no part */
    int giver;  /* the role of the rank that has that role's edges (caucus_role_edges_hand_over) */
};

/* neighbors: of the role that has this rank's old number; of the new one on return. The new
 * communicator returns errors. Collective over the attachment. */
int caucus_build_graph(const struct caucus_attachment *attachment,
                       const struct caucus_new_ranks *ranks, struct caucus_role_edges *neighbors,
                       MPI_Info info, MPI_Comm *made);

/* Of a graph that every rank has whole: MPI_COMM_NULL for those that take no part. */
int caucus_build_whole_graph(const struct caucus_attachment *attachment,
                             const struct caucus_new_ranks *ranks, int nodes, const int *index,
                             const int *edges, MPI_Comm *made);

#endif
