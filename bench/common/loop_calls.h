/* SPDX-License-Identifier: BSD-3-Clause */
/* The collectives of the experiment with persistent loops, each in six forms with one list of
 * arguments: MPI's own and Caucus's blocking, nonblocking and persistent calls. */
#ifndef CAUCUS_BENCH_LOOP_CALLS_H
#define CAUCUS_BENCH_LOOP_CALLS_H

#include <caucus/collective.h>

#include <dlfcn.h>
#include <mpi.h>
#include <string.h>

/* One collective on one size of data. */
struct loop {
    const struct loop_calls *calls;
    int count; /* integers of a block */
    int root;
    int *in, *out; /* room for a block of every rank */
    MPI_Comm comm;
    MPI_Info info; /* of Caucus's persistent call */
};

struct loop_calls {
    const char *name;
    int (*native_blocking)(const struct loop *);
    int (*native_nonblocking)(const struct loop *, MPI_Request *);
    int (*native_init)(const struct loop *, MPI_Request *);
    int (*blocking)(const struct loop *);
    int (*nonblocking)(const struct loop *, caucus_request *);
    int (*init)(const struct loop *, caucus_request *);
    const char *native_init_name;
    int blocks_out; /* whether out holds a block of every rank, or one */
    int in_out;     /* whether the data come and go in out */
    int only_root;  /* whether the root alone has a result */
};

/* MPI's own persistent collectives are part of MPI 4, but an MPI that says 3.1 may have them. */
static inline void *loop_find(const char *name) {
    return dlsym(RTLD_DEFAULT, name);
}

/* The lists hold the types of the arguments of init, and the arguments of the blocking call. */
#define LOOP_CALLS(lower, Upper, types, ...)                                                       \
    static int Upper##_native_blocking(const struct loop *x) {                                     \
        return MPI_##Upper(__VA_ARGS__);                                                           \
    }                                                                                              \
    static int Upper##_native_nonblocking(const struct loop *x, MPI_Request *request) {            \
        return MPI_I##lower(__VA_ARGS__, request);                                                 \
    }                                                                                              \
    static int Upper##_native_init(const struct loop *x, MPI_Request *request) {                   \
        int(*init) types;                                                                          \
        void *found = loop_find("MPI_" #Upper "_init");                                            \
        memcpy(&init, &found, sizeof init);                                                        \
        return init(__VA_ARGS__, MPI_INFO_NULL, request);                                          \
    }                                                                                              \
    static int Upper##_blocking(const struct loop *x) {                                            \
        return caucus_##lower(__VA_ARGS__);                                                        \
    }                                                                                              \
    static int Upper##_nonblocking(const struct loop *x, caucus_request *request) {                \
        return caucus_i##lower(__VA_ARGS__, request);                                              \
    }                                                                                              \
    static int Upper##_init(const struct loop *x, caucus_request *request) {                       \
        return caucus_##lower##_init(__VA_ARGS__, x->info, request);                               \
    }

#define LOOP_ENTRY(lower, Upper, ...)                                                              \
    {#lower,                                                                                       \
     Upper##_native_blocking,                                                                      \
     Upper##_native_nonblocking,                                                                   \
     Upper##_native_init,                                                                          \
     Upper##_blocking,                                                                             \
     Upper##_nonblocking,                                                                          \
     Upper##_init,                                                                                 \
     "MPI_" #Upper "_init",                                                                        \
     __VA_ARGS__}

LOOP_CALLS(barrier, Barrier, (MPI_Comm, MPI_Info, MPI_Request *), x->comm)
LOOP_CALLS(bcast, Bcast, (void *, int, MPI_Datatype, int, MPI_Comm, MPI_Info, MPI_Request *),
           x->out, x->count, MPI_INT, x->root, x->comm)
LOOP_CALLS(reduce, Reduce,
           (const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm, MPI_Info,
            MPI_Request *),
           x->in, x->out, x->count, MPI_INT, MPI_SUM, x->root, x->comm)
LOOP_CALLS(scatter, Scatter,
           (const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm, MPI_Info,
            MPI_Request *),
           x->in, x->count, MPI_INT, x->out, x->count, MPI_INT, x->root, x->comm)
LOOP_CALLS(allreduce, Allreduce,
           (const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info, MPI_Request *),
           x->in, x->out, x->count, MPI_INT, MPI_SUM, x->comm)
LOOP_CALLS(alltoall, Alltoall,
           (const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm, MPI_Info,
            MPI_Request *),
           x->in, x->count, MPI_INT, x->out, x->count, MPI_INT, x->comm)

LOOP_CALLS(allgather, Allgather,
           (const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm, MPI_Info,
            MPI_Request *),
           x->in, x->count, MPI_INT, x->out, x->count, MPI_INT, x->comm)

static const struct loop_calls loop_table[] = {
    LOOP_ENTRY(barrier, Barrier, 0, 0, 0),     LOOP_ENTRY(bcast, Bcast, 0, 1, 0),
    LOOP_ENTRY(reduce, Reduce, 0, 0, 1),       LOOP_ENTRY(scatter, Scatter, 0, 0, 0),
    LOOP_ENTRY(allreduce, Allreduce, 0, 0, 0), LOOP_ENTRY(alltoall, Alltoall, 1, 0, 0),
    LOOP_ENTRY(allgather, Allgather, 1, 0, 0),
};

enum { LOOP_COLLECTIVES = sizeof loop_table / sizeof *loop_table };

#endif
