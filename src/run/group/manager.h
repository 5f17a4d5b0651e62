/* SPDX-License-Identifier: BSD-3-Clause */
/* What the groups of one attachment share: the numbers of those whose root this rank is, and the
 * messages by which groups are made and given up. For the files of this folder; under its lock
 * where nothing else is said. */
#ifndef CAUCUS_RUN_GROUP_MANAGER_H
#define CAUCUS_RUN_GROUP_MANAGER_H

#include "base/status.h"
#include "base/table.h"
#include "plan/group/numbers.h"
#include "plan/protocol/creation.h"
#include "run/group/group.h"
#include "run/progress/service.h"
#include "run/protocol/mailbox.h"
#include "run/protocol/runner.h"

#include <pthread.h>

enum caucus_group_manager_kind {
    CAUCUS_MANAGER_LISTED,
    CAUCUS_MANAGER_LATER,
    CAUCUS_MANAGER_FREED,
    CAUCUS_MANAGER_INSIDE,       /* what became of a group's merge, to its members */
    CAUCUS_MANAGER_JOIN_REQUEST, /* a group asks another one, or answers */
    CAUCUS_MANAGER_ALIVE         /* those who live agree on a group */
};

/* What every message of the manager's begins with. */
struct caucus_group_head {
    int32_t kind, tag;
    int64_t about; /* which group its list is of, its list's hash, its number, the group that
                      merges, or the union's number, by kind */
    int64_t turn;
    unsigned char body[CAUCUS_CREATION_MESSAGE_BYTES];
};

/* One that came, and what rides on it; valid while it is dealt with. */
struct caucus_group_message {
    int source;
    struct caucus_group_head head;
    int64_t length; /* bytes */
    const void *load;
};

/* What becomes of it: it is done with; nobody here wants it yet; or nothing of it was heard for
 * want of memory, and it is to come again. */
enum caucus_group_taken { CAUCUS_MANAGER_DONE, CAUCUS_MANAGER_HOLDS, CAUCUS_MANAGER_LACKS_MEMORY };

/* One that came for what this rank has not begun yet, or has no memory for. */
struct caucus_group_manager_held {
    struct caucus_group_message message;
    struct caucus_group_manager_held *next;
    double since;
    bool objected; /* ALIVE: its list is known to differ */
    unsigned char load[];
};

/* Who of the parent is known to be dead. */
struct caucus_group_manager_deaths {
    bool told;     /* by MPI, in this run */
    double looked; /* when it was last asked */
    int count, *rank;
};

/* Of this rank, by which those who live agree on groups (alive.c). */
struct caucus_alive_calls {
    struct caucus_alive_attempt *attempts; /* in no order */
    struct caucus_table turns;             /* calls begun, by topic and list */
    uint64_t nonce;                        /* 0 before the first */
};

enum { CAUCUS_MANAGER_GONE = 64 };

struct caucus_group_manager {
    struct caucus_attachment *attachment;
    struct caucus_mailbox mailbox;
    struct caucus_group_room room;
    struct caucus_group_slots slots;
    struct caucus_table turns;         /* groups begun, of members and tag, or of the list */
    struct caucus_table within;        /* identities of groups that some of those are made out of */
    struct caucus_table unused;        /* LATER: groups made and not begun, by list and turn */
    int64_t gone[CAUCUS_MANAGER_GONE]; /* identities of those that went last, or -1 */
    int next_gone;
    struct caucus_table reclaim;               /* struct caucus_group_reclaim *, by number */
    int64_t reclaims;                          /* those of groups that this rank has freed */
    struct caucus_actions actions;             /* kept from step to step */
    struct caucus_group_creation *creations;   /* a list, in no order */
    struct caucus_merging *mergings;           /* likewise */
    struct caucus_join_request *join_requests; /* likewise */
    struct caucus_group_manager_held *held,
        **held_last;       /* what came for none of them, oldest first */
    bool held_lack_memory; /* some, which came for one of them */
    double starves_since;  /* that there is no memory for what moves on; 0: there is */
    struct caucus_group_manager_deaths deaths;
    struct caucus_alive_calls alive;
    struct caucus_service service; /* since others may need it while calls wait for other things */
    double served;
    bool is_retired, has_given_up; /* retirement.c */
    pthread_mutex_t lock;
    struct caucus_group_manager *next; /* of this process, for who asks what it waits for */
};

/* Finds the attachment's, or makes it; any thread, without its lock. */
int caucus_group_manager_get(struct caucus_attachment *attachment,
                             struct caucus_group_manager **manager);

/* For the attachment's end; NULL does nothing. */
void caucus_group_manager_free(struct caucus_group_manager *manager);

/* retirement.c: it is looked after while calls wait for something else; again does nothing. What
 * ends that, without the lock. */
void caucus_group_manager_begin_service(struct caucus_group_manager *manager);
void caucus_group_manager_end_service(struct caucus_group_manager *manager);

/* Before the attachment goes, which nobody holds any more: whether it stays, since others have yet
 * to say something of groups that this rank has freed, or need it to agree. It goes when all has
 * been said, at the latest when MPI is finalized. */
bool caucus_group_manager_stay(struct caucus_group_manager *manager);

/* Whether it may be called again after this status: what is short of memory may have some then. */
static inline bool caucus_group_manager_may_go_on(int status) {
    return !status || status == CAUCUS_NO_MEMORY;
}

/* The next of this process behind `last`, or the first; its attachment is held. NULL: none is left.
 */
struct caucus_group_manager *
caucus_group_manager_hold_next(const struct caucus_group_manager *last);

/* Sends a copy, which nobody waits for, with so many bytes of load behind it. */
int caucus_group_manager_send(struct caucus_group_manager *manager, int rank,
                              const struct caucus_group_head *head, const void *load,
                              int64_t length);

/* Brings what has come where it belongs, and looks at the clock. CAUCUS_NO_MEMORY: for somebody's
 * message there is none, which is lost to nobody; the clock was looked at all the same. */
int caucus_group_manager_progress(struct caucus_group_manager *manager);

/* Whether that has been so for long. */
bool caucus_group_manager_starves(const struct caucus_group_manager *manager);

/* Asks MPI who is dead, now and then. Whoever was not known to be is behind the others in the list.
 */
int caucus_group_manager_look_for_deaths(struct caucus_group_manager *manager);

/* Where there is one more who may want what is held: what is done with now is gone. */
void caucus_group_manager_look_at_held(struct caucus_group_manager *manager);

/* turns.c: nothing is counted yet, and at the end. */
void caucus_group_manager_begin_turns(struct caucus_group_manager *manager);
void caucus_group_manager_free_turns(struct caucus_group_manager *manager);

/* How many groups this rank has begun with peer, by that tag, out of that group; or of a list. NULL
 * without memory. */
int64_t *caucus_group_manager_turn(struct caucus_group_manager *manager,
                                   enum caucus_group_manager_kind kind, int64_t about, int tag,
                                   int peer);

/* The same where that is known, without memory; else NULL. */
int64_t *caucus_group_manager_turn_known(const struct caucus_group_manager *manager,
                                         enum caucus_group_manager_kind kind, int64_t about,
                                         int tag, int peer);

/* LATER: a group of this list is made, and CAUCUS_NO_MEMORY; the latest one is not after all; one
 * begins. Until then what is said of it is kept for it, as is what is said of groups to come. */
int caucus_group_manager_count(struct caucus_group_manager *manager,
                               struct caucus_light_group *group);
void caucus_group_manager_uncount(struct caucus_group_manager *manager,
                                  struct caucus_light_group *group);
void caucus_group_manager_use(struct caucus_group_manager *manager,
                              const struct caucus_light_group *group);
bool caucus_group_manager_expects(const struct caucus_group_manager *manager, int64_t about,
                                  int64_t turn);

/* A group goes, and its identity does not come again (nor does a topic, which has the highest bit):
 * nor does anything that is made out of it.
 * What others have said of that may still come, from who was late or had failed, and is dropped as
 * long as it is known. */
void caucus_group_manager_forget(struct caucus_group_manager *manager,
                                 const struct caucus_light_group *group);
void caucus_group_manager_forget_about(struct caucus_group_manager *manager, int64_t about);
bool caucus_group_manager_is_gone(const struct caucus_group_manager *manager, int64_t about);

/* That of the slot of this rank's that was taken last. */
static inline int64_t caucus_group_manager_number(const struct caucus_group_manager *manager,
                                                  int32_t slot) {
    return caucus_group_number(&manager->room, manager->attachment->rank, slot, manager->slots.use);
}

/* A number of this rank's: its slot is free again. */
static inline void caucus_group_manager_give_number(struct caucus_group_manager *manager,
                                                    int64_t number) {
    caucus_group_slots_give(&manager->slots, caucus_group_slot(&manager->room, number));
}

/* Whom this rank waits for, in creations.c, merging.c and alive.c. */
struct caucus_waits;
void caucus_creations_tell(const struct caucus_group_manager *manager, struct caucus_waits *waits);
void caucus_mergings_tell(const struct caucus_group_manager *manager, struct caucus_waits *waits);
void caucus_alive_tell(const struct caucus_group_manager *manager, struct caucus_waits *waits);

/* creations.c: begins a group's, and gives it up, or calls it off (group.h), of which the members
 * are told. Where it cannot begin they are told so, too, and it has failed for good. One that waits
 * fails for want of memory, unless others may be inside MPI by now. A message of LISTED or LATER.
 * Timers, deaths, and what there was no memory for: CAUCUS_NO_MEMORY where there is none yet. */
int caucus_creation_begin(struct caucus_group_manager *manager, struct caucus_light_group *group);
void caucus_creation_give_up(struct caucus_light_group *group);
bool caucus_creation_call_off(struct caucus_light_group *group);
void caucus_creation_starve(struct caucus_light_group *group);
enum caucus_group_taken caucus_creations_take(struct caucus_group_manager *manager,
                                              const struct caucus_group_message *message);
int caucus_creations_look(struct caucus_group_manager *manager);

/* A rank would wait for this one, which can't even begin with the group: it hears so. */
void caucus_creation_refuse(const struct caucus_light_group *group, int rank);
void caucus_creations_drop(struct caucus_group_manager *manager);

/* reclaim.c: a group that this rank frees, whose members are taken over. A message of FREED.
 * Deaths.
 */
int caucus_reclaim_begin(struct caucus_group_manager *manager, struct caucus_light_group *group);
int caucus_reclaim_take(struct caucus_group_manager *manager,
                        const struct caucus_group_message *message);
void caucus_reclaim_hear_deaths(struct caucus_group_manager *manager);
void caucus_reclaim_drop(struct caucus_group_manager *manager);

/* merging.c: a message of INSIDE. Time limits, deaths, and what there was no memory for, likewise.
 */
enum caucus_group_taken caucus_mergings_take(struct caucus_group_manager *manager,
                                             const struct caucus_group_message *message);
int caucus_mergings_look(struct caucus_group_manager *manager);
void caucus_mergings_drop(struct caucus_group_manager *manager);

/* join_request.c: a message of JOIN_REQUEST, which is to come again where it was not heard. Deaths.
 */
int caucus_join_requests_take(struct caucus_group_manager *manager,
                              const struct caucus_group_message *message, bool *heard);
int caucus_join_requests_look(struct caucus_group_manager *manager);
void caucus_join_requests_drop(struct caucus_group_manager *manager);

/* alive.c: a message of ALIVE. Timers and deaths. Whether others may need something of it yet. */
enum caucus_group_taken caucus_alive_take(struct caucus_group_manager *manager,
                                          const struct caucus_group_message *message);
void caucus_alive_look(struct caucus_group_manager *manager);
bool caucus_alive_owes(const struct caucus_group_manager *manager);
void caucus_alive_drop(struct caucus_group_manager *manager);

#endif
