/* SPDX-License-Identifier: BSD-3-Clause */
/* Discrete events. A rank has one processor, which turns to the operations of a step one after the
 * other, messages first: each takes model->operation, a send its overhead besides, a copy its
 * bytes. A receive takes its overhead when all of it is there. What goes on elsewhere meanwhile is
 * in the other files. */
#include "plan/schedule/simulate.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/schedule/simulate_internal.h"

#include <stdlib.h>

void *caucus_simulated_room(struct simulator *simulator, void *array, size_t size, int32_t count,
                            int32_t *room) {
    if (count < *room)
        return array;
    int64_t larger = *room ? 2 * (int64_t)*room : 64;
    void *entries = larger <= INT32_MAX ? realloc(array, (size_t)larger * size) : NULL;
    if (entries)
        *room = (int32_t)larger;
    else
        simulator->status = caucus_fail(CAUCUS_NO_MEMORY, "no memory for %lld messages on the way",
                                        (long long)larger);
    return entries;
}

void caucus_simulated_push(struct simulator *simulator, enum event_kind kind, double time,
                           int32_t subject, int32_t value) {
    struct caucus_queued event = {
        .time = time, .kind = kind & 0xff, .value = (uint32_t)value & 0xffffff, .subject = subject};
    if (!caucus_event_push(&simulator->queue, event))
        simulator->status = CAUCUS_NO_MEMORY;
}

void caucus_simulated_tell(struct simulator *simulator, int32_t rank, int32_t peer, int kind,
                           double begin, double end, int64_t bytes) {
    struct caucus_simulated_event event = {rank, peer, (uint8_t)kind, begin, end, begin, bytes};
    if (simulator->on_event)
        simulator->on_event(simulator->context, &event);
}

/* Whether it stays with its sender until its receive is posted. */
static bool waits_for_receive(const struct simulator *simulator, int64_t bytes) {
    return simulator->model->eager > 0 && (double)bytes > simulator->model->eager;
}

static void issue_send(struct simulator *simulator, int32_t rank,
                       const struct caucus_operation *operation) {
    struct rank_state *state = &simulator->rank[rank];
    enum caucus_distance distance = caucus_simulated_distance(simulator, rank, operation->peer);
    int32_t index = caucus_simulated_send(simulator, rank, operation->peer, operation->length);
    if (index == NOBODY)
        return;
    simulator->messages[index].order = simulator->sends++;
    simulator->messages[index].issued = state->processor;
    state->processor += simulator->model->operation + simulator->model->overhead[distance];
    simulator->messages[index].ready = state->processor;
    state->pending++;
    if (simulator->messages[index].posted >= 0 || !waits_for_receive(simulator, operation->length))
        caucus_simulated_queue(simulator, index);
}

static void issue_receive(struct simulator *simulator, int32_t rank,
                          const struct caucus_operation *operation) {
    struct rank_state *state = &simulator->rank[rank];
    int32_t index = caucus_simulated_receive(simulator, operation->peer, rank, operation->length);
    if (index == NOBODY)
        return;
    struct message *message = &simulator->messages[index];
    state->processor += simulator->model->operation;
    message->posted = state->processor;
    state->pending++;
    if (message->sent && waits_for_receive(simulator, operation->length)) {
        message->ready = caucus_later(message->ready, message->posted);
        caucus_simulated_queue(simulator, index);
    }
    if (message->arrived >= 0)
        caucus_simulated_push(simulator, EVENT_COMPLETE,
                              caucus_later(message->arrived, message->posted), index, 0);
}

static void issue_await(struct simulator *simulator, int32_t rank,
                        const struct caucus_operation *operation) {
    struct rank_state *state = &simulator->rank[rank];
    double begin = state->processor;
    state->processor += simulator->model->operation * (1 + operation->peer);
    state->pending++;
    caucus_simulated_await(simulator, rank, operation, begin, state->processor);
}

static void issue_local(struct simulator *simulator, int32_t rank,
                        const struct caucus_operation *operation) {
    const struct caucus_model *model = simulator->model;
    struct rank_state *state = &simulator->rank[rank];
    double begin = state->processor, bytes = (double)operation->length;
    int64_t first_flag = simulator->node[caucus_simulated_node(simulator, rank)].first_flag;
    bool flag = operation->kind == CAUCUS_OPERATION_SIGNAL;
    state->processor += model->operation;
    if (flag)
        caucus_simulated_push(simulator, EVENT_FLAG, state->processor + model->signal,
                              (int32_t)(first_flag + operation->target_offset),
                              (int32_t)operation->length);
    else
        state->processor += bytes * (operation->kind == CAUCUS_OPERATION_COPY ? model->copy_byte
                                                                              : model->reduce_byte);
    caucus_simulated_tell(simulator, rank, rank, operation->kind, begin, state->processor,
                          flag ? 0 : operation->length);
}

static void issue_step(struct simulator *simulator, int32_t rank) {
    const struct caucus_operation *operation = simulator->schedules[rank].operations;
    struct rank_state *state = &simulator->rank[rank];
    int64_t begin = state->next, end = begin;
    bool last = false;
    for (; !last; end++) {
        if (operation[end].kind == CAUCUS_OPERATION_SEND)
            issue_send(simulator, rank, &operation[end]);
        else if (operation[end].kind == CAUCUS_OPERATION_RECEIVE)
            issue_receive(simulator, rank, &operation[end]);
        last = operation[end].ends_step || end + 1 == simulator->schedules[rank].count;
    }
    for (int64_t i = begin; i < end; i++)
        if (operation[i].kind == CAUCUS_OPERATION_AWAIT)
            issue_await(simulator, rank, &operation[i]);
        else if (operation[i].kind != CAUCUS_OPERATION_SEND &&
                 operation[i].kind != CAUCUS_OPERATION_RECEIVE)
            issue_local(simulator, rank, &operation[i]);
    state->step = begin;
    state->next = end;
    simulator->result->operations += end - begin;
}

/* Goes on until something must be waited for, or to the end. */
static void go_on(struct simulator *simulator, int32_t rank) {
    struct rank_state *state = &simulator->rank[rank];
    while (state->pending == 0 && !simulator->status) {
        state->processor = caucus_later(state->processor, state->step_end);
        if (state->next == simulator->schedules[rank].count) {
            simulator->done++;
            simulator->result->seconds = caucus_later(simulator->result->seconds, state->processor);
            return;
        }
        issue_step(simulator, rank);
    }
}

void caucus_simulated_complete(struct simulator *simulator, int32_t rank, double end) {
    struct rank_state *state = &simulator->rank[rank];
    state->step_end = caucus_later(state->step_end, end);
    if (--state->pending == 0)
        go_on(simulator, rank);
}

static void complete_receive(struct simulator *simulator, int32_t index, double now) {
    struct message message = simulator->messages[index];
    struct rank_state *state = &simulator->rank[message.target];
    enum caucus_distance distance =
        caucus_simulated_distance(simulator, message.source, message.target);
    state->processor = caucus_later(state->processor, now) + simulator->model->overhead[distance];
    caucus_simulated_forget(simulator, index);
    struct caucus_simulated_event event = {
        .rank = message.target,
        .peer = message.source,
        .kind = CAUCUS_OPERATION_RECEIVE,
        .begin = message.posted,
        .end = state->processor,
        .sent = message.issued,
        .bytes = message.bytes,
    };
    if (simulator->on_event)
        simulator->on_event(simulator->context, &event);
    caucus_simulated_complete(simulator, message.target, state->processor);
}

static void handle(struct simulator *simulator, const struct caucus_queued *event) {
    switch ((enum event_kind)event->kind) {
    case EVENT_DEPART:
        caucus_simulated_depart(simulator, event->subject, event->time);
        break;
    case EVENT_ARRIVE:
        caucus_simulated_arrive(simulator, event->subject, event->time);
        break;
    case EVENT_COMPLETE:
        complete_receive(simulator, event->subject, event->time);
        break;
    case EVENT_FLAG:
        caucus_simulated_raise(simulator, event->subject, (int32_t)event->value, event->time);
        break;
    case EVENT_LEAVE:
        caucus_simulated_leave(simulator, event->subject);
        break;
    }
}

static int init(struct simulator *simulator) {
    int32_t ranks = simulator->ranks;
    int32_t nodes = simulator->nodes ? simulator->nodes->nodes : ranks;
    int64_t ports = (int64_t)simulator->model->ports;
    simulator->free_message = simulator->free_waiter = simulator->free_waiting = NOBODY;
    simulator->rank = caucus_array(ranks, sizeof *simulator->rank);
    simulator->node = caucus_array(nodes, sizeof *simulator->node);
    simulator->port = caucus_array(2 * ports * ranks, sizeof *simulator->port);
    if (!simulator->rank || !simulator->node || !simulator->port)
        return CAUCUS_NO_MEMORY;
    for (int32_t rank = 0; rank < ranks; rank++)
        simulator->rank[rank].to_send = NOBODY;
    return caucus_simulated_flags_init(simulator);
}

static void destroy(struct simulator *simulator) {
    caucus_event_queue_free(&simulator->queue);
    free(simulator->rank);
    free(simulator->node);
    free(simulator->port);
    free(simulator->messages);
    free(simulator->pairs);
    free(simulator->waiters);
    free(simulator->waiting);
    free(simulator->flag_value);
    free(simulator->flag_list);
}

static void sum_up(struct simulator *simulator) {
    int32_t nodes = simulator->nodes ? simulator->nodes->nodes : simulator->ranks;
    for (int32_t node = 0; simulator->node && node < nodes; node++)
        for (int direction = 0; direction < 2; direction++)
            if (simulator->node[node].card_bytes[direction] > simulator->result->card_bytes)
                simulator->result->card_bytes = simulator->node[node].card_bytes[direction];
}

int caucus_schedule_simulate(int32_t ranks, const struct caucus_schedule *schedules,
                             const struct caucus_node_map *nodes, const struct caucus_model *model,
                             void (*on_event)(void *context,
                                              const struct caucus_simulated_event *event),
                             void *context, struct caucus_simulation *simulation) {
    *simulation = (struct caucus_simulation){0};
    struct simulator simulator = {.ranks = ranks,
                                  .schedules = schedules,
                                  .nodes = nodes,
                                  .model = model,
                                  .on_event = on_event,
                                  .context = context,
                                  .result = simulation};
    struct caucus_queued event;
    int status = caucus_simulated_check(&simulator);
    if (!status)
        status = init(&simulator);
    simulator.status = status;
    for (int32_t rank = 0; rank < ranks && !simulator.status; rank++)
        go_on(&simulator, rank);
    while (!simulator.status && caucus_event_pop(&simulator.queue, &event))
        handle(&simulator, &event);
    status = simulator.status ? simulator.status : caucus_simulated_stuck(&simulator);
    sum_up(&simulator);
    destroy(&simulator);
    return status;
}
