/* SPDX-License-Identifier: BSD-3-Clause */
/* What all collectives in all forms go through. */
#include "api/collective/calls.h"

#include "api/calls/left.h"
#include "api/collective/agreement.h"
#include "api/collective/counts.h"
#include "api/collective/group_handle.h"
#include "api/collective/leave.h"
#include "api/collective/native.h"
#include "api/collective/part.h"
#include "api/collective/pending.h"
#include "api/collective/request.h"
#include "api/collective/runs.h"
#include "api/collective/selection.h"
#include "api/collective/shape.h"
#include "api/common/raise.h"
#include "base/status.h"
#include "run/engine/roll_call.h"
#include "run/group/group.h"
#include "run/layout/device.h"

#include <stdio.h>

/* early: of a call that must not wait, for which a group need not be attached unless ranks are to
 * agree; but nothing would begin what is called on one that can't be made. */
static int open_group(const struct caucus_collective_call *call, bool early,
                      struct caucus_context **context) {
    bool ready;
    int status = caucus_group_check(call->group);
    if (status)
        return status;
    *context = call->group->context;
    if ((*context)->cache)
        return CAUCUS_OK;
    return early && !(*context)->settings.check ? caucus_group_advance((*context)->group, &ready)
                                                : caucus_context_attach_group(*context);
}

int caucus_call_open(const struct caucus_collective_call *call, struct caucus_context **context) {
    if (call->on_group)
        return open_group(call, false, context);
    if (call->comm != MPI_COMM_NULL && (*context = caucus_context_kept(call->comm)) &&
        (*context)->cache)
        return CAUCUS_OK;
    *context = NULL;
    int status = caucus_check_any_comm(call->comm);
    return status ? status : caucus_context_get(call->comm, context);
}

int caucus_call_conclude(const struct caucus_collective_call *call,
                         const struct caucus_context *context, bool agreed, int status) {
    return context || call->on_group ? caucus_context_raise(context, agreed, call->function, status)
                                     : caucus_raise(call->comm, NULL, call->function, status);
}

int caucus_call_read(struct caucus_work *work, const struct caucus_collective_call *call,
                     struct caucus_context *context) {
    *work = (struct caucus_work){.call = call};
    int status = caucus_call_check_groups(call, context);
    if (!status && caucus_shapes[call->collective].neighbors)
        status = caucus_context_find_neighbors(context);
    if (!status)
        status = caucus_call_check(call, context);
    return status ? status : caucus_work_create(work, call, context);
}

/* The work of a blocking or nonblocking call; own: of this rank, of what came before. *agreed: all
 * ranks have the same outcome. */
static int read_and_agree(struct caucus_work *work, const struct caucus_collective_call *call,
                          struct caucus_context *context, int own, bool *agreed) {
    *work = (struct caucus_work){.call = call};
    int missing = context->settings.check
                      ? caucus_roll_call(context->attachment, context->settings.patience)
                      : CAUCUS_OK;
    int status = missing ? missing : own;
    if (!status)
        status = caucus_call_read(work, call, context);
    *agreed = context->settings.check && !missing;
    if (*agreed)
        status = caucus_call_agree(call, context, status, "", work);
    if (!status)
        *agreed = false;
    return status;
}

/* Up to what is ready to run. */
static int take(const struct caucus_collective_call *call, struct caucus_context *context,
                struct caucus_prepared **prepared, bool *agreed) {
    struct caucus_work work;
    *agreed = context->settings.check;
    if (!*agreed && (*prepared = caucus_cache_recall(context->cache, call)))
        return CAUCUS_OK;
    int status = read_and_agree(&work, call, context, CAUCUS_OK, agreed);
    if (!status && caucus_counts_are_missing(&work.task))
        status = caucus_counts_exchange(context->counts, &work);
    if (!status)
        status = caucus_cache_take(context->cache, &work, context, false, prepared);
    caucus_work_free(&work);
    if (!status)
        caucus_succeed();
    return status;
}

static void run_idle(const struct caucus_collective_call *call, struct caucus_context *context,
                     bool agreed) {
    struct caucus_collective_call idle = *call;
    struct caucus_prepared *prepared;
    caucus_request none;
    bool complete = false;
    if (agreed || context->settings.check || !context->between ||
        !caucus_shapes[call->collective].rooted)
        return;
    idle.root = MPI_PROC_NULL;
    idle.request = &none;
    caucus_part_tidy(&idle, context);
    if (take(&idle, context, &prepared, &agreed))
        return;
    if (!caucus_execution_start(prepared->execution))
        caucus_execution_test(prepared->execution, &complete);
    if (!complete && (call->form == CAUCUS_FORM_BLOCKING || !prepared->kept))
        complete = !caucus_execution_wait(prepared->execution);
    if (complete)
        caucus_cache_give_back(context->cache, prepared);
}

/* A rank between two groups that errs has as many runs of a collective with a root as those who
 * have no part in it and so no error: whatever comes next finds all ranks in step. Its error keeps
 * its text. */
static void take_no_part(const struct caucus_collective_call *call, struct caucus_context *context,
                         bool agreed) {
    char text[2048];
    snprintf(text, sizeof text, "%s", caucus_failure_text());
    run_idle(call, context, agreed);
    caucus_fail(CAUCUS_OK, "%s", text);
}

/* A group that is new may well be used a few times only: its first calls go by messages alone, as
 * nonblocking ones do, and nothing is prepared. All members count alike. */
static bool goes_early(const struct caucus_collective_call *call) {
    struct caucus_context *context = call->on_group && call->group ? call->group->context : NULL;
    return context && !context->cache && !context->settings.check &&
           context->early_calls++ < context->settings.group_calls;
}

static int call_early(const struct caucus_collective_call *call) {
    caucus_request request;
    struct caucus_collective_call early = *call;
    early.form = CAUCUS_FORM_NONBLOCKING;
    early.request = &request;
    int code = caucus_call_nonblocking(&early);
    if (code)
        return code;
    struct caucus_context *context = request->context;
    caucus_request_await(request);
    int status = caucus_request_finish(&request);
    return caucus_context_raise(context, false, call->function, status);
}

/* *prepared is what was taken; and what is to run, which may be another one now, or nothing more.
 * CAUCUS_REFUSED where it is left to MPI, which may not take what lies on a device. */
static int choose(const struct caucus_collective_call *call, struct caucus_context *context,
                  struct caucus_prepared **prepared, bool *agreed) {
    struct caucus_learned_entry *watch = (*prepared)->watch;
    if (caucus_selection_is_due(watch)) {
        const struct caucus_algorithm *taken = (*prepared)->algorithm;
        caucus_cache_give_back(context->cache, *prepared);
        int status = caucus_selection_settle(call, context, watch, taken);
        if (!status)
            status = take(call, context, prepared, agreed);
        if (status)
            return status;
    }
    if (!watch->is_mpis || !caucus_leave_is_allowed())
        return CAUCUS_OK;
    caucus_cache_give_back(context->cache, *prepared);
    *prepared = NULL;
    if (!caucus_device_look())
        return CAUCUS_REFUSED;
    caucus_runs_count_left();
    return caucus_native_run(call, context);
}

static int run(struct caucus_collective_call *call, struct caucus_context *context, bool *agreed) {
    struct caucus_prepared *prepared;
    caucus_part_tidy(call, context);
    int status = take(call, context, &prepared, agreed);
    if (status) {
        take_no_part(call, context, *agreed);
        return status;
    }
    if (prepared->watch)
        status = choose(call, context, &prepared, agreed);
    if (status || !prepared)
        return status;
    if (!prepared->is_idle)
        status = caucus_execution_start(prepared->execution);
    if (!status && !prepared->is_idle)
        status = caucus_execution_wait(prepared->execution);
    if (!status)
        caucus_runs_count_own(prepared, context->between);
    caucus_cache_give_back(context->cache, prepared);
    return status;
}

int caucus_call_blocking(struct caucus_collective_call *call) {
    struct caucus_context *context = NULL;
    bool agreed = false;
    if (goes_early(call))
        return call_early(call);
    int status = caucus_call_open(call, &context);
    if (!status)
        status = run(call, context, &agreed);
    if (status == CAUCUS_REFUSED) {
        caucus_runs_count_left();
        return CAUCUS_CALL_REFUSED;
    }
    return status ? caucus_call_conclude(call, context, agreed, status) : MPI_SUCCESS;
}

/* request: NULL where there is no memory for it. */
static int begin(const struct caucus_collective_call *call, struct caucus_context *context,
                 struct caucus_request_object *request, bool *agreed) {
    struct caucus_work work;
    const int own = request ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    *agreed = context->settings.check;
    if (!*agreed && !own && !caucus_call_check_request(call) &&
        (request->prepared = caucus_cache_recall(context->cache, call)))
        return caucus_execution_start(request->prepared->execution);
    int status = read_and_agree(&work, call, context, own, agreed);
    if (!status && caucus_counts_are_missing(&work.task)) {
        status = caucus_pending_counts_begin(context, &work, request);
    } else {
        if (!status)
            status = caucus_cache_take(context->cache, &work, context, false, &request->prepared);
        if (status)
            take_no_part(call, context, *agreed);
        else
            status = caucus_execution_start(request->prepared->execution);
    }
    caucus_work_free(&work);
    if (!status)
        caucus_succeed();
    return status;
}

static int open_early(const struct caucus_collective_call *call, struct caucus_context **context) {
    if (call->on_group)
        return open_group(call, true, context);
    int status = caucus_check_any_comm(call->comm);
    if (!status && !(*context = caucus_context_kept(call->comm)))
        status = caucus_context_create(call->comm, context);
    if (!status && (*context)->settings.check) /* ranks are to agree, which takes waiting */
        status = caucus_context_get(call->comm, context);
    if (status)
        *context = NULL;
    return status;
}

int caucus_call_nonblocking(struct caucus_collective_call *call) {
    struct caucus_context *context = NULL;
    bool agreed = false;
    int status = open_early(call, &context);
    if (status)
        return caucus_call_conclude(call, context, false, status);
    if (!context->cache && !call->on_group)
        return caucus_native_begin(call, context);
    caucus_part_tidy(call, context);
    struct caucus_request_object *request = caucus_request_create(context, call->op);
    status = context->cache ? begin(call, context, request, &agreed)
                            : caucus_pending_group_begin(call, context, request);
    if (!status) {
        request->active = true;
        *call->request = request;
        return MPI_SUCCESS;
    }
    int code = caucus_context_raise(context, agreed, call->function, status);
    if (request)
        caucus_request_destroy(request);
    return code;
}
