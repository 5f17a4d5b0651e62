/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives.h"

#include <stdlib.h>
#include <string.h>

struct call_data *call_new(const char *name, enum shape shape, struct comm *comm) {
    struct call_data *call = NEW(1, struct call_data);
    call->name = name;
    call->shape = (int)shape;
    call->comm = comm;
    call->process = self->process;
    call->index = comm ? slot_index(comm, comm->side, comm->rank) : -1;
    return call;
}

struct slot *slot_find(struct slot **list, struct call_data *call, int size, int key) {
    struct slot **place = list;
    while (*place && !((*place)->key == key && (*place)->again == call->again))
        place = &(*place)->next;
    if (*place)
        return *place;
    struct slot *slot = NEW(1, struct slot);
    slot->key = key;
    slot->again = call->again;
    slot->size = size;
    slot->shape = call->shape;
    slot->root = call->root;
    slot->name = call->name;
    slot->calls = NEW(size, struct call_data *);
    slot->made = NEW(size, struct context *);
    *place = slot;
    return slot;
}

static void leave_slot(struct call_data *call) {
    struct slot *slot = call->slot, **place;
    call->left = true;
    if (++slot->left < slot->size || !call->comm)
        return;
    for (place = &call->comm->context->slots; *place; place = &(*place)->next)
        if (*place == slot) {
            *place = slot->next;
            break;
        }
    for (int i = 0; i < slot->size; i++) {
        for (int p = 0; p < slot->calls[i]->part_count; p++)
            free(slot->calls[i]->parts[p].data);
        free(slot->calls[i]->parts);
    }
}

/* Ranks that call different collectives break MPI's rules. */
void call_enter(struct call_data *call) {
    const struct context *context = call->comm->context;
    int size = context->size[0] + context->size[1];
    struct slot *slot = slot_find(&call->comm->context->slots, call, size, call->key);
    if (slot->shape != call->shape)
        finish(BROKEN, 1, "rank %d calls %s where another calls %s, the %dth on comm %d",
               call->process->rank, call->name, slot->name, call->key, context->id);
    if (slot->root != call->root && !context->inter)
        finish(BROKEN, 1, "rank %d calls %s with root %d where another has %d, the %dth on comm %d",
               call->process->rank, call->name, call->root, slot->root, call->key, context->id);
    call->slot = slot;
    slot->calls[call->index] = call;
    slot->arrived++;
    if (slot->arrived == slot->size)
        collective_is_owed(call);
    collective_deposit(call);
    if (call->shape >= MAKE_DUP)
        construct_entered(call);
    happened();
}

/* Somebody is missing who never comes. */
static bool lacks_dead(const struct call_data *call) {
    const struct comm *comm = call->comm;
    for (int side = 0; side < 2; side++)
        for (int r = 0; r < comm->context->size[side]; r++) {
            int index = slot_index(comm, side, r);
            if (!call->slot->calls[index] && collective_needs(call, index) &&
                death_is_known(call->process->rank, comm->context->members[side][r]))
                return true;
        }
    return false;
}

bool call_ended(struct call_data *call) {
    if (call->error)
        return true;
    if (call->comm && call->comm->context->revoked)
        call->error = MPIX_ERR_REVOKED;
    else if (call->shape >= MAKE_DUP && construct_ready(call))
        return others_have_moved(call);
    else if (call->comm && lacks_dead(call) && call->shape < MAKE_GROUP)
        call->error = MPIX_ERR_PROC_FAILED;
    if (call->error)
        return true;
    if (call->shape >= MAKE_DUP)
        return false;
    for (int i = 0; i < call->slot->size; i++)
        if (!call->slot->calls[i] && collective_needs(call, i))
            return false;
    return others_have_moved(call);
}

static bool ready(void *argument) {
    return call_ended(argument);
}

static int end(struct call_data *call) {
    int code = call->error;
    if (!code)
        code = call->shape >= MAKE_DUP ? construct_finish(call) : collective_finish(call);
    leave_slot(call);
    happened();
    return code;
}

/* A blocking call, from its entry to its end. */
int call_run(struct call_data *call) {
    note_event("rank %d enters %s on comm %d", call->process->rank, call->name,
               call->comm ? call->comm->context->id : -1);
    call_enter(call);
    if (!call_ended(call))
        wait_for(ready, call,
                 (struct call){call->name, -1, -1, call->comm ? call->comm->context->id : -1});
    int code = end(call);
    note_event("rank %d leaves %s", call->process->rank, call->name);
    return comm_error(call->comm, code);
}

/* ---- as requests ---- */
static bool poll(struct request *request) {
    if (!call_ended(request->collective))
        return false;
    request->error = end(request->collective);
    return true;
}

void collective_start(struct request *request) {
    struct call_data *call = NEW(1, struct call_data);
    *call = *request->collective; /* which may be in its slot still, for others */
    call->again = request->collective->again + (request->persistent ? 1 : 0);
    call->error = 0;
    request->collective = call;
    request->active = true;
    request->done = false;
    call_enter(call);
}

int collective_begin(struct call_data *call, bool persistent, MPI_Request *made) {
    struct request *request = request_new(COLLECTIVE, call->comm);
    request->collective = call;
    request->poll = poll;
    request->persistent = persistent;
    if (!persistent)
        collective_start(request);
    *made = (MPI_Request)(void *)request;
    return MPI_SUCCESS;
}
