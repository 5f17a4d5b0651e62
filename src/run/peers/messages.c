/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/peers/messages.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/progress/progress.h"
#include "run/progress/waiting.h"
#include "run/support/failure.h"
#include "run/support/mpi_status.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* One on its way. Where MPI tells of deaths this rank may give up while MPI still sends or receives
 * it, and its caller's bytes are his again: so MPI has a copy of ours, which it keeps then. */
struct passage {
    MPI_Request request;
    void *data, *copy; /* copy: NULL for none */
    size_t bytes;
    bool sends;
};

static size_t size_of(MPI_Datatype type) {
    int size = 0;
    PMPI_Type_size(type, &size);
    return (size_t)size;
}

static int post(const struct caucus_peers *peers, bool sends, const void *data, int count,
                MPI_Datatype type, int peer, struct passage *passage) {
    int rank = peers->rank_of[peer];
    *passage = (struct passage){MPI_REQUEST_NULL, (void *)data, NULL, size_of(type) * (size_t)count,
                                sends};
    if (caucus_failure_detected() && passage->bytes > 0) {
        passage->copy = caucus_array((int64_t)passage->bytes, 1);
        if (!passage->copy)
            return CAUCUS_NO_MEMORY;
        if (sends)
            memcpy(passage->copy, data, passage->bytes);
    }
    void *at = passage->copy ? passage->copy : passage->data;
    int code = sends
                   ? PMPI_Isend(at, count, type, rank, peers->tag, peers->comm, &passage->request)
                   : PMPI_Irecv(at, count, type, rank, peers->tag, peers->comm, &passage->request);
    if (code != MPI_SUCCESS)
        free(passage->copy);
    return caucus_mpi_status(code, sends ? "MPI_Isend" : "MPI_Irecv");
}

/* MPI is done with it. */
static void end(const struct passage *passage, int status) {
    if (passage->copy && !passage->sends && !status)
        memcpy(passage->data, passage->copy, passage->bytes);
    free(passage->copy);
}

/* Where somebody is dead, who lives may have given up for lack of him, and says nothing more. */
static int await(const struct caucus_peers *peers, struct passage *passage) {
    enum { ROUNDS_PER_LOOK = 64 };
    int dead = -1, status = CAUCUS_OK;
    if (!caucus_failure_detected())
        return caucus_waiting_request(&passage->request);
    for (int64_t round = 1; !status && dead < 0; round++) {
        int here = 0;
        caucus_progress();
        status =
            caucus_mpi_status(PMPI_Test(&passage->request, &here, MPI_STATUS_IGNORE), "MPI_Test");
        if (status || here) {
            end(passage, status);
            return status;
        }
        if (round % ROUNDS_PER_LOOK == 0)
            status = caucus_peers_dead(peers, &dead);
        sched_yield();
    }
    caucus_waiting_abandon(&passage->request);
    caucus_waiting_leave(passage->copy);
    return status ? status : caucus_fail(CAUCUS_DEAD, "rank %d, which takes part, is dead", dead);
}

static int pass(const struct caucus_peers *peers, bool sends, const void *data, int count,
                MPI_Datatype type, int peer) {
    struct passage passage;
    int status = post(peers, sends, data, count, type, peer, &passage);
    return status ? status : await(peers, &passage);
}

/* Also of those that were not posted any more. */
static int await_all(const struct caucus_peers *peers, struct passage *passages, int count,
                     int status) {
    for (int i = 0; i < count; i++) {
        int failed =
            passages[i].request == MPI_REQUEST_NULL ? CAUCUS_OK : await(peers, &passages[i]);
        status = status ? status : failed;
    }
    return status;
}

/* A binomial tree: position r counts from the root; its children are r + bit for every bit below
 * its lowest one. */
static int actual(const struct caucus_peers *peers, int root, int position) {
    return (int)(((int64_t)root + position) % peers->size);
}

int caucus_peers_tree_tell(const struct caucus_peers *peers, void *data, int count,
                           MPI_Datatype type, int root) {
    int position = (peers->rank - root + peers->size) % peers->size, status = CAUCUS_OK;
    int64_t bit = 1;
    while (bit < peers->size && !(position & bit))
        bit *= 2;
    if (position > 0)
        status = pass(peers, false, data, count, type, actual(peers, root, position - (int)bit));
    for (bit /= 2; bit > 0 && !status; bit /= 2)
        if (position + bit < peers->size)
            status = pass(peers, true, data, count, type, actual(peers, root, position + (int)bit));
    return status;
}

/* To rank 0, in an order that is the same at every call. */
static int tree_reduce(const struct caucus_peers *peers, void *data, void *room, int count,
                       MPI_Datatype type, MPI_Op op) {
    int status = CAUCUS_OK;
    for (int64_t bit = 1; bit < peers->size && !status; bit *= 2) {
        if (peers->rank & bit)
            return pass(peers, true, data, count, type, peers->rank - (int)bit);
        if (peers->rank + bit >= peers->size)
            continue;
        status = pass(peers, false, room, count, type, peers->rank + (int)bit);
        if (!status)
            status = caucus_mpi_status(PMPI_Reduce_local(room, data, count, type, op),
                                       "MPI_Reduce_local");
    }
    return status;
}

/* Without memory a rank cannot do its part, and the others may wait: the room is small. */
int caucus_peers_tree_combine(const struct caucus_peers *peers, const void *in, void *out,
                              int count, MPI_Datatype type, MPI_Op op) {
    size_t bytes = size_of(type) * (size_t)count;
    void *room = caucus_array((int64_t)bytes, 1);
    if (!room)
        return CAUCUS_NO_MEMORY;
    if (in != MPI_IN_PLACE)
        memcpy(out, in, bytes);
    int status = tree_reduce(peers, out, room, count, type, op);
    free(room);
    return status ? status : caucus_peers_tree_tell(peers, out, count, type, 0);
}

int caucus_peers_gather_to_all(const struct caucus_peers *peers, const void *in, int own,
                               const int *counts, const int *places, MPI_Datatype type, void *out) {
    size_t size = size_of(type);
    int last = peers->size - 1, status = CAUCUS_OK;
    int all = places ? places[last] + counts[last] : own * peers->size;
    if (peers->rank > 0) {
        status = pass(peers, true, in, own, type, 0);
    } else {
        memcpy(out, in, size * (size_t)own);
        for (int peer = 1; peer < peers->size && !status; peer++)
            status = pass(peers, false,
                          (char *)out + size * (size_t)(places ? places[peer] : own * peer),
                          places ? counts[peer] : own, type, peer);
    }
    return status ? status : caucus_peers_tree_tell(peers, out, all, type, 0);
}

int caucus_peers_each_to_each(const struct caucus_peers *peers, const void *in, int count,
                              MPI_Datatype type, void *out) {
    size_t bytes = size_of(type) * (size_t)count;
    int status = CAUCUS_OK, all = 2 * peers->size;
    struct passage *passage = caucus_array(all, sizeof *passage);
    if (!passage)
        return CAUCUS_NO_MEMORY;
    for (int i = 0; i < all; i++)
        passage[i].request = MPI_REQUEST_NULL;
    for (int peer = 0; peer < peers->size && !status; peer++) {
        char *to = (char *)out + bytes * (size_t)peer;
        const char *from = (const char *)in + bytes * (size_t)peer;
        status = post(peers, false, to, count, type, peer, &passage[2 * peer]);
        if (!status)
            status = post(peers, true, from, count, type, peer, &passage[2 * peer + 1]);
    }
    status = await_all(peers, passage, all, status);
    free(passage);
    return status;
}

/* After round k everybody knows of 2^(k+1) - 1 others that they are here. */
int caucus_peers_rounds(const struct caucus_peers *peers) {
    int status = CAUCUS_OK;
    for (int64_t far = 1; far < peers->size && !status; far *= 2) {
        struct passage passage[2] = {{.request = MPI_REQUEST_NULL}, {.request = MPI_REQUEST_NULL}};
        status = post(peers, false, NULL, 0, MPI_BYTE,
                      (int)((peers->rank - far + peers->size) % peers->size), &passage[0]);
        if (!status)
            status = post(peers, true, NULL, 0, MPI_BYTE, (int)((peers->rank + far) % peers->size),
                          &passage[1]);
        status = await_all(peers, passage, 2, status);
    }
    return status;
}
