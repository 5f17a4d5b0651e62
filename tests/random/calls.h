/* SPDX-License-Identifier: BSD-3-Clause */
/* One function that calls any collective in any form, written anew at each inclusion:
 * CALLS_FUNCTION is its name, CALLS_REQUEST the type of requests, CALLS_ON what it is called on,
 * and CALLS_NAME(name, Name) how a function is called. CALLS_COMMUNICATOR: neighbours too. */

#if HAS_PERSISTENT
#define CALLS_INIT(name, Name, ...)                                                                \
    return CALLS_NAME(name##_init, Name##_init)(__VA_ARGS__, CALLS_ON, MPI_INFO_NULL, request)
#else
#define CALLS_INIT(name, Name, ...) return MPI_ERR_OTHER
#endif
#define CALLS(name, Name, ...)                                                                     \
    if (form == BLOCKING)                                                                          \
        return CALLS_NAME(name, Name)(__VA_ARGS__, CALLS_ON);                                      \
    if (form == NONBLOCKING)                                                                       \
        return CALLS_NAME(i##name, I##name)(__VA_ARGS__, CALLS_ON, request);                       \
    CALLS_INIT(name, Name, __VA_ARGS__);

static int CALLS_FUNCTION(struct operation *o, enum form form, CALLS_REQUEST *request) {
    const void *in = o->in_place ? MPI_IN_PLACE : (const void *)o->in;
    void *out = o->stays ? MPI_IN_PLACE : o->out,
         *data = o->sends > 0 ? (void *)o->in : (void *)o->out;
    MPI_Datatype type = element_type[o->element];
    MPI_Op op = o->element == AFFINE ? element_op : MPI_SUM;
    int sent = o->send_counts[0], received = o->receive_counts[0], root = o->root;
    const int *s_counts = o->send_counts, *s_places = o->send_places;
    const int *r_counts = o->receive_counts, *r_places = o->receive_places;

    switch (o->which) {
    case BCAST:
        CALLS(bcast, Bcast, data, o->count, type, root)
    case REDUCE:
        CALLS(reduce, Reduce, in, out, o->count, type, op, root)
    case ALLREDUCE:
        CALLS(allreduce, Allreduce, in, out, o->count, type, op)
    case GATHER:
        CALLS(gather, Gather, in, o->count, type, out, o->count, type, root)
    case GATHERV:
        CALLS(gatherv, Gatherv, in, sent, type, out, r_counts, r_places, type, root)
    case SCATTER:
        CALLS(scatter, Scatter, in, o->count, type, out, o->count, type, root)
    case SCATTERV:
        CALLS(scatterv, Scatterv, in, s_counts, s_places, type, out, received, type, root)
    case ALLGATHER:
        CALLS(allgather, Allgather, in, o->count, type, out, o->count, type)
    case ALLGATHERV:
        CALLS(allgatherv, Allgatherv, in, sent, type, out, r_counts, r_places, type)
    case ALLTOALL:
        CALLS(alltoall, Alltoall, in, o->count, type, out, o->count, type)
    case ALLTOALLV:
        CALLS(alltoallv, Alltoallv, in, s_counts, s_places, type, out, r_counts, r_places, type)
    case REDUCE_SCATTER:
        CALLS(reduce_scatter, Reduce_scatter, in, out, r_counts, type, op)
    case REDUCE_SCATTER_BLOCK:
        CALLS(reduce_scatter_block, Reduce_scatter_block, in, out, received, type, op)
    case SCAN:
        CALLS(scan, Scan, in, out, o->count, type, op)
    case EXSCAN:
        CALLS(exscan, Exscan, in, out, o->count, type, op)
#ifdef CALLS_COMMUNICATOR
    case NEIGHBOR_ALLGATHER:
        CALLS(neighbor_allgather, Neighbor_allgather, in, o->count, type, out, o->count, type)
    case NEIGHBOR_ALLTOALL:
        CALLS(neighbor_alltoall, Neighbor_alltoall, in, o->count, type, out, o->count, type)
#endif
    default:
        break;
    }
    if (form == BLOCKING)
        return CALLS_NAME(barrier, Barrier)(CALLS_ON);
    if (form == NONBLOCKING)
        return CALLS_NAME(ibarrier, Ibarrier)(CALLS_ON, request);
#if HAS_PERSISTENT
    return CALLS_NAME(barrier_init, Barrier_init)(CALLS_ON, MPI_INFO_NULL, request);
#else
    return MPI_ERR_OTHER;
#endif
}

#undef CALLS
#undef CALLS_INIT
#undef CALLS_FUNCTION
#undef CALLS_REQUEST
#undef CALLS_ON
#undef CALLS_NAME
#undef CALLS_COMMUNICATOR
