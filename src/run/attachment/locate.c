/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/attachment/locate.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/peers/agree.h"
#include "run/support/alone.h"
#include "run/support/mpi_status.h"

#include <stdlib.h>

static int split_nodes(struct caucus_attachment *attachment) {
    MPI_Comm comm = attachment->comm;
    int node = attachment->origin.label[CAUCUS_LEVEL_NODE];
    if (attachment->described)
        return caucus_mpi_status(PMPI_Comm_split(comm, node, attachment->rank, &attachment->node),
                                 "MPI_Comm_split");
    return caucus_mpi_status(PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, attachment->rank,
                                                  MPI_INFO_NULL, &attachment->node),
                             "MPI_Comm_split_type");
}

/* The other ranks keep theirs too: on Intel MPI 2021.18 over shared memory, MPI_Comm_idup between
 * groups mixes up messages once some ranks have made a communicator that others have not. */
static int split_leaders(struct caucus_attachment *attachment) {
    PMPI_Comm_rank(attachment->node, &attachment->local_rank);
    PMPI_Comm_size(attachment->node, &attachment->local_size);
    bool leads = attachment->local_rank == 0;
    return caucus_mpi_status(PMPI_Comm_split(attachment->comm, attachment->local_rank,
                                             attachment->rank,
                                             leads ? &attachment->leaders : &attachment->unused),
                             "MPI_Comm_split");
}

static int split(struct caucus_attachment *attachment) {
    if (caucus_is_alone(attachment->comm)) {
        attachment->node = attachment->leaders = attachment->comm;
        attachment->local_size = 1;
        return CAUCUS_OK;
    }
    int status = split_nodes(attachment);
    return status ? status : split_leaders(attachment);
}

/* How many nodes there are, and which is this one: leaders know. */
static int number_nodes(struct caucus_attachment *attachment, int32_t *count) {
    int32_t numbers[2];
    if (attachment->local_rank == 0) {
        PMPI_Comm_size(attachment->leaders, &numbers[0]);
        PMPI_Comm_rank(attachment->leaders, &numbers[1]);
    }
    int status =
        caucus_mpi_status(PMPI_Bcast(numbers, 2, MPI_INT32_T, 0, attachment->node), "MPI_Bcast");
    *count = numbers[0];
    attachment->node_index = numbers[1];
    return status;
}

static int exchange_sizes(const struct caucus_attachment *attachment, int32_t count,
                          int32_t *sizes) {
    int status = CAUCUS_OK;
    if (attachment->local_rank == 0)
        status = caucus_mpi_status(PMPI_Allgather(&attachment->local_size, 1, MPI_INT32_T, sizes, 1,
                                                  MPI_INT32_T, attachment->leaders),
                                   "MPI_Allgather");
    if (!status)
        status = caucus_mpi_status(PMPI_Bcast(sizes, count, MPI_INT32_T, 0, attachment->node),
                                   "MPI_Bcast");
    return status;
}

static int gather_sizes(struct caucus_attachment *attachment, int32_t count, int *own) {
    int32_t *sizes = caucus_array(count, sizeof *sizes);
    int status = caucus_agree(&attachment->peers, sizes ? CAUCUS_OK : CAUCUS_NO_MEMORY, 0, NULL);
    if (!status)
        status = exchange_sizes(attachment, count, sizes);
    if (!status)
        *own = caucus_nodes_init(&attachment->nodes, count, sizes);
    free(sizes);
    return status;
}

/* Nodes that are all alike need no list. What follows then fails on this rank alone. */
static int find_sizes(struct caucus_attachment *attachment, struct caucus_levels *levels,
                      int32_t count, int *own) {
    enum { FAILED, LARGEST, SMALLEST, FIGURES };
    int failed = caucus_levels_begin(attachment, levels), size = attachment->local_size;
    int64_t highest[FIGURES];
    const int64_t figures[FIGURES] = {
        [FAILED] = failed != CAUCUS_OK, [LARGEST] = size, [SMALLEST] = -size};
    int status =
        caucus_peers_allreduce(&attachment->peers, figures, highest, FIGURES, MPI_INT64_T, MPI_MAX);
    if (!status && highest[FAILED])
        status = caucus_agree(&attachment->peers, failed, 0, NULL);
    if (status)
        return status;
    if (highest[LARGEST] == -highest[SMALLEST])
        attachment->nodes = caucus_nodes_alike(count, size);
    else
        status = gather_sizes(attachment, count, own);
    if (!status) {
        failed = caucus_levels_find(attachment, levels); /* in any case: the others do */
        *own = *own ? *own : failed;
    }
    return status;
}

int caucus_locate(MPI_Comm comm, struct caucus_attachment *attachment, int *own) {
    struct caucus_levels levels = {.labels = NULL};
    int32_t count;
    *own = CAUCUS_OK;
    int status = caucus_describe(comm, attachment);
    if (!status)
        status = split(attachment);
    if (!status)
        status = number_nodes(attachment, &count);
    if (!status)
        status = find_sizes(attachment, &levels, count, own);
    caucus_levels_free(&levels);
    return status;
}
