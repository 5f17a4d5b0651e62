/* SPDX-License-Identifier: BSD-3-Clause */
/* Brings messages, deaths and timers to the protocol by which the living members of a list agree on
 * a group (plan/protocol/alive.h). There is one room for each hub, made with the first call. For
 * the files of this folder; under the hub's lock where nothing else is said.
 *
 * Letters come by probes for anybody, not by a receive for each member: so nothing is left pending
 * when the communicator goes, and a death that is not known yet makes the probe fail, which is how
 * it becomes known soonest. */
#ifndef CAUCUS_RUN_GROUP_ALIVE_ROOM_H
#define CAUCUS_RUN_GROUP_ALIVE_ROOM_H

#include "plan/protocol/alive.h"
#include "run/group/hub.h"
#include "run/service.h"

#include <stddef.h>

/* Which call a letter is of: two members that have called as often with this list are at the same
 * one. */
struct caucus_alive_key {
    int64_t topic; /* of whom the list is: -1 for the communicator, or a group's identity */
    uint64_t list; /* hash */
    int64_t turn;
};

struct caucus_alive_letter {
    struct caucus_alive_letter *next;
    int rank, length;            /* to whom or from whom; of the bytes */
    double since;                /* when it came */
    bool objected;               /* its list is known to differ */
    MPI_Request request;         /* of one that is sent */
    struct caucus_alive_key key; /* this and what follows is sent */
    unsigned char bytes[];
};
_Static_assert(offsetof(struct caucus_alive_letter, bytes) ==
                   offsetof(struct caucus_alive_letter, key) + sizeof(struct caucus_alive_key),
               "what is sent has no gap");

enum { CAUCUS_ALIVE_TIMERS = 3 };

/* A call of this rank's, until it is released and its caller has gone. */
struct caucus_alive_attempt {
    struct caucus_alive_key key;
    struct caucus_members members; /* ranks of the parent; owned */
    struct caucus_alive_setup setup;
    uint64_t *state;
    uint64_t *heard; /* members from whom something has come */
    uint64_t *named; /* with the outcome */
    int32_t slot;    /* taken for it; -1 when it was given back or became a group's */
    double due[CAUCUS_ALIVE_TIMERS];
    double patience; /* seconds, with those who seem to have another list */
    int status;      /* a failure of this rank alone */
    bool decided, released, has_caller;
    bool owes; /* others may need it */
    struct caucus_alive_outcome outcome;
    struct caucus_alive_attempt *next;
};

struct caucus_alive_room {
    struct caucus_hub *hub;
    int tag;
    int deaths;         /* so many of the hub's are known to all attempts */
    double served;      /* when others were last served while something else was waited for */
    int64_t received;   /* letters so far */
    int64_t generation; /* of names given */
    uint64_t nonce;
    struct caucus_table turns; /* calls begun, by topic and list */
    struct caucus_alive_attempt *attempts;
    struct caucus_alive_letter *held, **held_last; /* of calls that have not come, oldest first */
    struct caucus_alive_letter *sending;
    struct caucus_actions actions;
    struct caucus_service service;
};

/* Finds the hub's room or makes it. */
int caucus_alive_room_get(struct caucus_hub *hub, struct caucus_alive_room **room);

/* Takes what has come and looks at the clock; does nothing for NULL. */
int caucus_alive_progress(struct caucus_alive_room *room);

/* For the hub's end, without its lock: serves the others, as long as anything comes of them. NULL
 * does nothing. */
void caucus_alive_room_free(struct caucus_alive_room *room);

/* alive_letters.c: sends a copy, which nobody waits for; takes the next one that has come, NULL
 * where there is none; drops those that were sent. */
int caucus_alive_send(struct caucus_alive_room *room, int rank, const struct caucus_alive_key *key,
                      const void *bytes, int64_t length);
int caucus_alive_receive(struct caucus_alive_room *room, struct caucus_alive_letter **letter);
void caucus_alive_sweep(struct caucus_alive_room *room);

/* alive_attempts.c. Begins this rank's call, which is to fail on all if it objects; the members are
 * taken over, on failure too. */
int caucus_alive_begin(struct caucus_alive_room *room, struct caucus_members *members,
                       int64_t topic, double timeout, bool objects,
                       struct caucus_alive_attempt **attempt);

/* Its caller has gone. */
void caucus_alive_leave(struct caucus_alive_room *room, struct caucus_alive_attempt *attempt);

/* A letter that has come, which is taken over; a death; time goes on. */
void caucus_alive_take(struct caucus_alive_room *room, struct caucus_alive_letter *letter);
void caucus_alive_tell_death(struct caucus_alive_room *room, int rank);
void caucus_alive_look_at_clock(struct caucus_alive_room *room, double now);
void caucus_alive_drop(struct caucus_alive_room *room);

#endif
