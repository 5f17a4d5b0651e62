/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/tables.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/agree.h"
#include "run/mpi_status.h"

#include <limits.h>
#include <stdlib.h>

int caucus_tell_numbers(const struct caucus_attachment *attachment, int root, int64_t *numbers,
                        int32_t count) {
    return caucus_mpi_status(PMPI_Bcast(numbers, count, MPI_INT64_T, root, attachment->comm),
                             "MPI_Bcast");
}

int caucus_swap_numbers(const struct caucus_attachment *attachment, const int64_t *sent,
                        int64_t *received) {
    return caucus_mpi_status(
        PMPI_Alltoall(sent, 1, MPI_INT64_T, received, 1, MPI_INT64_T, attachment->comm),
        "MPI_Alltoall");
}

int caucus_spread_number(const struct caucus_attachment *attachment, int64_t number,
                         int64_t *of_rank) {
    return caucus_mpi_status(
        PMPI_Allgather(&number, 1, MPI_INT64_T, of_rank, 1, MPI_INT64_T, attachment->comm),
        "MPI_Allgather");
}

int caucus_find_highest(const struct caucus_attachment *attachment, int64_t *numbers,
                        int32_t count) {
    return caucus_mpi_status(
        PMPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_INT64_T, MPI_MAX, attachment->comm),
        "MPI_Allreduce");
}

/* How many edges each rank has, and where they begin. */
static int count_edges(const struct caucus_attachment *attachment, int32_t count, int *counts,
                       int *places, int64_t *first) {
    int status = caucus_mpi_status(
        PMPI_Allgather(&count, 1, MPI_INT32_T, counts, 1, MPI_INT32_T, attachment->comm),
        "MPI_Allgather");
    for (int rank = 0; rank < attachment->size && !status; rank++) {
        places[rank] = (int)first[rank];
        first[rank + 1] = first[rank] + counts[rank];
        if (first[rank + 1] > INT_MAX)
            first[rank + 1] = INT_MAX; /* beyond any limit */
    }
    return status;
}

static int collect(const struct caucus_attachment *attachment, int32_t count, const int32_t *to,
                   const int64_t *bytes, const int *counts, const int *places,
                   struct caucus_edges *edges) {
    int status = caucus_mpi_status(PMPI_Allgatherv(to, count, MPI_INT32_T, edges->to, counts,
                                                   places, MPI_INT32_T, attachment->comm),
                                   "MPI_Allgatherv");
    if (!status)
        status = caucus_mpi_status(PMPI_Allgatherv(bytes, count, MPI_INT64_T, edges->bytes, counts,
                                                   places, MPI_INT64_T, attachment->comm),
                                   "MPI_Allgatherv");
    return status;
}

int caucus_collect_edges(const struct caucus_attachment *attachment, int32_t count,
                         const int32_t *to, const int64_t *bytes, int64_t limit,
                         struct caucus_edges *edges) {
    *edges = (struct caucus_edges){0};
    int *counts = caucus_array(2 * (int64_t)attachment->size, sizeof *counts);
    int64_t *first = caucus_array((int64_t)attachment->size + 1, sizeof *first), all = 0;
    int status = counts && first ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    status = caucus_agree(attachment->comm, status, 0, NULL);
    if (!status)
        status = count_edges(attachment, count, counts, counts + attachment->size, first);
    if (!status)
        all = first[attachment->size];
    if (!status && all <= limit) {
        edges->first = first;
        edges->to = caucus_array(all, sizeof *edges->to);
        edges->bytes = caucus_array(all, sizeof *edges->bytes);
        status = edges->to && edges->bytes ? CAUCUS_OK : CAUCUS_NO_MEMORY;
        status = caucus_agree(attachment->comm, status, 0, NULL);
        if (!status)
            status =
                collect(attachment, count, to, bytes, counts, counts + attachment->size, edges);
        first = NULL;
    }
    free(first);
    free(counts);
    if (status)
        caucus_edges_free(edges);
    return status;
}

void caucus_edges_free(struct caucus_edges *edges) {
    free(edges->first);
    free(edges->to);
    free(edges->bytes);
    *edges = (struct caucus_edges){0};
}
