/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/group/communicator.h"

#include "api/collective/errands.h"
#include "api/collective/queued.h"
#include "api/creation/create.h"
#include "api/group/making.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/agree.h"
#include "run/execution.h"
#include "run/group/gathering.h"
#include "run/mpi_status.h"
#include "run/service.h"

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

int32_t *caucus_group_list(const struct caucus_light_group *group) {
    int32_t *ranks = caucus_array(group->size, sizeof *ranks);
    if (ranks)
        caucus_members_list(&group->members, ranks);
    return ranks;
}

int caucus_group_copy_members(const struct caucus_light_group *group,
                              struct caucus_members *members) {
    int32_t *ranks = caucus_group_list(group);
    if (!ranks)
        return CAUCUS_NO_MEMORY;
    int status =
        caucus_members_from_list(members, group->parent->size, (int32_t)group->size, ranks);
    free(ranks);
    return status;
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

int caucus_group_hand_over(const struct caucus_team *team, MPI_Comm made) {
    MPI_Comm parent = team->parent->comm == MPI_COMM_NULL ? MPI_COMM_SELF : team->parent->comm;
    MPI_Errhandler handler;
    PMPI_Comm_get_errhandler(parent, &handler);
    int status =
        caucus_mpi_status(PMPI_Comm_set_errhandler(made, handler), "MPI_Comm_set_errhandler");
    PMPI_Errhandler_free(&handler);
    return status;
}

/* One on its way. Those of this process are made in the order of their beginnings. */
struct upgrade {
    struct caucus_errand errand; /* first */
    struct caucus_team *team;    /* of the group; the request holds it */
    struct caucus_light_group *gathering;
    const struct caucus_creation_algorithm *algorithm;
    MPI_Comm *handle;
    int64_t number; /* from 1 on, in the order of their beginnings */
    struct upgrade *next;
};

static struct upgrade *oldest, **youngest = &oldest;
static int64_t begun;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void stand_in_line(struct upgrade *upgrade) {
    pthread_mutex_lock(&lock);
    upgrade->number = ++begun;
    *youngest = upgrade;
    youngest = &upgrade->next;
    pthread_mutex_unlock(&lock);
}

static bool is_next(const struct upgrade *upgrade) {
    pthread_mutex_lock(&lock);
    bool is = oldest == upgrade;
    pthread_mutex_unlock(&lock);
    return is;
}

static bool waits_any(int64_t number) {
    pthread_mutex_lock(&lock);
    bool any = oldest && oldest->number <= number;
    pthread_mutex_unlock(&lock);
    return any;
}

/* Those that other threads begin from now on have nothing to do with it. */
void caucus_communicators_await(void) {
    pthread_mutex_lock(&lock);
    int64_t last = begun;
    pthread_mutex_unlock(&lock);
    while (waits_any(last)) {
        caucus_queued_progress();
        caucus_progress_all();
        caucus_serve();
        sched_yield();
    }
}

static void leave_line(struct upgrade *upgrade) {
    pthread_mutex_lock(&lock);
    for (struct upgrade **at = &oldest; *at; at = &(*at)->next)
        if (*at == upgrade) {
            *at = upgrade->next;
            break;
        }
    for (youngest = &oldest; *youngest;)
        youngest = &(*youngest)->next;
    pthread_mutex_unlock(&lock);
}

/* By all members, who have gathered. */
static int make(const struct upgrade *upgrade) {
    const struct caucus_light_group *group = upgrade->team->group;
    MPI_Comm made = MPI_COMM_NULL;
    int32_t *ranks = caucus_group_list(group);
    int status = ranks ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    if (!status)
        status = caucus_group_make_comm(group, ranks, caucus_gathering_tag(upgrade->gathering),
                                        upgrade->algorithm, &made);
    if (!status)
        status = caucus_group_hand_over(upgrade->team, made);
    if (!status)
        *upgrade->handle = made;
    free(ranks);
    return status;
}

static int advance(struct caucus_errand *errand, bool *complete) {
    struct upgrade *upgrade = (struct upgrade *)errand;
    bool ready;
    int status = caucus_group_advance(upgrade->gathering, &ready);
    if (status || !ready || !is_next(upgrade))
        return status;
    *complete = true;
    return CAUCUS_OK;
}

static int finish(struct caucus_errand *errand) {
    return make((struct upgrade *)errand);
}

static void end(struct caucus_errand *errand) {
    struct upgrade *upgrade = (struct upgrade *)errand;
    leave_line(upgrade);
    caucus_group_end(upgrade->gathering);
    free(upgrade);
}

/* A member that erred gathers with the others all the same, for them to hear of it: that is what
 * `erred` is. */
static int gather(struct upgrade *upgrade, int erred) {
    uint64_t arguments = 0;
    if (!erred) {
        const struct caucus_item name = {"CAUCUS_CREATE_GROUP", CAUCUS_ITEM_TEXT,
                                         upgrade->algorithm->name, 0};
        arguments = caucus_agree_digest(1, &name);
    }
    int status = caucus_gathering_of(upgrade->team->group, CAUCUS_GATHERING_COMM, arguments,
                                     erred != 0, &upgrade->gathering);
    if (!status)
        caucus_group_begin(upgrade->gathering);
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
    if (!gather(upgrade, status)) {
        caucus_group_await(upgrade->gathering, caucus_queued_progress);
        caucus_group_end(upgrade->gathering);
    }
    caucus_fail(status, "%s", text ? text : "");
    free(text);
    return status;
}

int caucus_group_to_comm(caucus_group group, MPI_Comm *newcomm) {
    int code = caucus_group_check(group, __func__);
    if (code)
        return code;
    struct upgrade upgrade = {.team = group->team, .handle = newcomm};
    int status = caucus_group_check_room(group->team->group);
    if (status)
        return caucus_team_raise(group->team, false, __func__, status);
    status = check(newcomm, &upgrade.algorithm);
    if (status)
        return caucus_team_raise(group->team, false, __func__, object(&upgrade, status));
    caucus_communicators_await();
    status = gather(&upgrade, CAUCUS_OK);
    if (!status) {
        status = caucus_group_await(upgrade.gathering, caucus_queued_progress);
        if (!status)
            status = make(&upgrade);
        caucus_group_end(upgrade.gathering);
    }
    return status ? caucus_team_raise(group->team, false, __func__, status) : MPI_SUCCESS;
}

int caucus_group_ito_comm(caucus_group group, MPI_Comm *newcomm, caucus_request *request) {
    int code = caucus_making_check(MPI_COMM_SELF, __func__, request);
    if (!code)
        code = caucus_group_check(group, __func__);
    if (code)
        return code;
    int status = caucus_group_check_room(group->team->group);
    struct upgrade *upgrade = status ? NULL : caucus_array(1, sizeof *upgrade);
    if (!upgrade)
        return caucus_team_raise(group->team, false, __func__, status ? status : CAUCUS_NO_MEMORY);
    *upgrade = (struct upgrade){.errand = {.advance = advance, .finish = finish, .free = end},
                                .team = group->team,
                                .handle = newcomm};
    status = check(newcomm, &upgrade->algorithm);
    if (status)
        status = object(upgrade, status);
    else
        status = gather(upgrade, CAUCUS_OK);
    if (status) {
        free(upgrade);
        return caucus_team_raise(group->team, false, __func__, status);
    }
    stand_in_line(upgrade);
    status = caucus_errand_begin(&upgrade->errand, group->team, request);
    return status ? caucus_team_raise(group->team, false, __func__, status) : MPI_SUCCESS;
}
