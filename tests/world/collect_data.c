/* SPDX-License-Identifier: BSD-3-Clause */
/* What collectives do to data: packed contributions, and what a rank makes of those of others. */
#include "collectives.h"

#include <stdlib.h>
#include <string.h>

static bool synchronizes(void) {
    static int drawn = -1;
    if (drawn < 0)
        drawn = draw(2);
    return drawn == 1;
}

static int offset_of_peers(const struct comm *comm) {
    return comm->context->inter && comm->side == 0 ? comm->context->size[0] : 0;
}

static bool is_root(const struct call_data *call) {
    return call->comm->context->inter ? call->root == MPI_ROOT : call->root == call->comm->rank;
}

static bool is_bystander(const struct call_data *call) {
    return call->comm->context->inter && call->root == MPI_PROC_NULL;
}

static bool is_peer(const struct comm *comm, int index) {
    int first = offset_of_peers(comm);
    return index >= first && index < first + comm_peers(comm);
}

bool collective_needs(const struct call_data *call, int index) {
    const struct comm *comm = call->comm;
    if (index == call->index)
        return false;
    if (synchronizes() || call->shape >= MAKE_DUP)
        return true;
    switch (call->shape) {
    case BCAST:
    case SCATTER:
        return !is_root(call) && !is_bystander(call) && index == offset_of_peers(comm) + call->root;
    case GATHER:
    case REDUCE:
        return is_root(call) && is_peer(comm, index);
    case SCAN:
    case EXSCAN:
        return index < comm->rank;
    case BARRIER:
        return true;
    default:
        return is_peer(comm, index);
    }
}

static void *place_of(const struct buffer *buffer, int i, int *count, MPI_Datatype *type) {
    char *base = (char *)buffer->base;
    *type = buffer->types ? buffer->types[i] : buffer->type;
    *count = buffer->counts ? buffer->counts[i] : buffer->count;
    if (buffer->bytes)
        return base + buffer->bytes[i];
    if (buffer->types)
        return base + buffer->places[i];
    MPI_Aint extent = type_extent(*type);
    return base + extent * (buffer->places ? buffer->places[i] : (MPI_Aint)i * *count);
}

static void put(struct call_data *call, int part, const struct buffer *buffer, int i) {
    int count;
    MPI_Datatype type;
    const void *place = place_of(buffer, i, &count, &type);
    pack(place, (size_t)count, type, &call->parts[part]);
}

static void check_size(const struct call_data *call, size_t sent, size_t got) {
    if (sent != got)
        finish(BROKEN, 1, "rank %d: %s gets %zu bytes where %zu were given", call->process->rank,
               call->name, got, sent);
}

static void get(const struct call_data *call, const struct part *part, const struct buffer *buffer,
                int i) {
    int count;
    MPI_Datatype type;
    void *place = place_of(buffer, i, &count, &type);
    check_size(call, part->bytes, (size_t)count * type_bytes(type));
    unpack(part, place, (size_t)count, type);
}

static int total(const struct call_data *call) {
    int count = call->send.count;
    if (call->shape == REDUCE_SCATTER) {
        count = 0;
        for (int r = 0; r < call->comm->context->size[call->comm->side]; r++)
            count += call->receive.counts[r];
    } else if (call->shape == REDUCE_SCATTER_BLOCK) {
        count = call->receive.count * call->comm->context->size[call->comm->side];
    }
    return count;
}

/* Operands keep their layout, gaps included. */
struct span {
    MPI_Aint low, bytes;
};

static struct span span_of(int count, MPI_Datatype type) {
    MPI_Aint low, extent;
    PMPI_Type_get_true_extent(type, &low, &extent);
    if (count == 0)
        return (struct span){0, 0};
    MPI_Aint step = type_extent(type) * (count - 1);
    return step >= 0 ? (struct span){low, step + extent} : (struct span){low + step, extent - step};
}

static void put_operands(struct call_data *call) {
    int count = total(call);
    const void *base = call->send.base == MPI_IN_PLACE ? call->receive.base : call->send.base;
    struct span span = span_of(count, call->send.type);
    call->parts[0].bytes = (size_t)span.bytes;
    call->parts[0].data = allocate((size_t)span.bytes, 1);
    if (span.bytes > 0)
        memcpy(call->parts[0].data, (const char *)base + span.low, (size_t)span.bytes);
}

static void parts_new(struct call_data *call, int count) {
    call->parts = NEW(count, struct part);
    call->part_count = count;
}

static void put_to_all(struct call_data *call, int peers) {
    const struct buffer *from = call->send.base == MPI_IN_PLACE ? &call->receive : &call->send;
    parts_new(call, peers);
    for (int i = 0; i < peers; i++)
        if (!(call->shape == SCATTER && i == call->comm->rank && !call->comm->context->inter &&
              call->receive.base == MPI_IN_PLACE))
            put(call, i, from, i);
}

void collective_deposit(struct call_data *call) {
    int count, *list, out;
    switch (call->shape) {
    case BCAST:
        if (is_root(call)) {
            parts_new(call, 1);
            put(call, 0, &call->receive, 0);
        }
        break;
    case GATHER:
    case ALLGATHER:
        if ((call->shape == GATHER && call->comm->context->inter && call->root < 0))
            break;
        parts_new(call, 1);
        if (call->send.base == MPI_IN_PLACE)
            put(call, 0, &call->receive, call->comm->rank);
        else
            put(call, 0, &call->send, 0);
        break;
    case SCATTER:
        if (is_root(call))
            put_to_all(call, comm_peers(call->comm));
        break;
    case ALLTOALL:
        put_to_all(call, comm_peers(call->comm));
        break;
    case NEIGHBOR_ALLGATHER:
        parts_new(call, 1);
        put(call, 0, &call->send, 0);
        break;
    case NEIGHBOR_ALLTOALL:
        neighbors(call->comm, &count, &list, &out, &list);
        put_to_all(call, out);
        break;
    case REDUCE:
        if (call->comm->context->inter && call->root < 0)
            break;
        parts_new(call, 1);
        put_operands(call);
        break;
    case ALLREDUCE:
    case REDUCE_SCATTER:
    case REDUCE_SCATTER_BLOCK:
    case SCAN:
    case EXSCAN:
        parts_new(call, 1);
        put_operands(call);
        break;
    default:
        break;
    }
}

/* Those of `first` to `last`, in the order of ranks: packed. */
static struct part fold(const struct call_data *call, int first, int last, int count) {
    MPI_Datatype type = call->send.type;
    struct span span = span_of(count, type);
    const struct part *parts = call->slot->calls[last]->parts;
    char *sum = allocate(parts[0].bytes, 1);
    struct part packed;
    memcpy(sum, parts[0].data, parts[0].bytes);
    for (int i = first; i <= last; i++)
        check_size(call, call->slot->calls[i]->parts[0].bytes, (size_t)span.bytes);
    for (int i = last - 1; i >= first; i--)
        PMPI_Reduce_local(call->slot->calls[i]->parts[0].data - span.low, sum - span.low, count,
                          type, call->op);
    pack(sum - span.low, (size_t)count, type, &packed);
    free(sum);
    return packed;
}

static void reduce_into(const struct call_data *call, int first, int last) {
    struct buffer receive = call->receive;
    int count = total(call);
    size_t skip = 0, size = type_bytes(call->send.type);
    if (count == 0)
        return;
    struct part sum = fold(call, first, last, count), mine = sum;
    receive.count = count;
    if (call->shape == REDUCE_SCATTER) {
        for (int r = 0; r < call->comm->rank; r++)
            skip += (size_t)call->receive.counts[r];
        receive.count = call->receive.counts[call->comm->rank];
    } else if (call->shape == REDUCE_SCATTER_BLOCK) {
        receive.count = call->receive.count;
        skip = (size_t)(call->comm->rank * receive.count);
    }
    mine.data += skip * size;
    mine.bytes = (size_t)receive.count * size;
    unpack(&mine, (void *)receive.base, (size_t)receive.count, call->send.type);
    free(sum.data);
}

static void gather_into(const struct call_data *call) {
    int first = offset_of_peers(call->comm), peers = comm_peers(call->comm);
    bool in_place = call->send.base == MPI_IN_PLACE;
    for (int i = 0; i < peers; i++) {
        const struct call_data *from = call->slot->calls[first + i];
        if (!(in_place && first + i == call->index))
            get(call, &from->parts[call->shape == ALLTOALL ? call->comm->rank : 0], &call->receive,
                i);
    }
}

/* The edge of `target`'s list of out-neighbours by which `index` of ours comes in. */
static int edge_of(const struct comm *comm, const struct call_data *from, const int *sources,
                   int index) {
    int in, out, *sides, *targets, before = 0;
    if (comm->topology->kind == MPI_CART)
        return index ^ 1;
    for (int i = 0; i < index; i++)
        before += sources[i] == sources[index];
    neighbors(from->comm, &in, &sides, &out, &targets);
    for (int i = 0; i < out; i++)
        if (targets[i] == comm->rank && before-- == 0)
            return i;
    finish(BROKEN, 1, "no edge from %d to %d", from->comm->rank, comm->rank);
}

static void neighbors_into(const struct call_data *call) {
    int in, out, *sources, *targets;
    neighbors(call->comm, &in, &sources, &out, &targets);
    for (int i = 0; i < in; i++) {
        if (sources[i] == MPI_PROC_NULL)
            continue;
        const struct call_data *from = call->slot->calls[sources[i]];
        int part = call->shape == NEIGHBOR_ALLGATHER ? 0 : edge_of(call->comm, from, sources, i);
        get(call, &from->parts[part], &call->receive, i);
    }
}

int collective_finish(struct call_data *call) {
    const struct comm *comm = call->comm;
    int first = offset_of_peers(comm), last = first + comm_peers(comm) - 1;
    switch (call->shape) {
    case BCAST:
        if (!is_root(call) && !is_bystander(call))
            get(call, &call->slot->calls[first + call->root]->parts[0], &call->receive, 0);
        break;
    case SCATTER:
        if (!is_bystander(call) && !(comm->context->inter && is_root(call)) &&
            call->receive.base != MPI_IN_PLACE)
            get(call, &call->slot->calls[first + call->root]->parts[comm->rank], &call->receive, 0);
        break;
    case GATHER:
        if (is_root(call))
            gather_into(call);
        break;
    case ALLGATHER:
    case ALLTOALL:
        gather_into(call);
        break;
    case REDUCE:
        if (is_root(call))
            reduce_into(call, first, last);
        break;
    case ALLREDUCE:
    case REDUCE_SCATTER:
    case REDUCE_SCATTER_BLOCK:
        reduce_into(call, first, last);
        break;
    case SCAN:
        reduce_into(call, 0, comm->rank);
        break;
    case EXSCAN:
        if (comm->rank > 0)
            reduce_into(call, 0, comm->rank - 1);
        break;
    case NEIGHBOR_ALLGATHER:
    case NEIGHBOR_ALLTOALL:
        neighbors_into(call);
        break;
    default:
        break;
    }
    return MPI_SUCCESS;
}
