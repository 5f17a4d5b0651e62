/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/group/rendezvous.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/group/numbers.h"
#include "run/group/manager.h"

#include <stdlib.h>

static int meet(struct caucus_attachment *parent, struct caucus_members *members, int64_t outside,
                int tag, uint64_t arguments, bool objects, struct caucus_light_group **rendezvous) {
    int status = caucus_group_make(parent, members, outside, tag, CAUCUS_GROUP_CHECKED, rendezvous);
    if (status)
        return status;
    (*rendezvous)->hash ^= arguments;
    (*rendezvous)->objects = objects;
    (*rendezvous)->is_rendezvous = true;
    return CAUCUS_OK;
}

int caucus_rendezvous_of(const struct caucus_light_group *group, enum caucus_rendezvous_aim aim,
                         uint64_t arguments, bool objects, struct caucus_light_group **rendezvous) {
    struct caucus_members members;
    int64_t outside = caucus_group_identity(group);
    int status = caucus_members_copy(&members, &group->members);
    if (status)
        caucus_group_decline_members(group->parent, outside, aim, &group->members);
    return status ? status
                  : meet(group->parent, &members, outside, aim, arguments, objects, rendezvous);
}

int caucus_rendezvous_of_two(struct caucus_attachment *parent, int other, int tag,
                             uint64_t arguments, bool objects,
                             struct caucus_light_group **rendezvous) {
    struct caucus_members members;
    int low = other < parent->rank ? other : parent->rank;
    int high = other < parent->rank ? parent->rank : other;
    int status = caucus_members_from_range(&members, parent->size, low, high, high - low);
    return status
               ? status
               : meet(parent, &members, CAUCUS_GROUP_LEADERS, tag, arguments, objects, rendezvous);
}

/* A communicator's lists are told from those of groups by the highest bit. */
static int64_t outside_of(uint64_t topic) {
    return (int64_t)(topic | UINT64_C(1) << 63);
}

void caucus_rendezvous_refuse(struct caucus_attachment *parent, uint64_t topic, int tag, int rank) {
    caucus_group_decline(parent, outside_of(topic), tag, rank);
}

void caucus_rendezvous_forget(struct caucus_attachment *parent, uint64_t topic) {
    struct caucus_group_manager *manager;
    if (caucus_group_manager_get(parent, &manager))
        return;
    pthread_mutex_lock(&manager->lock);
    caucus_group_manager_forget_about(manager, outside_of(topic));
    pthread_mutex_unlock(&manager->lock);
}

static int make(struct caucus_attachment *parent, const struct caucus_rendezvous_call *call,
                struct caucus_light_group **rendezvous) {
    struct caucus_members members;
    int64_t outside = outside_of(call->topic);
    int status = caucus_members_from_list(&members, parent->size, call->count, call->ranks);
    if (status)
        caucus_group_decline_all(parent, outside, call->tag, call->count, call->ranks);
    else
        status = meet(parent, &members, outside, call->tag, call->arguments, false, rendezvous);
    if (!status) {
        (*rendezvous)->call = call->name;
        (*rendezvous)->wishes = call->wishes;
    }
    return status;
}

int caucus_rendezvous_meet(struct caucus_attachment *parent,
                           const struct caucus_rendezvous_call *call,
                           struct caucus_rendezvous_outcome *outcome) {
    struct caucus_light_group *rendezvous;
    *outcome = (struct caucus_rendezvous_outcome){.rank = -1};
    int status = make(parent, call, &rendezvous);
    if (status)
        return status;
    status = caucus_group_await(rendezvous);
    caucus_group_failure(rendezvous, &outcome->code, &outcome->rank);
    outcome->wishes = rendezvous->wishes;
    outcome->tag = (int)rendezvous->number;
    caucus_group_end(rendezvous);
    return status;
}

/* Behind those that the room itself gives. */
int caucus_rendezvous_tag(const struct caucus_light_group *rendezvous) {
    return (int)rendezvous->parent->engine->tags + caucus_group_place(rendezvous->number);
}
