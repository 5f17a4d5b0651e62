/* SPDX-License-Identifier: BSD-3-Clause */
/* Random scripts carried out: for Caucus's functions or, with TEST_MPI, for
 * those of MPI alone: how each kind of action is carried out. */
#ifndef TESTS_RANDOM_RUN_H
#define TESTS_RANDOM_RUN_H

#include "operation.h"

#include "kinds.h"

enum { POOLED = 600 };

#define POOL(name) native_##name
#define POOL_REQUEST MPI_Request
#define POOL_NULL MPI_REQUEST_NULL
#define POOL_NAME(name, Name) CALL_REQUESTS(Name)
#ifdef TEST_MPI
#define POOL_WAITS true
#else
#define POOL_WAITS false
#endif
#include "pool.h"

#define CALLS_FUNCTION call_native
#define CALLS_REQUEST MPI_Request
#define CALLS_ON o->on->comm
#define CALLS_NAME(name, Name) CALL(Name)
#define CALLS_COMMUNICATOR
#include "calls.h"

#ifndef TEST_MPI
#define POOL(name) our_##name
#define POOL_REQUEST caucus_request
#define POOL_NULL CAUCUS_REQUEST_NULL
#define POOL_NAME(name, Name) caucus_##name
#define POOL_WAITS true
#include "pool.h"

#define CALLS_FUNCTION call_caucus
#define CALLS_REQUEST caucus_request
#define CALLS_ON o->on->comm
#define CALLS_NAME(name, Name) caucus_##name
#define CALLS_COMMUNICATOR
#include "calls.h"

#define CALLS_FUNCTION call_group
#define CALLS_REQUEST caucus_request
#define CALLS_ON o->on->group
#define CALLS_NAME(name, Name) caucus_group_##name
#include "calls.h"
#endif

#include "makers.h"
#include "messages.h"

#ifndef TEST_MPI
#include "channels.h"
#include "groups.h"
#endif

static void complete_task(const struct task *task) {
    tell_waiting(task->action);
    for (int i = 0; i < native_pool.count; i++)
        if (native_pool.owner[i] == task) {
            native_complete(task);
            return;
        }
#ifndef TEST_MPI
    our_complete(task);
#endif
}

static void add_request(struct operation *o) {
#ifndef TEST_MPI
    if (!o->native) {
        our_add(o->request, &o->task, NULL);
        return;
    }
    native_add(o->native_request, &o->task, NULL);
#else
    native_add(o->request, &o->task, NULL);
#endif
}

static struct task *active_task(int i) {
#ifndef TEST_MPI
    if (i >= native_pool.count)
        return our_pool.owner[i - native_pool.count];
#endif
    return native_pool.owner[i];
}

static int active_requests(void) {
#ifndef TEST_MPI
    return native_pool.count + our_pool.count;
#else
    return native_pool.count;
#endif
}

/* All that is active on an object; -1 for all. */
static void complete_all_on(int object) {
    for (int i = 0; i < active_requests();)
        if (object < 0 || active_task(i)->object == object) {
            complete_task(active_task(i));
            i = 0;
        } else
            i++;
}

static void breathe(void) {
    sched_yield();
#ifndef TEST_MPI
    int flag;
    if (our_pool.count > 0)
        MUST(caucus_request_get_status(our_pool.request[below(&my.own, our_pool.count)], &flag,
                                       MPI_STATUS_IGNORE));
    weather();
#endif
}

/* Between actions a rank completes something, looks, or does nothing. */
static void do_something_else(void) {
    int way = below(&my.own, 4);
    if (active_requests() > 0 && (way == 0 || active_requests() > POOLED / 2))
        complete_task(active_task(below(&my.own, active_requests())));
    else if (way == 1)
        native_look();
#ifndef TEST_MPI
    else if (way == 2)
        our_look();
    if (one_in(&my.own, 3))
        weather();
#endif
}

static int call_operation(struct operation *o, enum form form) {
#ifndef TEST_MPI
    if (!o->native && o->on->comm == MPI_COMM_NULL)
        return call_group(o, form, &o->request);
    if (!o->native)
        return call_caucus(o, form, &o->request);
    return call_native(o, form, &o->native_request);
#else
    return call_native(o, form, &o->request);
#endif
}

static void draw_operation(struct operation *o, const struct action *a, const struct object *on) {
    uint64_t draws = a->seed;
    static const int longest[] = {1, 4, 40, 1500};
    bool topology = on->topology != FLAT, flat = between_groups(on);
    o->which = (enum which)below(&draws, flat ? SCAN : topology ? WHICH : NEIGHBOR_ALLGATHER);
    if (topology && one_in(&draws, 2))
        o->which = one_in(&draws, 2) ? NEIGHBOR_ALLGATHER : NEIGHBOR_ALLTOALL;
    o->element = (enum element)below(&draws, 3);
    if (is_reduction(o->which) && o->element == GAPPED)
        o->element = NUMBERS;
    o->count = below(&draws, longest[below(&draws, 4)] + 1);
    bool own = has_own_block(o->which) && !flat && one_in(&draws, 3);
    o->stays = own && (o->which == SCATTER || o->which == SCATTERV);
    o->in_place = own && !o->stays;
    o->seed = mixed(draws);
}

static struct operation *new_operation(const struct action *a, bool native) {
    struct operation *o = calloc(1, sizeof *o);
    o->task = (struct task){.action = my.action, .finish = finish_operation, .object = a->on};
    o->on = &my.thing[a->on];
    o->native = native;
    draw_operation(o, a, &my.script.object[a->on]);
    build_blocks(o);
    put_in_place(o);
    o->in = malloc(room_of(o, o->send_length));
    o->out = malloc(room_of(o, whole_length(o)));
    fill_operation(o);
    return o;
}

static void free_operation(struct operation *o) {
    free(o->in);
    free(o->out);
    free(o);
}

static void finish_once(struct task *task) {
    finish_operation(task);
    free_operation((struct operation *)task);
}

/* Attaches in the first call that may wait for it. */
static void meet_to_attach(const struct thing *on) {
    if (on->comm != MPI_COMM_NULL)
        meet(on->comm);
}

static void run_collective(const struct action *a) {
    bool native = a->kind == COLLECTIVE_NATIVE;
    struct operation *o = new_operation(a, native);
    if (a->kind == COLLECTIVE) {
        meet_to_attach(o->on);
        MUST(call_operation(o, BLOCKING));
        finish_once(&o->task);
        return;
    }
    o->task.finish = finish_once;
    MUST(call_operation(o, NONBLOCKING));
    add_request(o);
}

static void run_init(const struct action *a) {
    struct operation *o = new_operation(a, false);
    meet_to_attach(o->on);
    MUST(call_operation(o, PERSISTENT));
    my.thing[a->made[0]].operation = o;
}

#ifdef TEST_MPI
#define START(name, Name) CALL_REQUESTS(Name)
#else
#define START(name, Name) caucus_##name
#endif

/* In an order of this rank's own, one by one or together. */
static void run_start(const struct action *a) {
    struct operation *mine[LISTED];
    request_type requests[LISTED];
    int list[LISTED], n = 0;
    memcpy(list, a->listed, sizeof list);
    shuffle(&my.own, list, a->list);
    for (int i = 0; i < a->list; i++) {
        struct operation *o = my.thing[list[i]].operation;
        if (!o)
            continue;
        if (o->task.active)
            complete_task(&o->task);
        o->task.action = my.action;
        fill_operation(o);
        requests[n] = o->request;
        mine[n++] = o;
    }
    if (n > 0 && one_in(&my.own, 2))
        MUST(START(startall, Startall)(n, requests));
    else
        for (int i = 0; i < n; i++)
            MUST(START(start, Start)(&requests[i]));
    for (int i = 0; i < n; i++)
        add_request(mine[i]);
}

static void run_free_request(const struct action *a) {
    struct operation *o = my.thing[a->on].operation;
    if (o->task.active)
        complete_task(&o->task);
    MUST(USE(request_free, Request_free)(&o->request));
    if (o->request != NO_REQUEST)
        wrong(my.action, "a request that was freed is not null");
    free_operation(o);
    my.thing[a->on].operation = NULL;
}

/* All ranks make the same wrong call, which returns an error. */
static void run_wrong(const struct action *a, const struct thing *on) {
    uint64_t draws = a->seed;
    int word = 0, large = MOST + 1, way = below(&draws, 4), code,
        before = atomic_load(&errors_ignored);
    MPI_Request request;
    MPI_Comm none;
    if (way == 0)
        code = USE(bcast, Bcast)(&word, -1, MPI_INT, 0, on->comm);
    else if (way == 1)
        code = USE(bcast, Bcast)(&word, 1, MPI_INT, on->remote + 5, on->comm);
    else if (way == 2)
        code = CALL(Isend)(&word, 1, MPI_INT, on->remote + 3, 1, on->comm, &request);
    else {
        meet(on->comm);
        code = USE(cart_create, Cart_create)(on->comm, 1, &large, &word, 1, &none);
    }
    /* Some MPIs call a handler of the user's, and then return success. */
    if (code == MPI_SUCCESS && atomic_load(&errors_ignored) == before)
        wrong(my.action, "wrong call %d was taken for right", way);
}

static void run_free(const struct action *a) {
    if (a->seed & 1 || my.kept)
        complete_all_on(a->on);
    MUST(CALL(Comm_free)(&my.thing[a->on].comm));
}
#endif
