/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice among the algorithms of a collective. All ranks must come to the same: a cost formula
 * sees nothing of what a rank has for itself. */
#include "plan/choice/choose.h"

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

/* What of a task is the same on all ranks. */
static struct caucus_task common(const struct caucus_task *task) {
    if (task->first_group)
        return caucus_intergroup_common(task);
    bool counts = counts_of_all(task);
    struct caucus_task same = {
        .collective = task->collective,
        .ranks = task->ranks,
        .commutative = task->commutative,
        .element = task->element,
        .bytes = caucus_task_irregular(task->collective) ? 0 : task->bytes,
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

static const struct caucus_algorithm *entry_of(const struct caucus_task *task, int index) {
    return task->first_group ? caucus_intergroup_algorithm(index) : caucus_algorithm_entry(index);
}

static const struct caucus_algorithm *find(const struct caucus_task *task, const char *name) {
    return task->first_group ? caucus_intergroup_algorithm_find(task->collective, name)
                             : caucus_algorithm_find(task->collective, name);
}

/* What will have been exchanged need not be there yet. */
static int check(const struct caucus_algorithm *algorithm, const struct caucus_task *task,
                 unsigned allowed) {
    struct caucus_algorithm apart = *algorithm;
    apart.needs &= ~(unsigned)EXCHANGES;
    if (algorithm->needs & EXCHANGES & ~allowed)
        return caucus_fail(CAUCUS_NOT_APPLICABLE,
                           "%s by %s can't serve: it exchanges counts first, which only persistent "
                           "operations do",
                           caucus_collective_name(task->collective), algorithm->name);
    return caucus_algorithm_serves(&apart, task);
}

static int consider(const struct caucus_algorithm *algorithm, const struct caucus_task *task,
                    const struct caucus_model *model, unsigned allowed, double *seconds) {
    int status = check(algorithm, task, allowed);
    if (status)
        return status;
    struct caucus_task same = common(task);
    *seconds = algorithm->cost(&same, model);
    if (!isfinite(*seconds))
        return caucus_fail(CAUCUS_NOT_APPLICABLE, "%s by %s can't serve: not this size",
                           caucus_collective_name(task->collective), algorithm->name);
    return CAUCUS_OK;
}

bool caucus_algorithm_explain(const struct caucus_task *task, const struct caucus_model *model,
                              unsigned allowed, int index, struct caucus_candidate *candidate) {
    const struct caucus_algorithm *algorithm;
    for (int i = 0; (algorithm = entry_of(task, i)); i++)
        if (algorithm->collective == task->collective && index-- == 0)
            break;
    if (!algorithm)
        return false;
    *candidate = (struct caucus_candidate){.algorithm = algorithm};
    candidate->serves = !consider(algorithm, task, model, allowed, &candidate->seconds);
    if (!candidate->serves)
        snprintf(candidate->why, sizeof candidate->why, "%s", caucus_error_text());
    return true;
}

static int unknown(const struct caucus_task *task, const char *forced) {
    const struct caucus_algorithm *algorithm;
    char names[1024] = "";
    for (int i = 0; (algorithm = entry_of(task, i)); i++) {
        size_t length = strlen(names);
        if (algorithm->collective == task->collective)
            snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "",
                     algorithm->name);
    }
    return caucus_fail(CAUCUS_BAD_ARGUMENT, "there is no algorithm '%s' of %s: there is %s", forced,
                       caucus_collective_name(task->collective), *names ? names : "none");
}

int caucus_algorithm_choose(const struct caucus_task *task, const struct caucus_model *model,
                            const char *forced, unsigned allowed,
                            const struct caucus_algorithm **algorithm) {
    const struct caucus_algorithm *entry;
    double least = INFINITY, seconds;
    if (forced && *forced) {
        *algorithm = find(task, forced);
        return *algorithm ? check(*algorithm, task, allowed) : unknown(task, forced);
    }
    *algorithm = NULL;
    for (int i = 0; (entry = entry_of(task, i)); i++)
        if (entry->collective == task->collective &&
            !consider(entry, task, model, allowed, &seconds) && seconds < least) {
            least = seconds;
            *algorithm = entry;
        }
    return *algorithm ? CAUCUS_OK
                      : caucus_fail(CAUCUS_NOT_APPLICABLE, "no algorithm of %s can serve",
                                    caucus_collective_name(task->collective));
}
