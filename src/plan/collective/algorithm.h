/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of algorithms: what lists, forces, explains and chooses them. What writes the
 * operations is declared in algorithms.h; see docs/development/adding.md for how to add one. */
#ifndef CAUCUS_PLAN_COLLECTIVE_ALGORITHM_H
#define CAUCUS_PLAN_COLLECTIVE_ALGORITHM_H

#include "plan/collective/task.h"
#include "plan/machine/model.h"
#include "plan/schedule/builder.h"

/* What an algorithm asks for. */
enum caucus_needs {
    CAUCUS_NEEDS_COMMUTATIVE = 1
        << 0,                       /* it combines operands in another order than that of ranks */
    CAUCUS_NEEDS_NODES = 1 << 1,    /* it uses node memory: task->nodes */
    CAUCUS_NEEDS_ONE_NODE = 1 << 2, /* ... and all ranks are on one node */
    CAUCUS_NEEDS_COUNTS = 1 << 3,   /* gatherv, scatterv: counts_known, exchanged at init */
    CAUCUS_NEEDS_TRAFFIC = 1 << 4,  /* task->traffic, exchanged at init */
    CAUCUS_NEEDS_ORDERED = 1 << 5   /* nodes are blocks of ranks */
};

/* Emits this rank's operations. The same function serves every p from 1 on. */
typedef void caucus_algorithm_emit(struct caucus_builder *builder, const struct caucus_task *task);

/* Seconds of the slowest rank, from what is the same on all ranks: the task that the choice makes
 * of a rank's own one has nothing else, so neither rank nor root. Never negative; grows with
 * volume, but for an exchange by nodes where it begins to go straight. */
typedef double caucus_algorithm_cost(const struct caucus_task *task,
                                     const struct caucus_model *model);

struct caucus_algorithm {
    enum caucus_collective collective;
    const char *name;    /* "recursive_doubling": unique within the collective */
    const char *summary; /* one line: what it does, its rounds and bytes, its source */
    unsigned needs;
    caucus_algorithm_emit *emit;
    caucus_algorithm_cost *cost;
};

/* The table's entry, NULL beyond its end; all of a collective stand together. */
const struct caucus_algorithm *caucus_algorithm_entry(int index);
/* The index of the collective's first one. */
int caucus_algorithm_first(enum caucus_collective collective);
const struct caucus_algorithm *caucus_algorithm_find(enum caucus_collective collective,
                                                     const char *name);

/* Which of these needs the task does not meet, in words; NULL if it meets them all. The same on all
 * ranks. */
const char *caucus_algorithm_unmet(unsigned needs, const struct caucus_task *task);

/* Whether it can serve the task; if not, a status with a text that says why. The same outcome on
 * all ranks. */
int caucus_algorithm_serves(const struct caucus_algorithm *algorithm,
                            const struct caucus_task *task);

/* This rank's schedule. */
int caucus_algorithm_build(const struct caucus_algorithm *algorithm, const struct caucus_task *task,
                           struct caucus_schedule *schedule);

#endif
