/* SPDX-License-Identifier: BSD-3-Clause */
#include <caucus/alive.h>

#include "api/common/raise.h"
#include "api/group/object.h"
#include "base/status.h"
#include "plan/group/numbers.h"
#include "run/support/failure.h"
#include "run/support/watchdog.h"

#include <stdlib.h>
#include <string.h>

static int check(double timeout, caucus_group *group) {
    int status = caucus_group_check_new(group, "group");
    return status ? status : caucus_group_check_timeout(timeout);
}

/* members are taken over; without any, or without this rank, there is nothing to do. */
static int create(struct caucus_context *parent, struct caucus_members *members, int64_t outside,
                  double timeout, caucus_group *group) {
    struct caucus_light_group *made;
    if (members->count == 0 || caucus_members_position(members, parent->rank) < 0) {
        caucus_members_free(members);
        return CAUCUS_OK;
    }
    int status =
        caucus_group_make_alive(parent->attachment, members, outside, timeout, false, &made);
    return status ? status : caucus_group_wrap(parent, made, group);
}

int caucus_group_create_alive(MPI_Comm comm, const int members[], int n, double timeout,
                              caucus_group *group) {
    struct caucus_context *parent;
    struct caucus_members list;
    int status = caucus_group_find_parent(comm, &parent);
    if (!status)
        status = check(timeout, group);
    if (!status)
        status = caucus_group_read_list(&list, "members", members, n, parent->size);
    if (!status)
        status = create(parent, &list, -1, timeout, group);
    return caucus_raise(comm, NULL, __func__, status);
}

static int shrink(const struct caucus_context *context, double timeout, caucus_group *newgroup) {
    struct caucus_members members;
    int status = check(timeout, newgroup);
    if (!status)
        status = caucus_members_copy(&members, &context->group->members);
    if (!status)
        status = create(context->parent, &members, caucus_group_identity(context->group), timeout,
                        newgroup);
    return status;
}

int caucus_group_shrink_alive(caucus_group group, double timeout, caucus_group *newgroup) {
    int status = caucus_group_check(group);
    if (!status)
        status = shrink(group->context, timeout, newgroup);
    return caucus_group_conclude(group, __func__, status);
}

/* A communicator of MPI's over a parent with dead ranks: agree that all are here, have MPI make it
 * under a watchdog, and agree that all have it. */

/* All members live and call this, and none objects. *with, which is new, has a number that no
 * other living group has. */
static int agree(const struct caucus_context *context, double timeout, bool objects,
                 struct caucus_light_group **with) {
    const struct caucus_light_group *group = context->group;
    struct caucus_members members;
    *with = NULL;
    int status = caucus_members_copy(&members, &group->members);
    if (!status)
        status = caucus_group_make_alive(group->parent, &members, caucus_group_identity(group),
                                         timeout, objects, with);
    if (!status && (*with)->size < group->size)
        status =
            caucus_fail(CAUCUS_TIMED_OUT, "%d of the group's %d members have died: shrink it first",
                        group->size - (*with)->size, group->size);
    return status;
}

static int make_comm(const struct caucus_light_group *group, const int32_t *ranks, int64_t number,
                     double timeout, MPI_Comm *made) {
    struct caucus_watchdog *watchdog =
        caucus_watchdog_start(timeout, "caucus_group_to_comm_alive: a member must have died"
                                       " meanwhile, for MPI's call did not come back");
    if (!watchdog)
        return CAUCUS_NO_MEMORY;
    /* Negative: apart from the tags of other creations. */
    int status = caucus_group_make_comm(group, ranks, ~caucus_group_place(number),
                                        caucus_creation_algorithm_named("parentless"), made);
    caucus_watchdog_call_off(watchdog);
    return status;
}

/* ranks of the parent; NULL: there was no memory for them, which all hear of. */
static int upgrade(const struct caucus_context *context, const int32_t *ranks, double timeout,
                   MPI_Comm *newcomm) {
    struct caucus_light_group *before, *after = NULL;
    MPI_Comm made = MPI_COMM_NULL;
    char *lacking = ranks ? NULL : strdup(caucus_error_text());
    int status = agree(context, timeout, !ranks, &before);
    if (!ranks)
        status = caucus_fail_again(CAUCUS_NO_MEMORY, lacking);
    if (!status) {
        int failed = make_comm(context->group, ranks, before->number, timeout, &made);
        if (!failed)
            failed = caucus_group_hand_over(context, made);
        char *text = failed ? strdup(caucus_error_text()) : NULL;
        status = agree(context, timeout, failed != CAUCUS_OK, &after);
        if (failed)
            status = caucus_fail_again(failed, text);
    }
    if (before)
        caucus_group_end(before);
    if (after)
        caucus_group_end(after);
    if (!status)
        *newcomm = made;
    else if (made != MPI_COMM_NULL && !caucus_failure_detected())
        PMPI_Comm_free(&made); /* with dead members it might wait for ever: left to MPI's end */
    return status;
}

static int check_comm(const struct caucus_context *context, double timeout,
                      const MPI_Comm *newcomm) {
    int status = caucus_check_pointer(newcomm, "newcomm");
    if (!status)
        status = caucus_group_check_timeout(timeout);
    if (status)
        return status;
    if (!caucus_creation_algorithm_named("parentless")->make)
        return caucus_fail(CAUCUS_UNSUPPORTED, "this MPI has no MPI_Comm_create_from_group");
    return caucus_group_check_room(context->group);
}

int caucus_group_to_comm_alive(caucus_group group, double timeout, MPI_Comm *newcomm) {
    int status = caucus_group_check(group);
    if (!status && newcomm)
        *newcomm = MPI_COMM_NULL;
    if (!status)
        status = check_comm(group->context, timeout, newcomm);
    if (!status) {
        int32_t *ranks = caucus_members_array(&group->context->group->members);
        status = upgrade(group->context, ranks, timeout, newcomm);
        free(ranks);
    }
    return caucus_group_conclude(group, __func__, status);
}

int caucus_failures_detected(int *detected) {
    int status = caucus_check_pointer(detected, "detected");
    if (!status)
        *detected = caucus_failure_detected();
    return caucus_raise(MPI_COMM_SELF, NULL, __func__, status);
}
