/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/group/alive_room.h"

#include "base/memory.h"
#include "base/status.h"

#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

static const double QUIET = 1;               /* seconds without a letter: the others have gone */
static const double BETWEEN_SERVICES = 5e-5; /* seconds: what waits for something else is not slowed
                                                down by it */

/* Somebody else may hold the lock and wait in there for what we hold. */
static void serve(void *context) {
    struct caucus_alive_room *room = context;
    double now = PMPI_Wtime();
    if (pthread_mutex_trylock(&room->hub->lock) != 0)
        return;
    if (now - room->served > BETWEEN_SERVICES) {
        room->served = now;
        caucus_alive_progress(room); /* what fails here is told to who comes for it */
    }
    pthread_mutex_unlock(&room->hub->lock);
}

static bool hold(void *context) {
    return caucus_attachment_hold_if_kept(((struct caucus_alive_room *)context)->hub->attachment);
}

static void let_go(void *context) {
    caucus_attachment_let_go(((struct caucus_alive_room *)context)->hub->attachment);
}

static uint64_t nonce(const struct caucus_alive_room *room) {
    uint64_t mixed = (uint64_t)(PMPI_Wtime() * 1e9) + (uint64_t)getpid();
    return (mixed ^ (uint64_t)(uintptr_t)room) * 0x9e3779b97f4a7c15u;
}

/* The tag is the last one that engines leave free (run/engine.c). */
int caucus_alive_room_get(struct caucus_hub *hub, struct caucus_alive_room **made) {
    *made = hub->alive;
    if (hub->alive)
        return CAUCUS_OK;
    struct caucus_alive_room *room = caucus_array(1, sizeof *room);
    if (!room)
        return CAUCUS_NO_MEMORY;
    room->hub = hub;
    room->tag = (int)(2 * hub->attachment->engine->tags + 1);
    room->held_last = &room->held;
    room->nonce = nonce(room);
    room->service = (struct caucus_service){hold, serve, let_go, room, NULL};
    caucus_service_add(&room->service);
    *made = hub->alive = room;
    return CAUCUS_OK;
}

int caucus_alive_progress(struct caucus_alive_room *room) {
    struct caucus_alive_letter *letter;
    int status = room ? caucus_hub_look_for_deaths(room->hub) : CAUCUS_OK;
    if (status || !room)
        return status;
    while (room->deaths < room->hub->deaths.count)
        caucus_alive_tell_death(room, room->hub->deaths.rank[room->deaths++]);
    for (;;) {
        status = caucus_alive_receive(room, &letter);
        if (status || !letter)
            break;
        caucus_alive_take(room, letter);
    }
    caucus_alive_sweep(room);
    caucus_alive_look_at_clock(room, PMPI_Wtime());
    return status;
}

static bool owes(const struct caucus_alive_room *room) {
    const struct caucus_alive_attempt *attempt = room->attempts;
    while (attempt && !attempt->owes)
        attempt = attempt->next;
    return attempt || room->sending;
}

static void serve_to_the_end(struct caucus_alive_room *room) {
    int64_t received = room->received;
    double last = PMPI_Wtime();
    while (owes(room) && PMPI_Wtime() - last < QUIET) {
        if (caucus_alive_progress(room))
            return;
        if (room->received > received)
            last = PMPI_Wtime();
        received = room->received;
        sched_yield();
    }
}

void caucus_alive_room_free(struct caucus_alive_room *room) {
    int finalized;
    if (!room)
        return;
    caucus_service_remove(&room->service);
    PMPI_Finalized(&finalized);
    if (!finalized)
        serve_to_the_end(room); /* what is not sent then is MPI's, which may read it yet */
    caucus_alive_drop(room);
    while (room->held) {
        struct caucus_alive_letter *next = room->held->next;
        free(room->held);
        room->held = next;
    }
    caucus_table_free(&room->turns);
    caucus_actions_free(&room->actions);
    free(room);
}
