/* SPDX-License-Identifier: BSD-3-Clause */
/* The persistent form: quickly where all ranks are ready for it, else step by step, with an
 * agreement after each that finds the words for what is wrong. */
#include "api/collective/agreement.h"
#include "api/collective/calls.h"
#include "api/collective/key.h"
#include "api/collective/part.h"
#include "api/collective/quick.h"
#include "api/collective/refusal.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/agree.h"

/* Keeps the work with the request where its schedule is to be worked out at every start. */
static int keep_work(struct caucus_request_object *request, struct caucus_work *work) {
    request->rebuilt = caucus_array_copy(work, 1, sizeof *work);
    if (!request->rebuilt)
        return CAUCUS_NO_MEMORY;
    request->rebuilt->call = NULL;
    if (work->task.traffic)
        request->rebuilt->task.traffic = &request->rebuilt->traffic;
    *work = (struct caucus_work){0};
    return CAUCUS_OK;
}

static int look(const struct caucus_collective_call *call, struct caucus_team *team,
                struct caucus_request_object *request, struct caucus_work *work,
                struct caucus_hints *hints) {
    int status = request ? caucus_refusal() : CAUCUS_NO_MEMORY;
    if (!status)
        status = caucus_call_read(work, call, team);
    if (!status)
        status = caucus_hints_read(call->info, team, hints);
    if (!status) {
        caucus_work_limit(work, hints->shares_memory);
        status = caucus_quick_key(work, hints, request);
    }
    return status;
}

/* All ranks come through all of this, whatever happens to one of them; request is NULL where there
 * was no memory for it. */
static int prepare(const struct caucus_collective_call *call, struct caucus_team *team,
                   struct caucus_request_object *request) {
    struct caucus_work work = {.call = call};
    struct caucus_binding binding;
    struct caucus_prepared *prepared = request ? &request->prepared : NULL;
    const struct caucus_peers *peers = &team->attachment->peers;
    struct caucus_hints hints = {.agreed = ""};
    int status = look(call, team, request, &work, &hints);
    status = caucus_call_agree(call, team, status, hints.agreed, &work);
    if (!status) {
        status = caucus_prepared_plan(prepared, &work, team, hints.forced, true);
        status = caucus_agree(peers, status, 0, NULL);
    }
    if (!status)
        status = caucus_arena_create(team->engine, prepared->schedule.lines,
                                     prepared->schedule.node_bytes, &request->arena);
    if (!status) {
        status = caucus_prepared_describe(prepared, &work, &hints.settings, &binding);
        if (!status)
            status = caucus_execution_create(team->engine, request->arena, &binding,
                                             &prepared->execution);
        if (!status && hints.settings.rebuilds)
            status = keep_work(request, &work);
        status = caucus_agree(peers, status, 0, NULL);
    }
    caucus_work_free(&work);
    return status;
}

int caucus_call_persistent(struct caucus_collective_call *call) {
    struct caucus_team *team;
    int code = caucus_call_open(call, &team);
    if (code)
        return code;
    caucus_part_tidy(call, team);
    struct caucus_request_object *request = caucus_quick_prepare(call, team);
    int status = CAUCUS_OK;
    if (!request) {
        request = caucus_request_create(team, call->op);
        status = prepare(call, team, request);
    }
    if (!status) {
        request->persistent = true;
        *call->request = request;
        return MPI_SUCCESS;
    }
    code = status == CAUCUS_REFUSED ? CAUCUS_CALL_REFUSED
                                    : caucus_team_raise(team, true, call->function, status);
    if (request)
        caucus_request_drop(request);
    return code;
}
