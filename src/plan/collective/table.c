/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective/algorithm.h"

#include "base/status.h"

#include <stddef.h>
#include <string.h>

#define ALGORITHM(name) extern const struct caucus_algorithm caucus_##name;
#include "plan/collective/algorithms.h"
#undef ALGORITHM

#define ALGORITHM(name) &caucus_##name,
static const struct caucus_algorithm *const table[] = {
#include "plan/collective/algorithms.h"
};
#undef ALGORITHM

enum { ALGORITHMS = sizeof table / sizeof *table };

const struct caucus_algorithm *caucus_algorithm_entry(int index) {
    return index >= 0 && index < ALGORITHMS ? table[index] : NULL;
}

const struct caucus_algorithm *caucus_algorithm_find(enum caucus_collective collective,
                                                     const char *name) {
    for (int i = 0; i < ALGORITHMS; i++)
        if (table[i]->collective == collective && strcmp(table[i]->name, name) == 0)
            return table[i];
    return NULL;
}

static const char *unmet(unsigned needs, const struct caucus_task *task) {
    if (needs & CAUCUS_NEEDS_COMMUTATIVE && !task->commutative)
        return "the operation is not commutative";
    if (needs & (CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_ONE_NODE) && !task->nodes)
        return "no memory is shared";
    if (needs & CAUCUS_NEEDS_ONE_NODE && task->nodes->nodes > 1)
        return "the ranks are on several nodes";
    if (needs & CAUCUS_NEEDS_ORDERED && !task->nodes->ordered)
        return "the nodes are not blocks of ranks";
    if (needs & CAUCUS_NEEDS_COUNTS && !task->counts_known)
        return "the counts of all ranks are known to persistent operations only";
    if (needs & CAUCUS_NEEDS_TRAFFIC && !task->traffic)
        return "who sends to whom is known to persistent operations only";
    return NULL;
}

int caucus_algorithm_serves(const struct caucus_algorithm *algorithm,
                            const struct caucus_task *task) {
    const char *why = unmet(algorithm->needs, task);
    return why ? caucus_fail(CAUCUS_NOT_APPLICABLE, "%s by %s can't serve: %s",
                             caucus_collective_name(task->collective), algorithm->name, why)
               : CAUCUS_OK;
}

int caucus_algorithm_build(const struct caucus_algorithm *algorithm, const struct caucus_task *task,
                           struct caucus_schedule *schedule) {
    struct caucus_builder builder;
    caucus_builder_init(&builder, task->ranks, task->rank);
    algorithm->emit(&builder, task);
    return caucus_builder_finish(&builder, schedule);
}
