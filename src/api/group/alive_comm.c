/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator of MPI's over a parent with dead ranks: agree that all are here, have MPI make it
 * under a watchdog, and agree that all have it. */
#include "api/collective/queued.h"
#include "api/group/communicator.h"
#include "base/status.h"
#include "run/failure.h"
#include "run/group/alive.h"
#include "run/watchdog.h"

#include <caucus/alive.h>

#include <stdlib.h>
#include <string.h>

/* All members live and call this, and none objects. *with, which is new, has a number that no
 * other living group has. */
static int agree(const struct caucus_team *team, double timeout, bool objects,
                 struct caucus_light_group **with) {
    const struct caucus_light_group *group = team->group;
    struct caucus_members members;
    *with = NULL;
    int status = caucus_group_copy_members(group, &members);
    if (!status)
        status = caucus_group_make_alive(group->parent, &members, caucus_group_identity(group),
                                         timeout, objects, caucus_queued_progress, with);
    if (!status && (*with)->size < group->size)
        status =
            caucus_fail(CAUCUS_TIMED_OUT, "%d of the group's %d members have died: shrink it first",
                        group->size - (*with)->size, group->size);
    return status;
}

static int make(const struct caucus_light_group *group, int64_t number, double timeout,
                MPI_Comm *made) {
    int32_t *ranks = caucus_group_list(group);
    struct caucus_watchdog *watchdog =
        ranks ? caucus_watchdog_start(timeout, "caucus_group_to_comm_alive: a member must have died"
                                               " meanwhile, for MPI's call did not come back")
              : NULL;
    int status = CAUCUS_NO_MEMORY;
    if (watchdog) {
        /* Negative: apart from the tags of other creations. */
        status = caucus_group_make_comm(group, ranks, -1 - (int)number,
                                        caucus_creation_algorithm_named("parentless"), made);
        caucus_watchdog_call_off(watchdog);
    }
    free(ranks);
    return status;
}

static int upgrade(const struct caucus_team *team, double timeout, MPI_Comm *newcomm) {
    struct caucus_light_group *before, *after = NULL;
    MPI_Comm made = MPI_COMM_NULL;
    int status = agree(team, timeout, false, &before);
    if (!status) {
        int failed = make(team->group, before->number, timeout, &made);
        if (!failed)
            failed = caucus_group_hand_over(team, made);
        char *text = failed ? strdup(caucus_error_text()) : NULL;
        status = agree(team, timeout, failed != CAUCUS_OK, &after);
        if (failed)
            status = caucus_fail(failed, "%s", text ? text : "");
        free(text);
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

static int check(const struct caucus_team *team, double timeout, const MPI_Comm *newcomm) {
    if (!newcomm)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "newcomm is a null pointer");
    int status = caucus_group_check_timeout(timeout);
    if (status)
        return status;
    if (!caucus_creation_algorithm_named("parentless")->make)
        return caucus_fail(CAUCUS_UNSUPPORTED, "this MPI has no MPI_Comm_create_from_group");
    return caucus_group_check_room(team->group);
}

int caucus_group_to_comm_alive(caucus_group group, double timeout, MPI_Comm *newcomm) {
    int code = caucus_group_check(group, __func__);
    if (code)
        return code;
    if (newcomm)
        *newcomm = MPI_COMM_NULL;
    int status = check(group->team, timeout, newcomm);
    if (!status)
        status = upgrade(group->team, timeout, newcomm);
    return status ? caucus_team_raise(group->team, false, __func__, status) : MPI_SUCCESS;
}
