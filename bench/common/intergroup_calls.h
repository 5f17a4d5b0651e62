/* SPDX-License-Identifier: BSD-3-Clause */
/* The ways to do a cell: MPI's own two, the root-gathering algorithm by hand, and Caucus's. Each
 * returns what MPI returns. */
#ifndef CAUCUS_BENCH_INTERGROUP_CALLS_H
#define CAUCUS_BENCH_INTERGROUP_CALLS_H

#include "intergroup_cell.h"

#include <caucus/collective.h>

enum way { NATIVE_BLOCKING, NATIVE_NONBLOCKING, BY_HAND, BLOCKING, PERSISTENT, WAYS };

static const char *const way_names[] = {"native blocking", "native nonblocking", "root by hand",
                                        "blocking", "persistent"};

/* The arguments of all but the request. */
#define CELL_BLOCK(x) (x)->count[(x)->groups->mine][(x)->groups->rank[1]]
#define ALLGATHER_WORDS(x)                                                                         \
    (x)->in, CELL_BLOCK(x), MPI_BYTE, (x)->out, (x)->count[!(x)->groups->mine][0], MPI_BYTE,       \
        (x)->groups->inter
#define ALLGATHERV_WORDS(x)                                                                        \
    (x)->in, CELL_BLOCK(x), MPI_BYTE, (x)->out, (x)->count[!(x)->groups->mine],                    \
        (x)->begin[!(x)->groups->mine], MPI_BYTE, (x)->groups->inter
#define ALLREDUCE_WORDS(x) (x)->in, (x)->out, (x)->total[0], MPI_INT, MPI_SUM, (x)->groups->inter
#define REDUCE_SCATTER_WORDS(x)                                                                    \
    (x)->in, (x)->out, (x)->count[(x)->groups->mine], MPI_INT, MPI_SUM, (x)->groups->inter

static inline int cell_native(const struct cell *x) {
    switch (x->collective) {
    case ALLGATHER:
        return MPI_Allgather(ALLGATHER_WORDS(x));
    case ALLGATHERV:
        return MPI_Allgatherv(ALLGATHERV_WORDS(x));
    case ALLREDUCE:
        return MPI_Allreduce(ALLREDUCE_WORDS(x));
    default:
        return MPI_Reduce_scatter(REDUCE_SCATTER_WORDS(x));
    }
}

static inline int cell_native_begin(const struct cell *x, MPI_Request *request) {
    switch (x->collective) {
    case ALLGATHER:
        return MPI_Iallgather(ALLGATHER_WORDS(x), request);
    case ALLGATHERV:
        return MPI_Iallgatherv(ALLGATHERV_WORDS(x), request);
    case ALLREDUCE:
        return MPI_Iallreduce(ALLREDUCE_WORDS(x), request);
    default:
        return MPI_Ireduce_scatter(REDUCE_SCATTER_WORDS(x), request);
    }
}

static inline int cell_ours(const struct cell *x) {
    switch (x->collective) {
    case ALLGATHER:
        return caucus_allgather(ALLGATHER_WORDS(x));
    case ALLGATHERV:
        return caucus_allgatherv(ALLGATHERV_WORDS(x));
    case ALLREDUCE:
        return caucus_allreduce(ALLREDUCE_WORDS(x));
    default:
        return caucus_reduce_scatter(REDUCE_SCATTER_WORDS(x));
    }
}

static inline int cell_ours_init(const struct cell *x, caucus_request *request) {
    switch (x->collective) {
    case ALLGATHER:
        return caucus_allgather_init(ALLGATHER_WORDS(x), MPI_INFO_NULL, request);
    case ALLGATHERV:
        return caucus_allgatherv_init(ALLGATHERV_WORDS(x), MPI_INFO_NULL, request);
    case ALLREDUCE:
        return caucus_allreduce_init(ALLREDUCE_WORDS(x), MPI_INFO_NULL, request);
    default:
        return caucus_reduce_scatter_init(REDUCE_SCATTER_WORDS(x), MPI_INFO_NULL, request);
    }
}

/* Everything to the lowest rank of the group; the two lowest exchange it; and back to all. */
static inline int cell_by_hand(const struct cell *x) {
    const struct groups *groups = x->groups;
    int mine = groups->mine, other = !mine, leads = groups->rank[1] == 0, scatters;
    MPI_Datatype type = cell_reduces(x) ? MPI_INT : MPI_BYTE;
    char *there = x->out;
    if (cell_reduces(x))
        MPI_Reduce(x->in, x->all, x->total[0], MPI_INT, MPI_SUM, 0, groups->local);
    else
        MPI_Gatherv(x->in, CELL_BLOCK(x), MPI_BYTE, x->all, x->count[mine], x->begin[mine],
                    MPI_BYTE, 0, groups->local);
    scatters = x->collective == REDUCE_SCATTER;
    if (leads && scatters)
        there = cell_room((size_t)x->total[0] * sizeof(int));
    if (leads)
        MPI_Sendrecv(x->all, x->total[mine], type, 0, 2, there, x->total[other], type, 0, 2,
                     groups->inter, MPI_STATUS_IGNORE);
    if (scatters)
        MPI_Scatterv(there, x->count[mine], x->begin[mine], MPI_INT, x->out, CELL_BLOCK(x), MPI_INT,
                     0, groups->local);
    else
        MPI_Bcast(x->out, x->total[other], type, 0, groups->local);
    if (leads && scatters)
        free(there);
    return MPI_SUCCESS;
}

/* So many times; request is that of the persistent way. */
static inline int cell_do(const struct cell *cell, enum way way, caucus_request *request,
                          int times) {
    int status = MPI_SUCCESS;
    for (int i = 0; i < times && status == MPI_SUCCESS; i++) {
        MPI_Request native;
        switch (way) {
        case NATIVE_BLOCKING:
            status = cell_native(cell);
            break;
        case NATIVE_NONBLOCKING:
            status = cell_native_begin(cell, &native);
            if (status == MPI_SUCCESS)
                status = MPI_Wait(&native, MPI_STATUS_IGNORE);
            break;
        case BY_HAND:
            status = cell_by_hand(cell);
            break;
        case BLOCKING:
            status = cell_ours(cell);
            break;
        default:
            status = caucus_start(request);
            if (status == MPI_SUCCESS)
                status = caucus_wait(request, MPI_STATUS_IGNORE);
        }
    }
    return status;
}

#endif
