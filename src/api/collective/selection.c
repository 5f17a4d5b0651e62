/* SPDX-License-Identifier: BSD-3-Clause */
/* Candidates run on data of their own: buffers without gaps, as long as the user's. The model's
 * choice is not touched, so that whatever goes wrong before the race leaves it as it was. */
#include "api/collective/selection.h"

#include "api/collective/learned.h"
#include "api/collective/race.h"
#include "base/memory.h"
#include "base/settings.h"
#include "base/status.h"
#include "run/peers/agree.h"
#include "run/support/notice.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Times the least predicted time: what the model may be wrong by. */
static const double WITHIN = 4;

struct scratch {
    char *in, *out;
    struct scratch *next_left;
};

/* Entrant 0 is the model's choice, with its schedule and its arena. */
struct contest {
    struct caucus_work *work;
    struct caucus_context *context;
    struct caucus_learned_key key;
    struct caucus_candidate candidates[CAUCUS_CANDIDATES];
    struct caucus_prepared *entrant[CAUCUS_CANDIDATES]; /* owned but for the first */
    struct caucus_racer racers[CAUCUS_CANDIDATES];
    struct scratch *scratch;
    int count;
};

_Static_assert((int)CAUCUS_CANDIDATES == (int)CAUCUS_RACERS, "all candidates race");

/* Whether there is anything to measure; all ranks come to the same. */
static bool is_open(struct contest *contest, const char *forced) {
    const struct caucus_context *context = contest->context;
    double predicted = 0;
    if (!caucus_learned_key_of(contest->work, context, &contest->key) ||
        caucus_learned_find(context->learned, &contest->key))
        return false;
    contest->count =
        caucus_prepared_candidates(contest->work, context, forced, WITHIN, contest->candidates);
    for (int i = 0; i < contest->count; i++)
        predicted += contest->candidates[i].seconds;
    return contest->count > 1 &&
           predicted * caucus_race_least_runs() < context->settings.select_seconds;
}

static int plan_all(struct contest *contest) {
    int status = caucus_learned_create(&contest->context->learned);
    contest->scratch = caucus_array(1, sizeof *contest->scratch);
    if (!contest->scratch)
        status = CAUCUS_NO_MEMORY;
    for (int i = 1; i < contest->count && !status; i++)
        status = caucus_prepared_plan(contest->work, contest->context,
                                      contest->candidates[i].algorithm->name, true,
                                      &contest->entrant[i]);
    return status;
}

/* All have the same in mind, and are ready so far. */
static int agree(const struct contest *contest, int status) {
    char names[CAUCUS_CANDIDATES * 64] = "";
    for (int i = 0; i < contest->count; i++) {
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, " %s",
                 contest->candidates[i].algorithm->name);
    }
    const struct caucus_item items[] = {
        {"what is learned", CAUCUS_ITEM_LONGS, &contest->key, CAUCUS_LEARNED_NUMBERS},
        {"the candidates", CAUCUS_ITEM_TEXT, names, 0},
    };
    return caucus_agree(&contest->context->attachment->peers, status, 2, items);
}

/* In the place of the user's buffer; *buffer is made at the first time. */
static int replace(struct caucus_layout *layout, char **buffer) {
    int64_t bytes = layout->bytes;
    if (!*buffer)
        *buffer = caucus_array(bytes > 0 ? bytes : 1, 1);
    caucus_layout_free(layout);
    return *buffer ? caucus_layout_elements(layout, *buffer, bytes, MPI_BYTE) : CAUCUS_NO_MEMORY;
}

/* Ready to run on scratch data, without another allocation. */
static int make_racer(struct contest *contest, int index) {
    struct caucus_prepared *entrant = contest->entrant[index];
    struct caucus_execution **execution = &contest->racers[index].execution;
    struct caucus_binding binding;
    int status =
        caucus_prepared_describe(entrant, contest->work, CAUCUS_SENDING_IMMEDIATE, &binding);
    if (status)
        return status;
    status = replace(&binding.in, &contest->scratch->in);
    int failed = replace(&binding.out, &contest->scratch->out);
    status = status ? status : failed;
    if (status) {
        caucus_layout_free(&binding.in);
        caucus_layout_free(&binding.out);
        return status;
    }
    status = caucus_execution_create(contest->context->engine, entrant->arena, &binding, execution);
    if (status) {
        *execution = NULL;
        return status;
    }
    if (index > 0)
        entrant->execution = *execution;
    return caucus_execution_prepare(*execution);
}

/* All get the same outcome. */
static int make(struct contest *contest) {
    struct caucus_engine *engine = contest->context->engine;
    int status = agree(contest, plan_all(contest));
    for (int i = 1; i < contest->count && !status; i++) {
        struct caucus_prepared *entrant = contest->entrant[i];
        entrant->engine = engine;
        status = caucus_arena_create(engine, entrant->schedule.lines, entrant->schedule.node_bytes,
                                     &entrant->arena);
    }
    if (status)
        return status;
    for (int i = 0; i < contest->count && !status; i++)
        status = make_racer(contest, i);
    return agree(contest, status);
}

static void tell(const struct contest *contest, int winner) {
    char text[600];
    int64_t verbose = 0;
    if (contest->context->rank != 0 ||
        caucus_setting_integer(CAUCUS_SETTING_VERBOSE, 0, &verbose) || !verbose)
        return;
    size_t length =
        (size_t)snprintf(text, sizeof text, "%s of %lld bytes on %d ranks, measured:",
                         caucus_collective_name(contest->work->task.collective),
                         (long long)contest->work->task.volume, (int)contest->work->task.ranks);
    for (int i = 0; i < contest->count && length < sizeof text; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, " %s %.4g us,",
                                   contest->candidates[i].algorithm->name,
                                   1e6 * contest->racers[i].seconds);
    if (length < sizeof text)
        snprintf(text + length, sizeof text - length, " taken: %s%s",
                 contest->candidates[winner].algorithm->name,
                 winner ? "" : ", which the model has chosen");
    caucus_notice(text);
}

/* The user's buffers for one that has raced. */
static int take_over(struct contest *contest, struct caucus_prepared *entrant, int sending) {
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

static void exchange(struct contest *contest, int winner, int sending,
                     struct caucus_prepared **prepared) {
    struct caucus_prepared *entrant = contest->entrant[winner];
    int status = take_over(contest, entrant, sending);
    if (agree(contest, status))
        return;
    entrant->key = (*prepared)->key;
    (*prepared)->key = (struct caucus_key){0};
    contest->entrant[winner] = *prepared; /* to be freed */
    *prepared = entrant;
}

/* After a failure MPI may still use what it was given: that stays, in a list, so that it is not
 * taken for a leak. */
static void leave(struct scratch *scratch) {
    static struct scratch *_Atomic left_behind;
    scratch->next_left = left_behind;
    while (!atomic_compare_exchange_weak(&left_behind, &scratch->next_left, scratch))
        continue;
}

/* The model's choice may be any entrant by now. */
static void end(struct contest *contest, struct caucus_execution *first, bool failed) {
    if (first)
        caucus_execution_free(first);
    for (int i = 1; i < contest->count; i++)
        caucus_prepared_free(contest->entrant[i]);
    if (!contest->scratch)
        return;
    if (failed) {
        leave(contest->scratch);
        return;
    }
    free(contest->scratch->in);
    free(contest->scratch->out);
    free(contest->scratch);
}

static int race(struct contest *contest, int sending, struct caucus_prepared **prepared) {
    const struct caucus_context *context = contest->context;
    const struct caucus_peers *peers = &context->attachment->peers;
    bool ran;
    int winner = 0;
    int status = caucus_race_run(peers, context->settings.select_seconds, contest->racers,
                                 contest->count, &ran);
    status = caucus_agree(peers, status, 0, NULL);
    if (status)
        return status;
    if (ran) {
        winner = caucus_race_winner(contest->racers, contest->count);
        tell(contest, winner);
    } /* else the next init of this kind need not try again */
    caucus_learned_add(context->learned, &contest->key, contest->candidates[winner].algorithm);
    if (winner)
        exchange(contest, winner, sending, prepared);
    return CAUCUS_OK;
}

int caucus_selection_improve(struct caucus_work *work, struct caucus_context *context,
                             const char *forced, int sending, struct caucus_prepared **prepared) {
    struct contest contest = {.work = work, .context = context};
    if (!is_open(&contest, forced))
        return CAUCUS_OK;
    contest.entrant[0] = *prepared;
    int status = make(&contest) ? CAUCUS_OK : race(&contest, sending, prepared);
    end(&contest, contest.racers[0].execution, status != CAUCUS_OK);
    return status;
}
