/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice among the algorithms of a collective. All ranks must come to the same: a cost formula
 * sees nothing of what a rank has for itself. */
#include "plan/choice/choose.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/intergroup/intergroup.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EXCHANGES = CAUCUS_NEEDS_COUNTS | CAUCUS_NEEDS_TRAFFIC };

/* Whether every rank has the lengths of all. */
static bool counts_of_all(const struct caucus_task *task) {
    enum caucus_collective collective = task->collective;
    if (collective == CAUCUS_GATHERV || collective == CAUCUS_SCATTERV)
        return task->counts_known;
    return collective == CAUCUS_ALLGATHERV || collective == CAUCUS_REDUCE_SCATTER;
}

/* What of a task is the same on all ranks; blocks of neighbours need not be. */
static struct caucus_task common(const struct caucus_task *task) {
    if (task->first_group)
        return caucus_intergroup_common(task);
    bool counts = counts_of_all(task);
    bool even = !caucus_task_irregular(task->collective) && !caucus_task_neighborhood(task);
    struct caucus_task same = {
        .collective = task->collective,
        .ranks = task->ranks,
        .commutative = task->commutative,
        .element = task->element,
        .bytes = even ? task->bytes : 0,
        .send_bytes = counts ? task->send_bytes : NULL,
        .receive_bytes = counts ? task->receive_bytes : NULL,
        .counts_known = task->counts_known,
        .traffic = task->traffic,
        .nodes = task->nodes,
        .node_limit = task->node_limit,
        .segment = task->segment,
        .volume = task->volume,
    };
    return same;
}

/* The algorithm of the task's collective that comes at index, NULL beyond the last: all of one
 * stand together. */
static const struct caucus_algorithm *entry_of(const struct caucus_task *task, int first,
                                               int index) {
    const struct caucus_algorithm *entry = task->first_group
                                               ? caucus_intergroup_algorithm(first + index)
                                               : caucus_algorithm_entry(first + index);
    return entry && entry->collective == task->collective ? entry : NULL;
}

static int first_of(const struct caucus_task *task) {
    return task->first_group ? caucus_intergroup_algorithm_first(task->collective)
                             : caucus_algorithm_first(task->collective);
}

static const struct caucus_algorithm *find(const struct caucus_task *task, const char *name) {
    return task->first_group ? caucus_intergroup_algorithm_find(task->collective, name)
                             : caucus_algorithm_find(task->collective, name);
}

/* Why it can't serve, NULL if it can. What will have been exchanged need not be there yet. */
static const char *obstacle(const struct caucus_algorithm *algorithm,
                            const struct caucus_task *task, unsigned allowed) {
    if (algorithm->needs & EXCHANGES & ~allowed)
        return "it exchanges counts first, which only persistent operations do";
    return caucus_algorithm_unmet(algorithm->needs & ~(unsigned)EXCHANGES, task);
}

/* Says nothing about the algorithm, and other ranks may have had the memory: nothing is chosen. */
static const char out_of_memory[] = "out of memory";

static const char *predict(const struct caucus_algorithm *algorithm, const struct caucus_task *task,
                           const struct caucus_task *same, const struct caucus_model *model,
                           unsigned allowed, double *seconds) {
    const char *why = obstacle(algorithm, task, allowed);
    if (why)
        return why;
    int64_t refusals = caucus_memory_refusals();
    *seconds = algorithm->cost(same, model);
    if (caucus_memory_refusals() != refusals)
        return out_of_memory;
    return isfinite(*seconds) ? NULL : "not this size on these nodes";
}

static int refuse(const struct caucus_algorithm *algorithm, const char *why) {
    int status = why == out_of_memory ? CAUCUS_NO_MEMORY : CAUCUS_NOT_APPLICABLE;
    return caucus_fail(status, "%s by %s can't serve: %s",
                       caucus_collective_name(algorithm->collective), algorithm->name, why);
}

bool caucus_algorithm_explain(const struct caucus_task *task, const struct caucus_model *model,
                              unsigned allowed, int index, struct caucus_candidate *candidate) {
    const struct caucus_algorithm *algorithm = entry_of(task, first_of(task), index);
    if (!algorithm)
        return false;
    *candidate = (struct caucus_candidate){.algorithm = algorithm};
    const struct caucus_task same = common(task);
    const char *why = predict(algorithm, task, &same, model, allowed, &candidate->seconds);
    candidate->serves = !why;
    candidate->lacks_memory = why == out_of_memory;
    if (why) {
        refuse(algorithm, why);
        snprintf(candidate->why, sizeof candidate->why, "%s", caucus_error_text());
    }
    return true;
}

static int unknown(const struct caucus_task *task, const char *forced) {
    const struct caucus_algorithm *algorithm;
    char names[1024] = "";
    const int first = first_of(task);
    for (int i = 0; (algorithm = entry_of(task, first, i)); i++) {
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "",
                 algorithm->name);
    }
    return caucus_fail(CAUCUS_BAD_ARGUMENT, "there is no algorithm '%s' of %s: there is %s", forced,
                       caucus_collective_name(task->collective), *names ? names : "none");
}

/* By its cost too, which is the same on all ranks: what is refused while a schedule is built may be
 * so on some ranks only, for which the others would wait. */
static int choose_forced(const struct caucus_task *task, const struct caucus_model *model,
                         const char *forced, unsigned allowed,
                         const struct caucus_algorithm **algorithm) {
    const struct caucus_task same = common(task);
    double seconds;
    *algorithm = find(task, forced);
    if (!*algorithm)
        return unknown(task, forced);
    const char *why = predict(*algorithm, task, &same, model, allowed, &seconds);
    return why ? refuse(*algorithm, why) : CAUCUS_OK;
}

static int none_serves(const struct caucus_task *task) {
    return caucus_fail(CAUCUS_NOT_APPLICABLE, "no algorithm of %s can serve",
                       caucus_collective_name(task->collective));
}

int caucus_algorithm_choose(const struct caucus_task *task, const struct caucus_model *model,
                            const char *forced, unsigned allowed,
                            const struct caucus_algorithm **algorithm) {
    const struct caucus_algorithm *entry;
    double least = INFINITY, seconds;
    if (forced && *forced)
        return choose_forced(task, model, forced, allowed, algorithm);
    const struct caucus_task same = common(task);
    const int first = first_of(task);
    *algorithm = NULL;
    for (int i = 0; (entry = entry_of(task, first, i)); i++) {
        const char *why = predict(entry, task, &same, model, allowed, &seconds);
        if (why == out_of_memory)
            return refuse(entry, why);
        if (!why && seconds < least) {
            least = seconds;
            *algorithm = entry;
        }
    }
    return *algorithm ? CAUCUS_OK : none_serves(task);
}

int caucus_algorithm_choose_measured(const struct caucus_task *task,
                                     const struct caucus_model *measured,
                                     const struct caucus_model *usual, unsigned allowed,
                                     const struct caucus_algorithm **algorithm) {
    static const double MUCH = 2;
    const struct caucus_algorithm *entry, *cheapest = NULL, *usually = NULL;
    double least = INFINITY, least_usual = INFINITY, of_usual = INFINITY, seconds, usual_seconds;
    const struct caucus_task same = common(task);
    const int first = first_of(task);
    for (int i = 0; (entry = entry_of(task, first, i)); i++) {
        const char *why = predict(entry, task, &same, measured, allowed, &seconds);
        if (!why)
            why = predict(entry, task, &same, usual, allowed, &usual_seconds);
        if (why == out_of_memory)
            return refuse(entry, why);
        if (!why && seconds < least) {
            least = seconds;
            cheapest = entry;
        }
        if (!why && usual_seconds < least_usual) {
            least_usual = usual_seconds;
            of_usual = seconds;
            usually = entry;
        }
    }
    *algorithm = usually && MUCH * least >= of_usual ? usually : cheapest;
    return *algorithm ? CAUCUS_OK : none_serves(task);
}
