/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/request.h"

#include "api/collective/errands.h"
#include "api/collective/operations.h"
#include "api/collective/queued.h"
#include "api/collective/shelf.h"
#include "api/collective/staged.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/waiting.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKS_PER_YIELD = 4 }; /* MPI may give the processor away at each by itself */

struct caucus_request_object *caucus_request_create(struct caucus_team *team, MPI_Op op) {
    struct caucus_request_object *request = caucus_array(1, sizeof *request);
    if (!request || caucus_request_hold(request, team, op))
        return NULL;
    return request;
}

int caucus_request_hold(struct caucus_request_object *request, struct caucus_team *team,
                        MPI_Op op) {
    int status = caucus_operation_hold(op);
    if (status) {
        caucus_request_discard(request);
        return status;
    }
    request->team = team;
    request->op = op;
    caucus_team_hold(team);
    return CAUCUS_OK;
}

void caucus_request_discard(struct caucus_request_object *request) {
    if (request->entry)
        caucus_standing_give_back(request->entry);
    caucus_prepared_free(&request->prepared);
    if (request->rebuilt)
        caucus_work_free(request->rebuilt);
    free(request->rebuilt);
    if (request->arena)
        caucus_arena_free(request->team->engine, request->arena);
    free(request->key);
    free(request->text);
    free(request);
}

void caucus_request_drop(struct caucus_request_object *request) {
    struct caucus_team *team = request->team;
    caucus_operation_let_go(request->op);
    caucus_request_discard(request);
    caucus_team_let_go(team);
}

void caucus_request_destroy(struct caucus_request_object *request) {
    struct caucus_team *team = request->team;
    if (!request->key || request->arena->broken) {
        caucus_request_drop(request);
        return;
    }
    caucus_operation_let_go(request->op);
    caucus_shelf_put(team->shelf, request);
    caucus_team_let_go(team); /* and of the shelf, perhaps */
}

static struct caucus_execution *execution_of(const struct caucus_request_object *request) {
    return request->entry ? request->entry->prepared.execution : request->prepared.execution;
}

void caucus_request_end(struct caucus_request_object *request, int status) {
    request->status = status;
    if (status)
        request->text = strdup(caucus_error_text());
    /* Whoever sees it complete may free it. */
    atomic_store_explicit(&request->complete, true, memory_order_release);
}

void caucus_request_advance(struct caucus_request_object *request) {
    bool complete = false;
    if (request->complete)
        return;
    caucus_queued_progress();
    if (request->complete || request->queued || request->staged || request->errand) {
        caucus_progress_all(); /* others may wait for the collectives that are active here */
        return;                /* it may have failed to begin */
    }
    struct caucus_execution *execution = execution_of(request);
    if (!execution) /* another thread is about to end an errand */
        return;
    int status = caucus_execution_test(execution, &complete);
    if (complete || status)
        caucus_request_end(request, status);
}

void caucus_request_await(struct caucus_request_object *request) {
    double begin = 0;
    for (int64_t round = 0;
         !request->complete && (caucus_queued_any() || request->queued || !execution_of(request));
         round++) {
        caucus_request_advance(request);
        if (!request->complete && request->errand && request->team->engine)
            caucus_waiting_brief(request->team->engine, round);
        else if (!request->complete && round % LOOKS_PER_YIELD == LOOKS_PER_YIELD - 1)
            sched_yield();
        if (round % CAUCUS_ROUNDS_PER_CLOCK == 0)
            caucus_request_limit(request, &begin);
    }
    if (!request->complete)
        caucus_request_end(request, caucus_execution_wait(execution_of(request)));
}

void caucus_request_limit(struct caucus_request_object *request, double *begin) {
    if (request->staged)
        caucus_staged_limit(request, begin);
    else if (request->errand)
        caucus_errand_limit(request, begin);
    else if (!request->complete && !request->queued && execution_of(request))
        caucus_execution_limit(execution_of(request), begin);
}

bool caucus_request_look(struct caucus_request_object *request) {
    caucus_request_advance(request);
    request->told = request->complete;
    return request->told;
}

int caucus_request_finish(caucus_request *request) {
    struct caucus_request_object *object = *request;
    int status = object->status;
    if (status)
        caucus_fail(status, "%s", object->text ? object->text : "out of memory");
    free(object->text);
    object->text = NULL;
    object->status = CAUCUS_OK;
    object->active = false;
    object->told = false;
    atomic_store_explicit(&object->complete, false, memory_order_relaxed);
    if (!object->persistent) {
        caucus_request_destroy(object);
        *request = CAUCUS_REQUEST_NULL;
    }
    return status;
}
