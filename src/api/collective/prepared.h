/* SPDX-License-Identifier: BSD-3-Clause */
/* A task with the algorithm that was chosen for it, its schedule, and what executes it. */
#ifndef CAUCUS_API_COLLECTIVE_PREPARED_H
#define CAUCUS_API_COLLECTIVE_PREPARED_H

#include "api/collective/work.h"

enum { CAUCUS_PREPARED_NAME = 96 };

struct caucus_prepared {
    const struct caucus_algorithm *algorithm;
    struct caucus_schedule schedule; /* owned */
    struct caucus_execution *execution;
    char name[CAUCUS_PREPARED_NAME]; /* "allreduce by ring" */
};

/* Chooses and works out. forced is the name of an algorithm, or "" for the team's settings and the
 * cost model. Uses the counts and the traffic that the work has only where persistent is set.
 * Local; all ranks choose alike. prepared is to be freed. */
int caucus_prepared_plan(struct caucus_prepared *prepared, struct caucus_work *work,
                         const struct caucus_team *team, const char *forced, bool persistent);

/* Whether its schedule sends what the work has in a row, not what the user gave. */
bool caucus_prepared_reads_row(const struct caucus_prepared *prepared);

/* The call's buffers, operation and datatype, bound to the schedule. Local. */
int caucus_prepared_describe(struct caucus_prepared *prepared, struct caucus_work *work,
                             const struct caucus_team_settings *settings,
                             struct caucus_binding *binding);

/* Works the schedule out again, from the same task. Inactive only. */
int caucus_prepared_rebuild(struct caucus_prepared *prepared, const struct caucus_task *task);

/* Inactive only. */
void caucus_prepared_free(struct caucus_prepared *prepared);

#endif
