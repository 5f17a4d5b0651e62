/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/group/hub.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/failure.h"
#include "run/group/alive_room.h"
#include "run/mpi_status.h"

#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_AT_ONCE = 256 }; /* messages, and one of each rank */

struct caucus_hub_held {
    struct caucus_hub_letter letter;
    struct caucus_hub_held *next;
    unsigned char load[];
};

struct caucus_hub_sending {
    MPI_Request request;
    struct caucus_hub_sending *next;
    struct caucus_hub_message message;
    unsigned char load[]; /* follows without a gap */
};
_Static_assert(offsetof(struct caucus_hub_sending, load) ==
                   offsetof(struct caucus_hub_sending, message) + sizeof(struct caucus_hub_message),
               "one message");

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

/* As many tags a group as leave each rank a good many groups. */
static int32_t tags_each(int64_t tags, int ranks) {
    int64_t each = tags / ranks / 131072;
    return (int32_t)(each < 64 ? 64 : each > 256 ? 256 : each);
}

/* Groups have the tags above the engine's; the first is for what is said here. */
static int fill(struct caucus_hub *hub) {
    const struct caucus_attachment *attachment = hub->attachment;
    int64_t tags = attachment->engine->tags;
    hub->tag = (int)tags;
    hub->held_last = &hub->held;
    hub->sending_last = &hub->sending;
    hub->deaths.told = caucus_failure_detected();
    int status =
        caucus_group_room_create(&hub->room, attachment->size, hub->tag + 1,
                                 (int32_t)(2 * tags - 1), tags_each(tags, attachment->size));
    caucus_group_slots_create(&hub->slots, &hub->room);
    return status;
}

static int make(struct caucus_attachment *attachment, struct caucus_hub **made) {
    struct caucus_hub *hub = caucus_array(1, sizeof *hub);
    if (!hub)
        return CAUCUS_NO_MEMORY;
    hub->attachment = attachment;
    int status = fill(hub);
    if (!status && pthread_mutex_init(&hub->lock, NULL) != 0)
        status = caucus_fail(CAUCUS_NO_MEMORY, "no lock could be made");
    if (status) {
        free(hub);
        return status;
    }
    caucus_hub_show(hub);
    *made = hub;
    return CAUCUS_OK;
}

int caucus_hub_get(struct caucus_attachment *attachment, struct caucus_hub **hub) {
    int status = CAUCUS_OK;
    pthread_mutex_lock(&making);
    if (!attachment->hub)
        status = make(attachment, &attachment->hub);
    *hub = attachment->hub;
    pthread_mutex_unlock(&making);
    return status;
}

/* They go more or less in their order: who waits for one need not look at those behind it. What
 * fails was for somebody who is dead. */
static void drop_sent(struct caucus_hub *hub) {
    int sent = 1;
    while (hub->sending) {
        struct caucus_hub_sending *sending = hub->sending;
        if (PMPI_Test(&sending->request, &sent, MPI_STATUS_IGNORE) == MPI_SUCCESS && !sent)
            return;
        hub->sending = sending->next;
        free(sending);
    }
    hub->sending_last = &hub->sending;
}

/* Groups that this rank has freed and others free about now: what they say of it must have come
 * before the communicator goes (MPICH 5.0.2 frees none with messages left). Those who never free
 * theirs are waited for until nothing has come for a second. */
static void await_others(struct caucus_hub *hub) {
    int64_t received = hub->received;
    double last = PMPI_Wtime();
    while (!caucus_hub_progress(hub) && (hub->leaving.used > 0 || hub->sending) &&
           PMPI_Wtime() - last < 1) {
        if (hub->received > received)
            last = PMPI_Wtime();
        received = hub->received;
        sched_yield();
    }
}

void caucus_hub_free(struct caucus_hub *hub) {
    int finalized;
    if (!hub)
        return;
    caucus_hub_hide(hub);
    PMPI_Finalized(&finalized);
    if (!finalized)
        await_others(hub);
    caucus_alive_room_free(hub->alive);
    while (hub->held) {
        struct caucus_hub_held *next = hub->held->next;
        free(hub->held);
        hub->held = next;
    }
    caucus_creations_drop(hub);
    caucus_mergings_drop(hub);
    caucus_askings_drop(hub);
    caucus_leaving_drop(hub);
    caucus_table_free(&hub->turns);
    caucus_table_free(&hub->leaving);
    caucus_group_slots_free(&hub->slots);
    caucus_actions_free(&hub->actions);
    free(hub->deaths.rank);
    pthread_mutex_destroy(&hub->lock);
    free(hub);
}

int caucus_hub_send(struct caucus_hub *hub, int rank, const struct caucus_hub_message *message,
                    const void *load, int64_t length) {
    struct caucus_hub_sending *sending = caucus_array((int64_t)sizeof *sending + length, 1);
    if (!sending)
        return CAUCUS_NO_MEMORY;
    sending->message = *message;
    if (length > 0)
        memcpy(sending->load, load, (size_t)length);
    int code = PMPI_Isend(&sending->message, (int)((int64_t)sizeof *message + length), MPI_BYTE,
                          rank, hub->tag, hub->attachment->comm, &sending->request);
    if (code != MPI_SUCCESS) {
        free(sending);
        return caucus_failure_is(code) ? CAUCUS_OK : caucus_mpi_status(code, "MPI_Isend");
    }
    *hub->sending_last = sending;
    hub->sending_last = &sending->next;
    return CAUCUS_OK;
}

static int hold(struct caucus_hub *hub, const struct caucus_hub_letter *letter) {
    struct caucus_hub_held *held = caucus_array((int64_t)sizeof *held + letter->length, 1);
    if (!held)
        return CAUCUS_NO_MEMORY;
    held->letter = *letter;
    held->letter.load = held->load;
    if (letter->length > 0)
        memcpy(held->load, letter->load, (size_t)letter->length);
    *hub->held_last = held;
    hub->held_last = &held->next;
    return CAUCUS_OK;
}

static bool take(struct caucus_hub *hub, const struct caucus_hub_letter *letter) {
    return letter->message.kind == CAUCUS_HUB_INSIDE ? caucus_mergings_take(hub, letter)
                                                     : caucus_creations_take(hub, letter);
}

void caucus_hub_look_at_held(struct caucus_hub *hub) {
    for (struct caucus_hub_held **at = &hub->held; *at;) {
        struct caucus_hub_held *held = *at;
        if (!take(hub, &held->letter)) {
            at = &held->next;
            continue;
        }
        *at = held->next;
        free(held);
    }
    hub->held_last = &hub->held;
    while (*hub->held_last)
        hub->held_last = &(*hub->held_last)->next;
}

static int deal_with(struct caucus_hub *hub, const struct caucus_hub_letter *letter) {
    if (letter->message.kind == CAUCUS_HUB_FREED)
        return caucus_leaving_take(hub, letter->source, &letter->message);
    if (letter->message.kind == CAUCUS_HUB_ASKING)
        return caucus_askings_take(hub, letter);
    return take(hub, letter) ? CAUCUS_OK : hold(hub, letter);
}

/* Most messages have no load, and need no memory. */
static int receive(struct caucus_hub *hub, MPI_Message *matched, const MPI_Status *from) {
    struct caucus_hub_letter letter = {.source = from->MPI_SOURCE};
    void *room = NULL, *place = &letter.message;
    int bytes, head = (int)sizeof letter.message;
    PMPI_Get_count(from, MPI_BYTE, &bytes);
    if (bytes > head) {
        place = room = caucus_array(bytes, 1);
        if (!room)
            return CAUCUS_NO_MEMORY;
    }
    int code = PMPI_Mrecv(place, bytes, MPI_BYTE, matched, MPI_STATUS_IGNORE);
    if (caucus_failure_is(code)) { /* its sender has died over it */
        free(room);
        return CAUCUS_OK;
    }
    int status = caucus_mpi_status(code, "MPI_Mrecv");
    hub->received++;
    if (room && !status) {
        memcpy(&letter.message, room, sizeof letter.message);
        letter.length = bytes - head;
        letter.load = (const unsigned char *)room + head;
    }
    if (!status)
        status = deal_with(hub, &letter);
    free(room);
    return status;
}

/* At whatever is no message. */
static int look(struct caucus_hub *hub, int status) {
    if (!status && (hub->creations || hub->mergings || hub->askings))
        status = caucus_hub_look_for_deaths(hub);
    if (!status)
        status = caucus_askings_look(hub);
    caucus_creations_look(hub);
    caucus_mergings_look(hub);
    return status ? status : caucus_alive_progress(hub->alive);
}

/* One probe that finds nothing may have brought something in, as of MPICH over UCX: what comes with
 * others is waited for no turn of the processor. But where each answer brings the next question
 * this ends, too, for who called may want to answer otherwise; the clock is looked at next time. */
int caucus_hub_progress(struct caucus_hub *hub) {
    MPI_Message matched;
    MPI_Status from;
    bool again = false;
    for (int left = MOST_AT_ONCE + hub->attachment->size; left > 0; left--) {
        bool found;
        int status = caucus_failure_probe(hub->attachment->comm, hub->tag, &found, &matched, &from);
        if (status || (!found && !again)) {
            drop_sent(hub);
            return look(hub, status);
        }
        again = found;
        status = found ? receive(hub, &matched, &from) : CAUCUS_OK;
        if (status)
            return status;
    }
    drop_sent(hub);
    return CAUCUS_OK;
}

static struct caucus_table_key turn_key(enum caucus_hub_kind kind, int64_t about, int tag,
                                        int peer) {
    struct caucus_table_key key = {(uint64_t)about, (uint64_t)tag << 32 | (uint32_t)peer};
    key.second ^= (uint64_t)kind << 63;
    return key;
}

int64_t *caucus_hub_turn(struct caucus_hub *hub, enum caucus_hub_kind kind, int64_t about, int tag,
                         int peer) {
    return caucus_table_at(&hub->turns, turn_key(kind, about, tag, peer));
}

int64_t *caucus_hub_turn_known(const struct caucus_hub *hub, enum caucus_hub_kind kind,
                               int64_t about, int tag, int peer) {
    return caucus_table_find(&hub->turns, turn_key(kind, about, tag, peer));
}
