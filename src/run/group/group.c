/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/group/group.h"

#include "base/memory.h"
#include "base/permute.h"
#include "base/status.h"
#include "plan/protocol/sentences.h"
#include "run/group/manager.h"
#include "run/progress/progress.h"
#include "run/progress/waiting.h"
#include "run/support/failure.h"
#include "run/support/mpi_status.h"
#include "run/support/waits.h"

#include <sched.h>
#include <stdlib.h>

/* What is a range is always kept as one: there is no need to go through it. */
static uint64_t hash_of(const struct caucus_light_group *group) {
    const struct caucus_members *members = &group->members;
    if (group->outside == CAUCUS_GROUP_JOINS) /* who joins does not know the others */
        return (uint64_t)CAUCUS_GROUP_JOINS;
    if (group->way != CAUCUS_GROUP_LATER || members->by_rank)
        return caucus_members_hash(members) + (uint64_t)group->way;
    uint64_t range = (uint64_t)members->first << 32 | (uint32_t)members->count;
    uint64_t hash = caucus_mix(caucus_mix(range) + (uint64_t)members->stride);
    return group->outside == CAUCUS_GROUP_BALANCES ? caucus_mix(hash) : hash;
}

void caucus_group_decline(struct caucus_attachment *parent, int64_t outside, int tag, int rank) {
    struct caucus_light_group group = {
        .parent = parent, .outside = outside, .tag = tag, .way = CAUCUS_GROUP_CHECKED};
    struct caucus_group_manager *manager;
    if (caucus_group_manager_get(parent, &manager))
        return;
    pthread_mutex_lock(&manager->lock);
    caucus_creation_refuse(&group, rank);
    pthread_mutex_unlock(&manager->lock);
}

void caucus_group_decline_all(struct caucus_attachment *parent, int64_t outside, int tag, int count,
                              const int ranks[]) {
    for (int i = 0; i < count; i++)
        if (ranks[i] >= 0 && ranks[i] < parent->size && ranks[i] != parent->rank)
            caucus_group_decline(parent, outside, tag, ranks[i]);
}

void caucus_group_decline_members(struct caucus_attachment *parent, int64_t outside, int tag,
                                  const struct caucus_members *members) {
    for (int32_t i = 0; i < members->count; i++)
        if (caucus_members_rank(members, i) != parent->rank)
            caucus_group_decline(parent, outside, tag, caucus_members_rank(members, i));
}

int caucus_group_make(struct caucus_attachment *parent, struct caucus_members *members,
                      int64_t outside, int tag, enum caucus_group_way way,
                      struct caucus_light_group **made) {
    struct caucus_light_group *group = caucus_array(1, sizeof *group);
    struct caucus_group_manager *manager = NULL;
    int status = group ? caucus_group_manager_get(parent, &manager) : CAUCUS_NO_MEMORY;
    if (status) {
        if (way == CAUCUS_GROUP_CHECKED || way == CAUCUS_GROUP_UNCHECKED)
            caucus_group_decline_members(parent, outside, tag, members);
        caucus_members_free(members);
        free(group);
        return status;
    }
    *group = (struct caucus_light_group){
        .parent = parent,
        .members = *members,
        .rank = caucus_members_position(members, parent->rank),
        .size = members->count,
        .number = -1,
        .failed_rank = -1,
        .turn = -1, /* none that was counted */
        .outside = outside,
        .tag = tag,
        .way = way,
    };
    caucus_attachment_hold(parent);
    group->hash = hash_of(group);
    if (way == CAUCUS_GROUP_LATER) {
        pthread_mutex_lock(&manager->lock);
        status = caucus_group_manager_count(manager, group);
        pthread_mutex_unlock(&manager->lock);
    }
    if (status)
        caucus_group_end(group);
    else
        *made = group;
    return status;
}

int caucus_group_number_take(struct caucus_attachment *parent, int64_t *number) {
    struct caucus_group_manager *manager;
    int32_t slot;
    *number = -1;
    int status = caucus_group_manager_get(parent, &manager);
    if (status)
        return status;
    pthread_mutex_lock(&manager->lock);
    caucus_group_manager_progress(manager); /* what others have freed meanwhile */
    status = caucus_group_slots_take(&manager->slots, &slot);
    if (!status)
        *number = caucus_group_manager_number(manager, slot);
    pthread_mutex_unlock(&manager->lock);
    return status;
}

void caucus_group_number_give(struct caucus_attachment *parent, int64_t number) {
    struct caucus_group_manager *manager = parent->manager;
    pthread_mutex_lock(&manager->lock);
    caucus_group_manager_give_number(manager, number);
    pthread_mutex_unlock(&manager->lock);
}

int caucus_group_make_numbered(struct caucus_attachment *parent, struct caucus_members *members,
                               int64_t number, struct caucus_light_group **group) {
    int status = caucus_group_make(parent, members, -1, 0, CAUCUS_GROUP_NUMBERED, group);
    if (!status)
        (*group)->number = number;
    return status;
}

int64_t caucus_group_identity(const struct caucus_light_group *group) {
    if (group->way != CAUCUS_GROUP_LATER)
        return group->number;
    uint64_t mixed = caucus_mix(caucus_mix(group->hash) + (uint64_t)group->turn);
    return (int64_t)(mixed >> 2 | UINT64_C(1) << 62); /* beyond all numbers */
}

/* Under the manager's lock. */
static int begin(struct caucus_group_manager *manager, struct caucus_light_group *group) {
    bool waits = !group->creation && group->number < 0 && !group->status;
    return waits ? caucus_creation_begin(manager, group) : CAUCUS_OK;
}

void caucus_group_begin(struct caucus_light_group *group) {
    struct caucus_group_manager *manager = group->parent->manager;
    pthread_mutex_lock(&manager->lock);
    begin(manager, group);
    pthread_mutex_unlock(&manager->lock);
}

/* There is no memory for what somebody said, perhaps of another group: this one may yet come. But
 * not for ever. */
static int go_hungry(const struct caucus_group_manager *manager, struct caucus_light_group *group) {
    if (group->creation && caucus_group_manager_starves(manager))
        caucus_creation_starve(group);
    return CAUCUS_OK;
}

int caucus_group_advance(struct caucus_light_group *group, bool *ready) {
    struct caucus_group_manager *manager = group->parent->manager;
    pthread_mutex_lock(&manager->lock);
    int status = begin(manager, group);
    if (!status && group->number < 0)
        status = caucus_group_manager_progress(manager);
    if (status == CAUCUS_NO_MEMORY)
        status = go_hungry(manager, group);
    *ready = group->number >= 0;
    if (!status && group->status) /* which another thread may find out, and change */
        status = caucus_fail(group->status, "%s", group->text ? group->text : "");
    pthread_mutex_unlock(&manager->lock);
    return status;
}

int caucus_group_await(struct caucus_light_group *group) {
    bool ready = false;
    int status = caucus_group_advance(group, &ready);
    for (int64_t round = 0; !status && !ready; round++) {
        caucus_progress();
        caucus_waiting_brief(&group->parent->engine->waiting, round);
        status = caucus_group_advance(group, &ready);
    }
    return status;
}

bool caucus_group_call_off(struct caucus_light_group *group) {
    struct caucus_group_manager *manager = group->parent->manager;
    pthread_mutex_lock(&manager->lock);
    bool called_off = caucus_creation_call_off(group);
    pthread_mutex_unlock(&manager->lock);
    return called_off;
}

void caucus_group_failure(const struct caucus_light_group *group, int64_t *code, int32_t *rank) {
    pthread_mutex_lock(&group->parent->manager->lock);
    *code = group->failed_code;
    *rank = group->failed_rank;
    pthread_mutex_unlock(&group->parent->manager->lock);
}

bool caucus_group_is_ready(const struct caucus_light_group *group) {
    pthread_mutex_lock(&group->parent->manager->lock);
    bool ready = group->number >= 0;
    pthread_mutex_unlock(&group->parent->manager->lock);
    return ready;
}

void caucus_group_end(struct caucus_light_group *group) {
    struct caucus_group_manager *manager = group->parent->manager;
    int finalized;
    PMPI_Finalized(&finalized);
    pthread_mutex_lock(&manager->lock);
    if (group->creation)
        caucus_creation_give_up(group);
    if (!group->call) /* whose number is only a tag */
        caucus_group_manager_forget(manager, group);
    if (group->number >= 0 && !finalized && !group->call) {
        caucus_reclaim_begin(manager, group);
        caucus_group_manager_progress(manager);
    }
    pthread_mutex_unlock(&manager->lock);
    caucus_members_free(&group->members);
    caucus_attachment_let_go(group->parent);
    free(group->text);
    free(group);
}

void caucus_group_uncount(struct caucus_light_group *group) {
    struct caucus_group_manager *manager = group->parent->manager;
    if (group->way != CAUCUS_GROUP_LATER)
        return;
    pthread_mutex_lock(&manager->lock);
    caucus_group_manager_uncount(manager, group);
    pthread_mutex_unlock(&manager->lock);
}

static struct caucus_tags tags_from(const struct caucus_light_group *group, int which, int count) {
    const struct caucus_group_manager *manager = group->parent->manager;
    return (struct caucus_tags){caucus_group_tag(&manager->room, group->number, which), count};
}

struct caucus_tags caucus_group_tags_peers(const struct caucus_light_group *group) {
    return tags_from(group, CAUCUS_GROUP_TAG_PEERS, 1);
}

struct caucus_tags caucus_group_tags_alone(const struct caucus_light_group *group) {
    return tags_from(group, CAUCUS_GROUP_TAG_ALONE, CAUCUS_ALONE_ARENAS);
}

struct caucus_tags caucus_group_tags_engine(const struct caucus_light_group *group) {
    int all = group->parent->manager->room.tags_each;
    return tags_from(group, CAUCUS_GROUP_TAG_ENGINE, all - CAUCUS_GROUP_TAG_ENGINE);
}

int caucus_group_reserve(const struct caucus_light_group *group,
                         struct caucus_attachment **attachment) {
    int *rank_of = caucus_array(group->size, sizeof *rank_of);
    if (!rank_of)
        return CAUCUS_NO_MEMORY;
    int status =
        caucus_attach_members(group->parent, rank_of, group->size, group->rank, attachment);
    if (status)
        free(rank_of);
    return status;
}

void caucus_group_attach(const struct caucus_light_group *group,
                         struct caucus_attachment *attachment) {
    caucus_members_list(&group->members, (int *)attachment->peers.rank_of);
    attachment->peers.tag = (int)caucus_group_tags_peers(group).first;
}

static int rank_in_parent(const struct caucus_light_group *group, int peer) {
    bool special = peer == MPI_PROC_NULL || peer == MPI_ANY_SOURCE;
    return special ? peer : caucus_members_rank(&group->members, peer);
}

static int position_of(const void *members, int rank) {
    return caucus_members_position(members, rank);
}

/* Deaths outside the group are nothing to it. */
static int accept_deaths(const struct caucus_light_group *group) {
    int dead;
    int status = caucus_failure_among(group->parent->comm, position_of, &group->members, &dead);
    if (!status && dead >= 0)
        status = caucus_fail(CAUCUS_DEAD,
                             "rank %d of the group is dead, and might be who is waited for", dead);
    return status ? status : caucus_failure_acknowledge(group->parent->comm);
}

int caucus_group_post(const struct caucus_light_group *group, bool sends, void *buffer, int count,
                      MPI_Datatype type, int peer, int tag, MPI_Request *request) {
    int rank = rank_in_parent(group, peer);
    int place = (int)tags_from(group, CAUCUS_GROUP_TAG_MESSAGES, 1).first + tag;
    MPI_Comm comm = group->parent->comm;
    int status = peer == MPI_ANY_SOURCE ? accept_deaths(group) : CAUCUS_OK;
    if (status)
        return status;
    return caucus_mpi_status(sends ? PMPI_Isend(buffer, count, type, rank, place, comm, request)
                                   : PMPI_Irecv(buffer, count, type, rank, place, comm, request),
                             sends ? "MPI_Isend" : "MPI_Irecv");
}

struct message {
    int rank, tag; /* of the parent; below 0: anybody's */
    bool sends;
};

static void explain(const void *context, char *text, int64_t size) {
    const struct message *message = context;
    struct caucus_sentences words = caucus_sentences_in(text, size);
    if (message->rank >= 0)
        caucus_sentences_has(&words, message->rank,
                             message->sends ? "not taken the message" : "not sent the message");
    else
        caucus_sentences_tell(&words, "no member has sent the message");
    caucus_sentences_tell(&words, "its tag is %d", message->tag);
}

static struct caucus_waits_call told_as(const struct caucus_light_group *group,
                                        const struct message *message) {
    return (struct caucus_waits_call){.name = message->sends ? "caucus_group_send"
                                                             : "caucus_group_recv",
                                      .comm = group->parent->comm,
                                      .explain = explain,
                                      .context = message};
}

int caucus_group_complete(const struct caucus_light_group *group, bool sends, int peer, int tag,
                          MPI_Request *request, MPI_Status *said) {
    const struct message message = {rank_in_parent(group, peer), tag, sends};
    struct caucus_waits_call call = told_as(group, &message);
    caucus_waits_call_begin(&call);
    int status = caucus_waiting_status(request, said);
    caucus_waits_call_end(&call);
    return status;
}

/* Not a receive from MPI_ANY_SOURCE: protocol/mailbox.h tells why. */
int caucus_group_receive_any(const struct caucus_light_group *group, void *buffer, int count,
                             MPI_Datatype type, int tag, MPI_Status *said) {
    int place = (int)tags_from(group, CAUCUS_GROUP_TAG_MESSAGES, 1).first + tag;
    const struct message awaited = {MPI_ANY_SOURCE, tag, false};
    struct caucus_waits_call call = told_as(group, &awaited);
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Request request;
    int here = 0, status = accept_deaths(group);
    caucus_waits_call_begin(&call);
    while (!status && !here) {
        int code = PMPI_Improbe(MPI_ANY_SOURCE, place, group->parent->comm, &here, &message,
                                MPI_STATUS_IGNORE);
        status =
            caucus_failure_is(code) ? accept_deaths(group) : caucus_mpi_status(code, "MPI_Improbe");
        if (status || here)
            break;
        caucus_progress();
        sched_yield();
    }
    caucus_waits_call_end(&call);
    if (!status)
        status =
            caucus_mpi_status(PMPI_Imrecv(buffer, count, type, &message, &request), "MPI_Imrecv");
    return status ? status : caucus_waiting_status(&request, said);
}

void caucus_group_translate(const struct caucus_light_group *group, MPI_Status *status) {
    int first = (int)tags_from(group, CAUCUS_GROUP_TAG_MESSAGES, 1).first;
    if (status->MPI_SOURCE >= 0)
        status->MPI_SOURCE = caucus_members_position(&group->members, status->MPI_SOURCE);
    if (status->MPI_TAG >= first)
        status->MPI_TAG -= first;
}
