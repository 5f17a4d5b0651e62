/* SPDX-License-Identifier: BSD-3-Clause */
/* Discrete events. A rank has one processor, which turns to the operations of a step one after the
 * other, messages first: each takes model->operation, a send its overhead besides, a copy its
 * bytes. A receive takes its overhead when all of it is there. */
#include "study/simulate/simulate.h"

#include "base/memory.h"
#include "base/status.h"
#include "study/simulate/internal.h"

#include <math.h>
#include <stdlib.h>

/* The way of a message. It leaves through a port of its rank, one message after the other at each,
 * and between nodes through the card, which all ranks of the node share: a message ends when its
 * own rate allows it and the card has taken all bytes that came before its end. The same in reverse
 * on the other side. Nothing waits on the way because a receive is not posted: there is room for
 * it, or, where the model has a limit to what is eager, it has not left before. */
static double *earliest_port(struct simulator *simulator, int direction, int32_t rank) {
    static _Thread_local double always;
    int32_t ports = (int32_t)simulator->model->ports;
    always = 0;
    if (ports == 0)
        return &always;
    double *port = simulator->port + ((int64_t)direction * simulator->ranks + rank) * ports;
    double *earliest = port;
    for (int32_t i = 1; i < ports; i++)
        if (port[i] < *earliest)
            earliest = &port[i];
    return earliest;
}

/* When all bytes of a message that comes now are through. */
static double pass_card(struct simulator *simulator, int32_t node, int direction, double now,
                        int64_t bytes) {
    struct node_state *state = &simulator->node[node];
    state->card_bytes[direction] += bytes;
    state->card[direction] =
        caucus_later(state->card[direction], now) + (double)bytes * simulator->model->card_byte;
    return state->card[direction];
}

/* Of the message that is the first one now. */
static void schedule_departure(struct simulator *simulator, int32_t rank) {
    struct rank_state *state = &simulator->rank[rank];
    double ready = simulator->messages[state->to_send].ready;
    state->departure++;
    caucus_simulated_push(simulator, EVENT_DEPART,
                          caucus_later(ready, *earliest_port(simulator, 0, rank)), rank,
                          (int32_t)state->departure);
}

/* In the order in which they were issued: one that has waited for its receive may come late. */
static void queue_message(struct simulator *simulator, int32_t message) {
    struct message *messages = simulator->messages;
    struct rank_state *rank = &simulator->rank[messages[message].source];
    int32_t before = NOBODY, after = rank->to_send;
    if (after != NOBODY && messages[rank->last_to_send].order < messages[message].order) {
        before = rank->last_to_send;
        after = NOBODY;
    }
    for (; after != NOBODY && messages[after].order < messages[message].order;
         after = messages[after].next_to_send)
        before = after;
    messages[message].next_to_send = after;
    if (before == NOBODY)
        rank->to_send = message;
    else
        messages[before].next_to_send = message;
    if (after == NOBODY)
        rank->last_to_send = message;
    if (before == NOBODY)
        schedule_departure(simulator, messages[message].source);
}

/* Whether it stays with its sender until its receive is posted. */
static bool waits_for_receive(const struct simulator *simulator, int64_t bytes) {
    return simulator->model->eager > 0 && (double)bytes > simulator->model->eager;
}

/* Both sides were issued, perhaps ahead of time: until then others may pass it. */
static void queue_when_posted(struct simulator *simulator, int32_t index) {
    struct message *message = &simulator->messages[index];
    message->ready = caucus_later(message->ready, message->posted);
    caucus_simulated_push(simulator, EVENT_READY, message->ready, index, 0);
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
    if (!waits_for_receive(simulator, operation->length))
        queue_message(simulator, index);
    else if (simulator->messages[index].posted >= 0)
        queue_when_posted(simulator, index);
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
    if (message->sent && waits_for_receive(simulator, operation->length))
        queue_when_posted(simulator, index);
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

/* An operation of the rank's step is complete at a time. */
static void complete(struct simulator *simulator, int32_t rank, double end) {
    struct rank_state *state = &simulator->rank[rank];
    state->step_end = caucus_later(state->step_end, end);
    if (--state->pending == 0)
        go_on(simulator, rank);
}

static void depart(struct simulator *simulator, int32_t rank, double now) {
    int32_t index = simulator->rank[rank].to_send;
    struct message *message = &simulator->messages[index];
    enum caucus_distance distance = caucus_simulated_distance(simulator, rank, message->target);
    double finish = now + (double)message->bytes * simulator->model->byte[distance];
    if (distance == CAUCUS_BETWEEN_NODES) {
        int32_t node = caucus_simulated_node(simulator, rank);
        finish = caucus_later(finish, pass_card(simulator, node, 0, now, message->bytes));
    }
    message->finish = finish;
    *earliest_port(simulator, 0, rank) = finish;
    simulator->result->messages[distance]++;
    simulator->result->bytes[distance] += message->bytes;
    simulator->rank[rank].to_send = message->next_to_send;
    caucus_simulated_push(simulator, EVENT_ARRIVE, now + simulator->model->latency[distance], index,
                          0);
    if (simulator->rank[rank].to_send != NOBODY)
        schedule_departure(simulator, rank);
    caucus_simulated_tell(simulator, rank, message->target, CAUCUS_OPERATION_SEND, message->issued,
                          finish, message->bytes);
    complete(simulator, rank, finish);
}

static void arrive(struct simulator *simulator, int32_t index, double now) {
    struct message *message = &simulator->messages[index];
    const struct caucus_model *model = simulator->model;
    enum caucus_distance distance =
        caucus_simulated_distance(simulator, message->source, message->target);
    double *port = earliest_port(simulator, 1, message->target);
    double taken_in = caucus_later(now, *port) + (double)message->bytes * model->byte[distance];
    double arrived = caucus_later(message->finish + model->latency[distance], taken_in);
    if (distance == CAUCUS_BETWEEN_NODES) {
        int32_t node = caucus_simulated_node(simulator, message->target);
        arrived = caucus_later(arrived, pass_card(simulator, node, 1, now, message->bytes));
    }
    *port = taken_in;
    message->arrived = arrived;
    if (message->posted >= 0)
        caucus_simulated_push(simulator, EVENT_COMPLETE, caucus_later(arrived, message->posted),
                              index, 0);
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
    complete(simulator, message.target, state->processor);
}

static void leave_await(struct simulator *simulator, int32_t waiter) {
    double end;
    int32_t rank = caucus_simulated_leave(simulator, waiter, &end);
    complete(simulator, rank, end);
}

static void handle(struct simulator *simulator, const struct caucus_queued *event) {
    switch ((enum event_kind)event->kind) {
    case EVENT_READY:
        queue_message(simulator, event->subject);
        break;
    case EVENT_DEPART: /* unless another message has become the first since */
        if (event->value == simulator->rank[event->subject].departure)
            depart(simulator, event->subject, event->time);
        break;
    case EVENT_ARRIVE:
        arrive(simulator, event->subject, event->time);
        break;
    case EVENT_COMPLETE:
        complete_receive(simulator, event->subject, event->time);
        break;
    case EVENT_FLAG:
        caucus_simulated_raise(simulator, event->subject, (int32_t)event->value, event->time);
        break;
    case EVENT_LEAVE:
        leave_await(simulator, event->subject);
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
    if (!status && !isfinite(simulation->seconds))
        status = caucus_fail(CAUCUS_BAD_ARGUMENT,
                             "the parameters of the machine are so large that times are infinite");
    sum_up(&simulator);
    destroy(&simulator);
    return status;
}
