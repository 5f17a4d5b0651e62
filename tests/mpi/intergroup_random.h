/* SPDX-License-Identifier: BSD-3-Clause */
/* What is told at the head of intergroup_random.c: a whole program, for Caucus's functions or, with
 * TEST_MPI, for those of MPI. */
#ifndef TESTS_MPI_INTERGROUP_RANDOM_H
#define TESTS_MPI_INTERGROUP_RANDOM_H

#include "intergroup_wrong.h"

enum { CALLS_PER_SHAPE = 24, AT_ONCE = 4, ROUNDS = 3 };

static bool checked; /* all forms agree */
static bool right;   /* nothing is wrong */
static bool loud;
static long made, wrong_ones;
static uint64_t own; /* this rank's own random numbers */

/* What the ranks of one shape have. */
struct shape {
    uint64_t state;
    int size[2], side, rank; /* side is -1 for a rank that is left out */
    MPI_Comm comm;
};

static void start_request(struct call *call) {
#if HAS_PERSISTENT
    CHECK_MPI(USE(start, Start)(&call->request));
#endif
    (void)call;
}

static void free_request(struct call *call) {
#if HAS_PERSISTENT
    CHECK_MPI(USE(request_free, Request_free)(&call->request));
#endif
    (void)call;
}

/* Shuffled ranks in two groups; others are left out. The communicator may be a copy, or a part. */
static struct shape make_shape(uint64_t seed, long number) {
    int place[MOST], size = world_size(), me = world_rank();
    struct shape shape = {.state = mix(mix(seed) + (uint64_t)number), .side = -1};
    for (int i = 0; i < size; i++)
        place[i] = i;
    for (int i = size - 1; i > 0; i--) {
        int other = draw_below(&shape.state, i + 1), kept = place[i];
        place[i] = place[other];
        place[other] = kept;
    }
    shape.size[0] = 1 + draw_below(&shape.state, size - 1);
    shape.size[1] = draw_below(&shape.state, 4)
                        ? size - shape.size[0]
                        : 1 + draw_below(&shape.state, size - shape.size[0]);
    shape.rank = place[me];
    if (place[me] < shape.size[0] + shape.size[1])
        shape.side = place[me] >= shape.size[0];
    int leader[2] = {0, 0};
    for (int i = 0; i < size; i++) {
        if (place[i] == 0)
            leader[0] = i;
        if (place[i] == shape.size[0])
            leader[1] = i;
    }
    MPI_Comm local, inter, copy;
    MPI_Comm_split(MPI_COMM_WORLD, shape.side < 0 ? MPI_UNDEFINED : shape.side, place[me], &local);
    shape.comm = MPI_COMM_NULL;
    int derived = draw_below(&shape.state, 6);
    if (shape.side < 0)
        return shape;
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, leader[!shape.side], 3, &inter);
    MPI_Comm_rank(local, &shape.rank);
    MPI_Comm_free(&local);
    shape.comm = inter;
    if (derived < 2) {
        if (derived == 0)
            MPI_Comm_dup(inter, &copy);
        else
            MPI_Comm_split(inter, 1, shape.rank, &copy);
        MPI_Comm_free(&inter);
        shape.comm = copy;
    }
    return_errors(shape.comm);
#ifndef TEST_MPI
    if (derived == 2)
        CHECK_MPI(caucus_comm_attach(shape.comm));
#endif
    return shape;
}

static struct draw draw_for(struct shape *shape, enum form form) {
    struct draw d = draw_case(&shape->state, shape->size[0], shape->size[1]);
    d.form = form;
    return d;
}

static void say(const struct operation *o, const char *how) {
    char text[512];
    describe(o, text, sizeof text);
    if (loud)
        fprintf(stderr, "rank %d: %s, %s\n", world_rank(), text, how);
}

static void make_right(struct operation *o) {
    say(o, "right");
    int code = make_call(&o->call);
    if (code != MPI_SUCCESS) {
        char text[512];
        describe(o, text, sizeof text);
        CHECK(false, "%s: it returned %d", text, code);
    }
}

static void run_blocking(struct shape *shape) {
    struct operation o;
    struct draw d = draw_for(shape, BLOCKING);
    build_operation(&o, &d, shape->comm, shape->side, shape->rank);
    fill_operation(&o);
    make_right(&o);
    check_operation(&o);
    drop_operation(&o);
    made++;
}

/* All of them, one after the other or together, in another order on every rank. */
static void complete(struct operation *o, int count) {
    request_type requests[AT_ONCE];
    int way = draw_below(&own, 4), first = draw_below(&own, count), left = count, index, flag = 0;
    for (int i = 0; i < count; i++)
        requests[i] = o[i].call.request;
    if (way == 0)
        for (int i = 0; i < count; i++)
            CHECK_MPI(USE(wait, Wait)(&requests[(first + i) % count], MPI_STATUS_IGNORE));
    if (way == 1)
        CHECK_MPI(USE(waitall, Waitall)(count, requests, MPI_STATUSES_IGNORE));
    while (way == 2 && !flag)
        CHECK_MPI(USE(testall, Testall)(count, requests, &flag, MPI_STATUSES_IGNORE));
    for (; way == 3 && left > 0; left--) {
        CHECK_MPI(USE(waitany, Waitany)(count, requests, &index, MPI_STATUS_IGNORE));
        CHECK(index >= 0 && index < count, "%d of %d", index, count);
    }
    for (int i = 0; i < count; i++)
        o[i].call.request = requests[i];
}

/* In another order on every rank. */
static void start_all(struct operation *o, int count) {
    int first = draw_below(&own, count);
    for (int i = 0; i < count; i++)
        fill_operation(&o[i]);
    for (int i = 0; i < count; i++)
        start_request(&o[(first + i) % count].call);
}

/* Several at a time, with another one in between at times. */
static void run_several(struct shape *shape, enum form form) {
    struct operation o[AT_ONCE];
    int count = 1 + draw_below(&shape->state, AT_ONCE);
    int rounds = form == PERSISTENT ? 1 + draw_below(&shape->state, ROUNDS) : 1;
    for (int i = 0; i < count; i++) {
        struct draw d = draw_for(shape, form);
        build_operation(&o[i], &d, shape->comm, shape->side, shape->rank);
        if (form == NONBLOCKING)
            fill_operation(&o[i]);
        make_right(&o[i]);
    }
    for (int round = 0; round < rounds; round++) {
        bool between = draw_below(&shape->state, 4) == 0;
        if (form == PERSISTENT)
            start_all(o, count);
        if (between)
            run_blocking(shape);
        complete(o, count);
        for (int i = 0; i < count; i++)
            check_operation(&o[i]);
        made += count;
    }
    for (int i = 0; i < count; i++) {
        if (form == PERSISTENT)
            free_request(&o[i].call);
        CHECK(o[i].call.request == NO_REQUEST, "a request is left");
        drop_operation(&o[i]);
    }
}

static void run_wrong(struct shape *shape) {
    struct operation o;
    enum form form = (enum form)draw_below(&shape->state, HAS_PERSISTENT ? FORMS : PERSISTENT);
    struct draw d = draw_for(shape, form);
    enum wrong wrong = (enum wrong)draw_below(&shape->state, WRONG);
    bool agrees = checked || form == PERSISTENT, alone = agrees && draw_below(&shape->state, 2);
    d.positive = true;
    d.silent = -1;
    d.longest = d.longest < 100 ? d.longest : 100;
    d.elements = (1 + d.elements % 20) * common_multiple(d.size[0], d.size[1]);
    if (!may_be_wrong(&d, wrong, agrees))
        return;
    /* Before a communicator is attached an uncommitted type is not seen. */
    if (wrong == UNCOMMITTED_TYPE)
        CHECK_MPI(USE(barrier, Barrier)(shape->comm));
    bool were_nasty = nasty;
    nasty = nasty && wrong != TWO_ROOTS;
    build_operation(&o, &d, shape->comm, shape->side, shape->rank);
    nasty = were_nasty;
    fill_operation(&o);
    bool mine = errs(&o, wrong, alone);
    if (mine)
        spoil(&o, wrong);
    say(&o, mine ? wrong_names[wrong] : "wrong elsewhere");
    int code = make_call(&o.call);
    expect(&o, wrong, code, mine || (agrees && wrong != NO_COMMUNICATOR));
    wrong_ones++;
    if (code == MPI_SUCCESS && form == NONBLOCKING)
        CHECK_MPI(USE(wait, Wait)(&o.call.request, MPI_STATUS_IGNORE));
    if (o.call.receive.matters) /* nothing came */
        make_noise(&o.call.receive, salt_of(&o) + 1);
    check_operation(&o);
    CHECK(o.call.request == NO_REQUEST, "a failed call has a request");
    drop_operation(&o);
    made++;
}

static void run_shape(struct shape *shape) {
    long end = made + CALLS_PER_SHAPE;
    while (made < end) {
        int kind = draw_below(&shape->state, 10);
        if (kind == 0 && !right)
            run_wrong(shape);
        else if (kind < 4 || plain)
            run_blocking(shape);
        else if (kind < 7)
            run_several(shape, NONBLOCKING);
        else if (HAS_PERSISTENT)
            run_several(shape, PERSISTENT);
    }
    MPI_Comm_free(&shape->comm);
}

static bool says(int argc, char **argv, const char *word) {
    bool found = false;
    for (int i = 3; i < argc; i++)
        found = found || strcmp(argv[i], word) == 0;
    return found;
}

int main(int argc, char **argv) {
    long count = 200, number = 0, most_wrong = 0;
    uint64_t seed = 1;
    MPI_Init(&argc, &argv);
    if (argc > 1)
        count = atol(argv[1]);
    if (argc > 2)
        seed = (uint64_t)atol(argv[2]);
    plain = says(argc, argv, "plain");
    right = plain || says(argc, argv, "right");
    loud = says(argc, argv, "loud");
    nasty = !right;
    checked = getenv("CAUCUS_CHECK") && atoi(getenv("CAUCUS_CHECK"));
    CHECK(world_size() > 1 && world_size() <= MOST, "2 to %d ranks", MOST);
    own = mix(mix(seed + 1) + (uint64_t)world_rank());
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    make_types();
    for (; number * CALLS_PER_SHAPE < count; number++) {
        struct shape shape = make_shape(seed, number);
        if (shape.side >= 0)
            run_shape(&shape);
    }
    free_types(free_operation);
    MPI_Reduce(&wrong_ones, &most_wrong, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    if (world_rank() == 0)
        printf("%ld random calls between groups, at least %ld of them wrong\n",
               number * CALLS_PER_SHAPE, most_wrong);
    MPI_Finalize();
    return 0;
}

#endif
