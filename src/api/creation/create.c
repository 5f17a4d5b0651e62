/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/creation/create.h"

#include "api/common/raise.h"
#include "api/creation/turn.h"
#include "base/memory.h"
#include "base/refused.h"
#include "base/settings.h"
#include "base/status.h"
#include "plan/protocol/creation.h"
#include "run/creation/creation.h"
#include "run/engine/engine.h"
#include "run/group/rendezvous.h"
#include "run/peers/agree.h"
#include "run/support/mpi_status.h"

#include <stdlib.h>
#include <string.h>

static int blame(int status) {
    return caucus_setting_blame(CAUCUS_SETTING_CREATE_GROUP, status);
}

int caucus_creation_choose(const struct caucus_creation_algorithm **chosen) {
    const char *name = caucus_setting_text(CAUCUS_SETTING_CREATE_GROUP);
    const struct caucus_creation_algorithm *entry = caucus_creation_algorithm_named(name);
    *chosen = entry;
    if (!entry)
        return blame(caucus_fail(CAUCUS_BAD_ARGUMENT,
                                 "CAUCUS_CREATE_GROUP is '%.60s': it must be %s", name,
                                 caucus_setting_entry(CAUCUS_SETTING_CREATE_GROUP)->syntax));
    if (!entry->make)
        return blame(caucus_fail(CAUCUS_UNSUPPORTED,
                                 "CAUCUS_CREATE_GROUP is %s, which this MPI lacks", name));
    return CAUCUS_OK;
}

int caucus_creation_check_settings(void) {
    const struct caucus_creation_algorithm *chosen;
    return caucus_creation_choose(&chosen);
}

/* What the user calls a rank of the attachment. */
static int named(const struct caucus_creation_request *request,
                 const struct caucus_attachment *over, int rank) {
    MPI_Group group;
    int there = rank;
    if (PMPI_Comm_group(request->comm, &group) != MPI_SUCCESS)
        return rank;
    PMPI_Group_translate_ranks(over->creation->group, 1, &rank, group, &there);
    PMPI_Group_free(&group);
    return there;
}

static int judge(const struct caucus_creation_request *request,
                 const struct caucus_attachment *over,
                 const struct caucus_rendezvous_outcome *outcome) {
    int rank = named(request, over, outcome->rank);
    switch (outcome->code) {
    case CAUCUS_CREATION_TIMEOUT:
        return caucus_fail(CAUCUS_TIMED_OUT,
                           "after %g seconds, rank %d has not come to make the group with tag %d",
                           over->engine->timeout, rank, request->tag);
    case CAUCUS_CREATION_DEAD:
        return caucus_fail(CAUCUS_TIMED_OUT, "MPI reports that rank %d has failed", rank);
    default:
        return caucus_fail(CAUCUS_BAD_GROUP,
                           "the group (or CAUCUS_CREATE_GROUP) differs between ranks: with tag %d, "
                           "rank %d has other members, or another order, than others, or no memory",
                           request->tag, rank);
    }
}

/* Whether any member wishes to do without a parent, and the tag. */
static int meet(const struct caucus_creation_request *request, struct caucus_attachment *over,
                struct caucus_creation_call *call,
                const struct caucus_creation_algorithm *algorithm, bool *without_parent) {
    const struct caucus_item items[] = {
        {"CAUCUS_CREATE_GROUP", CAUCUS_ITEM_TEXT, algorithm->name, 0}};
    const struct caucus_rendezvous_call rendezvous = {.name = request->function,
                                                      .topic = request->topic,
                                                      .tag = request->tag,
                                                      .arguments = caucus_agree_digest(1, items),
                                                      .wishes = request->without_parent,
                                                      .ranks = call->ranks,
                                                      .count = call->members};
    struct caucus_rendezvous_outcome outcome;
    int status = caucus_rendezvous_meet(over, &rendezvous, &outcome);
    call->tag = outcome.tag;
    *without_parent = outcome.wishes;
    return status && outcome.rank >= 0 ? judge(request, over, &outcome) : status;
}

int caucus_creation_hand_over(MPI_Comm parent, MPI_Comm made) {
    MPI_Errhandler handler;
    PMPI_Comm_get_errhandler(parent, &handler);
    int status =
        caucus_mpi_status(PMPI_Comm_set_errhandler(made, handler), "MPI_Comm_set_errhandler");
    PMPI_Errhandler_free(&handler);
    return status;
}

/* Some member has a duplicate pending, which Open MPI 5.0.11 puts before all that has a parent,
 * while others make it only afterwards. */
static const struct caucus_creation_algorithm *
without_parent(const struct caucus_creation_algorithm *chosen) {
    const struct caucus_creation_algorithm *other = caucus_creation_algorithm_named("parentless");
    return other && other->make ? other : chosen;
}

void caucus_creation_decline(MPI_Group group, struct caucus_attachment *over, uint64_t topic,
                             int tag) {
    int members = 0;
    PMPI_Group_size(group, &members);
    for (int i = 0; i < members; i++) {
        int rank = MPI_UNDEFINED;
        PMPI_Group_translate_ranks(group, 1, &i, over->creation->group, &rank);
        if (rank != over->rank && rank != MPI_UNDEFINED)
            caucus_rendezvous_refuse(over, topic, tag, rank);
    }
}

/* By a member. */
static int make(const struct caucus_creation_request *request, struct caucus_attachment *over,
                int members, int me, const char **name) {
    const struct caucus_creation_algorithm *algorithm;
    MPI_Comm made = MPI_COMM_NULL;
    int status = caucus_creation_choose(&algorithm), stranger, *ranks;
    if (status)
        return status;
    bool parentless = false;
    status = caucus_creation_ranks(request->group, over->creation->group, &ranks, &stranger);
    if (status == CAUCUS_NO_MEMORY)
        caucus_creation_decline(request->group, over, request->topic, request->tag);
    struct caucus_creation_call call = {
        .attachment = over, .group = request->group, .members = members, .me = me, .ranks = ranks};
    if (!status)
        status = meet(request, over, &call, algorithm, &parentless);
    if (!status && parentless)
        algorithm = without_parent(algorithm);
    if (!status)
        status = algorithm->make(&call, &made);
    if (!status)
        status = caucus_creation_hand_over(request->comm, made);
    if (!status)
        *request->made = made;
    free(ranks);
    *name = algorithm->name;
    return status;
}

static int create(const struct caucus_creation_request *request, struct caucus_attachment *over,
                  const char **name) {
    int members, me;
    int status = caucus_creation_check(request);
    if (status)
        return status;
    *request->made = MPI_COMM_NULL;
    PMPI_Group_size(request->group, &members);
    PMPI_Group_rank(request->group, &me);
    if (me == MPI_UNDEFINED)
        return CAUCUS_OK;
    if (!over || !over->creation)
        return caucus_fail(CAUCUS_BAD_COMM,
                           "the communicator is not attached, and the members of a group alone "
                           "cannot attach it: let all of its ranks call caucus_comm_attach first");
    caucus_creation_turns_await();
    return make(request, over, members, me, name);
}

int caucus_creation_create(const struct caucus_creation_request *request,
                           struct caucus_attachment *over, const char **algorithm) {
    const char *name = "none";
    int rank, status = create(request, over, &name);
    if (algorithm)
        *algorithm = name;
    if (!status)
        return MPI_SUCCESS;
    if (request->comm != MPI_COMM_NULL && PMPI_Comm_rank(request->comm, &rank) == MPI_SUCCESS)
        caucus_fail_in(status, "rank %d", rank);
    return caucus_raise(request->comm, NULL, request->function, status);
}
