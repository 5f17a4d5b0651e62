/* SPDX-License-Identifier: BSD-3-Clause */
/* What the groups of one attachment share: the numbers of those whose root this rank is, and the
 * messages by which groups are made and given up. For the files of this folder; under its lock
 * where nothing else is said. */
#ifndef CAUCUS_RUN_GROUP_HUB_H
#define CAUCUS_RUN_GROUP_HUB_H

#include "base/table.h"
#include "plan/group/numbers.h"
#include "plan/protocol/creation.h"
#include "run/group/group.h"

#include <pthread.h>

struct caucus_alive_room;

enum caucus_hub_kind {
    CAUCUS_HUB_LISTED,
    CAUCUS_HUB_LATER,
    CAUCUS_HUB_FREED,
    CAUCUS_HUB_INSIDE, /* what became of a group's merge, to its members */
    CAUCUS_HUB_ASKING  /* a group asks another one, or answers */
};

struct caucus_hub_message {
    int32_t kind, tag;
    int64_t about; /* which group its list is of, its list's hash, its number, the group that
                      merges, or the union's number, by kind */
    int64_t turn;
    unsigned char body[CAUCUS_CREATION_MESSAGE_BYTES];
};

/* One that came, and what rides on it; valid while it is dealt with. */
struct caucus_hub_letter {
    int source;
    struct caucus_hub_message message;
    int64_t length; /* bytes */
    const void *load;
};

/* Who of the parent is known to be dead. */
struct caucus_hub_deaths {
    bool told;     /* by MPI, in this run */
    double looked; /* when it was last asked */
    int count, *rank;
};

struct caucus_hub {
    struct caucus_attachment *attachment;
    int tag; /* of the messages */
    struct caucus_group_room room;
    struct caucus_group_slots slots;
    struct caucus_table turns;     /* groups begun, of members, parent and tag, or of the list */
    struct caucus_table leaving;   /* struct caucus_group_leaving *, by number */
    struct caucus_actions actions; /* kept from step to step */
    struct caucus_group_creation *creations;   /* a list, in no order */
    struct caucus_merging *mergings;           /* likewise */
    struct caucus_asking *askings;             /* likewise */
    struct caucus_hub_held *held, **held_last; /* what came for none of them, oldest first */
    struct caucus_hub_sending *sending, **sending_last; /* oldest first */
    int64_t received;                                   /* messages so far */
    struct caucus_hub_deaths deaths;
    struct caucus_alive_room *alive; /* for groups of those who live; NULL until one is asked for */
    pthread_mutex_t lock;
    struct caucus_hub *next; /* of this process, for who asks what it waits for */
};

/* Finds the attachment's, or makes it; any thread, without its lock. */
int caucus_hub_get(struct caucus_attachment *attachment, struct caucus_hub **hub);

/* For the attachment's end; NULL does nothing. */
void caucus_hub_free(struct caucus_hub *hub);

/* Sends a copy, which nobody waits for, with so many bytes of load behind it. */
int caucus_hub_send(struct caucus_hub *hub, int rank, const struct caucus_hub_message *message,
                    const void *load, int64_t length);

/* Brings what has come where it belongs, and looks at the clock. */
int caucus_hub_progress(struct caucus_hub *hub);

/* Where there is one more who may want what is held: what is done with now is gone. */
void caucus_hub_look_at_held(struct caucus_hub *hub);

/* How many groups this rank has begun with peer, by that tag, out of that group; or of a list. */
int64_t *caucus_hub_turn(struct caucus_hub *hub, enum caucus_hub_kind kind, int64_t about, int tag,
                         int peer);

/* The same where that is known, without memory; else NULL. */
int64_t *caucus_hub_turn_known(const struct caucus_hub *hub, enum caucus_hub_kind kind,
                               int64_t about, int tag, int peer);

/* deaths.c: asks MPI who is dead, now and then. Whoever was not known to be is behind the others in
 * the list. */
int caucus_hub_look_for_deaths(struct caucus_hub *hub);

/* telling.c: so that what is in the making is told, from here on, and not any more; without the
 * lock. And the call that makes a group. */
void caucus_hub_show(struct caucus_hub *hub);
void caucus_hub_hide(struct caucus_hub *hub);
const char *caucus_creation_name(const struct caucus_light_group *group);

/* Whom this rank waits for, in creations.c, merging.c and alive_attempts.c. */
struct caucus_waits;
void caucus_creations_tell(const struct caucus_hub *hub, struct caucus_waits *waits);
void caucus_mergings_tell(const struct caucus_hub *hub, struct caucus_waits *waits);
void caucus_alive_tell(const struct caucus_hub *hub, struct caucus_waits *waits);

/* creations.c: begins a group's, and gives it up. Where it cannot begin, the members are told so,
 * as far as there is memory for that, and it has failed for good. A message of LISTED or LATER:
 * whether it is done with, or to be held. Timers and deaths. */
int caucus_creation_begin(struct caucus_hub *hub, struct caucus_light_group *group);
void caucus_creation_give_up(struct caucus_hub *hub, struct caucus_light_group *group);
bool caucus_creations_take(struct caucus_hub *hub, const struct caucus_hub_letter *letter);
void caucus_creations_look(struct caucus_hub *hub);
void caucus_creations_drop(struct caucus_hub *hub);

/* creation_load.c: words for a failure of a group's making; a message of it with what rides on it;
 * and what rode on one that came. */
int caucus_creation_fail(const struct caucus_light_group *group, int64_t code, int rank);
int caucus_creation_send(const struct caucus_light_group *group, int rank,
                         const struct caucus_hub_message *message);
int caucus_creation_unload(const struct caucus_light_group *group,
                           const struct caucus_hub_letter *letter);

/* leaving.c: a group that this rank frees, whose members are taken over. A message of FREED. */
int caucus_leaving_begin(struct caucus_hub *hub, struct caucus_light_group *group);
int caucus_leaving_take(struct caucus_hub *hub, int source,
                        const struct caucus_hub_message *message);
void caucus_leaving_drop(struct caucus_hub *hub);

/* merging.c: a message of INSIDE: whether it is done with, or to be held. Time limits and deaths.
 */
bool caucus_mergings_take(struct caucus_hub *hub, const struct caucus_hub_letter *letter);
void caucus_mergings_look(struct caucus_hub *hub);
void caucus_mergings_drop(struct caucus_hub *hub);

/* asking.c: a message of ASKING. Deaths. */
int caucus_askings_take(struct caucus_hub *hub, const struct caucus_hub_letter *letter);
int caucus_askings_look(struct caucus_hub *hub);
void caucus_askings_drop(struct caucus_hub *hub);

#endif
