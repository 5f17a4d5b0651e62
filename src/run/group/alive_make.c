/* SPDX-License-Identifier: BSD-3-Clause */
/* What comes of an agreement: a group whose number the member that fixed it had taken before, or
 * words. */
#include "run/group/alive.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/protocol/member_set.h"
#include "run/execution.h"
#include "run/group/alive_room.h"
#include "run/waiting.h"

#include <stdio.h>
#include <stdlib.h>

enum { NAMED = 8, WORDS = 128 };

/* "ranks 3, 5 and 2 more" */
static void name_ranks(const struct caucus_alive_attempt *attempt, char *text) {
    int length = 0, more = 0, named = 0;
    for (int32_t i = 0; i < attempt->members.count; i++) {
        if (!caucus_set_has(attempt->named, i))
            continue;
        if (named++ < NAMED)
            length += snprintf(text + length, (size_t)(WORDS - length), "%s%d",
                               length > 0 ? ", " : "", caucus_members_rank(&attempt->members, i));
        else
            more++;
    }
    if (named == 0)
        snprintf(text, WORDS, "one that nobody can name");
    else if (more > 0)
        snprintf(text + length, (size_t)(WORDS - length), " and %d more", more);
}

static int fail(const struct caucus_alive_attempt *attempt) {
    char ranks[WORDS];
    switch ((enum caucus_alive_code)attempt->outcome.code) {
    case CAUCUS_ALIVE_TIMEOUT:
        name_ranks(attempt, ranks);
        return caucus_fail(CAUCUS_TIMED_OUT,
                           "members that are not known to be dead did not come in time (ranks of "
                           "the parent: %s): nobody has the group",
                           ranks);
    case CAUCUS_ALIVE_MISMATCH:
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "the lists of members differ, or one failed: nobody has the group");
    case CAUCUS_ALIVE_EXCLUDED:
        return caucus_fail(CAUCUS_INTERNAL, "other members hold this process for dead");
    default:
        return caucus_fail(CAUCUS_PENDING,
                           "in doubt: this member agreed to a group and heard nothing more, and "
                           "MPI does not tell of deaths here; others may have the group or an "
                           "error, and this list serves no more");
    }
}

static int await(struct caucus_alive_room *room, struct caucus_alive_attempt *attempt,
                 bool (*also)(void)) {
    struct caucus_hub *hub = room->hub;
    for (int64_t round = 0;; round++) {
        pthread_mutex_lock(&hub->lock);
        int status = caucus_hub_progress(hub);
        bool over = attempt->decided || attempt->status;
        pthread_mutex_unlock(&hub->lock);
        if (over || status)
            return status;
        caucus_progress_all();
        if (also)
            also();
        caucus_waiting_pause(hub->attachment->engine, round);
    }
}

static int read_members(const struct caucus_alive_attempt *attempt, int parent_size,
                        struct caucus_members *members) {
    int32_t count = 0, *ranks = caucus_array(attempt->members.count, sizeof *ranks);
    if (!ranks)
        return CAUCUS_NO_MEMORY;
    for (int32_t i = 0; i < attempt->members.count; i++)
        if (!caucus_set_has(attempt->named, i))
            ranks[count++] = caucus_members_rank(&attempt->members, i);
    int status = caucus_members_from_list(members, parent_size, count, ranks);
    free(ranks);
    return status;
}

static int make(struct caucus_attachment *parent, const struct caucus_alive_attempt *attempt,
                int64_t outside, struct caucus_light_group **made) {
    struct caucus_members members;
    const struct caucus_alive_outcome *outcome = &attempt->outcome;
    int status = read_members(attempt, parent->size, &members);
    if (!status)
        status = caucus_group_make(parent, &members, outside, 0, CAUCUS_GROUP_NUMBERED, made);
    if (!status)
        (*made)->number = caucus_group_number(
            &parent->hub->room, caucus_members_rank(&attempt->members, outcome->fixed_by),
            (int32_t)(outcome->name.counter & UINT32_MAX));
    return status;
}

int caucus_group_make_alive(struct caucus_attachment *parent, struct caucus_members *members,
                            int64_t outside, double timeout, bool objects, bool (*also)(void),
                            struct caucus_light_group **made) {
    struct caucus_alive_room *room = NULL;
    struct caucus_alive_attempt *attempt = NULL;
    struct caucus_hub *hub;
    int status = caucus_hub_get(parent, &hub);
    if (status) {
        caucus_members_free(members);
        return status;
    }
    pthread_mutex_lock(&hub->lock);
    status = caucus_alive_room_get(hub, &room);
    if (!status)
        status = caucus_alive_begin(room, members, outside, timeout, objects, &attempt);
    else
        caucus_members_free(members);
    pthread_mutex_unlock(&hub->lock);
    if (status)
        return status;
    status = await(room, attempt, also);
    if (!status && attempt->status)
        status = caucus_fail(attempt->status, "this member ran out of memory");
    if (!status)
        status = attempt->outcome.code == CAUCUS_ALIVE_SUCCESS
                     ? make(parent, attempt, outside, made)
                     : fail(attempt);
    pthread_mutex_lock(&hub->lock);
    caucus_alive_leave(room, attempt);
    pthread_mutex_unlock(&hub->lock);
    return status;
}
