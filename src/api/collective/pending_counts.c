/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/pending.h"

#include "api/collective/counts.h"
#include "api/collective/runs.h"
#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

struct waiting {
    struct caucus_pending pending;      /* first */
    struct caucus_collective_call call; /* without what the user may have changed by now */
    struct caucus_work work;
    MPI_Datatype own;
    struct caucus_exchange *exchange;
};

/* What is needed of the call when the user has gone on. */
static int keep(struct waiting *waiting, struct caucus_work *work) {
    int status = caucus_work_lay_out(work);
    if (status)
        return status;
    waiting->call = (struct caucus_collective_call){
        .function = work->call->function,
        .collective = work->call->collective,
        .form = work->call->form,
        .op = work->call->op,
        .comm = MPI_COMM_NULL,
    };
    waiting->work = *work;
    waiting->work.call = &waiting->call;
    *work = (struct caucus_work){0};
    return caucus_pending_type(&waiting->work.type, &waiting->own);
}

/* The counts are here. */
static int run(struct waiting *waiting, struct caucus_request_object *request) {
    struct caucus_prepared *prepared;
    struct caucus_context *context = request->context;
    int status = caucus_cache_take(context->cache, &waiting->work, context, true, &prepared);
    if (status)
        return status;
    request->prepared = prepared;
    status = caucus_execution_start(prepared->execution);
    if (!status && request->counts_for > 0)
        caucus_runs_count_both((enum caucus_call)(request->counts_for - 1), prepared, true);
    return status;
}

static int advance(struct caucus_pending *pending, bool *complete) {
    struct waiting *waiting = (struct waiting *)pending;
    int status = caucus_execution_test(caucus_counts_execution(waiting->exchange), complete);
    if (!status && !*complete)
        return CAUCUS_OK;
    int ended = caucus_counts_end(waiting->exchange, status ? NULL : &waiting->work);
    status = status ? status : ended;
    return status ? status : run(waiting, pending->request);
}

static void limit(struct caucus_pending *pending, double *begin) {
    struct caucus_execution *execution =
        caucus_counts_execution(((struct waiting *)pending)->exchange);
    if (caucus_execution_active(execution))
        caucus_execution_limit(execution, begin);
}

static void free_waiting(struct caucus_pending *pending) {
    struct waiting *waiting = (struct waiting *)pending;
    caucus_work_free(&waiting->work);
    if (waiting->own != MPI_DATATYPE_NULL)
        PMPI_Type_free(&waiting->own);
    free(waiting);
}

int caucus_pending_counts_begin(struct caucus_context *context, struct caucus_work *work,
                                struct caucus_request_object *request) {
    struct waiting *waiting = caucus_array(1, sizeof *waiting);
    if (!waiting)
        return CAUCUS_NO_MEMORY;
    *waiting = (struct waiting){
        .pending = {.advance = advance, .limit = limit, .free = free_waiting, .in_order = true},
        .own = MPI_DATATYPE_NULL,
    };
    int status = keep(waiting, work);
    if (!status)
        status = caucus_counts_begin(context->counts, &waiting->work, &waiting->exchange);
    if (status)
        free_waiting(&waiting->pending);
    else
        caucus_pending_add(&waiting->pending, request);
    return status;
}
