/* SPDX-License-Identifier: BSD-3-Clause */
/* The way of a message. It leaves through a port of its rank, one message after the other at each,
 * and between nodes through the card, which all ranks of the node share: a message ends when its
 * own rate allows it and the card has taken all bytes that came before its end. The same in reverse
 * on the other side. Nothing waits on the way because a receive is not posted: there is room for
 * it, or, where the model has a limit to what is eager, it has not left before. */
#include "plan/schedule/simulate_internal.h"

static double *earliest_port(struct simulator *simulator, int direction, int32_t rank) {
    static double always;
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

static void schedule_departure(struct simulator *simulator, int32_t rank) {
    int32_t first = simulator->rank[rank].to_send;
    double ready = simulator->messages[first].ready;
    caucus_simulated_push(simulator, EVENT_DEPART,
                          caucus_later(ready, *earliest_port(simulator, 0, rank)), rank, 0);
}

/* In the order in which they were issued: one that has waited for its receive may come late. */
void caucus_simulated_queue(struct simulator *simulator, int32_t message) {
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
    bool only = rank->to_send == NOBODY;
    messages[message].next_to_send = after;
    if (before == NOBODY)
        rank->to_send = message;
    else
        messages[before].next_to_send = message;
    if (after == NOBODY)
        rank->last_to_send = message;
    if (only)
        schedule_departure(simulator, messages[message].source);
}

void caucus_simulated_depart(struct simulator *simulator, int32_t rank, double now) {
    int32_t index = simulator->rank[rank].to_send;
    struct message *message = &simulator->messages[index];
    enum caucus_distance distance = caucus_simulated_distance(simulator, rank, message->target);
    if (message->ready > now) { /* it has come before the one that this event was for */
        schedule_departure(simulator, rank);
        return;
    }
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
    caucus_simulated_complete(simulator, rank, finish);
}

void caucus_simulated_arrive(struct simulator *simulator, int32_t index, double now) {
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
