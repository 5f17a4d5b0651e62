/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/group/manager.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/support/failure.h"
#include "run/support/waits.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const double QUIET = 1; /* seconds */
enum { MOST_AT_ONCE = 256 };   /* messages, and one of each rank */

static const double BETWEEN_LOOKS = 2e-4; /* seconds, for deaths */

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

/* As many tags a group as leave each rank a good many groups. */
static int32_t tags_each(int64_t tags, int ranks) {
    int64_t each = tags / ranks / 131072;
    return (int32_t)(each < 64 ? 64 : each > 256 ? 256 : each);
}

/* Groups have the tags above the engine's; the first is for what is said here. */
static int fill(struct caucus_group_manager *manager) {
    const struct caucus_attachment *attachment = manager->attachment;
    int64_t tags = attachment->engine->tags;
    manager->held_last = &manager->held;
    manager->deaths.told = caucus_failure_detected();
    caucus_group_manager_begin_turns(manager);
    int status =
        caucus_group_room_create(&manager->room, attachment->size, (int32_t)tags + 1,
                                 (int32_t)(2 * tags - 1), tags_each(tags, attachment->size));
    caucus_group_slots_create(&manager->slots, &manager->room);
    return status ? status
                  : caucus_mailbox_open(&manager->mailbox, attachment->comm, (int)tags,
                                        sizeof(struct caucus_group_head), true);
}

/* Of this process, for who asks what it waits for (run/support/waits.h). */
static struct caucus_group_manager *managers;
static pthread_mutex_t managers_lock = PTHREAD_MUTEX_INITIALIZER;

/* What is held stays in the list, so one leads to the next. MPI is called by who has no lock of the
 * list's: who frees a communicator waits for that one, perhaps under a lock of MPI's. */
static struct caucus_group_manager *hold_next(const struct caucus_group_manager *last) {
    pthread_mutex_lock(&managers_lock);
    struct caucus_group_manager *manager = last ? last->next : managers;
    while (manager && !caucus_attachment_hold_if_kept(manager->attachment))
        manager = manager->next;
    pthread_mutex_unlock(&managers_lock);
    return manager;
}

/* apart: nothing waits here that has been looked at within a second. */
static void tell(void *context, struct caucus_waits *waits, bool apart) {
    (void)context;
    for (struct caucus_group_manager *next, *manager = apart ? NULL : hold_next(NULL); manager;
         manager = next) {
        if (pthread_mutex_trylock(&manager->lock) == 0) {
            caucus_creations_tell(manager, waits);
            caucus_mergings_tell(manager, waits);
            caucus_alive_tell(manager, waits);
            pthread_mutex_unlock(&manager->lock);
        }
        next = hold_next(manager);
        caucus_attachment_let_go(manager->attachment);
    }
}

static void show(struct caucus_group_manager *manager) {
    static struct caucus_waits_source source = {.tell = tell};
    static atomic_flag begun = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&begun))
        caucus_waits_add(&source);
    pthread_mutex_lock(&managers_lock);
    manager->next = managers;
    managers = manager;
    pthread_mutex_unlock(&managers_lock);
}

static void hide(struct caucus_group_manager *manager) {
    pthread_mutex_lock(&managers_lock);
    struct caucus_group_manager **at = &managers;
    while (*at != manager)
        at = &(*at)->next;
    *at = manager->next;
    pthread_mutex_unlock(&managers_lock);
}

static int make(struct caucus_attachment *attachment, struct caucus_group_manager **made) {
    struct caucus_group_manager *manager = caucus_array(1, sizeof *manager);
    if (!manager)
        return CAUCUS_NO_MEMORY;
    manager->attachment = attachment;
    int status = caucus_attachment_stand_apart(attachment);
    if (!status)
        status = fill(manager);
    if (!status && pthread_mutex_init(&manager->lock, NULL) != 0)
        status = caucus_fail(CAUCUS_NO_MEMORY, "no lock could be made");
    if (status) {
        free(manager->mailbox.bytes);
        free(manager);
        return status;
    }
    show(manager);
    *made = manager;
    return CAUCUS_OK;
}

int caucus_group_manager_get(struct caucus_attachment *attachment,
                             struct caucus_group_manager **manager) {
    int status = CAUCUS_OK;
    pthread_mutex_lock(&making);
    if (!attachment->manager)
        status = make(attachment, &attachment->manager);
    attachment->free_manager = caucus_group_manager_free;
    *manager = attachment->manager;
    pthread_mutex_unlock(&making);
    return status;
}

/* Groups that this rank has freed and others free about now: what they say of it must have come
 * before the communicator goes (MPICH 5.0.2 frees none with messages left). Those who never free
 * theirs are waited for until nothing has come for a second, and so are those who live and may need
 * this rank to agree. */
static void await_others(struct caucus_group_manager *manager) {
    int64_t received = manager->mailbox.received;
    double last = PMPI_Wtime();
    while (!caucus_group_manager_progress(manager) &&
           (manager->reclaims > 0 || manager->mailbox.first || caucus_alive_owes(manager)) &&
           PMPI_Wtime() - last < QUIET) {
        if (manager->mailbox.received > received)
            last = PMPI_Wtime();
        received = manager->mailbox.received;
        sched_yield();
    }
}

void caucus_group_manager_free(struct caucus_group_manager *manager) {
    int finalized;
    if (!manager)
        return;
    hide(manager);
    caucus_alive_end_service(manager);
    PMPI_Finalized(&finalized);
    if (!finalized)
        await_others(manager);
    while (manager->held) {
        struct caucus_group_manager_held *next = manager->held->next;
        free(manager->held);
        manager->held = next;
    }
    caucus_alive_drop(manager);
    caucus_creations_drop(manager);
    caucus_mergings_drop(manager);
    caucus_join_requests_drop(manager);
    caucus_reclaim_drop(manager);
    caucus_mailbox_close(&manager->mailbox);
    caucus_group_manager_free_turns(manager);
    caucus_table_free(&manager->reclaim);
    caucus_group_slots_free(&manager->slots);
    caucus_actions_free(&manager->actions);
    free(manager->deaths.rank);
    pthread_mutex_destroy(&manager->lock);
    free(manager);
}

int caucus_group_manager_send(struct caucus_group_manager *manager, int rank,
                              const struct caucus_group_head *head, const void *load,
                              int64_t length) {
    return caucus_mailbox_send(&manager->mailbox, rank, head, sizeof *head, load, length);
}

static int hold(struct caucus_group_manager *manager, const struct caucus_group_message *message) {
    struct caucus_group_manager_held *held =
        caucus_array((int64_t)sizeof *held + message->length, sizeof *held->load);
    if (!held)
        return CAUCUS_NO_MEMORY;
    held->message = *message;
    held->message.load = held->load;
    held->since = PMPI_Wtime();
    if (message->length > 0)
        memcpy(held->load, message->load, (size_t)message->length);
    *manager->held_last = held;
    manager->held_last = &held->next;
    return CAUCUS_OK;
}

/* Whether it is done with, or to be held. */
static bool take(struct caucus_group_manager *manager, const struct caucus_group_message *message) {
    switch (message->head.kind) {
    case CAUCUS_MANAGER_INSIDE:
        return caucus_mergings_take(manager, message);
    case CAUCUS_MANAGER_ALIVE:
        return caucus_alive_take(manager, message);
    default:
        return caucus_creations_take(manager, message);
    }
}

/* That somebody gave up is heard before what he had said: who comes late would else go on alone. */
static bool is_due(const struct caucus_group_message *message, bool errors_alone) {
    return !errors_alone || (message->head.kind == CAUCUS_MANAGER_LISTED &&
                             caucus_creation_word_of(message->head.body) == CAUCUS_CREATION_ERR);
}

static void take_held(struct caucus_group_manager *manager, bool errors_alone) {
    for (struct caucus_group_manager_held **at = &manager->held; *at;) {
        struct caucus_group_manager_held *held = *at;
        if (!is_due(&held->message, errors_alone) || !take(manager, &held->message)) {
            at = &held->next;
            continue;
        }
        *at = held->next;
        free(held);
    }
    manager->held_last = &manager->held;
    while (*manager->held_last)
        manager->held_last = &(*manager->held_last)->next;
}

void caucus_group_manager_look_at_held(struct caucus_group_manager *manager) {
    take_held(manager, true);
    take_held(manager, false);
}

static int deal_with(struct caucus_group_manager *manager,
                     const struct caucus_group_message *message) {
    if (message->head.kind == CAUCUS_MANAGER_FREED)
        return caucus_reclaim_take(manager, message);
    if (message->head.kind == CAUCUS_MANAGER_JOIN_REQUEST)
        return caucus_join_requests_take(manager, message);
    return take(manager, message) ? CAUCUS_OK : hold(manager, message);
}

static int read_message(struct caucus_group_manager *manager,
                        const struct caucus_mailbox_message *came) {
    int64_t head = sizeof(struct caucus_group_head);
    struct caucus_group_message message = {.source = came->source,
                                           .length = came->length - head,
                                           .load = (const unsigned char *)came->bytes + head};
    memcpy(&message.head, came->bytes, sizeof message.head);
    return deal_with(manager, &message);
}

static void learn(struct caucus_group_manager_deaths *deaths, int rank) {
    for (int i = 0; i < deaths->count; i++)
        if (deaths->rank[i] == rank)
            return;
    deaths->rank[deaths->count++] = rank;
}

/* Room for all there can be is made with the first. */
static int learn_all(struct caucus_group_manager *manager, int room) {
    struct caucus_group_manager_deaths *deaths = &manager->deaths;
    int count, *ranks = caucus_array(room, sizeof *ranks);
    if (ranks && !deaths->rank)
        deaths->rank = caucus_array(manager->attachment->size, sizeof *deaths->rank);
    int status = ranks && deaths->rank
                     ? caucus_failure_ranks(manager->attachment->comm, ranks, room, &count)
                     : CAUCUS_NO_MEMORY;
    for (int i = 0; i < room && !status; i++)
        if (ranks[i] != MPI_UNDEFINED)
            learn(deaths, ranks[i]);
    free(ranks);
    caucus_reclaim_hear_deaths(manager);
    return status;
}

int caucus_group_manager_look_for_deaths(struct caucus_group_manager *manager) {
    int count;
    double now = manager->deaths.told ? PMPI_Wtime() : 0;
    if (!manager->deaths.told || now - manager->deaths.looked < BETWEEN_LOOKS)
        return CAUCUS_OK;
    manager->deaths.looked = now;
    int status = caucus_failure_ranks(manager->attachment->comm, NULL, 0, &count);
    return status || count == manager->deaths.count ? status : learn_all(manager, count);
}

/* At whatever is no message. */
static int look(struct caucus_group_manager *manager, int status) {
    if (!status && (manager->creations || manager->mergings || manager->join_requests ||
                    manager->alive.attempts || manager->reclaims > 0))
        status = caucus_group_manager_look_for_deaths(manager);
    if (!status)
        status = caucus_join_requests_look(manager);
    caucus_creations_look(manager);
    caucus_mergings_look(manager);
    caucus_alive_look(manager);
    return status;
}

/* One probe that finds nothing may have brought something in, as of MPICH over UCX: what comes with
 * others is waited for no turn of the processor. But where each answer brings the next question
 * this ends, too, for who called may want to answer otherwise; the clock is looked at next time. */
int caucus_group_manager_progress(struct caucus_group_manager *manager) {
    struct caucus_mailbox_message came;
    bool again = false;
    for (int left = MOST_AT_ONCE + manager->attachment->size; left > 0; left--) {
        bool taken;
        int status = caucus_mailbox_take(&manager->mailbox, &taken, &came);
        if (status || (!taken && !again)) {
            caucus_mailbox_sweep(&manager->mailbox);
            return look(manager, status);
        }
        again = taken;
        status = taken ? read_message(manager, &came) : CAUCUS_OK;
        if (status)
            return status;
    }
    caucus_mailbox_sweep(&manager->mailbox);
    return CAUCUS_OK;
}
