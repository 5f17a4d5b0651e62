/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives on an intercommunicator in all forms: Caucus's, or with TEST_MPI those that have
 * MPI's names. */
#ifndef TESTS_MPI_INTERGROUP_CALLS_H
#define TESTS_MPI_INTERGROUP_CALLS_H

#include "intergroup_layout.h"

#ifdef TEST_MPI
#define USE(name, Name) MPI_##Name
#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define HAS_PERSISTENT 1
#else
#define HAS_PERSISTENT 0
#endif
#define HAS_LARGE (MPI_VERSION >= 4)
#define NO_REQUEST MPI_REQUEST_NULL
typedef MPI_Request request_type;
#else
#include <caucus/caucus.h>
#include <caucus/collective.h>
#define USE(name, Name) caucus_##name
#define HAS_PERSISTENT 1
#define HAS_LARGE 1
#define NO_REQUEST CAUCUS_REQUEST_NULL
typedef caucus_request request_type;
#endif

enum which {
    BARRIER,
    BCAST,
    GATHER,
    GATHERV,
    SCATTER,
    SCATTERV,
    REDUCE,
    ALLREDUCE,
    ALLGATHER,
    ALLGATHERV,
    ALLTOALL,
    ALLTOALLV,
    ALLTOALLW,
    REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK,
    WHICH
};

enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };

/* What all functions take. */
struct call {
    enum which which;
    enum form form;
    bool large;
    struct part send, receive;
    int count; /* of a reduction */
    MPI_Datatype type;
    MPI_Op op;
    int root;
    MPI_Comm comm;
    request_type request;
};

#define ONE(part) call->part.buffer, call->part.counts[0], call->part.types[0]
#define MANY(part) call->part.buffer, call->part.counts, call->part.places, call->part.types[0]
#define MANY_LARGE(part)                                                                           \
    call->part.buffer, call->part.large_counts, call->part.large_places, call->part.types[0]
#define TYPES(part) call->part.buffer, call->part.counts, call->part.places, call->part.types
#define TYPES_LARGE(part)                                                                          \
    call->part.buffer, call->part.large_counts, call->part.large_places, call->part.types
#define OPERAND call->send.buffer, call->receive.buffer, call->count, call->type, call->op
#define LISTED(numbers)                                                                            \
    call->send.buffer, call->receive.buffer, call->receive.numbers, call->type, call->op

/* A rank has one buffer of a bcast at most. */
#define DATA                                                                                       \
    call->receive.matters ? call->receive.buffer : call->send.buffer,                              \
        call->receive.matters ? call->receive.counts[0] : call->send.counts[0],                    \
        call->receive.matters ? call->receive.types[0] : call->send.types[0]

/* COLLECTIVE(name, MPI's name, identifier, arguments with int, arguments with MPI_Count) */
#define FOR_ALL(COLLECTIVE)                                                                        \
    COLLECTIVE(bcast, Bcast, BCAST, (DATA, call->root), (DATA, call->root))                        \
    COLLECTIVE(gather, Gather, GATHER, (ONE(send), ONE(receive), call->root),                      \
               (ONE(send), ONE(receive), call->root))                                              \
    COLLECTIVE(gatherv, Gatherv, GATHERV, (ONE(send), MANY(receive), call->root),                  \
               (ONE(send), MANY_LARGE(receive), call->root))                                       \
    COLLECTIVE(scatter, Scatter, SCATTER, (ONE(send), ONE(receive), call->root),                   \
               (ONE(send), ONE(receive), call->root))                                              \
    COLLECTIVE(scatterv, Scatterv, SCATTERV, (MANY(send), ONE(receive), call->root),               \
               (MANY_LARGE(send), ONE(receive), call->root))                                       \
    COLLECTIVE(reduce, Reduce, REDUCE, (OPERAND, call->root), (OPERAND, call->root))               \
    COLLECTIVE(allreduce, Allreduce, ALLREDUCE, (OPERAND), (OPERAND))                              \
    COLLECTIVE(allgather, Allgather, ALLGATHER, (ONE(send), ONE(receive)),                         \
               (ONE(send), ONE(receive)))                                                          \
    COLLECTIVE(allgatherv, Allgatherv, ALLGATHERV, (ONE(send), MANY(receive)),                     \
               (ONE(send), MANY_LARGE(receive)))                                                   \
    COLLECTIVE(alltoall, Alltoall, ALLTOALL, (ONE(send), ONE(receive)), (ONE(send), ONE(receive))) \
    COLLECTIVE(alltoallv, Alltoallv, ALLTOALLV, (MANY(send), MANY(receive)),                       \
               (MANY_LARGE(send), MANY_LARGE(receive)))                                            \
    COLLECTIVE(alltoallw, Alltoallw, ALLTOALLW, (TYPES(send), TYPES(receive)),                     \
               (TYPES_LARGE(send), TYPES_LARGE(receive)))                                          \
    COLLECTIVE(reduce_scatter, Reduce_scatter, REDUCE_SCATTER, (LISTED(counts)),                   \
               (LISTED(large_counts)))                                                             \
    COLLECTIVE(reduce_scatter_block, Reduce_scatter_block, REDUCE_SCATTER_BLOCK, (OPERAND),        \
               (OPERAND))

#define LIST(...) __VA_ARGS__
#if HAS_PERSISTENT
#define INIT(name, Name, arguments)                                                                \
    USE(name, Name)(LIST arguments, call->comm, MPI_INFO_NULL, &call->request)
#else
#define INIT(name, Name, arguments) MPI_ERR_OTHER
#endif
#define IN_FORM(name, Name, suffix, arguments)                                                     \
    call->form == BLOCKING ? USE(name##suffix, Name##suffix)(LIST arguments, call->comm)           \
    : call->form == NONBLOCKING                                                                    \
        ? USE(i##name##suffix, I##name##suffix)(LIST arguments, call->comm, &call->request)        \
        : INIT(name##_init##suffix, Name##_init##suffix, arguments)
#if HAS_LARGE
#define IN_LARGE_FORM(name, Name, arguments) IN_FORM(name, Name, _c, arguments)
#else
#define IN_LARGE_FORM(name, Name, arguments) MPI_ERR_OTHER
#endif
#define CASE(name, Name, NAME, arguments, large_arguments)                                         \
    case NAME:                                                                                     \
        return call->large ? IN_LARGE_FORM(name, Name, large_arguments)                            \
                           : IN_FORM(name, Name, , arguments);

static inline int make_call(struct call *call) {
    switch (call->which) {
        FOR_ALL(CASE)
    default:
        break;
    }
    if (call->form == BLOCKING)
        return USE(barrier, Barrier)(call->comm);
    if (call->form == NONBLOCKING)
        return USE(ibarrier, Ibarrier)(call->comm, &call->request);
#if HAS_PERSISTENT
    return USE(barrier_init, Barrier_init)(call->comm, MPI_INFO_NULL, &call->request);
#else
    return MPI_ERR_OTHER;
#endif
}

static inline void free_operation(MPI_Op *op) {
    USE(op_free, Op_free)(op);
}

#endif
