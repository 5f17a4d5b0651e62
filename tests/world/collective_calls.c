/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI's own collectives, blocking, nonblocking and persistent: each line describes one call. */
#include "collectives.h"

static int prepare(const char *name, enum shape shape, MPI_Comm handle, struct call_data **made) {
    struct comm *comm = comm_of(handle, name);
    choose(name);
    if (!comm)
        return comm_error(NULL, MPI_ERR_COMM);
    *made = call_new(name, shape, comm);
    (*made)->key = comm->sequence++;
    return MPI_SUCCESS;
}

static int check(struct call_data *call) {
    const struct comm *comm = call->comm;
    if (call->shape == BCAST && (call->send.count < 0 || call->receive.count < 0))
        return MPI_ERR_COUNT;
    if (comm->context->inter && (call->root == MPI_ROOT || call->root == MPI_PROC_NULL))
        return MPI_SUCCESS;
    if (call->shape != BCAST && call->shape != GATHER && call->shape != SCATTER &&
        call->shape != REDUCE)
        return MPI_SUCCESS;
    return call->root < 0 || call->root >= comm_peers(comm) ? MPI_ERR_ROOT : MPI_SUCCESS;
}

/* Parameters stand in parentheses; each form adds its own. */
#define LIST(...) __VA_ARGS__
#define BLOCKING(function, text, shape, fill, parameters, ...)                                     \
    int function(parameters, MPI_Comm comm) {                                                      \
        struct call_data *call;                                                                    \
        int code = prepare(text, shape, comm, &call);                                              \
        if (code)                                                                                  \
            return code;                                                                           \
        fill(call, __VA_ARGS__);                                                                   \
        code = check(call);                                                                        \
        return code ? comm_error(call->comm, code) : call_run(call);                               \
    }
#define NONBLOCKING(function, text, shape, fill, parameters, ...)                                  \
    int function(parameters, MPI_Comm comm, MPI_Request *request) {                                \
        struct call_data *call;                                                                    \
        int code = prepare(text, shape, comm, &call);                                              \
        if (code)                                                                                  \
            return code;                                                                           \
        fill(call, __VA_ARGS__);                                                                   \
        code = check(call);                                                                        \
        return code ? comm_error(call->comm, code) : collective_begin(call, false, request);       \
    }
#define PERSISTENT(function, text, shape, fill, parameters, ...)                                   \
    int function(parameters, MPI_Comm comm, MPI_Info info, MPI_Request *request) {                 \
        struct call_data *call;                                                                    \
        int code = prepare(text, shape, comm, &call);                                              \
        (void)info;                                                                                \
        if (code)                                                                                  \
            return code;                                                                           \
        fill(call, __VA_ARGS__);                                                                   \
        code = check(call);                                                                        \
        return code ? comm_error(call->comm, code) : collective_begin(call, true, request);        \
    }
/* `Name` and `name` differ in the first letter. */
#define ALL(Name, name, shape, fill, parameters, ...)                                              \
    BLOCKING(world_##Name, "MPI_" #Name, shape, fill, LIST parameters, __VA_ARGS__)                \
    NONBLOCKING(world_I##name, "MPI_I" #name, shape, fill, LIST parameters, __VA_ARGS__)           \
    PERSISTENT(world_##Name##_init, "MPI_" #Name "_init", shape, fill, LIST parameters, __VA_ARGS__)

static void fill(struct call_data *call, struct buffer send, struct buffer receive, MPI_Op op,
                 int root) {
    call->send = send;
    call->receive = receive;
    call->op = op;
    call->root = root;
}

#define PLAIN(at, number, of) ((struct buffer){.base = (at), .count = (number), .type = (of)})
#define VARYING(at, numbers, where, of)                                                            \
    ((struct buffer){.base = (at), .counts = (numbers), .places = (where), .type = (of)})
#define EACH(at, numbers, where, of)                                                               \
    ((struct buffer){.base = (at), .counts = (numbers), .places = (where), .types = (of)})
#define APART(at, numbers, where, of)                                                              \
    ((struct buffer){.base = (at), .counts = (numbers), .bytes = (where), .types = (of)})
#define NONE ((struct buffer){0})

#define SENT const void *sent, int count, MPI_Datatype type
#define GOT void *got, int got_count, MPI_Datatype got_type
#define SENT_V const void *sent, const int counts[], const int places[], MPI_Datatype type
#define GOT_V void *got, const int got_counts[], const int got_places[], MPI_Datatype got_type
#define OPERANDS const void *sent, void *got, int count, MPI_Datatype type, MPI_Op op

ALL(Bcast, bcast, BCAST, fill, (void *buffer, int count, MPI_Datatype type, int root), NONE,
    PLAIN(buffer, count, type), MPI_OP_NULL, root)
ALL(Gather, gather, GATHER, fill, (SENT, GOT, int root), PLAIN(sent, count, type),
    PLAIN(got, got_count, got_type), MPI_OP_NULL, root)
ALL(Gatherv, gatherv, GATHER, fill, (SENT, GOT_V, int root), PLAIN(sent, count, type),
    VARYING(got, got_counts, got_places, got_type), MPI_OP_NULL, root)
ALL(Scatter, scatter, SCATTER, fill, (SENT, GOT, int root), PLAIN(sent, count, type),
    PLAIN(got, got_count, got_type), MPI_OP_NULL, root)
ALL(Scatterv, scatterv, SCATTER, fill, (SENT_V, GOT, int root), VARYING(sent, counts, places, type),
    PLAIN(got, got_count, got_type), MPI_OP_NULL, root)
ALL(Allgather, allgather, ALLGATHER, fill, (SENT, GOT), PLAIN(sent, count, type),
    PLAIN(got, got_count, got_type), MPI_OP_NULL, 0)
ALL(Allgatherv, allgatherv, ALLGATHER, fill, (SENT, GOT_V), PLAIN(sent, count, type),
    VARYING(got, got_counts, got_places, got_type), MPI_OP_NULL, 0)
ALL(Alltoall, alltoall, ALLTOALL, fill, (SENT, GOT), PLAIN(sent, count, type),
    PLAIN(got, got_count, got_type), MPI_OP_NULL, 0)
ALL(Alltoallv, alltoallv, ALLTOALL, fill, (SENT_V, GOT_V), VARYING(sent, counts, places, type),
    VARYING(got, got_counts, got_places, got_type), MPI_OP_NULL, 0)
ALL(Alltoallw, alltoallw, ALLTOALL, fill,
    (const void *sent, const int counts[], const int places[], const MPI_Datatype types[],
     void *got, const int got_counts[], const int got_places[], const MPI_Datatype got_types[]),
    EACH(sent, counts, places, types), EACH(got, got_counts, got_places, got_types), MPI_OP_NULL, 0)
ALL(Reduce, reduce, REDUCE, fill, (OPERANDS, int root), PLAIN(sent, count, type),
    PLAIN(got, count, type), op, root)
ALL(Allreduce, allreduce, ALLREDUCE, fill, (OPERANDS), PLAIN(sent, count, type),
    PLAIN(got, count, type), op, 0)
ALL(Reduce_scatter, reduce_scatter, REDUCE_SCATTER, fill,
    (const void *sent, void *got, const int counts[], MPI_Datatype type, MPI_Op op),
    PLAIN(sent, 0, type), VARYING(got, counts, NULL, type), op, 0)
ALL(Reduce_scatter_block, reduce_scatter_block, REDUCE_SCATTER_BLOCK, fill, (OPERANDS),
    PLAIN(sent, count, type), PLAIN(got, count, type), op, 0)
ALL(Scan, scan, SCAN, fill, (OPERANDS), PLAIN(sent, count, type), PLAIN(got, count, type), op, 0)
ALL(Exscan, exscan, EXSCAN, fill, (OPERANDS), PLAIN(sent, count, type), PLAIN(got, count, type), op,
    0)
ALL(Neighbor_allgather, neighbor_allgather, NEIGHBOR_ALLGATHER, fill, (SENT, GOT),
    PLAIN(sent, count, type), PLAIN(got, got_count, got_type), MPI_OP_NULL, 0)
ALL(Neighbor_allgatherv, neighbor_allgatherv, NEIGHBOR_ALLGATHER, fill, (SENT, GOT_V),
    PLAIN(sent, count, type), VARYING(got, got_counts, got_places, got_type), MPI_OP_NULL, 0)
ALL(Neighbor_alltoall, neighbor_alltoall, NEIGHBOR_ALLTOALL, fill, (SENT, GOT),
    PLAIN(sent, count, type), PLAIN(got, got_count, got_type), MPI_OP_NULL, 0)
ALL(Neighbor_alltoallv, neighbor_alltoallv, NEIGHBOR_ALLTOALL, fill, (SENT_V, GOT_V),
    VARYING(sent, counts, places, type), VARYING(got, got_counts, got_places, got_type),
    MPI_OP_NULL, 0)
ALL(Neighbor_alltoallw, neighbor_alltoallw, NEIGHBOR_ALLTOALL, fill,
    (const void *sent, const int counts[], const MPI_Aint places[], const MPI_Datatype types[],
     void *got, const int got_counts[], const MPI_Aint got_places[],
     const MPI_Datatype got_types[]),
    APART(sent, counts, places, types), APART(got, got_counts, got_places, got_types), MPI_OP_NULL,
    0)

int world_Barrier(MPI_Comm comm) {
    struct call_data *call;
    int code = prepare("MPI_Barrier", BARRIER, comm, &call);
    return code ? code : call_run(call);
}

int world_Ibarrier(MPI_Comm comm, MPI_Request *request) {
    struct call_data *call;
    int code = prepare("MPI_Ibarrier", BARRIER, comm, &call);
    return code ? code : collective_begin(call, false, request);
}

int world_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    struct call_data *call;
    int code = prepare("MPI_Barrier_init", BARRIER, comm, &call);
    (void)info;
    return code ? code : collective_begin(call, true, request);
}
