/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator between two light groups. The leaders tell each other who their members are, each
 * side meets, the leaders say how that went, and all hear of it; only then MPI is called, which
 * every member will be in. The leaders come first, since a rank that is in both groups cannot call
 * for both at a time. */
#include "api/common/raise.h"
#include "api/creation/create.h"
#include "api/creation/turn.h"
#include "api/group/object.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/creation/between.h"
#include "run/group/rendezvous.h"
#include "run/peers/agree.h"
#include "run/support/mpi_status.h"

#include <caucus/group_comm.h>

#include <stdlib.h>
#include <string.h>

struct call {
    struct caucus_context *context;
    const struct caucus_light_group *group;
    int local_leader, remote_leader, tag;
    int32_t *ranks;
    struct caucus_light_group *inside; /* all of this side */
    const struct caucus_creation_algorithm *algorithm;
};

/* What a leader heard of the other one, told to all of its own. */
struct verdict {
    int32_t status, tag;
};

static int check(struct call *call, MPI_Comm *newintercomm) {
    const struct caucus_context *context = call->context;
    if (!newintercomm)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "newintercomm is a null pointer");
    *newintercomm = MPI_COMM_NULL;
    if (call->local_leader < 0 || call->local_leader >= context->size)
        return caucus_fail(CAUCUS_BAD_RANK, "local_leader is %d: it must be from 0 to %d",
                           call->local_leader, context->size - 1);
    if (call->remote_leader < 0 || call->remote_leader >= context->parent->size)
        return caucus_fail(CAUCUS_BAD_RANK, "remote_leader is %d: it must be from 0 to %d",
                           call->remote_leader, context->parent->size - 1);
    if (caucus_members_position(&call->group->members, call->remote_leader) >= 0)
        return caucus_fail(CAUCUS_BAD_RANK, "remote_leader is %d, which is in the local group",
                           call->remote_leader);
    if (call->tag < 0)
        return caucus_fail(CAUCUS_BAD_TAG, "tag is %d: it must be from 0 to 2147483647", call->tag);
    return caucus_creation_choose(&call->algorithm);
}

/* Ends in call->inside, where all is well. */
static int come_together(struct call *call, int erred) {
    const int given[] = {call->local_leader, call->remote_leader, call->tag};
    const struct caucus_item arguments[] = {
        {"arguments", CAUCUS_ITEM_INTEGERS, given, 3},
        {"CAUCUS_CREATE_GROUP", CAUCUS_ITEM_TEXT, erred ? "" : call->algorithm->name, 0},
    };
    struct caucus_light_group *inside;
    int status = caucus_rendezvous_of(call->group, CAUCUS_RENDEZVOUS_BETWEEN,
                                      caucus_agree_digest(2, arguments), erred != 0, &inside);
    if (status)
        return status;
    status = caucus_group_await(inside);
    if (status)
        caucus_group_end(inside);
    else
        call->inside = inside;
    return status;
}

static int judge(const struct call *call, int status) {
    switch (status) {
    case CAUCUS_TIMED_OUT:
        return caucus_fail(CAUCUS_TIMED_OUT,
                           "rank %d of the parent, the other group's leader, did not come within "
                           "CAUCUS_TIMEOUT",
                           call->remote_leader);
    case CAUCUS_BAD_ARGUMENT:
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "the other group, whose leader is rank %d of the parent, has erred",
                           call->remote_leader);
    default:
        return status ? caucus_fail(status, "the leader, rank %d of the group, failed",
                                    call->local_leader)
                      : CAUCUS_OK;
    }
}

/* By a leader, be it only to say that it or its side erred. */
static int meet_leader(const struct call *call, int erred, struct caucus_light_group **leaders) {
    int status = caucus_rendezvous_of_two(call->group->parent, call->remote_leader, call->tag, 0,
                                          erred != 0, leaders);
    if (status)
        return status;
    status = caucus_group_await(*leaders);
    if (status)
        caucus_group_end(*leaders);
    return status;
}

static int compare_lists(const struct call *call, int erred) {
    struct caucus_light_group *leaders;
    int shared = -1, status = meet_leader(call, erred, &leaders);
    if (status)
        return judge(call, status);
    status = caucus_creation_compare(call->group->parent, call->remote_leader,
                                     caucus_rendezvous_tag(leaders), call->group->size, call->ranks,
                                     &shared);
    caucus_group_end(leaders);
    return status || shared < 0
               ? status
               : caucus_fail(CAUCUS_BAD_GROUP,
                             "rank %d of the parent is in both groups, which must share none",
                             shared);
}

static struct verdict confirm(const struct call *call, int erred,
                              struct caucus_light_group **leaders) {
    struct verdict verdict = {.status = meet_leader(call, erred, leaders)};
    if (verdict.status)
        *leaders = NULL;
    else
        verdict.tag = caucus_rendezvous_tag(*leaders);
    return verdict;
}

/* What the leader heard, on all. */
static int tell(const struct call *call, struct verdict *verdict) {
    const struct caucus_peers peers = {
        .comm = call->group->parent->comm,
        .rank = call->context->rank,
        .size = call->context->size,
        .rank_of = call->ranks,
        .tag = (int)caucus_group_tags_peers(call->inside).first,
    };
    int status = caucus_peers_bcast(&peers, verdict, sizeof *verdict, MPI_BYTE, call->local_leader);
    return status ? status : judge(call, verdict->status);
}

static int make(const struct call *call, int tag, MPI_Comm *made) {
    MPI_Comm local;
    int status = caucus_group_make_comm(
        call->group, call->ranks, caucus_rendezvous_tag(call->inside), call->algorithm, &local);
    if (status)
        return status;
    if (call->context->rank == call->local_leader)
        status = caucus_creation_greet(call->group->parent, call->remote_leader, tag);
    if (!status)
        status = caucus_mpi_status(PMPI_Intercomm_create(local, call->local_leader,
                                                         call->group->parent->creation->comm,
                                                         call->remote_leader, tag, made),
                                   "MPI_Intercomm_create");
    PMPI_Comm_free(&local);
    return status;
}

static int finish(const struct call *call, const struct verdict *verdict, MPI_Comm *newintercomm) {
    MPI_Comm made = MPI_COMM_NULL;
    int status = make(call, verdict->tag, &made);
    if (!status)
        status = caucus_group_hand_over(call->context, made);
    if (!status)
        *newintercomm = made;
    return status;
}

static bool leads(const struct call *call) {
    int other = call->remote_leader;
    return call->context->rank == call->local_leader && call->tag >= 0 && other >= 0 &&
           other < call->context->parent->size &&
           caucus_members_position(&call->group->members, other) < 0;
}

/* This member, or its leader and the other one, erred, of which the others of its side hear. */
static int object(struct call *call, int status) {
    char *text = strdup(caucus_error_text());
    come_together(call, status);
    return caucus_fail_again(status, text);
}

static int go_on(struct call *call, MPI_Comm *newintercomm) {
    struct caucus_light_group *leaders = NULL;
    struct verdict verdict = {0};
    int status = come_together(call, CAUCUS_OK);
    char *text = status ? strdup(caucus_error_text()) : NULL;
    if (leads(call))
        verdict = confirm(call, status, &leaders);
    status = status ? caucus_fail_again(status, text) : tell(call, &verdict);
    if (!status)
        status = finish(call, &verdict, newintercomm);
    if (leaders)
        caucus_group_end(leaders);
    if (call->inside)
        caucus_group_end(call->inside);
    return status;
}

/* status: how this member erred. */
static int create(struct call *call, int status, MPI_Comm *newintercomm) {
    if (leads(call) && !status) {
        status = compare_lists(call, CAUCUS_OK);
    } else if (leads(call)) {
        char *text = strdup(caucus_error_text());
        compare_lists(call, status);
        caucus_fail_again(status, text);
    }
    return status ? object(call, status) : go_on(call, newintercomm);
}

static int come(struct call *call, MPI_Comm *newintercomm) {
    int status = caucus_group_check_room(call->group);
    if (status)
        return status;
    call->ranks = caucus_members_array(&call->group->members);
    if (!call->ranks)
        return CAUCUS_NO_MEMORY;
    caucus_creation_turns_await();
    status = create(call, check(call, newintercomm), newintercomm);
    free(call->ranks);
    return status;
}

int caucus_intercomm_create_group(caucus_group local, int local_leader, int remote_leader, int tag,
                                  MPI_Comm *newintercomm) {
    struct call call = {.local_leader = local_leader, .remote_leader = remote_leader, .tag = tag};
    int status = caucus_group_check(local);
    if (!status) {
        call.context = local->context;
        call.group = local->context->group;
        status = come(&call, newintercomm);
    }
    return caucus_group_conclude(local, __func__, status);
}
