/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/prepared.h"

#include "api/collective/forced.h"
#include "api/collective/shape.h"
#include "base/status.h"
#include "plan/collective/algorithm.h"
#include "plan/intergroup/eager.h"

#include <stdio.h>
#include <string.h>

/* All ranks come to the same. */
static bool eager_pays(const struct caucus_task *task, const struct caucus_model *model,
                       const struct caucus_algorithm *other) {
    struct caucus_task same = caucus_intergroup_common(task);
    return caucus_intergroup_allgatherv_eager.cost(&same, model) <= other->cost(&same, model);
}

bool caucus_prepared_reads_row(const struct caucus_prepared *prepared) {
    return prepared->algorithm == &caucus_intergroup_allgatherv_eager;
}

int caucus_prepared_plan(struct caucus_prepared *prepared, struct caucus_work *work,
                         const struct caucus_team *team, const char *forced, bool persistent) {
    char name[CAUCUS_ALGORITHM_NAME];
    const struct caucus_algorithm *algorithm;
    enum caucus_collective collective = work->task.collective;
    unsigned exchanged =
        0; /* also where CAUCUS_CHECK has exchanged it: the choice stays the same */
    bool always = work->task.first_group > 0 &&
                  (collective == CAUCUS_ALLGATHERV || collective == CAUCUS_REDUCE_SCATTER);
    if ((persistent || always) && work->task.counts_known)
        exchanged |= CAUCUS_NEEDS_COUNTS;
    if (persistent && work->task.traffic)
        exchanged |= CAUCUS_NEEDS_TRAFFIC;
    *prepared = (struct caucus_prepared){0};
    if (team->between && !team->engine)
        strcpy(name, "direct"); /* ranks that know no union yet can do no other */
    else
        caucus_forced_find(*forced ? forced : team->settings.forced, collective, team->between,
                           name);
    int status =
        caucus_algorithm_choose(&work->task, &team->settings.model, name, exchanged, &algorithm);
    if (status)
        return status;
    if (work->task.crossed && !*name && eager_pays(&work->task, &team->settings.model, algorithm))
        algorithm = &caucus_intergroup_allgatherv_eager;
    prepared->algorithm = algorithm;
    snprintf(prepared->name, sizeof prepared->name, "%s by %s", caucus_collective_name(collective),
             algorithm->name);
    status = caucus_algorithm_build(algorithm, &work->task, &prepared->schedule);
    return status == CAUCUS_NOT_APPLICABLE
               ? caucus_fail_in(status, "%s can't serve", prepared->name)
               : status;
}

int caucus_prepared_describe(struct caucus_prepared *prepared, struct caucus_work *work,
                             const struct caucus_team_settings *settings,
                             struct caucus_binding *binding) {
    bool reduces = caucus_shapes[work->task.collective].reduces;
    bool persistent = work->call->form == CAUCUS_FORM_PERSISTENT;
    *binding = (struct caucus_binding){
        .schedule = &prepared->schedule,
        .op = reduces ? work->call->op : MPI_OP_NULL,
        .type = work->type,
        .sending = persistent ? (enum caucus_sending)settings->sending : CAUCUS_SENDING_IMMEDIATE,
        .requests_at_init = settings->requests_at_init,
        .name = prepared->name,
    };
    return caucus_work_layouts(work, &binding->in, &binding->out);
}

int caucus_prepared_rebuild(struct caucus_prepared *prepared, const struct caucus_task *task) {
    struct caucus_schedule built;
    int status = caucus_algorithm_build(prepared->algorithm, task, &built);
    if (status)
        return status;
    caucus_schedule_free(&prepared->schedule);
    prepared->schedule = built;
    caucus_execution_reschedule(prepared->execution);
    return CAUCUS_OK;
}

void caucus_prepared_free(struct caucus_prepared *prepared) {
    if (prepared->execution)
        caucus_execution_free(prepared->execution);
    caucus_schedule_free(&prepared->schedule);
    prepared->execution = NULL;
}
