/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of one size to all neighbours of a Cartesian communicator: by everybody at once, or by a
 * single sender. */
#ifndef CAUCUS_BENCH_HALO_H
#define CAUCUS_BENCH_HALO_H

#include "arguments.h"

enum { NEIGHBOURS_MOST = 2 * AXES_MOST, TAG_ANSWER = 2 * AXES_MOST };

struct halo {
    MPI_Comm comm;
    int count;
    int neighbour[NEIGHBOURS_MOST], tag[NEIGHBOURS_MOST]; /* of what is sent there */
    int opposite[NEIGHBOURS_MOST];                        /* tag of what comes from there */
    int single, single_count;                             /* the single sender, its neighbours */
    long messages;                                        /* of all processes in an exchange */
    char *out, *in;
};

static inline struct halo halo_make(MPI_Comm comm, int ndims, long largest) {
    struct halo halo = {.comm = comm};
    int rank;
    MPI_Comm_rank(comm, &rank);
    for (int side = 0; side < 2 * ndims; side++) {
        int source, target;
        MPI_Cart_shift(comm, side / 2, side % 2 ? 1 : -1, &source, &target);
        if (target == MPI_PROC_NULL || target == rank) /* a periodic axis of one: no message */
            continue;
        halo.neighbour[halo.count] = target;
        halo.tag[halo.count] = side;
        halo.opposite[halo.count++] = side ^ 1;
    }
    struct {
        int count, rank;
    } mine = {halo.count, rank}, most;
    MPI_Allreduce(&mine, &most, 1, MPI_2INT, MPI_MAXLOC, comm);
    halo.single = most.rank;
    halo.single_count = most.count;
    long count = halo.count;
    MPI_Allreduce(&count, &halo.messages, 1, MPI_LONG, MPI_SUM, comm);
    size_t bytes = (size_t)(halo.count + 1) * (size_t)largest;
    halo.out = calloc(bytes, 1);
    halo.in = calloc(bytes, 1);
    if (halo.out == NULL || halo.in == NULL) {
        fprintf(stderr, "There is no memory for messages of %ld bytes.\n", largest);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    return halo;
}

static inline void halo_free(struct halo *halo) {
    free(halo->out);
    free(halo->in);
}

static inline void exchange(struct halo *halo, long size) {
    MPI_Request requests[2 * NEIGHBOURS_MOST];
    for (int i = 0; i < halo->count; i++)
        MPI_Irecv(halo->in + i * size, (int)size, MPI_BYTE, halo->neighbour[i], halo->opposite[i],
                  halo->comm, &requests[i]);
    for (int i = 0; i < halo->count; i++)
        MPI_Isend(halo->out + i * size, (int)size, MPI_BYTE, halo->neighbour[i], halo->tag[i],
                  halo->comm, &requests[halo->count + i]);
    MPI_Waitall(2 * halo->count, requests, MPI_STATUSES_IGNORE);
}

static inline void exchange_all(struct halo *halo, long size, int iterations) {
    for (int i = 0; i < iterations; i++)
        exchange(halo, size);
}

static inline void single_sends(struct halo *halo, long size, int iterations) {
    MPI_Request requests[NEIGHBOURS_MOST];
    for (int iteration = 0; iteration < iterations; iteration++) {
        for (int i = 0; i < halo->count; i++)
            MPI_Isend(halo->out + i * size, (int)size, MPI_BYTE, halo->neighbour[i], halo->tag[i],
                      halo->comm, &requests[i]);
        MPI_Waitall(halo->count, requests, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < halo->count; i++)
        MPI_Recv(NULL, 0, MPI_BYTE, halo->neighbour[i], TAG_ANSWER, halo->comm, MPI_STATUS_IGNORE);
}

/* A process that is the neighbour on both sides gets, and answers, twice. */
static inline void single_receives(struct halo *halo, long size, int iterations) {
    for (int iteration = 0; iteration < iterations; iteration++)
        for (int i = 0; i < halo->count; i++)
            if (halo->neighbour[i] == halo->single)
                MPI_Recv(halo->in, (int)size, MPI_BYTE, halo->single, halo->opposite[i], halo->comm,
                         MPI_STATUS_IGNORE);
    for (int i = 0; i < halo->count; i++)
        if (halo->neighbour[i] == halo->single)
            MPI_Send(NULL, 0, MPI_BYTE, halo->single, TAG_ANSWER, halo->comm);
}

static inline void exchange_single(struct halo *halo, long size, int iterations) {
    int rank;
    MPI_Comm_rank(halo->comm, &rank);
    if (rank == halo->single)
        single_sends(halo, size, iterations);
    else
        single_receives(halo, size, iterations);
}

#endif
