/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/graph/role_edges.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/peers/agree.h"
#include "run/support/mpi_status.h"

#include <stdlib.h>
#include <string.h>

int caucus_role_edges_init(struct caucus_role_edges *neighbors, int indegree, int outdegree,
                           bool weighted) {
    *neighbors = (struct caucus_role_edges){
        .weighted = weighted, .indegree = indegree, .outdegree = outdegree};
    neighbors->sources = caucus_array(2 * (int64_t)indegree, sizeof(int));
    neighbors->destinations = caucus_array(2 * (int64_t)outdegree, sizeof(int));
    if (!neighbors->sources || !neighbors->destinations) {
        caucus_role_edges_free(neighbors);
        return CAUCUS_NO_MEMORY;
    }
    neighbors->source_weights = neighbors->sources + indegree;
    neighbors->destination_weights = neighbors->destinations + outdegree;
    return CAUCUS_OK;
}

void caucus_role_edges_free(struct caucus_role_edges *neighbors) {
    free(neighbors->sources);
    free(neighbors->destinations);
    memset(neighbors, 0, sizeof *neighbors);
}

/* What is sent to the taker of this rank's role, and received from its giver. */
static int trade(const struct caucus_attachment *attachment, MPI_Comm ordered, int giver,
                 const int *out, int out_count, int *in, int in_count) {
    return caucus_mpi_status(PMPI_Sendrecv(out, out_count, MPI_INT, attachment->rank, 0, in,
                                           in_count, MPI_INT, giver, 0, ordered, MPI_STATUS_IGNORE),
                             "MPI_Sendrecv");
}

int caucus_role_edges_hand_over(const struct caucus_attachment *attachment, MPI_Comm ordered,
                                int giver, struct caucus_role_edges *neighbors) {
    int own[2] = {neighbors->indegree, neighbors->outdegree}, theirs[2];
    struct caucus_role_edges taken = {0};
    int status = trade(attachment, ordered, giver, own, 2, theirs, 2);
    if (!status)
        status = caucus_role_edges_init(&taken, theirs[0], theirs[1], neighbors->weighted);
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    if (!status)
        status = trade(attachment, ordered, giver, neighbors->sources, 2 * own[0], taken.sources,
                       2 * theirs[0]);
    if (!status)
        status = trade(attachment, ordered, giver, neighbors->destinations, 2 * own[1],
                       taken.destinations, 2 * theirs[1]);
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    if (status) {
        caucus_role_edges_free(&taken);
        return status;
    }
    caucus_role_edges_free(neighbors);
    *neighbors = taken;
    return CAUCUS_OK;
}
