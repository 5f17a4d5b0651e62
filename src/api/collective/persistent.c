/* SPDX-License-Identifier: BSD-3-Clause */
/* The persistent form. Each rank gets ready all by itself, and where all turn out to have the same,
 * that is it: one meeting of the ranks. Else they go on step by step, and agree after each, which
 * finds the words for what is wrong. */
#include "api/calls/left.h"
#include "api/collective/agreement.h"
#include "api/collective/cache.h"
#include "api/collective/calls.h"
#include "api/collective/hints.h"
#include "api/collective/learned_kept.h"
#include "api/collective/part.h"
#include "api/collective/predefined.h"
#include "api/collective/request.h"
#include "api/collective/selection.h"
#include "api/collective/shape.h"
#include "api/collective/work.h"
#include "api/common/raise.h"
#include "base/status.h"
#include "run/engine/digest_agreement.h"
#include "run/engine/roll_call.h"
#include "run/peers/agree.h"

#include <stdlib.h>
#include <string.h>

/* An init on its way. */
struct init {
    const struct caucus_collective_call *call;
    struct caucus_context *context;
    struct caucus_work work;
    struct caucus_hints hints;
    struct caucus_key key;
    struct caucus_request_object *request;
    struct caucus_prepared *prepared;
    bool is_reused; /* prepared is what a freed request has left */
};

/* Whether its bits may depend on the order. */
static bool rounds(const struct init *init) {
    return caucus_shapes[init->call->collective].reduces && !init->context->between &&
           !caucus_operation_is_exact(init->call->op, init->work.type);
}

static int read_call(struct init *init) {
    init->work.call = init->call;
    init->request = caucus_request_create(init->context, init->call->op);
    int status = init->request ? caucus_refusal() : CAUCUS_NO_MEMORY;
    if (!status)
        status = caucus_call_read(&init->work, init->call, init->context);
    if (!status)
        status = caucus_hints_read(init->call->info, init->context, &init->hints);
    if (status)
        return status;
    caucus_work_limit(&init->work, init->hints.shares_memory);
    if (init->hints.shares_memory &&
        rounds(init)) /* as in other forms, to combine in their order */
        caucus_cache_limit(init->context->cache, &init->work);
    if (*init->hints.forced || init->hints.sending != CAUCUS_SENDING_IMMEDIATE)
        return CAUCUS_OK;
    return caucus_key_create(&init->work, &init->key);
}

static int plan(struct init *init) {
    return caucus_prepared_plan(&init->work, init->context, init->hints.forced, true,
                                &init->prepared);
}

static int bind(struct init *init, struct caucus_arena *arena) {
    return caucus_prepared_bind(init->prepared, &init->work, init->hints.sending,
                                init->context->engine, arena);
}

/* Other buffers for what a freed request has left. That all ranks have the same of it, made by the
 * same call, is all that they need to know: what they agreed on then holds again. */
static int reuse(struct init *init, uint64_t *digest) {
    const struct caucus_arena *arena = init->prepared->arena;
    const int64_t id[] = {arena->number, arena->run};
    const struct caucus_item item = {"the request", CAUCUS_ITEM_LONGS, id, 2};
    *digest = caucus_agree_digest(1, &item);
    int status = caucus_prepared_rebind(init->prepared, &init->work);
    return status ? status : caucus_execution_prepare(init->prepared->execution);
}

static uint64_t digest_of(const struct init *init, const struct caucus_arena *arena) {
    struct caucus_item items[CAUCUS_AGREE_ITEMS];
    struct caucus_call_items room;
    const struct caucus_schedule *schedule = &init->prepared->schedule;
    int64_t made[] = {arena->number, schedule->lines, schedule->node_bytes, 0, 0};
    if (init->context->between)
        caucus_between_lengths(&init->work.task, made + 3);
    int count =
        caucus_call_list(init->call, init->context, &init->work, init->hints.agreed, &room, items);
    items[count++] =
        (struct caucus_item){init->prepared->name, CAUCUS_ITEM_TEXT, init->prepared->name, 0};
    items[count++] = (struct caucus_item){"the arena", CAUCUS_ITEM_LONGS, made, 5};
    return caucus_agree_digest(count, items);
}

/* Ready but for the others. *arena: a new one, with the offer. */
static int propose(struct init *init, struct caucus_arena **arena, int64_t *offer,
                   uint64_t *digest) {
    struct caucus_engine *engine = init->context->engine;
    init->prepared = caucus_cache_take_persistent(init->context->cache, &init->key);
    init->is_reused = init->prepared != NULL;
    if (init->is_reused)
        return reuse(init, digest);
    if (caucus_call_exchanges(&init->work.task))
        return CAUCUS_NOT_APPLICABLE;
    int status = plan(init);
    if (!status)
        status = caucus_arena_propose(engine, init->prepared->schedule.lines,
                                      init->prepared->schedule.node_bytes, arena, offer);
    if (status)
        return status;
    *digest = digest_of(init, *arena);
    return bind(init, *arena);
}

/* Whether all ranks were ready, and had the same; where not, nothing of it is left, no error is
 * raised, and nobody knows why. status: what came before. */
static bool meet(struct init *init, int status) {
    struct caucus_engine *engine = init->context->engine;
    struct caucus_arena *arena = NULL;
    int64_t own = 0;
    uint64_t digest = 0;
    if (!engine->agreement)
        return false;
    if (!status)
        status = propose(init, &arena, &own, &digest);
    int64_t offer = own;
    if (caucus_digest_agree(engine, !status, digest, &offer)) {
        if (arena) {
            caucus_arena_settle(engine, arena, offer);
            init->prepared->arena = arena;
            init->prepared->key = init->key;
            init->key = (struct caucus_key){0};
        }
        return true;
    }
    caucus_prepared_free(init->prepared);
    init->prepared = NULL;
    init->is_reused = false;
    if (arena)
        caucus_arena_withdraw(engine, arena, own);
    return false;
}

/* Ranks that had different things in mind, for whatever reason, would wait for one another. Of a
 * collective with a root between groups, whoever has no part in it chooses by less than the others.
 */
static int plan_alike(struct init *init, const struct caucus_peers *peers) {
    bool rooted = init->context->between && caucus_shapes[init->call->collective].rooted;
    int status = plan(init);
    const char *name = status || rooted ? NULL : init->prepared->name;
    const struct caucus_item item = {"the algorithm", CAUCUS_ITEM_TEXT, name, 0};
    return caucus_agree(peers, status, 1, &item);
}

/* Step by step. All ranks come through all of this, whatever happens to one of them. */
static int agree(struct init *init, int status) {
    struct caucus_context *context = init->context;
    const struct caucus_peers *peers = &context->attachment->peers;
    status = caucus_call_agree(init->call, context, status, init->hints.agreed, &init->work);
    if (!status)
        status = plan_alike(init, peers);
    if (status)
        return status;
    struct caucus_prepared *prepared = init->prepared;
    prepared->engine = context->engine;
    prepared->key = init->key;
    init->key = (struct caucus_key){0};
    status = caucus_arena_create(context->engine, prepared->schedule.lines,
                                 prepared->schedule.node_bytes, &prepared->arena);
    return status ? status : caucus_agree(peers, bind(init, prepared->arena), 0, NULL);
}

static int prepare(struct init *init) {
    int status = caucus_roll_call(init->context->attachment, init->context->settings.patience);
    if (!status)
        status = caucus_learned_begin(init->context);
    if (status)
        return status;
    status = read_call(init);
    char *text = status ? strdup(caucus_error_text()) : NULL;
    if (meet(init, status)) {
        free(text);
        status = CAUCUS_OK;
    } else {
        status = agree(init, status ? caucus_fail_again(status, text) : CAUCUS_OK);
    }
    if (!status && !init->is_reused)
        status = caucus_selection_improve(&init->work, init->context, init->hints.forced,
                                          init->hints.sending, &init->prepared);
    caucus_key_free(&init->key);
    caucus_work_free(&init->work);
    return status;
}

int caucus_call_persistent(struct caucus_collective_call *call) {
    struct init init = {.call = call};
    int status = caucus_call_open(call, &init.context);
    if (status)
        return caucus_call_conclude(call, init.context, false, status);
    caucus_part_tidy(call, init.context);
    status = prepare(&init);
    if (!status) {
        init.request->persistent = true;
        init.request->prepared = init.prepared;
        *call->request = init.request;
        caucus_succeed();
        return MPI_SUCCESS;
    }
    int code = status == CAUCUS_REFUSED
                   ? CAUCUS_CALL_REFUSED
                   : caucus_context_raise(init.context, !init.context->attachment->given_up,
                                          call->function, status);
    caucus_prepared_free(init.prepared);
    if (init.request)
        caucus_request_destroy(init.request);
    return code;
}
