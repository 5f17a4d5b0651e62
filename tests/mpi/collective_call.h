/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls any collective in any form, Caucus's or MPI's own, by one table of arguments. */
#ifndef TESTS_MPI_COLLECTIVE_CALL_H
#define TESTS_MPI_COLLECTIVE_CALL_H

#include "check.h"

#include <caucus/caucus.h>
#include <caucus/collective.h>

#include "plan/collective/task.h"

enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS, NATIVE };

/* Arguments of all of them; i: for int, l: for MPI_Count and MPI_Aint. */
struct arguments {
    const void *send;
    void *receive;
    MPI_Datatype type;
    MPI_Op op;
    int root;
    MPI_Comm comm;
    MPI_Info info;
    int count;
    int i_send_counts[64], i_send_places[64], i_receive_counts[64], i_receive_places[64];
    MPI_Count l_send_counts[64], l_receive_counts[64];
    MPI_Aint l_send_places[64], l_receive_places[64];
    int i_send_bytes[64], i_receive_bytes[64]; /* places in bytes */
    MPI_Aint l_send_bytes[64], l_receive_bytes[64];
    MPI_Datatype types[64];
};

#define ONE a->send, a->count, a->type
#define EACH a->receive, a->count, a->type
#define SENDS(k) a->send, a->k##_send_counts, a->k##_send_places, a->type
#define RECEIVES(k) a->receive, a->k##_receive_counts, a->k##_receive_places, a->type
#define TYPED(k, b)                                                                                \
    a->send, a->k##_send_counts, a->b##_send_bytes, a->types, a->receive, a->k##_receive_counts,   \
        a->b##_receive_bytes, a->types
#define OPERAND a->send, a->receive, a->count, a->type, a->op

/* COLLECTIVE(name, MPI's name, identifier, arguments with int, arguments with MPI_Count) */
#define FOR_ALL_COUNTED(COLLECTIVE)                                                                \
    COLLECTIVE(bcast, Bcast, BCAST, (EACH, a->root, a->comm), (EACH, a->root, a->comm))            \
    COLLECTIVE(reduce, Reduce, REDUCE, (OPERAND, a->root, a->comm), (OPERAND, a->root, a->comm))   \
    COLLECTIVE(allreduce, Allreduce, ALLREDUCE, (OPERAND, a->comm), (OPERAND, a->comm))            \
    COLLECTIVE(scan, Scan, SCAN, (OPERAND, a->comm), (OPERAND, a->comm))                           \
    COLLECTIVE(exscan, Exscan, EXSCAN, (OPERAND, a->comm), (OPERAND, a->comm))                     \
    COLLECTIVE(gather, Gather, GATHER, (ONE, EACH, a->root, a->comm),                              \
               (ONE, EACH, a->root, a->comm))                                                      \
    COLLECTIVE(scatter, Scatter, SCATTER, (ONE, EACH, a->root, a->comm),                           \
               (ONE, EACH, a->root, a->comm))                                                      \
    COLLECTIVE(gatherv, Gatherv, GATHERV,                                                          \
               (a->send, a->i_receive_counts[rank], a->type, RECEIVES(i), a->root, a->comm),       \
               (a->send, a->l_receive_counts[rank], a->type, RECEIVES(l), a->root, a->comm))       \
    COLLECTIVE(scatterv, Scatterv, SCATTERV,                                                       \
               (SENDS(i), a->receive, a->i_send_counts[rank], a->type, a->root, a->comm),          \
               (SENDS(l), a->receive, a->l_send_counts[rank], a->type, a->root, a->comm))          \
    COLLECTIVE(allgather, Allgather, ALLGATHER, (ONE, EACH, a->comm), (ONE, EACH, a->comm))        \
    COLLECTIVE(allgatherv, Allgatherv, ALLGATHERV,                                                 \
               (a->send, a->i_receive_counts[rank], a->type, RECEIVES(i), a->comm),                \
               (a->send, a->l_receive_counts[rank], a->type, RECEIVES(l), a->comm))                \
    COLLECTIVE(alltoall, Alltoall, ALLTOALL, (ONE, EACH, a->comm), (ONE, EACH, a->comm))           \
    COLLECTIVE(alltoallv, Alltoallv, ALLTOALLV, (SENDS(i), RECEIVES(i), a->comm),                  \
               (SENDS(l), RECEIVES(l), a->comm))                                                   \
    COLLECTIVE(alltoallw, Alltoallw, ALLTOALLW, (TYPED(i, i), a->comm), (TYPED(l, l), a->comm))    \
    COLLECTIVE(reduce_scatter, Reduce_scatter, REDUCE_SCATTER,                                     \
               (a->send, a->receive, a->i_receive_counts, a->type, a->op, a->comm),                \
               (a->send, a->receive, a->l_receive_counts, a->type, a->op, a->comm))                \
    COLLECTIVE(reduce_scatter_block, Reduce_scatter_block, REDUCE_SCATTER_BLOCK,                   \
               (OPERAND, a->comm), (OPERAND, a->comm))                                             \
    COLLECTIVE(neighbor_allgather, Neighbor_allgather, NEIGHBOR_ALLGATHER, (ONE, EACH, a->comm),   \
               (ONE, EACH, a->comm))                                                               \
    COLLECTIVE(neighbor_allgatherv, Neighbor_allgatherv, NEIGHBOR_ALLGATHERV,                      \
               (ONE, RECEIVES(i), a->comm), (ONE, RECEIVES(l), a->comm))                           \
    COLLECTIVE(neighbor_alltoall, Neighbor_alltoall, NEIGHBOR_ALLTOALL, (ONE, EACH, a->comm),      \
               (ONE, EACH, a->comm))                                                               \
    COLLECTIVE(neighbor_alltoallv, Neighbor_alltoallv, NEIGHBOR_ALLTOALLV,                         \
               (SENDS(i), RECEIVES(i), a->comm), (SENDS(l), RECEIVES(l), a->comm))                 \
    COLLECTIVE(neighbor_alltoallw, Neighbor_alltoallw, NEIGHBOR_ALLTOALLW, (TYPED(i, l), a->comm), \
               (TYPED(l, l), a->comm))

#define LIST(...) __VA_ARGS__
#define CALL_FORMS(name, ints, suffix)                                                             \
    form == BLOCKING      ? caucus_##name##suffix(LIST ints)                                       \
    : form == NONBLOCKING ? caucus_i##name##suffix(LIST ints, request)                             \
                          : caucus_##name##_init##suffix(LIST ints, a->info, request)
#define CALL_CASE(name, Name, NAME, ints, counts)                                                  \
    case CAUCUS_##NAME:                                                                            \
        if (form == NATIVE)                                                                        \
            return MPI_##Name(LIST ints);                                                          \
        if (large)                                                                                 \
            return CALL_FORMS(name, counts, _c);                                                   \
        return CALL_FORMS(name, ints, );

static inline int call_collective(enum caucus_collective collective, enum form form, int large,
                                  const struct arguments *a, caucus_request *request) {
    int rank = 0;
    if (a->comm != MPI_COMM_NULL)
        MPI_Comm_rank(a->comm, &rank);
    switch (collective) {
        FOR_ALL_COUNTED(CALL_CASE)
    default:
        break;
    }
    if (form == NATIVE)
        return MPI_Barrier(a->comm);
    return form == BLOCKING      ? caucus_barrier(a->comm)
           : form == NONBLOCKING ? caucus_ibarrier(a->comm, request)
                                 : caucus_barrier_init(a->comm, a->info, request);
}

#endif
