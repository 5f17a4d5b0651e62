/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/creation/between.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/engine/engine.h"
#include "run/support/mpi_status.h"

#include <stdlib.h>

int caucus_creation_swap(const struct caucus_attachment *attachment, int leader, int tag,
                         const void *out, int count, void *in, int room) {
    MPI_Comm comm = attachment->creation->comm;
    MPI_Request request;
    int status = caucus_mpi_status(PMPI_Isend(out, count, MPI_INT32_T, leader, tag, comm, &request),
                                   "MPI_Isend");
    if (status)
        return status;
    caucus_waiting_message(&attachment->engine->waiting, comm, tag);
    status = caucus_mpi_status(
        PMPI_Recv(in, room, MPI_INT32_T, leader, tag, comm, MPI_STATUS_IGNORE), "MPI_Recv");
    int sent = caucus_waiting_request(&request);
    return status ? status : sent;
}

int caucus_creation_greet(const struct caucus_attachment *attachment, int leader, int tag) {
    return caucus_mpi_status(PMPI_Sendrecv(NULL, 0, MPI_BYTE, leader, tag, NULL, 0, MPI_BYTE,
                                           leader, tag, attachment->creation->comm,
                                           MPI_STATUS_IGNORE),
                             "MPI_Sendrecv");
}

struct list {
    int32_t count;
    const int32_t *ranks;
};

/* Each for as many as the attachment has ranks; NULL without memory. */
struct room {
    int32_t *others;
    bool *in; /* whether a rank is in this side's list */
};

/* The lowest rank in both. */
static int find_shared(const struct list *own, const struct room *room, int32_t others_count) {
    int shared = -1;
    for (int32_t i = 0; i < own->count; i++)
        room->in[own->ranks[i]] = true;
    for (int32_t i = 0; i < others_count; i++)
        if (room->in[room->others[i]] && (shared < 0 || room->others[i] < shared))
            shared = room->others[i];
    return shared;
}

/* Each says first how long its list is, and whether it can take one: neither waits in vain. */
static int compare(const struct caucus_attachment *attachment, int leader, int tag,
                   const struct list *own, const struct room *room, int *shared) {
    const int32_t ours[2] = {own->count, !room->others || !room->in};
    int32_t theirs[2] = {0};
    int status = caucus_creation_swap(attachment, leader, tag, ours, 2, theirs, 2);
    if (status || ours[1])
        return status ? status : CAUCUS_NO_MEMORY;
    if (theirs[1])
        return caucus_fail(CAUCUS_NO_MEMORY,
                           "the other leader, rank %d of the parent, has no "
                           "memory for a list of members",
                           leader);
    status = caucus_creation_swap(attachment, leader, tag, own->ranks, own->count, room->others,
                                  theirs[0]);
    if (!status)
        *shared = find_shared(own, room, theirs[0]);
    return status;
}

int caucus_creation_compare(const struct caucus_attachment *attachment, int leader, int tag,
                            int32_t count, const int32_t *ranks, int *shared) {
    const struct room room = {caucus_array(attachment->size, sizeof *room.others),
                              caucus_array(attachment->size, sizeof *room.in)};
    const struct list own = {count, ranks};
    int status = compare(attachment, leader, tag, &own, &room, shared);
    free(room.others);
    free(room.in);
    return status;
}
