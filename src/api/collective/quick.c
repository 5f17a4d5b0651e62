/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/quick.h"

#include "api/collective/agreement.h"
#include "api/collective/between.h"
#include "api/collective/calls.h"
#include "api/collective/key.h"
#include "api/collective/queued.h"
#include "api/collective/refusal.h"
#include "api/collective/shelf.h"
#include "base/status.h"
#include "run/meeting.h"

#include <stdlib.h>

/* What a rank brings to the meeting. */
struct proposal {
    struct caucus_request_object *request;
    struct caucus_arena *arena; /* new; NULL where the request has one */
    int64_t offer;
    uint64_t digest;
};

int caucus_quick_key(const struct caucus_work *work, const struct caucus_hints *hints,
                     struct caucus_request_object *request) {
    const struct caucus_team_settings *settings = &hints->settings;
    if (*hints->forced || settings->rebuilds || settings->sending != CAUCUS_SENDING_IMMEDIATE ||
        !caucus_key_holds(work))
        return CAUCUS_OK;
    request->key = caucus_key_create(work, &request->key_bytes);
    return request->key ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

/* Other buffers for one from the shelf. That all ranks have the same of it, made by the same call,
 * is all that they need to know: what they agreed on then holds again. */
static int reuse(struct caucus_work *work, struct proposal *proposal) {
    struct caucus_layout in, out;
    struct caucus_request_object *request = proposal->request;
    const int64_t id[] = {request->arena->number, request->arena->run};
    const struct caucus_item item = {"the request", CAUCUS_ITEM_LONGS, id, 2};
    int status = caucus_work_layouts(work, &in, &out);
    if (status)
        return status;
    proposal->digest = caucus_agree_digest(1, &item);
    caucus_execution_rebind(request->prepared.execution, in, out);
    return caucus_execution_prepare(request->prepared.execution);
}

static int make(struct caucus_work *work, const struct caucus_team *team,
                const struct caucus_hints *hints, struct proposal *proposal) {
    struct caucus_prepared *prepared = &proposal->request->prepared;
    struct caucus_binding binding;
    struct caucus_item items[CAUCUS_AGREE_ITEMS];
    struct caucus_call_items room;
    int status = caucus_prepared_plan(prepared, work, team, hints->forced, true);
    if (!status)
        status =
            caucus_arena_propose(team->engine, prepared->schedule.lines,
                                 prepared->schedule.node_bytes, &proposal->arena, &proposal->offer);
    if (status)
        return status;
    int64_t made[] = {proposal->arena->number, prepared->schedule.lines,
                      prepared->schedule.node_bytes, 0, 0};
    if (team->between)
        caucus_between_lengths(&work->task, made + 3);
    int count = caucus_call_list(work->call, team, work, hints->agreed, &room, items);
    items[count++] = (struct caucus_item){prepared->name, CAUCUS_ITEM_TEXT, prepared->name, 0};
    items[count++] = (struct caucus_item){"the arena", CAUCUS_ITEM_LONGS, made, 5};
    proposal->digest = caucus_agree_digest(count, items);
    status = caucus_prepared_describe(prepared, work, &hints->settings, &binding);
    if (!status)
        status =
            caucus_execution_create(team->engine, proposal->arena, &binding, &prepared->execution);
    return status;
}

static int propose(struct caucus_work *work, struct caucus_team *team,
                   const struct caucus_hints *hints, struct proposal *proposal) {
    struct caucus_request_object key = {0};
    int status = caucus_quick_key(work, hints, &key);
    if (status)
        return status;
    if (key.key)
        proposal->request = caucus_shelf_take(team->shelf, key.key, key.key_bytes);
    if (proposal->request) {
        free(key.key);
        status = caucus_request_hold(proposal->request, team, work->call->op);
        if (status)
            proposal->request = NULL;
        return status ? status : reuse(work, proposal);
    }
    if (!caucus_call_exchanges(&work->task) && !hints->settings.rebuilds)
        proposal->request = caucus_request_create(team, work->call->op);
    if (!proposal->request) {
        free(key.key);
        return caucus_fail(CAUCUS_INTERNAL, "the ranks have to exchange more than a digest");
    }
    proposal->request->key = key.key;
    proposal->request->key_bytes = key.key_bytes;
    return make(work, team, hints, proposal);
}

static void withdraw(const struct caucus_team *team, const struct proposal *proposal) {
    if (proposal->request)
        caucus_request_drop(proposal->request);
    if (proposal->arena)
        caucus_arena_withdraw(team->engine, proposal->arena, proposal->offer);
}

struct caucus_request_object *caucus_quick_prepare(const struct caucus_collective_call *call,
                                                   struct caucus_team *team) {
    struct caucus_work work = {.call = call};
    struct caucus_hints hints;
    struct proposal proposal = {0};
    if (!team->engine->meeting)
        return NULL;
    int status = caucus_refusal();
    if (!status)
        status = caucus_call_read(&work, call, team);
    if (!status)
        status = caucus_hints_read(call->info, team, &hints);
    if (!status) {
        caucus_work_limit(&work, hints.shares_memory);
        status = propose(&work, team, &hints, &proposal);
    }
    int64_t offer = proposal.offer;
    bool agreed =
        caucus_meet(team->engine, !status, proposal.digest, caucus_queued_progress, &offer);
    caucus_work_free(&work);
    if (!agreed) {
        withdraw(team, &proposal);
        return NULL;
    }
    if (proposal.arena) {
        caucus_arena_settle(team->engine, proposal.arena, offer);
        proposal.request->arena = proposal.arena;
    }
    return proposal.request;
}
