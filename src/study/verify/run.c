/* SPDX-License-Identifier: BSD-3-Clause */
/* The symbolic run. All operations of a step begin together; messages are handed over when both
 * sides have come to them, as if no send could end before; whoever has finished a step goes on.
 * There is no choice in a schedule, so one order of events stands for all. */
#include "study/verify/state.h"

#include "base/status.h"

#include <stddef.h>

static void make_ready(struct caucus_verify *verify, int32_t rank) {
    int64_t at = ((int64_t)verify->ready_begin + verify->ready_count++) % verify->ranks;
    verify->ready[at] = rank;
}

int caucus_verify_finished_one(struct caucus_verify *verify, int32_t rank) {
    if (--verify->rank[rank].unfinished == 0)
        make_ready(verify, rank);
    return CAUCUS_OK;
}

/* Both sides are there. */
static int hand_over(struct caucus_verify *verify, int32_t from, int64_t send, int32_t to,
                     int64_t receive) {
    const struct caucus_operation *source = &verify->rank[from].operations[send];
    const struct caucus_operation *target = &verify->rank[to].operations[receive];
    int status = caucus_verify_read(verify, from, send, source->source, source->source_offset,
                                    source->length, &verify->pieces);
    if (!status)
        status = caucus_verify_write(verify, to, receive, target->target, target->target_offset,
                                     &verify->pieces);
    if (!status)
        status = caucus_verify_hear(verify, to, from);
    if (!status)
        status = caucus_verify_finished_one(verify, from);
    return status ? status : caucus_verify_finished_one(verify, to);
}

static int begin_operation(struct caucus_verify *verify, int32_t r, int64_t i) {
    struct caucus_verify_rank *rank = &verify->rank[r];
    const struct caucus_operation *operation = &rank->operations[i];
    int status = CAUCUS_OK;
    switch (operation->kind) {
    case CAUCUS_OPERATION_SEND:
        if (rank->partner[i] < verify->rank[operation->peer].posted)
            return hand_over(verify, r, i, operation->peer, rank->partner[i]);
        return CAUCUS_OK;
    case CAUCUS_OPERATION_RECEIVE:
        if (rank->partner[i] < verify->rank[operation->peer].posted)
            return hand_over(verify, operation->peer, rank->partner[i], r, i);
        return CAUCUS_OK;
    case CAUCUS_OPERATION_AWAIT:
        return caucus_verify_await(verify, r, i, operation->target_offset);
    case CAUCUS_OPERATION_SIGNAL:
        status = caucus_verify_signal(verify, r, i);
        break;
    case CAUCUS_OPERATION_REDUCE:
        status = caucus_verify_combine(verify, r, i);
        break;
    default:
        status = caucus_verify_read(verify, r, i, operation->source, operation->source_offset,
                                    operation->length, &verify->pieces);
        if (!status)
            status = caucus_verify_write(verify, r, i, operation->target, operation->target_offset,
                                         &verify->pieces);
    }
    return status ? status : caucus_verify_finished_one(verify, r);
}

static void learn(struct caucus_verify_rank *rank) {
    if (!rank->coming)
        return;
    caucus_clock_release(rank->clock);
    rank->clock = rank->coming;
    rank->coming = NULL;
}

static int check_synchronising(const struct caucus_verify *verify, int32_t r) {
    const struct caucus_verify_rank *rank = &verify->rank[r];
    int32_t ranks = verify->node[rank->node].ranks;
    for (int32_t local = 0; local < ranks; local++)
        if (local != rank->local && (!rank->clock || rank->clock->seen[local] == 0))
            return caucus_fail(CAUCUS_INTERNAL,
                               "rank %d claims to be synchronising, but completes without a sign "
                               "that local rank %d of its node has started",
                               r, local);
    return CAUCUS_OK;
}

/* Between two groups each waits for all of the other one. */
static int check_barrier(const struct caucus_verify *verify, int32_t r) {
    int32_t first = verify->specification->first_group;
    for (int32_t other = 0; other < verify->ranks; other++) {
        bool awaited = !first || (r < first) != (other < first);
        if (awaited && !caucus_clock_knows_start(verify->rank[r].clock, other))
            return caucus_fail(CAUCUS_INTERNAL,
                               "rank %d completes a barrier without a sign that rank %d has "
                               "started",
                               r, other);
    }
    return CAUCUS_OK;
}

static int end_schedule(struct caucus_verify *verify, int32_t r) {
    struct caucus_verify_rank *rank = &verify->rank[r];
    rank->done = true;
    int status = rank->synchronising ? check_synchronising(verify, r) : CAUCUS_OK;
    return !status && verify->specification->barrier ? check_barrier(verify, r) : status;
}

static int begin_step(struct caucus_verify *verify, int32_t r) {
    struct caucus_verify_rank *rank = &verify->rank[r];
    int64_t end;
    learn(rank);
    if (rank->posted == rank->count)
        return end_schedule(verify, r);
    rank->step_begin = rank->posted;
    int status = caucus_verify_step(verify, r, rank->step_begin, &end);
    if (status)
        return status;
    rank->time++;
    if (verify->verdict.steps < rank->time)
        verify->verdict.steps = rank->time;
    rank->unfinished = end - rank->step_begin + 1; /* one more, so that it is not ready too early */
    for (int64_t i = rank->step_begin; i < end && !status; i++) {
        rank->posted = i + 1;
        status = begin_operation(verify, r, i);
    }
    return status ? status : caucus_verify_finished_one(verify, r);
}

int caucus_verify_run(struct caucus_verify *verify) {
    for (int32_t r = 0; r < verify->ranks; r++)
        make_ready(verify, r);
    while (verify->ready_count > 0) {
        int32_t r = verify->ready[verify->ready_begin];
        verify->ready_begin = (verify->ready_begin + 1) % verify->ranks;
        verify->ready_count--;
        int status = begin_step(verify, r);
        if (status)
            return status;
    }
    return caucus_verify_stuck(verify);
}
