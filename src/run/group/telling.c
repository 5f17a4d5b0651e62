/* SPDX-License-Identifier: BSD-3-Clause */
/* Whom groups in the making wait for, told to whoever asks (run/waits.h). */
#include "run/group/gathering.h"
#include "run/group/hub.h"
#include "run/waits.h"

#include <stdatomic.h>
#include <stddef.h>

static struct caucus_hub *hubs;
static pthread_mutex_t hubs_lock = PTHREAD_MUTEX_INITIALIZER;

/* What is held stays in the list, so one leads to the next. MPI is called by who has no lock of the
 * list's: who frees a communicator waits for that one, perhaps under a lock of MPI's. */
static struct caucus_hub *hold_next(const struct caucus_hub *last) {
    pthread_mutex_lock(&hubs_lock);
    struct caucus_hub *hub = last ? last->next : hubs;
    while (hub && !caucus_attachment_hold_if_kept(hub->attachment))
        hub = hub->next;
    pthread_mutex_unlock(&hubs_lock);
    return hub;
}

/* apart: nothing waits here that has been looked at within a second. */
static void tell(void *context, struct caucus_waits *waits, bool apart) {
    (void)context;
    for (struct caucus_hub *next, *hub = apart ? NULL : hold_next(NULL); hub; hub = next) {
        if (pthread_mutex_trylock(&hub->lock) == 0) {
            caucus_creations_tell(hub, waits);
            caucus_mergings_tell(hub, waits);
            caucus_alive_tell(hub, waits);
            pthread_mutex_unlock(&hub->lock);
        }
        next = hold_next(hub);
        caucus_attachment_let_go(hub->attachment);
    }
}

void caucus_hub_show(struct caucus_hub *hub) {
    static struct caucus_waits_source source = {.tell = tell};
    static atomic_flag begun = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&begun))
        caucus_waits_add(&source);
    pthread_mutex_lock(&hubs_lock);
    hub->next = hubs;
    hubs = hub;
    pthread_mutex_unlock(&hubs_lock);
}

void caucus_hub_hide(struct caucus_hub *hub) {
    pthread_mutex_lock(&hubs_lock);
    struct caucus_hub **at = &hubs;
    while (*at != hub)
        at = &(*at)->next;
    *at = hub->next;
    pthread_mutex_unlock(&hubs_lock);
}

static const char *name_of_gathering(const struct caucus_light_group *group) {
    if (group->tag == CAUCUS_GATHERING_COMM)
        return "caucus_group_to_comm";
    return group->tag == CAUCUS_GATHERING_BETWEEN ? "caucus_intercomm_create_group"
                                                  : "caucus_group_create_within";
}

const char *caucus_creation_name(const struct caucus_light_group *group) {
    if (group->way == CAUCUS_GROUP_LATER)
        return "the first use of a group";
    switch (group->outside) {
    case CAUCUS_GROUP_MERGES:
        return "caucus_group_merge, firsts of groups";
    case CAUCUS_GROUP_JOINS:
        return group->rank == 0 ? "caucus_group_grow" : "caucus_group_join";
    case CAUCUS_GROUP_LEADERS:
        return "caucus_intercomm_create_group, leaders";
    case -1:
        return group->way == CAUCUS_GROUP_UNCHECKED ? "caucus_group_create_unchecked"
                                                    : "caucus_group_create";
    default:
        return name_of_gathering(group);
    }
}
