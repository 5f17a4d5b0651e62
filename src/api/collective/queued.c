/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/queued.h"

#include "api/collective/calls.h"
#include "api/collective/errands.h"
#include "api/collective/predefined.h"
#include "api/collective/staged.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/alone.h"
#include "run/group/group.h"
#include "run/service.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* A call that waits for its communicator. */
struct caucus_queued {
    struct caucus_request_object *request;
    struct caucus_binding binding;
    MPI_Datatype own; /* a duplicate of the operand's datatype, which the user may free */
    uint64_t number;
    struct caucus_queued *next;
};

/* A team before it is attached. */
struct caucus_early {
    struct caucus_alone alone;
    uint64_t calls; /* so far, failed ones too: arenas take turns */
    struct caucus_queued *first, **last;
    int status;         /* of a failure to make it, which all later calls have too */
    char *text;         /* and its words */
    _Atomic int owners; /* its team, and the list of those that wait: */
    struct caucus_early *next;
};

static struct caucus_early *waiting;
static _Atomic int waiting_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool caucus_queued_any(void) {
    return waiting_count > 0 || caucus_staged_any() || caucus_errands_any();
}

/* Under the lock, or by the thread that has just made it. */
static int make_early(MPI_Comm comm, struct caucus_team *team) {
    struct caucus_early *early = caucus_array(1, sizeof *early);
    if (!early)
        return CAUCUS_NO_MEMORY;
    int status = CAUCUS_OK;
    if (team->group)
        caucus_alone_begin_group(&early->alone, team->group);
    else
        status = caucus_alone_begin(&early->alone, comm);
    if (status) {
        free(early);
        return status;
    }
    early->last = &early->first;
    early->owners = 2;
    team->early = early;
    pthread_mutex_lock(&lock);
    early->next = waiting;
    waiting = early;
    waiting_count++;
    pthread_mutex_unlock(&lock);
    return CAUCUS_OK;
}

int caucus_team_early(MPI_Comm comm, struct caucus_team **team) {
    *team = caucus_team_kept(comm);
    if (*team)
        return CAUCUS_OK;
    int status = caucus_team_create(comm, team);
    if (!status && (*team)->settings.check) /* ranks are to agree, which takes waiting */
        return caucus_team_get(comm, team);
    return status ? status : make_early(comm, *team);
}

int caucus_team_early_group(struct caucus_team *team) {
    bool ready;
    if (team->standing)
        return CAUCUS_OK;
    if (team->early) /* nothing would begin what is called on a group that could not be made */
        return caucus_group_advance(team->group, &ready);
    return team->settings.check ? caucus_team_attach_group(team) : make_early(MPI_COMM_NULL, team);
}

static void let_go(struct caucus_early *early, int owners) {
    if ((early->owners -= owners) > 0)
        return;
    caucus_alone_free(&early->alone);
    free(early->text);
    free(early);
}

/* Out of the list, if nobody looks through it or if it has to be. Whether it was there. */
static bool take_out(struct caucus_early *early, bool must) {
    bool found = false;
    if (must)
        pthread_mutex_lock(&lock);
    else if (pthread_mutex_trylock(&lock) != 0)
        return false;
    for (struct caucus_early **at = &waiting; *at && !found;) {
        found = *at == early;
        if (found)
            *at = early->next;
        else
            at = &(*at)->next;
    }
    waiting_count -= found;
    pthread_mutex_unlock(&lock);
    return found;
}

/* What it needs of a group is gone afterwards. A communicator is perhaps freed under a lock of
 * MPI's, which whoever has ours may wait for: then the list keeps it. */
void caucus_early_free(struct caucus_early *early) {
    if (!early)
        return;
    bool listed = early->owners > 1 && take_out(early, early->alone.group);
    let_go(early, 1 + listed);
}

static void drop(struct caucus_binding *binding) {
    caucus_layout_free(&binding->in);
    caucus_layout_free(&binding->out);
}

static int start(struct caucus_early *early, struct caucus_request_object *request,
                 struct caucus_binding *binding, uint64_t number) {
    struct caucus_arena *arena = early->alone.arena[number % CAUCUS_ALONE_ARENAS];
    int status =
        caucus_execution_create(early->alone.engine, arena, binding, &request->prepared.execution);
    return status ? status : caucus_execution_start(request->prepared.execution);
}

/* The communicator is there, or will never be: all that waited begin. Under the lock. */
static void begin_all(struct caucus_early *early, int status) {
    early->status = status;
    if (status)
        early->text = strdup(caucus_error_text());
    while (early->first) {
        struct caucus_queued *queued = early->first;
        struct caucus_request_object *request = queued->request;
        early->first = queued->next;
        if (status)
            drop(&queued->binding);
        int failed = status ? status : start(early, request, &queued->binding, queued->number);
        if (queued->own != MPI_DATATYPE_NULL)
            PMPI_Type_free(&queued->own);
        free(queued);
        if (failed) { /* or others would take it for begun */
            caucus_execution_free(request->prepared.execution);
            request->prepared.execution = NULL;
        }
        request->queued = NULL;
        if (failed)
            caucus_request_end(request, failed); /* and others may free it */
    }
    early->last = &early->first;
}

bool caucus_queued_progress(void) {
    caucus_staged_progress();
    caucus_errands_progress();
    if (waiting_count == 0 || pthread_mutex_trylock(&lock) != 0)
        return caucus_queued_any();
    for (struct caucus_early **at = &waiting; *at;) {
        struct caucus_early *early = *at;
        bool ready;
        int status = caucus_alone_advance(&early->alone, &ready);
        if (!ready && !status) {
            at = &early->next;
            continue;
        }
        *at = early->next;
        begin_all(early, status);
        waiting_count--; /* or others would take what is queued for begun */
        let_go(early, 1);
    }
    pthread_mutex_unlock(&lock);
    return caucus_queued_any();
}

static int refuse(const struct caucus_early *early, struct caucus_binding *binding) {
    drop(binding);
    return caucus_fail(early->status, "%s", early->text ? early->text : "out of memory");
}

static int queue(struct caucus_early *early, struct caucus_request_object *request,
                 struct caucus_binding *binding, uint64_t number) {
    struct caucus_queued *queued = caucus_array(1, sizeof *queued);
    if (!queued) {
        drop(binding);
        return CAUCUS_NO_MEMORY;
    }
    queued->own = MPI_DATATYPE_NULL;
    if (!caucus_datatype_name(binding->type) &&
        PMPI_Type_dup(binding->type, &queued->own) == MPI_SUCCESS)
        binding->type = queued->own;
    queued->request = request;
    queued->number = number;
    queued->binding = *binding;
    request->queued = queued;
    *early->last = queued;
    early->last = &queued->next;
    return CAUCUS_OK;
}

int caucus_queued_begin(const struct caucus_collective_call *call, struct caucus_team *team,
                        struct caucus_request_object *request) {
    struct caucus_work work;
    struct caucus_binding binding;
    uint64_t number = team->early->calls++;
    int status = caucus_call_read(&work, call, team);
    if (!status)
        status = caucus_prepared_plan(&request->prepared, &work, team, "", false);
    if (!status)
        status = caucus_prepared_describe(&request->prepared, &work, &team->settings, &binding);
    caucus_work_free(&work);
    if (status)
        return status;
    pthread_mutex_lock(&lock);
    if (team->early->status)
        status = refuse(team->early, &binding);
    else if (team->early->alone.engine)
        status = start(team->early, request, &binding, number);
    else
        status = queue(team->early, request, &binding, number);
    pthread_mutex_unlock(&lock);
    return status;
}

static bool is_waiting(const struct caucus_early *early) {
    bool found = false;
    pthread_mutex_lock(&lock);
    for (const struct caucus_early *at = waiting; at; at = at->next)
        found = found || at == early;
    pthread_mutex_unlock(&lock);
    return found;
}

void caucus_early_await(MPI_Comm comm) {
    const struct caucus_team *team = caucus_team_kept(comm);
    while (team && team->early && is_waiting(team->early)) {
        caucus_queued_progress();
        caucus_progress_all();
        caucus_serve();
        sched_yield();
    }
}

int caucus_queued_wait(struct caucus_execution *execution) {
    double begin = 0;
    for (int64_t round = 0; caucus_queued_any(); round++) {
        bool complete;
        int status = caucus_execution_test(execution, &complete);
        if (complete || status)
            return status;
        caucus_queued_progress();
        sched_yield();
        if (round % CAUCUS_ROUNDS_PER_CLOCK == 0)
            caucus_execution_limit(execution, &begin);
    }
    return caucus_execution_wait(execution);
}
