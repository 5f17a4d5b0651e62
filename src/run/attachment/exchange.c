/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/attachment/exchange.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/peers/agree.h"
#include "run/support/mpi_status.h"

#include <limits.h>
#include <stdlib.h>

int caucus_bcast_all(const struct caucus_attachment *attachment, void *data, size_t size) {
    return caucus_peers_bcast(&attachment->peers, data, (int)size, MPI_BYTE, 0);
}

int caucus_bcast_flag(const struct caucus_attachment *attachment, bool *flag) {
    int number = *flag;
    int status =
        caucus_mpi_status(PMPI_Bcast(&number, 1, MPI_INT, 0, attachment->comm), "MPI_Bcast");
    *flag = number != 0;
    return status;
}

int caucus_sum_all(const struct caucus_attachment *attachment, int64_t *counts, int count) {
    const void *own = attachment->rank == 0 ? MPI_IN_PLACE : counts;
    return caucus_mpi_status(PMPI_Reduce(own, attachment->rank == 0 ? counts : NULL, count,
                                         MPI_INT64_T, MPI_SUM, 0, attachment->comm),
                             "MPI_Reduce");
}

int caucus_max_all(const struct caucus_attachment *attachment, int64_t *numbers, int32_t count) {
    return caucus_peers_allreduce(&attachment->peers, MPI_IN_PLACE, numbers, count, MPI_INT64_T,
                                  MPI_MAX);
}

int caucus_bcast_leaders(const struct caucus_attachment *attachment, int64_t *numbers,
                         int64_t count) {
    if (count > INT_MAX)
        return caucus_fail(CAUCUS_INTERNAL, "%lld numbers are too many to send", (long long)count);
    return caucus_mpi_status(PMPI_Bcast(numbers, (int)count, MPI_INT64_T, 0, attachment->leaders),
                             "MPI_Bcast");
}

int caucus_gather_nodes(const struct caucus_attachment *attachment, int32_t *node_of_rank) {
    return caucus_mpi_status(PMPI_Gather(&attachment->node_index, 1, MPI_INT32_T, node_of_rank, 1,
                                         MPI_INT32_T, 0, attachment->comm),
                             "MPI_Gather");
}

int caucus_gather_leaders(const struct caucus_attachment *attachment, int32_t number,
                          int32_t *numbers) {
    return caucus_mpi_status(
        PMPI_Gather(&number, 1, MPI_INT32_T, numbers, 1, MPI_INT32_T, 0, attachment->leaders),
        "MPI_Gather");
}

int caucus_scatterv_leaders(const struct caucus_attachment *attachment, const int *counts,
                            const int64_t *lists, int *count, int64_t *list) {
    MPI_Comm leaders = attachment->leaders;
    int *displacements = NULL, status = CAUCUS_OK;
    if (attachment->rank == 0) {
        int32_t nodes = attachment->nodes.count;
        displacements = caucus_array(nodes, sizeof *displacements);
        status = displacements ? CAUCUS_OK : CAUCUS_NO_MEMORY;
        for (int32_t node = 1; displacements && node < nodes; node++)
            displacements[node] = displacements[node - 1] + counts[node - 1];
    }
    const struct caucus_peers peers = caucus_peers_some(leaders);
    status = caucus_agree_root(&peers, 0, status);
    if (!status)
        status = caucus_mpi_status(PMPI_Scatter(counts, 1, MPI_INT, count, 1, MPI_INT, 0, leaders),
                                   "MPI_Scatter");
    if (!status)
        status = caucus_mpi_status(PMPI_Scatterv(lists, counts, displacements, MPI_INT64_T, list,
                                                 *count, MPI_INT64_T, 0, leaders),
                                   "MPI_Scatterv");
    free(displacements);
    return status;
}

int caucus_gather_node(const struct caucus_attachment *attachment, int64_t number,
                       int64_t *numbers) {
    return caucus_mpi_status(
        PMPI_Gather(&number, 1, MPI_INT64_T, numbers, 1, MPI_INT64_T, 0, attachment->node),
        "MPI_Gather");
}

int caucus_scatter_node(const struct caucus_attachment *attachment, const int64_t *numbers,
                        int64_t *number) {
    return caucus_mpi_status(
        PMPI_Scatter(numbers, 1, MPI_INT64_T, number, 1, MPI_INT64_T, 0, attachment->node),
        "MPI_Scatter");
}

int caucus_reduce_leaders(const struct caucus_attachment *attachment, double *numbers, int count,
                          MPI_Op operation) {
    const void *own = attachment->rank == 0 ? MPI_IN_PLACE : numbers;
    return caucus_mpi_status(PMPI_Reduce(own, attachment->rank == 0 ? numbers : NULL, count,
                                         MPI_DOUBLE, operation, 0, attachment->leaders),
                             "MPI_Reduce");
}
