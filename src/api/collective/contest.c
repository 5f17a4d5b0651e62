/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/contest.h"

#include "api/collective/cache.h"
#include "api/collective/shape.h"
#include "base/memory.h"
#include "base/settings.h"
#include "base/status.h"
#include "run/layout/device.h"
#include "run/peers/agree.h"
#include "run/support/left_behind.h"
#include "run/support/notice.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Times the least predicted time: what the model may be wrong by, and what it is seldom wrong by,
 * where nobody has asked for a measurement. */
static const double WITHIN = 4, CLOSE = 2;

_Static_assert((int)CAUCUS_CANDIDATES < (int)CAUCUS_RACERS, "all candidates race, and MPI's own");

/* Leaves out the last ones, for which there is no time. */
static bool fits(struct caucus_contest *contest) {
    const double most = contest->context->settings.select_seconds / caucus_race_least_runs();
    double predicted = 0;
    int count = 0;
    while (count < contest->count && predicted + contest->candidates[count].seconds < most)
        predicted += contest->candidates[count++].seconds;
    if (count == 0)
        return false;
    contest->count = count;
    return count + contest->has_mpis > 1;
}

bool caucus_contest_begin(struct caucus_contest *contest, const char *forced,
                          const struct caucus_algorithm *first) {
    const struct caucus_context *context = contest->context;
    contest->count = caucus_prepared_candidates(
        contest->work, context, forced, !contest->is_shared, first,
        context->settings.select_persistent ? CLOSE : WITHIN, contest->candidates);
    contest->has_mpis = contest->has_mpis && contest->count > 0 &&
                        contest->work->task.volume <= INT_MAX && !context->settings.is_limited;
    if (first && contest->count > 0 && contest->candidates[0].algorithm != first)
        return false; /* the model does not know it */
    return fits(contest);
}

int caucus_contest_agree(const struct caucus_contest *contest, int status) {
    char names[CAUCUS_CANDIDATES * 64] = "";
    const int64_t has_mpis = contest->has_mpis;
    for (int i = 0; i < contest->count; i++) {
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, " %s",
                 contest->candidates[i].algorithm->name);
    }
    const struct caucus_item items[] = {
        {"what is learned", CAUCUS_ITEM_LONGS, &contest->entry->key, CAUCUS_CHOICE_NUMBERS},
        {"the candidates", CAUCUS_ITEM_TEXT, names, 0},
        {"MPI's own call", CAUCUS_ITEM_LONGS, &has_mpis, 1},
    };
    return caucus_agree(&contest->context->attachment->peers, status, 3, items);
}

static int plan_all(struct caucus_contest *contest) {
    int status = CAUCUS_OK;
    for (int i = contest->planned; i < contest->count && !status; i++)
        status = caucus_prepared_plan(contest->work, contest->context,
                                      contest->candidates[i].algorithm->name, !contest->is_shared,
                                      &contest->entrant[i]);
    return status;
}

/* One of its own, unless it runs where blocking calls do. */
static int give_arena(struct caucus_contest *contest, struct caucus_prepared *entrant) {
    struct caucus_engine *engine = contest->context->engine;
    entrant->engine = engine;
    return contest->is_shared ? CAUCUS_OK
                              : caucus_arena_create(engine, entrant->schedule.lines,
                                                    entrant->schedule.node_bytes, &entrant->arena);
}

/* In the place of the user's buffer; *buffer is made at the first time. */
static int replace(struct caucus_layout *layout, char **buffer) {
    int64_t bytes = layout->bytes;
    if (!*buffer)
        *buffer = caucus_array(bytes > 0 ? bytes : 1, 1);
    caucus_layout_free(layout);
    return *buffer ? caucus_layout_elements(layout, *buffer, bytes, MPI_BYTE) : CAUCUS_NO_MEMORY;
}

static int describe(struct caucus_contest *contest, struct caucus_prepared *entrant,
                    struct caucus_binding *binding) {
    int status =
        caucus_prepared_describe(entrant, contest->work, CAUCUS_SENDING_IMMEDIATE, binding);
    if (status)
        return status;
    status = replace(&binding->in, &contest->scratch.in);
    int failed = replace(&binding->out, &contest->scratch.out);
    status = status ? status : failed;
    if (status) {
        caucus_layout_free(&binding->in);
        caucus_layout_free(&binding->out);
    }
    return status;
}

/* Ready to run on scratch data, without another allocation. */
static int make_racer(struct caucus_contest *contest, int index) {
    struct caucus_prepared *entrant = contest->entrant[index];
    struct caucus_execution **execution = &contest->racers[index].execution;
    struct caucus_arena *arena =
        contest->is_shared ? caucus_cache_arena(contest->context->cache, &entrant->schedule)
                           : entrant->arena;
    struct caucus_binding binding;
    int status = describe(contest, entrant, &binding);
    if (!status)
        status = caucus_execution_create(contest->context->engine, arena, &binding, execution);
    if (status) {
        *execution = NULL;
        return status;
    }
    if (index >= contest->planned)
        entrant->execution = *execution;
    return caucus_execution_prepare(*execution);
}

/* ---- MPI's own call ---- */
/* In bytes, which all ranks give alike, but for what is to be combined. */
static void give_scratch(struct caucus_side *side, const struct caucus_view *view,
                         enum caucus_side_kind kind, bool reduces, char *scratch) {
    if (kind == CAUCUS_SIDE_ABSENT)
        return;
    if (side->buffer != MPI_IN_PLACE)
        side->buffer = scratch;
    if (reduces)
        return;
    side->count = kind == CAUCUS_SIDE_EACH ? view->block_bytes : view->bytes;
    side->type = MPI_BYTE;
}

static void make_mpis(struct caucus_contest *contest) {
    struct caucus_collective_call *call = &contest->mpis;
    const struct caucus_work *work = contest->work;
    const struct caucus_shape *shape = &caucus_shapes[work->task.collective];
    *call = *work->call;
    give_scratch(&call->send, &work->send, shape->send.kind, shape->reduces, contest->scratch.in);
    give_scratch(&call->receive, &work->receive, shape->receive.kind, shape->reduces,
                 contest->scratch.out);
    contest->racers[contest->count].native = call;
}

/* MPI's own call may not take buffers that lie on a device: where there may be such on a rank,
 * nothing is measured. */
int caucus_contest_make(struct caucus_contest *contest) {
    contest->has_mpis = contest->has_mpis && !caucus_device_look();
    int status = caucus_contest_agree(contest, plan_all(contest));
    for (int i = contest->planned; i < contest->count && !status; i++)
        status = give_arena(contest, contest->entrant[i]);
    if (status)
        return status;
    for (int i = 0; i < contest->count && !status; i++)
        status = make_racer(contest, i);
    if (!status && contest->has_mpis)
        make_mpis(contest);
    return caucus_contest_agree(contest, status);
}

static void tell(const struct caucus_contest *contest, int winner, bool is_mpis) {
    char text[600];
    bool verbose;
    if (contest->context->rank != 0 || caucus_setting_is(CAUCUS_SETTING_VERBOSE, "1", &verbose) ||
        !verbose)
        return;
    size_t length =
        (size_t)snprintf(text, sizeof text, "%s of %lld bytes on %d ranks, measured:",
                         caucus_collective_name(contest->work->task.collective),
                         (long long)contest->work->task.volume, (int)contest->work->task.ranks);
    for (int i = 0; i < contest->count + contest->has_mpis && length < sizeof text; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, " %s %.4g us,",
                                   i < contest->count ? contest->candidates[i].algorithm->name
                                                      : "MPI's own",
                                   1e6 * contest->racers[i].seconds);
    if (length < sizeof text)
        snprintf(text + length, sizeof text - length, " taken: %s%s",
                 is_mpis ? "MPI's own" : contest->candidates[winner].algorithm->name,
                 winner || is_mpis ? "" : ", which the model has chosen");
    caucus_notice(text);
}

static void settle(struct caucus_contest *contest, bool ran, int *winner) {
    struct caucus_learned_entry *entry = contest->entry;
    *winner = ran ? caucus_race_winner(contest->racers, contest->count) : 0;
    if (ran && contest->has_mpis) {
        const struct caucus_racer both[] = {contest->racers[*winner],
                                            contest->racers[contest->count]};
        entry->is_mpis = caucus_race_winner(both, 2) == 1;
    }
    entry->algorithm = contest->candidates[*winner].algorithm;
    entry->is_settled = true;
    /* What nobody has asked for is not tried again in every run. */
    entry->is_kept = ran || contest->context->settings.select_persistent;
    if (ran)
        tell(contest, *winner, entry->is_mpis);
}

int caucus_contest_run(struct caucus_contest *contest, int *winner) {
    const struct caucus_peers *peers = &contest->context->attachment->peers;
    bool ran;
    int status = caucus_race_run(peers, contest->context->settings.select_seconds, contest->racers,
                                 contest->count + contest->has_mpis, &ran);
    status = caucus_agree(peers, status, 0, NULL);
    if (!status)
        settle(contest, ran, winner);
    return status;
}

void caucus_contest_end(struct caucus_contest *contest, bool failed) {
    if (contest->planned && contest->racers[0].execution)
        caucus_execution_free(contest->racers[0].execution);
    for (int i = contest->planned; i < contest->count; i++)
        caucus_prepared_free(contest->entrant[i]);
    if (failed) {
        caucus_leave_behind(contest->scratch.in);
        caucus_leave_behind(contest->scratch.out);
        return;
    }
    free(contest->scratch.in);
    free(contest->scratch.out);
}
