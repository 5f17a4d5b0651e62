/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/prepared.h"

#include "api/collective/forced.h"
#include "api/collective/learned.h"
#include "api/collective/shape.h"
#include "base/memory.h"
#include "base/refused.h"
#include "base/status.h"
#include "plan/choice/choose.h"
#include "plan/intergroup/eager.h"
#include "run/support/notice.h"
#include "run/support/world.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Takes it instead where it is no slower. All ranks come to the same. */
static int take_eager(const struct caucus_task *task, const struct caucus_model *model,
                      const struct caucus_algorithm **algorithm) {
    const struct caucus_algorithm *eager = &caucus_intergroup_allgatherv_eager;
    struct caucus_task same = caucus_intergroup_common(task);
    int64_t refusals = caucus_memory_refusals();
    if (eager->cost(&same, model) <= (*algorithm)->cost(&same, model))
        *algorithm = eager;
    return caucus_memory_refusals() == refusals ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

/* Whether its schedule sends what came with the counts, not what the user gave. */
static bool reads_row(const struct caucus_algorithm *algorithm) {
    return algorithm == &caucus_intergroup_allgatherv_eager;
}

/* Long messages within a node are one copy where the kernel allows it. What is combined has just
 * been written, and goes on to be written: there, node memory is as fast. */
static void adapt(const struct caucus_context *context, enum caucus_collective collective,
                  struct caucus_model *model) {
    if (context->engine && context->engine->one_copy && !caucus_shapes[collective].reduces)
        caucus_model_one_copy(model);
}

/* What algorithms are chosen by; returns whether that is the built-in model. */
static bool find_model(const struct caucus_context *context, enum caucus_collective collective,
                       struct caucus_model *model) {
    const struct caucus_context_settings *settings = &context->settings;
    bool is_built_in = settings->reproducible && caucus_shapes[collective].reduces;
    if (is_built_in)
        caucus_model_default(model);
    else
        *model = settings->model;
    adapt(context, collective, model);
    return is_built_in;
}

/* What was exchanged before algorithms are chosen. Also where CAUCUS_CHECK has exchanged it: the
 * choice stays the same. */
static unsigned exchanged_for(const struct caucus_work *work, bool persistent) {
    enum caucus_collective collective = work->task.collective;
    unsigned exchanged = 0;
    bool always = work->task.first_group > 0 &&
                  (collective == CAUCUS_ALLGATHERV || collective == CAUCUS_REDUCE_SCATTER);
    if ((persistent || always) && work->task.counts_known)
        exchanged |= CAUCUS_NEEDS_COUNTS;
    if (persistent && work->task.traffic)
        exchanged |= CAUCUS_NEEDS_TRAFFIC;
    return exchanged;
}

/* "": the model chooses. */
static void find_name(const struct caucus_work *work, const struct caucus_context *context,
                      const char *forced, char *name) {
    caucus_forced_find(*forced ? forced : context->settings.forced, work->task.collective,
                       context->between, name);
}

/* Whether it was found out what to take, and that serves here too; or there is no memory to tell.
 */
static bool recall(const struct caucus_work *work, const struct caucus_context *context,
                   unsigned exchanged, bool persistent, const struct caucus_algorithm **algorithm,
                   int *status) {
    struct caucus_choice_key key;
    if (!context->learned || !caucus_learned_key_of(work, context, persistent, &key))
        return false;
    const struct caucus_learned_entry *entry = caucus_learned_find(context->learned, &key);
    if (!entry || !entry->is_settled || !entry->algorithm)
        return false;
    *status = caucus_algorithm_choose(&work->task, &context->settings.model, entry->algorithm->name,
                                      exchanged, algorithm);
    return !*status || *status == CAUCUS_NO_MEMORY;
}

static int choose_named(const struct caucus_work *work, const struct caucus_context *context,
                        const char *name, bool persistent,
                        const struct caucus_algorithm **algorithm) {
    unsigned exchanged = exchanged_for(work, persistent);
    int status;
    if (!*name && recall(work, context, exchanged, persistent, algorithm, &status))
        return status;
    struct caucus_model model, usual = context->settings.usual;
    bool is_built_in = find_model(context, work->task.collective, &model);
    adapt(context, work->task.collective, &usual);
    bool two = !*name && !is_built_in && memcmp(&model, &usual, sizeof model) != 0;
    status =
        two ? caucus_algorithm_choose_measured(&work->task, &model, &usual, exchanged, algorithm)
            : caucus_algorithm_choose(&work->task, &model, name, exchanged, algorithm);
    if (!status && work->task.crossed && !*name)
        status = take_eager(&work->task, &model, algorithm);
    return status;
}

/* What CAUCUS_ALGORITHM names can't serve a call of a program that could not handle that. */
static void tell_unable(void) {
    static atomic_flag told = ATOMIC_FLAG_INIT;
    char text[600];
    if (atomic_flag_test_and_set(&told) || caucus_world_rank() != 0)
        return;
    snprintf(text, sizeof text, "warning: CAUCUS_ALGORITHM: %.400s; the cost model chooses instead",
             caucus_failure_text());
    caucus_notice(text);
}

/* All ranks fail alike, and so choose again alike, unless one lacks memory. */
static int choose(const struct caucus_work *work, const struct caucus_context *context,
                  const char *forced, bool persistent, const struct caucus_algorithm **algorithm) {
    char name[CAUCUS_ALGORITHM_NAME];
    find_name(work, context, forced, name);
    int status = choose_named(work, context, name, persistent, algorithm);
    bool by_setting = *name && !*forced;
    if (!status || status == CAUCUS_NO_MEMORY || !by_setting || !caucus_settings_are_forgiven())
        return status;
    tell_unable();
    return choose_named(work, context, "", persistent, algorithm);
}

/* Keeps the cheapest ones, in order; of equal ones those first that came first, as the choice does.
 */
static int insert(struct caucus_candidate *candidates, int count,
                  const struct caucus_candidate *candidate) {
    int at = count < CAUCUS_CANDIDATES ? count : CAUCUS_CANDIDATES;
    while (at > 0 && candidate->seconds < candidates[at - 1].seconds)
        at--;
    if (at == CAUCUS_CANDIDATES)
        return count;
    count = count < CAUCUS_CANDIDATES ? count + 1 : count;
    memmove(candidates + at + 1, candidates + at, (size_t)(count - at - 1) * sizeof *candidates);
    candidates[at] = *candidate;
    return count;
}

/* Entries of the table that differ by what they need alone; where both can serve, they are one. */
static bool is_there(const struct caucus_candidate *candidates, int count,
                     const struct caucus_algorithm *algorithm) {
    for (int i = 0; i < count; i++)
        if (candidates[i].algorithm->emit == algorithm->emit)
            return true;
    return false;
}

/* In front of the others; the last one goes where there is no room. */
static int put_first(struct caucus_candidate *candidates, int count,
                     const struct caucus_candidate *first) {
    if (!first->algorithm)
        return count;
    count = count < CAUCUS_CANDIDATES ? count : CAUCUS_CANDIDATES - 1;
    memmove(candidates + 1, candidates, (size_t)count * sizeof *candidates);
    candidates[0] = *first;
    return count + 1;
}

int caucus_prepared_candidates(const struct caucus_work *work, const struct caucus_context *context,
                               const char *forced, bool persistent,
                               const struct caucus_algorithm *first, double factor,
                               struct caucus_candidate candidates[CAUCUS_CANDIDATES]) {
    char name[CAUCUS_ALGORITHM_NAME];
    struct caucus_candidate candidate, usually, found = {.algorithm = NULL};
    struct caucus_model model = context->settings.model, usual = context->settings.usual;
    unsigned exchanged = exchanged_for(work, persistent);
    double least = INFINITY;
    int count = 0;
    find_name(work, context, forced, name);
    adapt(context, work->task.collective, &model);
    adapt(context, work->task.collective, &usual);
    if (*name)
        return 0;
    for (int i = 0; caucus_algorithm_explain(&work->task, &model, exchanged, i, &candidate); i++) {
        caucus_algorithm_explain(&work->task, &usual, exchanged, i, &usually);
        if (candidate.lacks_memory || usually.lacks_memory)
            return -1;
        if (!candidate.serves || !usually.serves)
            continue;
        candidate.seconds = fmin(candidate.seconds, usually.seconds); /* the choice knows both */
        least = fmin(least, candidate.seconds);
        if (candidate.algorithm == first)
            found = candidate;
        else if (!(first && first->emit == candidate.algorithm->emit) &&
                 !is_there(candidates, count, candidate.algorithm))
            count = insert(candidates, count, &candidate);
    }
    while (count > 0 && candidates[count - 1].seconds > factor * least)
        count--;
    return put_first(candidates, count, &found);
}

/* "allreduce by ring"; snprintf takes as long as a choice. */
static void join(char *name, size_t room, const char *collective, const char *algorithm) {
    const char *const parts[] = {collective, " by ", algorithm};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t length = strlen(parts[i]);
        length = length < room ? length : room - 1;
        memcpy(name, parts[i], length);
        name += length;
        room -= length;
    }
    *name = '\0';
}

static int build(struct caucus_prepared *prepared, const struct caucus_work *work,
                 const struct caucus_algorithm *algorithm) {
    prepared->algorithm = algorithm;
    join(prepared->name, sizeof prepared->name, caucus_collective_name(work->task.collective),
         algorithm->name);
    int status = caucus_algorithm_build(algorithm, &work->task, &prepared->schedule);
    if (status == CAUCUS_NOT_APPLICABLE)
        return caucus_fail_in(status, "%s can't serve", prepared->name);
    if (status || !reads_row(algorithm))
        return status;
    prepared->row = caucus_array(work->row_bytes, 1);
    return prepared->row ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

int caucus_prepared_plan(struct caucus_work *work, struct caucus_context *context,
                         const char *forced, bool persistent, struct caucus_prepared **made) {
    const struct caucus_algorithm *algorithm;
    if (!persistent)
        caucus_learned_goes_by_model(work, context);
    struct caucus_prepared *prepared = caucus_array(1, sizeof *prepared);
    int status =
        prepared ? choose(work, context, forced, persistent, &algorithm) : CAUCUS_NO_MEMORY;
    if (!status)
        status = build(prepared, work, algorithm);
    if (status)
        caucus_prepared_free(prepared);
    *made = status ? NULL : prepared;
    return status;
}

/* The user's buffers, but for blocks that came before the collective began: they are its own from
 * now on. */
static int lay_out(const struct caucus_prepared *prepared, struct caucus_work *work,
                   struct caucus_layout *in, struct caucus_layout *out) {
    int status = caucus_work_layouts(work, in, out);
    if (status || !prepared->row)
        return status;
    caucus_layout_free(in);
    status = caucus_layout_elements(in, prepared->row, work->row_bytes, MPI_BYTE);
    if (status)
        caucus_layout_free(out);
    else
        memcpy(prepared->row, work->row, (size_t)work->row_bytes);
    return status;
}

int caucus_prepared_describe(struct caucus_prepared *prepared, struct caucus_work *work,
                             int sending, struct caucus_binding *binding) {
    bool reduces = caucus_shapes[work->task.collective].reduces;
    *binding = (struct caucus_binding){
        .schedule = &prepared->schedule,
        .op = reduces ? work->call->op : MPI_OP_NULL,
        .type = work->type,
        .sending = (enum caucus_sending)sending,
        .shares_memory = work->task.nodes != NULL,
        .name = prepared->name,
    };
    return lay_out(prepared, work, &binding->in, &binding->out);
}

int caucus_prepared_run_in(struct caucus_prepared *prepared, struct caucus_engine *engine,
                           struct caucus_arena *arena, struct caucus_binding *binding) {
    prepared->engine = engine;
    return caucus_execution_create(engine, arena, binding, &prepared->execution);
}

int caucus_prepared_bind(struct caucus_prepared *prepared, struct caucus_work *work, int sending,
                         struct caucus_engine *engine, struct caucus_arena *arena) {
    struct caucus_binding binding;
    int status = caucus_prepared_describe(prepared, work, sending, &binding);
    return status ? status : caucus_prepared_run_in(prepared, engine, arena, &binding);
}

int caucus_prepared_rebind(struct caucus_prepared *prepared, struct caucus_work *work) {
    struct caucus_layout in, out;
    int status = lay_out(prepared, work, &in, &out);
    if (!status)
        caucus_execution_rebind(prepared->execution, in, out);
    return status;
}

void caucus_prepared_free(struct caucus_prepared *prepared) {
    if (!prepared)
        return;
    if (prepared->execution)
        caucus_execution_free(prepared->execution);
    if (prepared->arena)
        caucus_arena_free(prepared->engine, prepared->arena);
    caucus_schedule_free(&prepared->schedule);
    caucus_key_free(&prepared->key);
    free(prepared->row);
    free(prepared);
}
