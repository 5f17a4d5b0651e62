/* SPDX-License-Identifier: BSD-3-Clause */
/* Schedules that do not fit together, in words. */
#include "base/status.h"
#include "study/simulate/internal.h"

static int check_operation(const struct simulator *simulator, int32_t rank, int64_t index) {
    const struct caucus_schedule *schedule = &simulator->schedules[rank];
    const struct caucus_operation *operation = &schedule->operations[index];
    int64_t lines = schedule->lines, line = operation->target_offset;
    bool sound = operation->length > 0;
    switch (operation->kind) {
    case CAUCUS_OPERATION_SEND:
    case CAUCUS_OPERATION_RECEIVE:
        sound = sound && operation->peer >= 0 && operation->peer < simulator->ranks;
        break;
    case CAUCUS_OPERATION_SIGNAL:
        sound = sound && line >= 0 && line < lines && operation->length < CAUCUS_FLAG_LIMIT;
        break;
    case CAUCUS_OPERATION_AWAIT:
        sound = sound && line >= 0 && operation->peer > 0 && line <= lines - operation->peer &&
                operation->length < CAUCUS_FLAG_LIMIT;
        break;
    default:
        sound = sound && operation->kind < CAUCUS_OPERATION_KINDS;
    }
    return sound ? CAUCUS_OK
                 : caucus_fail(CAUCUS_BAD_ARGUMENT,
                               "operation %lld of rank %d is none: its peer, line or length is not "
                               "in range",
                               (long long)index, rank);
}

int caucus_simulated_check(const struct simulator *simulator) {
    const struct caucus_model *model = simulator->model;
    if (!(model->ports >= 0 && model->ports <= CAUCUS_MODEL_MOST_PORTS &&
          model->ports == (int)model->ports))
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "%g ports: a whole number from 0 (any number) to %d is needed",
                           model->ports, CAUCUS_MODEL_MOST_PORTS);
    if (simulator->nodes && simulator->nodes->ranks != simulator->ranks)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "the nodes have %d ranks, the schedules %d",
                           simulator->nodes->ranks, simulator->ranks);
    for (int32_t rank = 0; rank < simulator->ranks; rank++)
        for (int64_t i = 0; i < simulator->schedules[rank].count; i++) {
            int status = check_operation(simulator, rank, i);
            if (status)
                return status;
        }
    return CAUCUS_OK;
}

static int64_t step_number(const struct caucus_schedule *schedule, int64_t begin) {
    int64_t step = 0;
    for (int64_t i = 0; i < begin; i++)
        step += schedule->operations[i].ends_step;
    return step;
}

/* A flag that is not there; NOBODY where all are. */
static int64_t missing_line(const struct simulator *simulator, int32_t rank,
                            const struct caucus_operation *operation) {
    int64_t first = simulator->node[caucus_simulated_node(simulator, rank)].first_flag;
    for (int64_t i = 0; i < operation->peer; i++)
        if (simulator->flag_value[first + operation->target_offset + i] < operation->length)
            return operation->target_offset + i;
    return NOBODY;
}

static int stuck_rank(const struct simulator *simulator, int32_t rank) {
    const struct rank_state *state = &simulator->rank[rank];
    const struct caucus_schedule *schedule = &simulator->schedules[rank];
    int64_t step = step_number(schedule, state->step), line;
    for (int64_t i = state->step; i < state->next; i++) {
        const struct caucus_operation *operation = &schedule->operations[i];
        if (operation->kind == CAUCUS_OPERATION_RECEIVE &&
            caucus_simulated_awaits_send(simulator, operation->peer, rank))
            return caucus_fail(CAUCUS_BAD_ARGUMENT,
                               "rank %d waits for ever in step %lld: for a message from rank %d",
                               rank, (long long)step, operation->peer);
        if (operation->kind == CAUCUS_OPERATION_AWAIT &&
            (line = missing_line(simulator, rank, operation)) != NOBODY)
            return caucus_fail(CAUCUS_BAD_ARGUMENT,
                               "rank %d waits for ever in step %lld: for flag %lld to be %lld",
                               rank, (long long)step, (long long)line,
                               (long long)operation->length);
    }
    return caucus_fail(CAUCUS_INTERNAL, "rank %d does not get beyond step %lld", rank,
                       (long long)step);
}

int caucus_simulated_stuck(const struct simulator *simulator) {
    for (int32_t rank = 0; rank < simulator->ranks; rank++)
        if (simulator->rank[rank].pending > 0)
            return stuck_rank(simulator, rank);
    for (int64_t i = 0; i < simulator->pair_room; i++)
        if (simulator->pairs[i].key) {
            const struct message *message = &simulator->messages[simulator->pairs[i].first];
            return caucus_fail(CAUCUS_BAD_ARGUMENT,
                               "rank %d never receives a message that rank %d sends it",
                               message->target, message->source);
        }
    return CAUCUS_OK;
}
