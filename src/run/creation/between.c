/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/creation/between.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/progress/waiting.h"
#include "run/support/mpi_status.h"

#include <stdlib.h>

static int swap(MPI_Comm comm, int leader, int tag, const int32_t *out, int count, int32_t *in,
                int room) {
    MPI_Request request[2];
    int status = caucus_mpi_status(
        PMPI_Irecv(in, room, MPI_INT32_T, leader, tag, comm, &request[0]), "MPI_Irecv");
    if (status)
        return status;
    status = caucus_mpi_status(PMPI_Isend(out, count, MPI_INT32_T, leader, tag, comm, &request[1]),
                               "MPI_Isend");
    for (int i = 0; i < 2 && !status; i++)
        status = caucus_waiting_request(&request[i]);
    return status;
}

int caucus_creation_greet(const struct caucus_attachment *attachment, int leader, int tag) {
    return caucus_mpi_status(PMPI_Sendrecv(NULL, 0, MPI_BYTE, leader, tag, NULL, 0, MPI_BYTE,
                                           leader, tag, attachment->creation->comm,
                                           MPI_STATUS_IGNORE),
                             "MPI_Sendrecv");
}

/* The lowest rank in both. */
static int find_shared(int32_t size, const int32_t *ranks, int32_t count, const int32_t *others,
                       int32_t others_count, int *found) {
    int shared = *found;
    bool *in = caucus_array(size, sizeof *in);
    if (!in)
        return CAUCUS_NO_MEMORY;
    for (int32_t i = 0; i < count; i++)
        in[ranks[i]] = true;
    for (int32_t i = 0; i < others_count; i++)
        if (in[others[i]] && (shared < 0 || others[i] < shared))
            shared = others[i];
    free(in);
    *found = shared;
    return CAUCUS_OK;
}

int caucus_creation_compare(const struct caucus_attachment *attachment, int leader, int tag,
                            int32_t count, const int32_t *ranks, int *shared) {
    MPI_Comm comm = attachment->creation->comm;
    int32_t others_count = 0;
    int status = swap(comm, leader, tag, &count, 1, &others_count, 1);
    if (status)
        return status;
    int32_t *others = caucus_array(others_count, sizeof *others);
    if (!others) /* the other one waits */
        return CAUCUS_NO_MEMORY;
    status = swap(comm, leader, tag, ranks, count, others, others_count);
    if (!status)
        status = find_shared(attachment->size, ranks, count, others, others_count, shared);
    free(others);
    return status;
}
