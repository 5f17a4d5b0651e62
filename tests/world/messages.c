/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages: in flight, arrived, received. Of what is in flight between two on one communicator the
 * oldest arrives first; between pairs the seed chooses. */
#include "world.h"

#include <stdlib.h>
#include <string.h>

int in_flight;

static struct message *flying, **flying_end = &flying;
static int laziness, synchronous_one_in;
static size_t eager; /* sends of so many bytes never wait for their receive */
static uint64_t numbers;

void network_begin(void) {
    static const int odds[] = {1, 2, 8, 64};
    static const int kinds[] = {0, 0, 2, 8};
    laziness = odds[draw(4)];
    synchronous_one_in = kinds[draw(4)];
    eager = getenv("WORLD_EAGER") ? (size_t)atol(getenv("WORLD_EAGER")) : 0;
}

bool network_is_lazy(void) {
    return laziness > 1 && draw(laziness) != laziness - 1;
}

int message_in_flight_to(int rank) {
    int count = 0;
    for (struct message *message = flying; message; message = message->next)
        count += message->to == rank;
    return count;
}

size_t type_bytes(MPI_Datatype type) {
    MPI_Count bytes;
    PMPI_Type_size_x(type, &bytes);
    return (size_t)bytes;
}

MPI_Aint type_extent(MPI_Datatype type) {
    MPI_Aint low, extent;
    PMPI_Type_get_extent(type, &low, &extent);
    return extent;
}

static bool is_plain(MPI_Datatype type) {
    int integers, addresses, types, combiner;
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    return combiner == MPI_COMBINER_NAMED && (MPI_Aint)type_bytes(type) == type_extent(type);
}

void pack(const void *base, size_t count, MPI_Datatype type, struct part *part) {
    int place = 0;
    part->bytes = count * type_bytes(type);
    part->data = allocate(part->bytes, 1);
    if (part->bytes == 0)
        return;
    if (is_plain(type))
        memcpy(part->data, base, part->bytes);
    else
        PMPI_Pack(base, (int)count, type, part->data, (int)part->bytes, &place, MPI_COMM_SELF);
}

/* As many whole elements as have come. */
void unpack(const struct part *part, void *base, size_t count, MPI_Datatype type) {
    size_t size = type_bytes(type);
    int place = 0;
    if (size == 0 || part->bytes == 0 || count == 0)
        return;
    size_t bytes = part->bytes < count * size ? part->bytes : count * size;
    if (is_plain(type))
        memcpy(base, part->data, bytes);
    else
        PMPI_Unpack(part->data, (int)bytes, &place, base, (int)(bytes / size), type, MPI_COMM_SELF);
}

static bool matches(const struct message *message, const struct context *context, int side,
                    int source, int tag) {
    return message->context == context && !message->held &&
           (!context->inter || message->side != side) &&
           (source == MPI_ANY_SOURCE || source == message->source) &&
           (tag == MPI_ANY_TAG || tag == message->tag);
}

static int node_of(int rank) {
    return processes[rank].node;
}

void message_receive(struct request *request, struct message *message) {
    struct request *send = message->send;
    if (send) {
        struct part part;
        pack(send->buffer, send->count, send->type, &part);
        message->data = part.data;
        message->send = NULL;
        send->message = NULL;
        send->done = true;
        happened();
    }
    size_t room = request->count * type_bytes(request->type);
    struct part part = {message->data, message->bytes};
    unpack(&part, (void *)request->buffer, request->count, request->type);
    request->status.MPI_SOURCE = message->source;
    request->status.MPI_TAG = message->tag;
    request->status._ucount = message->bytes < room ? message->bytes : room;
    request->status._cancelled = 0;
    request->error = message->bytes > room ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
    request->done = !request->swallowed;
    free(message->data);
    free(message);
    happened();
}

struct message *message_find(struct process *to, struct comm *comm, int source, int tag) {
    for (struct message *message = to->arrived; message; message = message->next)
        if (matches(message, comm->context, comm->side, source, tag))
            return message;
    return NULL;
}

void message_take(struct message *taken) {
    struct message **place = &processes[taken->to].arrived;
    while (*place != taken)
        place = &(*place)->next;
    *place = taken->next;
}

static void arrive(struct message *message) {
    struct process *to = &processes[message->to];
    happened();
    note_event("message %d -> %d arrives: tag %d, comm %d, %zu bytes", message->from, message->to,
               message->tag, message->context->id, message->bytes);
    message->next = NULL;
    for (struct request **place = &to->posted; *place; place = &(*place)->next) {
        struct request *request = *place;
        if (!matches(message, request->comm->context, request->comm->side, request->peer,
                     request->tag))
            continue;
        *place = request->next;
        message_receive(request, message);
        return;
    }
    struct message **end = &to->arrived;
    while (*end)
        end = &(*end)->next;
    *end = message;
}

void message_deliver(void) {
    int chosen = draw(in_flight);
    struct message **place = &flying, *message = flying;
    for (int i = 0; i < chosen; i++)
        message = message->next;
    while ((*place)->context != message->context || (*place)->from != message->from ||
           (*place)->to != message->to || (*place)->side != message->side)
        place = &(*place)->next;
    message = *place;
    *place = message->next;
    if (!*place)
        flying_end = place;
    in_flight--;
    arrive(message);
}

void message_send(struct request *request, bool synchronous) {
    struct message *message = NEW(1, struct message);
    struct comm *comm = request->comm;
    *message = (struct message){.from = comm->process->rank,
                                .to = comm_process(comm, request->peer),
                                .source = comm->rank,
                                .side = comm->side,
                                .tag = request->tag,
                                .context = comm->context,
                                .sent = now,
                                .number = numbers++,
                                .bytes = request->count * type_bytes(request->type)};
    if (synchronous || (synchronous_one_in && message->bytes > eager &&
                        draw(synchronous_one_in) == synchronous_one_in - 1)) {
        message->send = request;
        request->message = message;
    } else {
        struct part part;
        pack(request->buffer, request->count, request->type, &part);
        message->data = part.data;
        request->done = true;
    }
    happened();
    if (processes[message->to].dead) { /* nobody takes it */
        if (message->send) {
            message->send->message = NULL;
            message->send->done = true;
            message->send->error = MPIX_ERR_PROC_FAILED;
        }
        free(message->data);
        free(message);
        return;
    }
    *flying_end = message;
    flying_end = &message->next;
    in_flight++;
}

/* A receive takes what has arrived, or stands behind those that wait already. */
void receive_post(struct request *request) {
    struct process *process = request->process;
    struct message *message = message_find(process, request->comm, request->peer, request->tag);
    happened();
    request->swallowed = false;
    if (message) {
        message_take(message);
        if ((settings.faults & FAULT_ANY_SOURCE_BETWEEN_NODES) && request->peer == MPI_ANY_SOURCE &&
            node_of(message->from) != process->node) {
            request->swallowed = true; /* MPICH 5.0.2 */
            note_event("rank %d: a receive from any is swallowed (fault)", process->rank);
        }
        message_receive(request, message);
        return;
    }
    struct request **end = &process->posted;
    while (*end)
        end = &(*end)->next;
    request->next = NULL;
    *end = request;
}

void receive_withdraw(struct request *request) {
    for (struct request **place = &request->process->posted; *place; place = &(*place)->next)
        if (*place == request) {
            *place = request->next;
            return;
        }
}
