/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/status.h"
#include "run/attachment/exchange.h"
#include "run/graph/role_edges.h"
#include "run/peers/agree.h"
#include "run/support/mpi_status.h"

#include <limits.h>
#include <stdlib.h>

int caucus_role_edges_count(const struct caucus_attachment *attachment,
                            const struct caucus_role_edges *neighbors, int64_t *edges) {
    *edges = neighbors->outdegree;
    return caucus_peers_allreduce(&attachment->peers, MPI_IN_PLACE, edges, 1, MPI_INT64_T, MPI_SUM);
}

static int gather_numbers(const struct caucus_peers *ranks, const int *numbers, int count, int *all,
                          const int *counts, const int *places) {
    return caucus_mpi_status(
        PMPI_Gatherv(numbers, count, MPI_INT, all, counts, places, MPI_INT, 0, ranks->comm),
        "MPI_Gatherv");
}

/* On rank 0, where each role's edges begin, and room for them. */
static int make_room(int size, const int *counts, int *places, int64_t *start, int32_t **to,
                     int32_t **weight) {
    for (int rank = 0; rank < size; rank++) {
        places[rank] = (int)start[rank];
        start[rank + 1] = start[rank] + counts[rank];
    }
    if (start[size] > INT_MAX)
        return caucus_fail(CAUCUS_NO_MEMORY, "%d ranks have %lld edges: too many to gather", size,
                           (long long)start[size]);
    *to = caucus_array(2 * start[size], sizeof **to);
    *weight = *to ? *to + start[size] : NULL;
    return *to ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

int caucus_role_edges_gather(const struct caucus_peers *ranks,
                             const struct caucus_role_edges *neighbors, int64_t **start,
                             int32_t **to, int32_t **weight) {
    int size = ranks->size, *counts = NULL, status = CAUCUS_OK;
    *start = NULL;
    *to = *weight = NULL;
    if (ranks->rank == 0) {
        counts = caucus_array(2 * (int64_t)size, sizeof *counts);
        *start = caucus_array((int64_t)size + 1, sizeof **start);
        status = counts && *start ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    }
    status = caucus_agree_root(ranks, 0, status);
    if (!status)
        status = caucus_mpi_status(
            PMPI_Gather(&neighbors->outdegree, 1, MPI_INT, counts, 1, MPI_INT, 0, ranks->comm),
            "MPI_Gather");
    int *places = counts ? counts + size : NULL;
    if (!status && ranks->rank == 0)
        status = make_room(size, counts, places, *start, to, weight);
    status = caucus_agree_root(ranks, 0, status);
    if (!status)
        status = gather_numbers(ranks, neighbors->destinations, neighbors->outdegree, *to, counts,
                                places);
    if (!status)
        status = gather_numbers(ranks, neighbors->destination_weights, neighbors->outdegree,
                                *weight, counts, places);
    free(counts);
    return status;
}

int caucus_gather_places(const struct caucus_attachment *attachment, int32_t *node,
                         int32_t *const part[CAUCUS_INNER_LEVELS]) {
    int64_t *parts = NULL, own = 0;
    int status = caucus_gather_nodes(attachment, node);
    if (!status && attachment->local_rank == 0) {
        parts = caucus_array(attachment->local_size, sizeof *parts);
        status = parts ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    }
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    for (int level = 0; level < CAUCUS_INNER_LEVELS && !status; level++) {
        for (int i = 0; parts && i < attachment->local_size; i++)
            parts[i] = level < attachment->levels ? attachment->part_of_local[level][i] : 0;
        status = caucus_scatter_node(attachment, parts, &own);
        int32_t number = (int32_t)own;
        if (!status)
            status = caucus_mpi_status(PMPI_Gather(&number, 1, MPI_INT32_T,
                                                   attachment->rank == 0 ? part[level] : NULL, 1,
                                                   MPI_INT32_T, 0, attachment->comm),
                                       "MPI_Gather");
    }
    free(parts);
    return status;
}

int caucus_scatter_pairs(const struct caucus_attachment *attachment, const int *numbers,
                         int pair[2]) {
    return caucus_mpi_status(
        PMPI_Scatter(numbers, 2, MPI_INT, pair, 2, MPI_INT, 0, attachment->comm), "MPI_Scatter");
}
