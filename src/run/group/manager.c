/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/group/manager.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/protocol/alive_message.h"
#include "run/support/failure.h"
#include "run/support/waits.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const double LONG = 1; /* seconds */
enum {
    MOST_AT_ONCE = 256, /* messages, and one of each rank */
    READY = 8,          /* messages that need no memory */
    MOST_ACTIONS = 72   /* of a step, most often */
};

static const double BETWEEN_LOOKS = 2e-4; /* seconds, for deaths */

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

/* As many tags a group as leave each rank a good many groups. */
static int32_t tags_each(int64_t tags, int ranks) {
    int64_t each = tags / ranks / 131072;
    return (int32_t)(each < 64 ? 64 : each > 256 ? 256 : each);
}

/* Only what lists of members ride on may lack memory later. */
static int open_mailbox(struct caucus_group_manager *manager) {
    const struct caucus_attachment *attachment = manager->attachment;
    int64_t head = sizeof(struct caucus_group_head);
    int status = caucus_mailbox_open(&manager->mailbox, attachment->comm,
                                     (int)attachment->engine->tags, head, true);
    return status ? status
                  : caucus_mailbox_keep_ready(&manager->mailbox, READY,
                                              head + caucus_alive_message_limit(attachment->size));
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
    if (!status)
        status =
            caucus_runner_make_room(&manager->actions, MOST_ACTIONS, CAUCUS_CREATION_MESSAGE_BYTES);
    if (!status)
        status = open_mailbox(manager);
    if (status)
        caucus_actions_free(&manager->actions);
    return status;
}

/* Of this process, for who asks what it waits for (run/support/waits.h). */
static struct caucus_group_manager *managers;
static pthread_mutex_t managers_lock = PTHREAD_MUTEX_INITIALIZER;

/* What is held stays in the list, so one leads to the next. MPI is called by who has no lock of the
 * list's: who frees a communicator waits for that one, perhaps under a lock of MPI's. */
struct caucus_group_manager *
caucus_group_manager_hold_next(const struct caucus_group_manager *last) {
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
    for (struct caucus_group_manager *next,
         *manager = apart ? NULL : caucus_group_manager_hold_next(NULL);
         manager; manager = next) {
        if (pthread_mutex_trylock(&manager->lock) == 0) {
            caucus_creations_tell(manager, waits);
            caucus_mergings_tell(manager, waits);
            caucus_alive_tell(manager, waits);
            pthread_mutex_unlock(&manager->lock);
        }
        next = caucus_group_manager_hold_next(manager);
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
    if (!status && pthread_mutex_init(&manager->lock, NULL) != 0) {
        caucus_mailbox_close(&manager->mailbox);
        caucus_actions_free(&manager->actions);
        status = caucus_fail(CAUCUS_NO_MEMORY, "no lock could be made");
    }
    if (status) {
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
    attachment->stay = caucus_group_manager_stay;
    *manager = attachment->manager;
    pthread_mutex_unlock(&making);
    return status;
}

void caucus_group_manager_free(struct caucus_group_manager *manager) {
    if (!manager)
        return;
    hide(manager);
    caucus_group_manager_end_service(manager);
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

static enum caucus_group_taken take(struct caucus_group_manager *manager,
                                    const struct caucus_group_message *message) {
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
    manager->held_lack_memory = false;
    for (struct caucus_group_manager_held **at = &manager->held; *at;) {
        struct caucus_group_manager_held *held = *at;
        enum caucus_group_taken taken = CAUCUS_MANAGER_HOLDS;
        if (is_due(&held->message, errors_alone))
            taken = take(manager, &held->message);
        if (taken == CAUCUS_MANAGER_LACKS_MEMORY)
            manager->held_lack_memory = true;
        if (taken != CAUCUS_MANAGER_DONE) {
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

static int take_or_hold(struct caucus_group_manager *manager,
                        const struct caucus_group_message *message) {
    enum caucus_group_taken taken = take(manager, message);
    if (taken == CAUCUS_MANAGER_HOLDS)
        return hold(manager, message);
    return taken == CAUCUS_MANAGER_DONE ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

/* What there is no memory for is the next again. A wish to be taken in is answered then. */
static int deal_with(struct caucus_group_manager *manager,
                     const struct caucus_group_message *message) {
    bool heard = false;
    int status;
    switch (message->head.kind) {
    case CAUCUS_MANAGER_FREED:
        status = caucus_reclaim_take(manager, message);
        break;
    case CAUCUS_MANAGER_JOIN_REQUEST:
        status = caucus_join_requests_take(manager, message, &heard);
        break;
    default:
        status = take_or_hold(manager, message);
    }
    if (status == CAUCUS_NO_MEMORY && !heard)
        caucus_mailbox_again(&manager->mailbox);
    return status;
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

static int look_for_deaths(struct caucus_group_manager *manager) {
    int status = CAUCUS_OK;
    if (manager->creations || manager->mergings || manager->join_requests ||
        manager->alive.attempts || manager->reclaims > 0)
        status = caucus_group_manager_look_for_deaths(manager);
    return status ? status : caucus_join_requests_look(manager);
}

static int first_failure(int one, int other) {
    return one ? one : other;
}

/* At whatever is no message; came: how those fared. */
static int look(struct caucus_group_manager *manager, int came) {
    int status = caucus_group_manager_may_go_on(came) ? look_for_deaths(manager) : CAUCUS_OK;
    status = first_failure(status, caucus_creations_look(manager));
    status = first_failure(status, caucus_mergings_look(manager));
    caucus_alive_look(manager);
    if (manager->held_lack_memory)
        caucus_group_manager_look_at_held(manager);
    if (manager->held_lack_memory)
        status = first_failure(status, CAUCUS_NO_MEMORY);
    return first_failure(came, status);
}

/* One probe that finds nothing may have brought something in, as of MPICH over UCX: what comes with
 * others is waited for no turn of the processor. But where each answer brings the next question
 * this ends, too, for who called may want to answer otherwise; the clock is looked at next time. */
static int move_on(struct caucus_group_manager *manager) {
    struct caucus_mailbox_message came;
    bool again = false;
    for (int left = MOST_AT_ONCE + manager->attachment->size; left > 0; left--) {
        bool taken;
        int status = caucus_mailbox_take(&manager->mailbox, &taken, &came);
        bool rests = status || (!taken && !again);
        if (!status && taken)
            status = read_message(manager, &came);
        if (rests || status == CAUCUS_NO_MEMORY) {
            caucus_mailbox_sweep(&manager->mailbox);
            return look(manager, status);
        }
        if (status)
            return status;
        again = taken;
    }
    caucus_mailbox_sweep(&manager->mailbox);
    return CAUCUS_OK;
}

int caucus_group_manager_progress(struct caucus_group_manager *manager) {
    int status = move_on(manager);
    if (status != CAUCUS_NO_MEMORY)
        manager->starves_since = 0;
    else if (manager->starves_since == 0)
        manager->starves_since = PMPI_Wtime();
    return status;
}

bool caucus_group_manager_starves(const struct caucus_group_manager *manager) {
    return manager->starves_since > 0 && PMPI_Wtime() - manager->starves_since > LONG;
}
