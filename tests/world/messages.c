/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages: in flight, arrived, received. Of what is in flight between two on one communicator the
 * oldest arrives first; between pairs the seed chooses. */
#include "world.h"

#include <stdlib.h>
#include <string.h>

enum { FULL = 64 };

int tag_bound;

static struct message *flying, **flying_end = &flying;
static int in_flight, held_up; /* on the slow link */
static int laziness, synchronous_one_in;
static long eager; /* sends of so many bytes never wait for their receive */
static struct link {
    bool is_there;
    int from, to;
    const struct context *context; /* NULL: whatever it is */
} slow;                            /* what it carries comes after all that others do meanwhile */

void network_begin(void) {
    static const int odds[] = {1, 2, 8, 64};
    static const int kinds[] = {0, 1, 2, 8};
    static const int bounds[] = {0x7fffffff, (1 << 28) - 1, (1 << 20) - 1};
    laziness = odds[draw(4)];
    synchronous_one_in = kinds[draw(4)];
    slow = (struct link){draw(4) == 3, draw(settings.ranks), draw(settings.ranks), NULL};
    tag_bound = bounds[draw(3)];
    eager = getenv("WORLD_EAGER") ? atol(getenv("WORLD_EAGER")) : -1;
}

static bool is_held_up(const struct message *message) {
    return slow.is_there && message->from == slow.from && message->to == slow.to &&
           (!slow.context || message->context == slow.context);
}

/* One that carries something. */
static void draw_slow_link(void) {
    if (in_flight == 0)
        return;
    const struct message *message = flying;
    for (int chosen = draw(in_flight); chosen > 0; chosen--)
        message = message->next;
    slow = (struct link){true, message->from, message->to, draw(2) ? message->context : NULL};
    held_up = 0;
    for (message = flying; message; message = message->next)
        held_up += is_held_up(message);
}

bool network_is_full(void) {
    return in_flight - held_up >= FULL;
}

bool network_acts(bool must) {
    if (slow.is_there && draw_chance(500))
        draw_slow_link();
    if (must)
        return in_flight > 0;
    if (in_flight == held_up)
        return false;
    return laziness == 1 || draw(laziness) == laziness - 1 || in_flight - held_up > FULL;
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
    return message->context->id == context->id && (!context->inter || message->side != side) &&
           (source == MPI_ANY_SOURCE || source == message->source) &&
           (tag == MPI_ANY_TAG || tag == message->tag);
}

static int node_of(int rank) {
    return processes[rank].node;
}

static void transfer(struct request *request, struct message *message) {
    struct request *send = message->send;
    request->matched = false;
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

static void append(struct message **list, struct message *message) {
    while (*list)
        list = &(*list)->next;
    message->next = NULL;
    *list = message;
}

static struct message *take_first(struct message **list) {
    struct message *first = *list;
    if (first)
        *list = first->next;
    return first;
}

void message_receive(struct request *request, struct message *message) {
    if (!message->send || calls_move(message->send->process)) {
        transfer(request, message);
        return;
    }
    request->matched = true;
    message->receive = request;
    append(&message->send->process->leaving, message);
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

static void take_in(struct process *to, struct message *message) {
    for (struct request **place = &to->posted; *place; place = &(*place)->next) {
        struct request *request = *place;
        if (!matches(message, request->comm->context, request->comm->side, request->peer,
                     request->tag))
            continue;
        *place = request->next;
        message_receive(request, message);
        return;
    }
    append(&to->arrived, message);
}

static void arrive(struct message *message) {
    struct process *to = &processes[message->to];
    happened();
    note_event("message %d -> %d arrives: tag %d, comm %d, %zu bytes", message->from, message->to,
               message->tag, message->context->id, message->bytes);
    if (calls_move(to))
        take_in(to, message);
    else
        append(&to->door, message);
}

void messages_move(struct process *process) {
    struct message *message;
    while ((message = take_first(&process->door)))
        take_in(process, message);
    while ((message = take_first(&process->leaving)))
        transfer(message->receive, message);
}

/* What the slow link carries only where there is nothing else. */
static const struct message *choose_message(bool newest) {
    bool all = in_flight == held_up;
    int count = all ? in_flight : in_flight - held_up;
    int chosen = newest ? count - 1 : draw(count);
    const struct message *message = flying;
    while ((!all && is_held_up(message)) || chosen-- > 0)
        message = message->next;
    return message;
}

void message_deliver(bool newest) {
    const struct message *chosen = choose_message(newest);
    struct message **place = &flying, *message;
    while ((*place)->context != chosen->context || (*place)->from != chosen->from ||
           (*place)->to != chosen->to || (*place)->side != chosen->side)
        place = &(*place)->next;
    message = *place;
    *place = message->next;
    if (!*place)
        flying_end = place;
    in_flight--;
    held_up -= is_held_up(message);
    arrive(message);
}

/* Whether a send waits for its receive. */
static bool waits(const struct message *message, enum mode mode) {
    return mode == SYNCHRONOUS ||
           (mode != BUFFERED && synchronous_one_in && (long)message->bytes > eager &&
            draw(synchronous_one_in) == synchronous_one_in - 1);
}

static void check_ready(const struct message *message) {
    for (const struct request *one = processes[message->to].posted; one; one = one->next)
        if (matches(message, one->comm->context, one->comm->side, one->peer, one->tag))
            return;
    finish(BROKEN, 1, "rank %d: a ready send to rank %d, tag %d, which has no receive",
           message->from, message->to, message->tag);
}

void message_send(struct request *request, enum mode mode) {
    struct message *message = NEW(1, struct message);
    struct comm *comm = request->comm;
    *message = (struct message){.from = comm->process->rank,
                                .to = comm_process(comm, request->peer),
                                .source = comm->rank,
                                .side = comm->side,
                                .tag = request->tag,
                                .context = comm->context,
                                .bytes = request->count * type_bytes(request->type)};
    if (mode == READY)
        check_ready(message);
    if (waits(message, mode)) {
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
    held_up += is_held_up(message);
}

static int count_unreceived(const struct message *message, int context, bool all) {
    int count = 0;
    for (; message; message = message->next)
        count += all || (message->context->id == context && message->send);
    return count;
}

bool messages_wait(int context) {
    int count = count_unreceived(flying, context, false);
    for (int r = 0; r < settings.ranks; r++) {
        count += count_unreceived(processes[r].arrived, context, false) +
                 count_unreceived(processes[r].door, context, false);
        for (const struct request *one = processes[r].posted; one; one = one->next)
            count += one->comm->context->id == context;
    }
    return count > 0;
}

/* Which those who live have not received. */
int messages_left(void) {
    int count = 0;
    for (const struct message *message = flying; message; message = message->next)
        count += !processes[message->to].dead;
    for (int r = 0; r < settings.ranks; r++)
        if (!processes[r].dead)
            count += count_unreceived(processes[r].arrived, 0, true) +
                     count_unreceived(processes[r].door, 0, true);
    return count;
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
