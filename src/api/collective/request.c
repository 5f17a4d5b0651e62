/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/request.h"

#include "api/collective/pending.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/progress/progress.h"
#include "run/progress/waiting.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKS_PER_YIELD = 4 }; /* MPI may give the processor away at each by itself */

struct caucus_request_object *caucus_request_create(struct caucus_context *context, MPI_Op op) {
    struct caucus_request_object *request = caucus_array(1, sizeof *request);
    if (!request || caucus_operation_hold(op)) {
        free(request);
        return NULL;
    }
    request->context = context;
    request->op = op;
    caucus_context_hold(context);
    return request;
}

void caucus_request_destroy(struct caucus_request_object *request) {
    struct caucus_context *context = request->context;
    caucus_operation_let_go(request->op);
    if (request->prepared)
        caucus_cache_give_back(context->cache, request->prepared);
    free(request->text);
    free(request);
    caucus_context_let_go(context); /* and of the cache, perhaps */
}

static struct caucus_execution *execution_of(const struct caucus_request_object *request) {
    return request->prepared ? request->prepared->execution : NULL;
}

void caucus_request_end(struct caucus_request_object *request, int status) {
    request->status = status;
    if (status)
        request->text = strdup(caucus_error_text());
    /* Whoever sees it complete may free it. */
    atomic_store_explicit(&request->complete, true, memory_order_release);
}

/* Of one that is not pending. */
static void look(struct caucus_request_object *request,
                 int (*test)(struct caucus_execution *, bool *)) {
    bool complete = false;
    struct caucus_execution *execution = execution_of(request);
    if (!execution) /* another thread is about to end what was pending */
        return;
    int status = test(execution, &complete);
    if (complete || status)
        caucus_request_end(request, status);
}

void caucus_request_advance(struct caucus_request_object *request) {
    if (request->complete)
        return;
    request->looked = true;
    caucus_progress_up_to(CAUCUS_PROGRESS_CALLS);      /* others may wait for any of them */
    if (request->complete || request->pending)         /* it may have failed to begin */
        caucus_progress_up_to(CAUCUS_PROGRESS_ACTIVE); /* and for those that have begun */
    else
        look(request, caucus_execution_test);
}

void caucus_request_advance_among(struct caucus_request_object *request, bool *moved) {
    if (!*moved) {
        *moved = !request->complete;
        caucus_request_advance(request);
        return;
    }
    request->looked = true;
    if (!request->complete && !request->pending)
        look(request, caucus_execution_look);
}

/* One that stays: a group's own may be made, or go, meanwhile. */
static struct caucus_engine *engine_of(const struct caucus_request_object *request) {
    const struct caucus_context *context = request->context;
    return context->group ? context->parent->engine : context->engine;
}

void caucus_request_await(struct caucus_request_object *request) {
    double begin = 0;
    struct caucus_engine *engine = engine_of(request);
    for (int64_t round = 0; !request->complete && (request->pending || !execution_of(request));
         round++) {
        caucus_request_advance(request);
        if (!request->complete && request->pending && engine)
            caucus_waiting_brief(&engine->waiting, round);
        else if (!request->complete && round % LOOKS_PER_YIELD == LOOKS_PER_YIELD - 1)
            sched_yield();
        if (round % CAUCUS_ROUNDS_PER_CLOCK == 0)
            caucus_request_limit(request, &begin);
    }
    if (!request->complete)
        caucus_request_end(request, caucus_execution_wait(execution_of(request)));
}

void caucus_request_limit(struct caucus_request_object *request, double *begin) {
    if (request->pending)
        caucus_pending_limit(request, begin);
    else if (!request->complete && execution_of(request))
        caucus_execution_limit(execution_of(request), begin);
}

bool caucus_request_look(struct caucus_request_object *request, bool *moved) {
    caucus_request_advance_among(request, moved);
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
