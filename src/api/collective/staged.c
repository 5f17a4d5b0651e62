/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/staged.h"

#include "api/calls/runs.h"
#include "api/collective/counts.h"
#include "api/collective/predefined.h"
#include "base/memory.h"
#include "base/status.h"

#include <pthread.h>
#include <stdlib.h>

/* A call in its first stage. */
struct caucus_staged {
    struct caucus_request_object *request;
    struct caucus_collective_call call; /* without what the user may have changed by now */
    struct caucus_work work;
    MPI_Datatype own; /* a duplicate of the operand's datatype, which the user may free */
    struct caucus_exchange *exchange;
    struct caucus_staged *next; /* of all teams, in the order of the calls */
};

static struct caucus_staged *first, **last = &first;
static _Atomic int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool caucus_staged_any(void) {
    return count > 0;
}

static void free_staged(struct caucus_staged *staged) {
    caucus_work_free(&staged->work);
    if (staged->own != MPI_DATATYPE_NULL)
        PMPI_Type_free(&staged->own);
    free(staged);
}

/* What is needed of the call when the user has gone on. */
static int keep(struct caucus_staged *staged, struct caucus_work *work) {
    staged->own = MPI_DATATYPE_NULL;
    int status = caucus_work_lay_out(work);
    if (status)
        return status;
    staged->call = (struct caucus_collective_call){
        .function = work->call->function,
        .collective = work->call->collective,
        .form = work->call->form,
        .op = work->call->op,
        .comm = MPI_COMM_NULL,
    };
    if (!caucus_datatype_name(work->type) && PMPI_Type_dup(work->type, &staged->own) == MPI_SUCCESS)
        work->type = staged->own;
    staged->work = *work;
    staged->work.call = &staged->call;
    *work = (struct caucus_work){0};
    return CAUCUS_OK;
}

int caucus_staged_begin(struct caucus_team *team, struct caucus_work *work,
                        struct caucus_request_object *request) {
    struct caucus_staged *staged = caucus_array(1, sizeof *staged);
    if (!staged)
        return CAUCUS_NO_MEMORY;
    int status = keep(staged, work);
    if (!status)
        status = caucus_counts_begin(team->counts, &staged->work, &staged->exchange);
    if (status) {
        free_staged(staged);
        return status;
    }
    staged->request = request;
    request->staged = staged;
    pthread_mutex_lock(&lock);
    *last = staged;
    last = &staged->next;
    count++;
    pthread_mutex_unlock(&lock);
    return CAUCUS_OK;
}

/* The counts are here, or failed to come. */
static void begin_collective(struct caucus_staged *staged, int status) {
    struct caucus_request_object *request = staged->request;
    struct caucus_team *team = request->team;
    int ended = caucus_counts_end(staged->exchange, status ? NULL : &staged->work);
    if (!status)
        status = ended;
    if (!status)
        status = caucus_standing_take(team->standing, &staged->work, team, true, &request->entry);
    if (!status)
        status = caucus_execution_start(request->entry->prepared.execution);
    if (status && request->entry) { /* or others would take it for begun */
        caucus_standing_give_back(request->entry);
        request->entry = NULL;
    }
    if (!status && request->counts_for > 0)
        caucus_runs_count_both((enum caucus_call)(request->counts_for - 1),
                               &request->entry->prepared, true);
    free_staged(staged);
    request->staged = NULL;
    if (status)
        caucus_request_end(request, status); /* and others may free it */
}

void caucus_staged_progress(void) {
    static uint64_t passes;
    if (!caucus_staged_any() || pthread_mutex_trylock(&lock) != 0)
        return;
    passes++;
    for (struct caucus_staged **at = &first; *at;) {
        struct caucus_staged *staged = *at;
        uint64_t *waits = &staged->request->team->staged_waits;
        bool complete = false;
        int status = CAUCUS_OK;
        if (*waits != passes) /* else it is behind another one */
            status = caucus_execution_test(caucus_counts_execution(staged->exchange), &complete);
        if (!complete && !status) {
            *waits = passes;
            at = &staged->next;
            continue;
        }
        *at = staged->next;
        if (!*at)
            last = at;
        begin_collective(staged, status);
        count--;
    }
    pthread_mutex_unlock(&lock);
}

void caucus_staged_limit(const struct caucus_request_object *request, double *begin) {
    pthread_mutex_lock(&lock);
    for (struct caucus_staged *at = first; at && request->staged; at = at->next) {
        struct caucus_execution *execution = caucus_counts_execution(at->exchange);
        if (at->request->team == request->team && caucus_execution_active(execution))
            caucus_execution_limit(execution, begin);
    }
    pthread_mutex_unlock(&lock);
}
