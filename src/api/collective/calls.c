/* SPDX-License-Identifier: BSD-3-Clause */
/* What all collectives in all forms go through. */
#include "api/collective/calls.h"

#include "api/calls/runs.h"
#include "api/collective/agreement.h"
#include "api/collective/check.h"
#include "api/collective/counts.h"
#include "api/collective/part.h"
#include "api/collective/queued.h"
#include "api/collective/request.h"
#include "api/collective/shape.h"
#include "api/collective/staged.h"
#include "api/group/object.h"
#include "api/raise.h"
#include "base/status.h"

/* A group's team is there as long as the group is. */
static int find_team_of_group(const struct caucus_collective_call *call,
                              struct caucus_team **team) {
    int code = caucus_group_check(call->group, call->function);
    if (!code)
        *team = call->group->team;
    return code;
}

static int open_group(const struct caucus_collective_call *call, struct caucus_team **team) {
    int code = find_team_of_group(call, team);
    if (code || (*team)->standing)
        return code;
    int status = caucus_team_attach_group(*team);
    return status ? caucus_team_raise(*team, false, call->function, status) : MPI_SUCCESS;
}

int caucus_call_open(const struct caucus_collective_call *call, struct caucus_team **team) {
    if (call->on_group)
        return open_group(call, team);
    if (call->comm != MPI_COMM_NULL && (*team = caucus_team_kept(call->comm)) && (*team)->standing)
        return MPI_SUCCESS;
    int status = caucus_check_any_comm(call->comm);
    if (!status)
        status = caucus_team_get(call->comm, team);
    return status ? caucus_raise(call->comm, NULL, call->function, status) : MPI_SUCCESS;
}

int caucus_call_read(struct caucus_work *work, const struct caucus_collective_call *call,
                     struct caucus_team *team) {
    const struct caucus_neighbors *neighbors = NULL;
    *work = (struct caucus_work){.call = call};
    int status = caucus_call_check_groups(call, team);
    if (!status && caucus_shapes[call->collective].neighbors)
        status = caucus_team_neighbors(team, &neighbors);
    if (!status)
        status = caucus_call_check(call, team, neighbors);
    return status ? status : caucus_work_create(work, call, team);
}

/* The work of a blocking or nonblocking call. *agreed: all ranks have the same outcome. */
static int read_and_agree(struct caucus_work *work, const struct caucus_collective_call *call,
                          struct caucus_team *team, bool *agreed) {
    int status = caucus_call_read(work, call, team);
    *agreed = team->settings.check;
    if (team->settings.check)
        status = caucus_call_agree(call, team, status, "", work);
    if (!status)
        *agreed = false;
    return status;
}

/* Up to an entry that is ready to run. */
static int take(const struct caucus_collective_call *call, struct caucus_team *team,
                struct caucus_entry **entry, bool *agreed) {
    struct caucus_work work;
    *agreed = team->settings.check;
    if (!*agreed && (*entry = caucus_standing_recall(team->standing, call)))
        return CAUCUS_OK;
    int status = read_and_agree(&work, call, team, agreed);
    if (!status && caucus_counts_are_missing(&work.task))
        status = caucus_counts_exchange(team->counts, &work);
    if (!status)
        status = caucus_standing_take(team->standing, &work, team, false, entry);
    caucus_work_free(&work);
    return status;
}

/* A rank between two groups that errs has as many runs of a collective with a root as those who
 * have no part in it and so no error: whatever comes next finds all ranks in step. */
static void take_no_part(const struct caucus_collective_call *call, struct caucus_team *team,
                         bool agreed) {
    struct caucus_collective_call idle = *call;
    struct caucus_entry *entry;
    caucus_request none;
    bool complete = false;
    if (agreed || !team->between || !caucus_shapes[call->collective].rooted)
        return;
    idle.root = MPI_PROC_NULL;
    idle.request = &none;
    caucus_part_tidy(&idle, team);
    if (take(&idle, team, &entry, &agreed))
        return;
    if (!caucus_execution_start(entry->prepared.execution))
        caucus_execution_test(entry->prepared.execution, &complete);
    if (!complete && (call->form == CAUCUS_FORM_BLOCKING || !entry->kept))
        complete = !caucus_queued_wait(entry->prepared.execution);
    if (complete)
        caucus_standing_give_back(entry);
}

/* A group that is new may well be used a few times only: its first calls go by messages alone, as
 * nonblocking ones do, and nothing is prepared. All members count alike. */
static bool goes_early(const struct caucus_collective_call *call) {
    struct caucus_team *team = call->on_group && call->group ? call->group->team : NULL;
    return team && !team->standing && !team->settings.check &&
           team->early_calls++ < team->settings.group_calls;
}

static int call_early(const struct caucus_collective_call *call) {
    caucus_request request;
    struct caucus_collective_call early = *call;
    early.form = CAUCUS_FORM_NONBLOCKING;
    early.request = &request;
    int code = caucus_call_nonblocking(&early);
    if (code)
        return code;
    struct caucus_team *team = request->team;
    caucus_request_await(request);
    int status = caucus_request_finish(&request);
    return status ? caucus_team_raise(team, false, call->function, status) : MPI_SUCCESS;
}

int caucus_call_blocking(struct caucus_collective_call *call) {
    struct caucus_team *team;
    struct caucus_entry *entry;
    bool agreed;
    if (goes_early(call))
        return call_early(call);
    int code = caucus_call_open(call, &team);
    if (code)
        return code;
    caucus_part_tidy(call, team);
    int status = take(call, team, &entry, &agreed);
    if (status) {
        take_no_part(call, team, agreed);
    } else {
        status = caucus_execution_start(entry->prepared.execution);
        if (!status)
            status = caucus_queued_wait(entry->prepared.execution);
        if (!status)
            caucus_runs_count_own(&entry->prepared, team->between);
        caucus_standing_give_back(entry);
    }
    return status ? caucus_team_raise(team, agreed, call->function, status) : MPI_SUCCESS;
}

static int begin(const struct caucus_collective_call *call, struct caucus_team *team,
                 struct caucus_request_object *request, bool *agreed) {
    struct caucus_work work;
    int status = read_and_agree(&work, call, team, agreed);
    if (!status && caucus_counts_are_missing(&work.task)) {
        status = caucus_staged_begin(team, &work, request);
    } else {
        if (!status)
            status = caucus_standing_take(team->standing, &work, team, false, &request->entry);
        if (status)
            take_no_part(call, team, *agreed);
        else
            status = caucus_execution_start(request->entry->prepared.execution);
    }
    caucus_work_free(&work);
    return status;
}

static int open_early_group(const struct caucus_collective_call *call, struct caucus_team **team) {
    int code = find_team_of_group(call, team);
    if (code)
        return code;
    int status = caucus_team_early_group(*team);
    return status ? caucus_team_raise(*team, false, call->function, status) : MPI_SUCCESS;
}

static int open_early(const struct caucus_collective_call *call, struct caucus_team **team) {
    if (call->on_group)
        return open_early_group(call, team);
    int status = caucus_check_any_comm(call->comm);
    if (!status)
        status = caucus_team_early(call->comm, team);
    return status ? caucus_raise(call->comm, NULL, call->function, status) : MPI_SUCCESS;
}

int caucus_call_nonblocking(struct caucus_collective_call *call) {
    struct caucus_team *team = NULL;
    bool agreed = false;
    int code = open_early(call, &team);
    if (code)
        return code;
    caucus_part_tidy(call, team);
    struct caucus_request_object *request = caucus_request_create(team, call->op);
    int status = request ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    if (!status && team->standing)
        status = begin(call, team, request, &agreed);
    else if (!status)
        status = caucus_queued_begin(call, team, request);
    if (!status) {
        request->active = true;
        *call->request = request;
        return MPI_SUCCESS;
    }
    code = caucus_team_raise(team, agreed, call->function, status);
    if (request)
        caucus_request_destroy(request);
    return code;
}
