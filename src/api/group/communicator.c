/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/group/object.h"

#include "api/collective/pending.h"
#include "api/common/raise.h"
#include "api/creation/create.h"
#include "api/creation/turn.h"
#include "api/group/making.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/group/rendezvous.h"
#include "run/peers/agree.h"
#include "run/progress/progress.h"
#include "run/support/mpi_status.h"

#include <caucus/group_comm.h>

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

int caucus_group_check_room(const struct caucus_light_group *group) {
    return group->parent->creation
               ? CAUCUS_OK
               : caucus_fail(CAUCUS_BAD_COMM, "the communicator that the group was made of is not "
                                              "attached by caucus_comm_attach, which MPI's own "
                                              "communicators of its groups need");
}

int caucus_group_make_comm(const struct caucus_light_group *group, const int32_t *ranks, int tag,
                           const struct caucus_creation_algorithm *algorithm, MPI_Comm *made) {
    struct caucus_creation_call call = {.attachment = group->parent,
                                        .members = group->size,
                                        .me = group->rank,
                                        .ranks = ranks,
                                        .tag = tag};
    int status = caucus_mpi_status(
        PMPI_Group_incl(group->parent->creation->group, group->size, ranks, &call.group),
        "MPI_Group_incl");
    if (status)
        return status;
    status = algorithm->make(&call, made);
    PMPI_Group_free(&call.group);
    return status;
}

int caucus_group_hand_over(const struct caucus_context *context, MPI_Comm made) {
    MPI_Comm parent = context->parent->comm;
    return caucus_creation_hand_over(parent == MPI_COMM_NULL ? MPI_COMM_SELF : parent, made);
}

/* One on its way. Those of this process are made in the order of their beginnings. */
struct upgrade {
    struct caucus_pending pending;  /* first */
    struct caucus_context *context; /* of the group; the request holds it */
    struct caucus_light_group *rendezvous;
    int32_t *ranks; /* of the parent: what this takes of memory is had before members meet */
    const struct caucus_creation_algorithm *algorithm;
    MPI_Comm *handle;
    struct caucus_creation_turn turn;
};

/* By all members, who have met. */
static int make(struct caucus_pending *pending) {
    const struct upgrade *upgrade = (struct upgrade *)pending;
    const struct caucus_light_group *group = upgrade->context->group;
    MPI_Comm made = MPI_COMM_NULL;
    int status =
        caucus_group_make_comm(group, upgrade->ranks, caucus_rendezvous_tag(upgrade->rendezvous),
                               upgrade->algorithm, &made);
    if (!status)
        status = caucus_group_hand_over(upgrade->context, made);
    if (!status)
        *upgrade->handle = made;
    return status;
}

static int advance(struct caucus_pending *pending, bool *complete) {
    struct upgrade *upgrade = (struct upgrade *)pending;
    bool ready;
    int status = caucus_group_advance(upgrade->rendezvous, &ready);
    if (status || !ready || !caucus_creation_turn_has_come(&upgrade->turn))
        return status;
    *complete = true;
    return CAUCUS_OK;
}

static void end(struct caucus_pending *pending) {
    struct upgrade *upgrade = (struct upgrade *)pending;
    caucus_creation_turn_end(&upgrade->turn);
    caucus_group_end(upgrade->rendezvous);
    free(upgrade->ranks);
    free(upgrade);
}

/* A member that erred meets the others all the same, for them to hear of it: that is what
 * `erred` is. */
static int meet(struct upgrade *upgrade, int erred) {
    uint64_t arguments = 0;
    if (!erred) {
        const struct caucus_item name = {"CAUCUS_CREATE_GROUP", CAUCUS_ITEM_TEXT,
                                         upgrade->algorithm->name, 0};
        arguments = caucus_agree_digest(1, &name);
    }
    int status = caucus_rendezvous_of(upgrade->context->group, CAUCUS_RENDEZVOUS_COMM, arguments,
                                      erred != 0, &upgrade->rendezvous);
    if (!status)
        caucus_group_begin(upgrade->rendezvous);
    return status;
}

static int check(MPI_Comm *newcomm, const struct caucus_creation_algorithm **algorithm) {
    if (!newcomm)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "newcomm is a null pointer");
    *newcomm = MPI_COMM_NULL;
    return caucus_creation_choose(algorithm);
}

/* Tells the others that this member erred, and keeps what it has to say of that. */
static int object(struct upgrade *upgrade, int status) {
    char *text = strdup(caucus_error_text());
    if (!meet(upgrade, status)) {
        caucus_group_await(upgrade->rendezvous);
        caucus_group_end(upgrade->rendezvous);
    }
    return caucus_fail_again(status, text);
}

static int begin(struct upgrade *upgrade, bool may_wait) {
    int status = caucus_group_check_room(upgrade->context->group);
    if (status)
        return status;
    status = check(upgrade->handle, &upgrade->algorithm);
    if (!status) {
        upgrade->ranks = caucus_members_array(&upgrade->context->group->members);
        status = upgrade->ranks ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    }
    if (status)
        return object(upgrade, status);
    if (may_wait)
        caucus_creation_turns_await();
    return meet(upgrade, CAUCUS_OK);
}

static int to_comm(struct caucus_context *context, MPI_Comm *newcomm) {
    struct upgrade upgrade = {.context = context, .handle = newcomm};
    int status = begin(&upgrade, true);
    if (!status) {
        status = caucus_group_await(upgrade.rendezvous);
        if (!status)
            status = make(&upgrade.pending);
        caucus_group_end(upgrade.rendezvous);
    }
    free(upgrade.ranks);
    return status;
}

int caucus_group_to_comm(caucus_group group, MPI_Comm *newcomm) {
    int status = caucus_group_check(group);
    if (!status)
        status = to_comm(group->context, newcomm);
    return caucus_group_conclude(group, __func__, status);
}

/* For want of memory, before this member has met anybody: once it has, others may be inside MPI. */
static int refuse(struct caucus_context *context, MPI_Comm *newcomm) {
    struct upgrade none = {.context = context};
    int status = caucus_group_check_room(context->group);
    if (newcomm)
        *newcomm = MPI_COMM_NULL;
    return status ? status : object(&none, CAUCUS_NO_MEMORY);
}

static int ito_comm(struct caucus_context *context, MPI_Comm *newcomm, caucus_request *request) {
    struct upgrade *upgrade = caucus_array(1, sizeof *upgrade);
    struct caucus_request_object *made =
        upgrade ? caucus_request_create(context, MPI_OP_NULL) : NULL;
    if (!made) {
        free(upgrade);
        return refuse(context, newcomm);
    }
    *upgrade = (struct upgrade){.pending = {.advance = advance, .finish = make, .free = end},
                                .context = context,
                                .handle = newcomm};
    int status = begin(upgrade, false);
    if (status) {
        caucus_request_destroy(made);
        free(upgrade->ranks);
        free(upgrade);
        return status;
    }
    caucus_creation_turn_begin(&upgrade->turn);
    *request = made;
    caucus_pending_add(&upgrade->pending, made);
    return CAUCUS_OK;
}

int caucus_group_ito_comm(caucus_group group, MPI_Comm *newcomm, caucus_request *request) {
    int status = caucus_making_clear(request);
    if (!status)
        status = caucus_group_check(group);
    if (!status)
        status = ito_comm(group->context, newcomm, request);
    return caucus_group_conclude(group, __func__, status);
}
