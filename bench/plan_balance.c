/* SPDX-License-Identifier: BSD-3-Clause */
/* The walkers of examples/mcmc.c with groups that help each other, planned: the protocol itself
 * (src/plan/protocol/balance.h) for all ranks in one process, with a clock that is simulated.
 *
 *   plan_balance [ranks] [group size] [T in ms] [latency in us] [us for each message] [noise in %]
 *
 * A rank hears messages when it polls and while it waits, and is busy for some time with each one
 * that it sends; all take the latency. Prints a JSON line as mcmc does. */
#include "plan/protocol/balance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct letter {
    int32_t from;
    unsigned char bytes[CAUCUS_BALANCE_MESSAGE_BYTES];
    struct letter *next;
};

struct event { /* a letter arrives, or, without one, a step is over */
    double time;
    int64_t turn;
    int32_t rank;
    struct letter *letter;
};

struct process {
    void *state;
    struct letter *inbox, **last;
    double free_at; /* when what it sends is sent */
    int32_t left, count;
    int64_t number, regroupings;
    unsigned random;
    bool calling, over;
};

struct world {
    struct caucus_balance_setup setup;
    double item, latency, send, noise, end;
    struct process *process;
    int32_t *left_of; /* by work, when its group grew last */
    struct event *heap;
    int64_t events, room, turns, messages, asks;
    int32_t over;
    struct caucus_actions actions;
};

static void *need(void *memory) {
    if (!memory) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    return memory;
}

static bool before(const struct event *a, const struct event *b) {
    return a->time < b->time || (a->time == b->time && a->turn < b->turn);
}

static void put(struct world *world, double time, int32_t rank, struct letter *letter) {
    if (world->events == world->room) {
        world->room = 2 * world->room + 1024;
        world->heap = need(realloc(world->heap, (size_t)world->room * sizeof *world->heap));
    }
    struct event event = {time, world->turns++, rank, letter};
    int64_t at = world->events++;
    for (; at > 0 && before(&event, &world->heap[(at - 1) / 2]); at = (at - 1) / 2)
        world->heap[at] = world->heap[(at - 1) / 2];
    world->heap[at] = event;
}

static struct event take(struct world *world) {
    struct event first = world->heap[0], moved = world->heap[--world->events];
    int64_t at = 0;
    for (int64_t child = 1; child < world->events; child = 2 * at + 1) {
        if (child + 1 < world->events && before(&world->heap[child + 1], &world->heap[child]))
            child++;
        if (!before(&world->heap[child], &moved))
            break;
        world->heap[at] = world->heap[child];
        at = child;
    }
    world->heap[at] = moved;
    return first;
}

static int32_t chain(const struct world *world, int32_t work) {
    return (int32_t)(10 * ((int64_t)work * world->setup.group_size % 32));
}

static double step_of(struct world *world, struct process *process) {
    process->random = process->random * 1664525u + 1013904223u;
    double share = 1 + world->noise * ((process->random >> 8) / (double)(1 << 23) - 1);
    return world->item * share / process->count;
}

static void step(struct world *world, int32_t rank, double now, const struct caucus_event *event);

static void call(struct world *world, int32_t rank, double now) {
    struct process *process = &world->process[rank];
    struct caucus_event event = {.kind = CAUCUS_EVENT_CALL,
                                 .peer = -1,
                                 .number = process->left > 0,
                                 .bytes = &process->number,
                                 .length = sizeof process->number};
    process->calling = true;
    step(world, rank, now, &event);
}

/* The user's part: takes over what is left, and begins a step or polls again. */
static void decide(struct world *world, int32_t rank, double now,
                   const struct caucus_action *action, const struct caucus_balance_group *group) {
    struct process *process = &world->process[rank];
    process->calling = false;
    if (action->number == CAUCUS_BALANCE_NEWS_OVER) {
        process->over = true;
        world->over++;
        world->end = now > world->end ? now : world->end;
        return;
    }
    if (action->number == CAUCUS_BALANCE_NEWS_GROWN) {
        if (rank == group->source)
            world->left_of[group->work] = process->left;
        process->left = world->left_of[group->work];
        process->count = group->count;
        process->regroupings++;
        if (rank == group->first)
            process->number += world->setup.ranks;
    }
    put(world, process->left > 0 ? now + step_of(world, process) : now, rank, NULL);
}

static void step(struct world *world, int32_t rank, double now, const struct caucus_event *event) {
    struct process *process = &world->process[rank];
    struct caucus_actions *actions = &world->actions;
    struct caucus_balance_group group;
    int64_t decided = -1;
    caucus_actions_clear(actions);
    caucus_balance_protocol.step(&world->setup, process->state, event, actions);
    process->free_at = now > process->free_at ? now : process->free_at;
    for (int64_t i = 0; i < actions->count; i++) {
        const struct caucus_action *action = &actions->action[i];
        const void *bytes = caucus_action_bytes(actions, i);
        if (action->kind == CAUCUS_ACTION_DECIDE) {
            decided = i;
            memcpy(&group, bytes, sizeof group);
            continue;
        }
        struct letter *letter = need(calloc(1, sizeof *letter));
        letter->from = rank;
        memcpy(letter->bytes, bytes, sizeof letter->bytes);
        process->free_at += world->send;
        put(world, process->free_at + world->latency, action->peer, letter);
        world->messages++;
        world->asks += caucus_balance_is_ask(bytes);
    }
    if (decided >= 0)
        decide(world, rank, process->free_at, &actions->action[decided], &group);
}

static void hear(struct world *world, int32_t rank, double now) {
    struct process *process = &world->process[rank];
    while (process->inbox) {
        struct letter *letter = process->inbox;
        struct caucus_event event = {.kind = CAUCUS_EVENT_MESSAGE,
                                     .peer = letter->from,
                                     .bytes = letter->bytes,
                                     .length = sizeof letter->bytes};
        process->inbox = letter->next;
        step(world, rank, now, &event);
        free(letter);
    }
    process->last = &process->inbox;
}

static void happen(struct world *world, const struct event *event) {
    struct process *process = &world->process[event->rank];
    if (event->letter) {
        event->letter->next = NULL;
        *process->last = event->letter;
        process->last = &event->letter->next;
        if (process->calling || process->over)
            hear(world, event->rank, event->time);
        return;
    }
    process->left -= process->left > 0;
    hear(world, event->rank, event->time);
    call(world, event->rank, event->time);
}

static void begin(struct world *world) {
    int32_t ranks = world->setup.ranks;
    world->process = need(calloc((size_t)ranks, sizeof *world->process));
    world->left_of = need(calloc((size_t)ranks, sizeof *world->left_of));
    for (int32_t rank = 0; rank < ranks; rank++) {
        struct process *process = &world->process[rank];
        process->state =
            need(calloc(1, (size_t)caucus_balance_protocol.state_bytes(&world->setup)));
        caucus_balance_protocol.begin(&world->setup, rank, process->state);
        const struct caucus_balance_group group = caucus_balance_current(process->state);
        process->last = &process->inbox;
        process->left = chain(world, group.work);
        process->count = group.count;
        process->number = rank;
        process->regroupings = 1;
        process->random = (unsigned)rank * 2654435761u + 1;
        put(world, process->left > 0 ? step_of(world, process) : 0, rank, NULL);
    }
}

static void tell(const struct world *world) {
    int32_t ranks = world->setup.ranks, size = world->setup.group_size;
    double sum = 0, squares = 0, all = 0, longest = 0;
    int64_t least = INT64_MAX, most = 0;
    for (int32_t rank = 0; rank < ranks; rank++) {
        int64_t n = world->process[rank].regroupings;
        sum += (double)n;
        squares += (double)(n * n);
        least = n < least ? n : least;
        most = n > most ? n : most;
    }
    for (int32_t work = 0; work * size < ranks; work++) {
        int32_t members = ranks - work * size < size ? ranks - work * size : size;
        double alone = chain(world, work) * world->item / members;
        all += chain(world, work);
        longest = alone > longest ? alone : longest;
    }
    double mean = sum / ranks;
    printf("{\"mode\": \"async\", \"interval\": 1, \"ranks\": %d, \"seconds\": %.6f, \"ideal\": "
           "%.6f, \"baseline\": %.6f, \"regroupings\": {\"mean\": %.4f, \"deviation\": %.4f, "
           "\"least\": %lld, \"most\": %lld}, \"messages\": %lld, \"requests\": %lld}\n",
           ranks, world->end, world->item * all / ranks, longest, mean,
           sqrt(squares / ranks - mean * mean), (long long)least, (long long)most,
           (long long)world->messages, (long long)world->asks);
}

static void finish(struct world *world) {
    for (int32_t rank = 0; rank < world->setup.ranks; rank++)
        free(world->process[rank].state);
    free(world->process);
    free(world->left_of);
    free(world->heap);
    caucus_actions_free(&world->actions);
}

int main(int argc, char **argv) {
    double given[6] = {8192, 4, 100, 2, 0.5, 0};
    struct world world = {0};
    for (int i = 1; i < argc && i <= 6; i++)
        given[i - 1] = atof(argv[i]);
    world.setup = (struct caucus_balance_setup){(int32_t)given[0], (int32_t)given[1]};
    world.item = 1e-3 * given[2];
    world.latency = 1e-6 * given[3];
    world.send = 1e-6 * given[4];
    world.noise = given[5] / 100;
    if (world.setup.ranks < 1 || world.setup.group_size < 1 ||
        world.setup.group_size > world.setup.ranks || world.noise < 0 || world.noise > 1) {
        fprintf(stderr, "ranks and group size must be at least 1, noise from 0 to 100\n");
        return 1;
    }
    begin(&world);
    while (world.events > 0) {
        struct event next = take(&world);
        happen(&world, &next);
    }
    tell(&world);
    finish(&world);
    return world.over == world.setup.ranks ? 0 : 1;
}
