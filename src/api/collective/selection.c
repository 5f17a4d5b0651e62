/* SPDX-License-Identifier: BSD-3-Clause */
/* What is chosen already is not touched, so that whatever goes wrong before a race leaves it as it
 * was. */
#include "api/collective/selection.h"

#include "api/collective/cache.h"
#include "api/collective/calls.h"
#include "api/collective/contest.h"
#include "api/collective/learned_kept.h"
#include "api/collective/leave.h"
#include "api/collective/shape.h"
#include "base/status.h"
#include "run/peers/agree.h"
#include "run/peers/peers.h"

/* Calls of which every rank knows the size, whatever its datatypes are. */
static bool is_plain(const struct caucus_work *work) {
    const struct caucus_shape *shape = &caucus_shapes[work->task.collective];
    return !shape->send.counted && !shape->receive.counted && !shape->neighbors &&
           !work->task.first_group;
}

/* ---- persistent inits ---- */
/* The user's buffers for one that has raced. */
static int take_over(struct caucus_contest *contest, struct caucus_prepared *entrant, int sending) {
    int status = CAUCUS_OK;
    if (sending == CAUCUS_SENDING_IMMEDIATE) {
        status = caucus_prepared_rebind(entrant, contest->work);
        return status ? status : caucus_execution_prepare(entrant->execution);
    }
    caucus_execution_free(entrant->execution);
    entrant->execution = NULL;
    return caucus_prepared_bind(entrant, contest->work, sending, contest->context->engine,
                                entrant->arena);
}

static void exchange(struct caucus_contest *contest, int winner, int sending,
                     struct caucus_prepared **prepared) {
    struct caucus_prepared *entrant = contest->entrant[winner];
    int status = take_over(contest, entrant, sending);
    if (caucus_contest_agree(contest, status)) { /* what this one takes, others take, too */
        contest->entry->algorithm = contest->candidates[0].algorithm;
        return;
    }
    entrant->key = (*prepared)->key;
    (*prepared)->key = (struct caucus_key){0};
    contest->entrant[winner] = *prepared; /* to be freed */
    *prepared = entrant;
}

/* All ranks come to the same, also where one has no memory to know. */
static bool begin(struct caucus_contest *contest, const char *forced,
                  const struct caucus_algorithm *first) {
    const struct caucus_task *task = &contest->work->task;
    bool begins = caucus_contest_begin(contest, forced, first);
    if (!task->first_group && !task->traffic)
        return begins;
    int status = contest->count < 0 ? CAUCUS_NO_MEMORY : CAUCUS_OK;
    return !caucus_agree(&contest->context->attachment->peers, status, 0, NULL) && begins;
}

int caucus_selection_improve(struct caucus_work *work, struct caucus_context *context,
                             const char *forced, int sending, struct caucus_prepared **prepared) {
    struct caucus_contest contest = {.work = work, .context = context, .planned = 1};
    struct caucus_choice_key key;
    int winner = 0, status = CAUCUS_OK;
    if (!caucus_learned_key_of(work, context, true, &key))
        return CAUCUS_OK;
    contest.entry = caucus_learned_find(context->learned, &key);
    if (contest.entry)
        return CAUCUS_OK;
    if (begin(&contest, forced, (*prepared)->algorithm))
        contest.entry = caucus_learned_open(context->learned, &key);
    if (!contest.entry) {
        caucus_learned_goes_by_model(work, context);
        return CAUCUS_OK;
    }
    contest.entrant[0] = *prepared;
    if (!caucus_contest_make(&contest)) {
        status = caucus_contest_run(&contest, &winner);
        if (!status && winner)
            exchange(&contest, winner, sending, prepared);
    }
    caucus_contest_end(&contest, status != CAUCUS_OK);
    if (contest.entry->is_kept)
        caucus_learned_keep(context);
    return status;
}

/* ---- blocking calls ---- */
struct caucus_learned_entry *caucus_selection_watch(const struct caucus_work *work,
                                                    struct caucus_context *context) {
    struct caucus_choice_key key;
    return !context->settings.select_persistent && is_plain(work) &&
                   caucus_learned_key_of(work, context, false, &key) &&
                   key.form == CAUCUS_CHOICE_BLOCKING
               ? caucus_learned_open(context->learned, &key)
               : NULL;
}

int caucus_selection_settle(const struct caucus_collective_call *call,
                            struct caucus_context *context, struct caucus_learned_entry *entry,
                            const struct caucus_algorithm *taken) {
    struct caucus_work work;
    struct caucus_contest contest = {.work = &work,
                                     .context = context,
                                     .entry = entry,
                                     .is_shared = true,
                                     .has_mpis = caucus_leave_is_allowed()};
    const struct caucus_peers *peers = &context->attachment->peers;
    int winner = 0, lacks = caucus_call_read(&work, call, context);
    int status = caucus_peers_meet(peers); /* nobody blocks within MPI before all are here */
    status = caucus_agree(peers, status ? status : lacks, 0, NULL);
    if (status) {
        if (!lacks)
            caucus_work_free(&work);
        return status;
    }
    caucus_cache_limit(context->cache, &work);
    if (caucus_contest_begin(&contest, "", taken)) {
        if (!caucus_contest_make(&contest))
            status = caucus_contest_run(&contest, &winner);
        caucus_contest_end(&contest, status != CAUCUS_OK);
    }
    entry->is_settled = true;
    caucus_work_free(&work);
    if (entry->is_kept)
        caucus_learned_keep(context);
    if (entry->algorithm) /* for all sizes of the class, whatever ranks have kept of some */
        caucus_cache_drop(context->cache, entry);
    return status;
}
