/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators are made in every way, looked at, and freed. */
#ifndef TESTS_RANDOM_MAKERS_H
#define TESTS_RANDOM_MAKERS_H

#include "state.h"

static void translate(MPI_Group group, int size, int *order) {
    int ranks[MOST];
    MPI_Group world;
    for (int i = 0; i < size; i++)
        ranks[i] = i;
    MUST(MPI_Comm_group(MPI_COMM_WORLD, &world));
    MUST(MPI_Group_translate_ranks(group, size, ranks, world, order));
    MUST(MPI_Group_free(&world));
    MUST(MPI_Group_free(&group));
}

/* What the communicator says of its ranks; which of two groups came first the members tell. */
static void learn(struct thing *t, const struct object *o) {
    MPI_Group group;
    int mine[MOST], theirs[MOST], two, rank;
    MUST(MPI_Comm_test_inter(t->comm, &two));
    MUST(MPI_Comm_rank(t->comm, &rank));
    MUST(MPI_Comm_size(t->comm, &t->size));
    if (t->size > MOST || two != between_groups(o))
        wrong(my.action, "a communicator of %d ranks, %d groups", t->size, two + 1);
    MUST(MPI_Comm_group(t->comm, &group));
    translate(group, t->size, mine);
    t->remote = t->size;
    t->offset = t->remote_offset = 0;
    if (two) {
        MUST(MPI_Comm_remote_size(t->comm, &t->remote));
        MUST(MPI_Comm_remote_group(t->comm, &group));
        translate(group, t->remote, theirs);
        bool second = true;
        for (int i = 0; i < o->first; i++)
            second = second && o->member[i] != my.rank;
        t->offset = second ? t->remote : 0;
        t->remote_offset = second ? 0 : t->size;
        memcpy(&t->order[t->remote_offset], theirs, (size_t)t->remote * sizeof *theirs);
    }
    memcpy(&t->order[t->offset], mine, (size_t)t->size * sizeof *mine);
    t->id = t->offset + rank;
    if (t->order[t->id] != my.rank || (two ? t->size + t->remote : t->size) != o->count)
        wrong(my.action, "a communicator of %d and %d ranks; this one is %d there", t->size,
              two ? t->remote : 0, t->order[t->id]);
    return_errors(t->comm);
}

/* Ranks as they should be; in a reordered grid all are there, in any order. */
static void check_order(const struct thing *t, const struct object *o, bool reordered) {
    uint64_t there = 0;
    for (int i = 0; i < o->count; i++) {
        if (!reordered && t->order[i] != o->member[i])
            wrong(my.action, "id %d is rank %d; expected %d", i, t->order[i], o->member[i]);
        there |= UINT64_C(1) << t->order[i];
    }
    for (int i = 0; i < o->count; i++)
        if (!(there >> o->member[i] & 1))
            wrong(my.action, "rank %d is not in the communicator", o->member[i]);
}

static struct thing *made_thing(const struct action *a, int *which) {
    for (int i = 0; i < a->made_count; i++)
        if (has_member(&my.script.object[a->made[i]], my.rank)) {
            *which = a->made[i];
            return &my.thing[a->made[i]];
        }
    *which = -1;
    return NULL;
}

static void prepare(struct thing *t, const struct object *o) {
#ifndef TEST_MPI
    if (o->attached) {
        meet(t->comm);
        MUST(caucus_comm_attach(t->comm));
    }
#else
    (void)t, (void)o;
#endif
}

/* Of a communicator whose order is known only now, the members in the order that they should have.
 */
static void expect_like(const struct thing *from, struct object *o) {
    memcpy(o->member, from->order, (size_t)o->count * sizeof *o->member);
}

static void run_split(const struct action *a, const struct thing *on) {
    int which, color = MPI_UNDEFINED, key = 0;
    struct thing *t = made_thing(a, &which);
    MPI_Comm made;
    for (int i = 0; t && i < my.script.object[which].count; i++)
        if (my.script.object[which].member[i] == my.rank)
            key = i * 5 - 7, color = which == a->made[0] ? 3 : 11;
    meet(on->comm);
    MUST(CALL(Comm_split)(on->comm, color, key, &made));
    if ((made == MPI_COMM_NULL) != !t)
        wrong(my.action, "a rank with color %d: null is %d", color, made == MPI_COMM_NULL);
    if (!t)
        return;
    t->comm = made;
    learn(t, &my.script.object[which]);
    check_order(t, &my.script.object[which], false);
    prepare(t, &my.script.object[which]);
}

/* Only members call. */
static void run_create_group(const struct action *a, const struct thing *on) {
    int which, list[MOST], n = 0;
    struct thing *t = made_thing(a, &which);
    MPI_Group all, part;
    if (!t)
        return;
    const struct object *o = &my.script.object[which];
    for (int i = 0; i < o->count; i++)
        for (int r = 0; r < on->size; r++)
            if (on->order[r] == o->member[i])
                list[n++] = r;
    MUST(MPI_Comm_group(on->comm, &all));
    MUST(MPI_Group_incl(all, n, list, &part));
    MUST(USE(comm_create_group, Comm_create_group)(on->comm, part, my.action % 1000, &t->comm));
    MUST(MPI_Group_free(&all));
    MUST(MPI_Group_free(&part));
    learn(t, o);
    check_order(t, o, false);
    prepare(t, o);
}

static void run_dup(const struct action *a, const struct thing *on) {
    struct thing *t = &my.thing[a->made[0]];
    struct object *o = &my.script.object[a->made[0]];
    meet(on->comm);
    MUST(CALL(Comm_dup)(on->comm, &t->comm));
    expect_like(on, o);
    learn(t, o);
    check_order(t, o, false);
    prepare(t, o);
}

struct duplicate {
    struct task task;
    struct thing *made;
};

static void finish_duplicate(struct task *task) {
    struct duplicate *d = (struct duplicate *)task;
    struct object *o = &my.script.object[d->made - my.thing];
    learn(d->made, o);
    check_order(d->made, o, false);
    d->made->maker = NULL;
    free(d);
}

/* Without waiting: whoever uses it first waits. */
static void run_idup(const struct action *a, const struct thing *on) {
    struct duplicate *d = calloc(1, sizeof *d);
    MPI_Request request;
    d->task = (struct task){.action = my.action, .finish = finish_duplicate, .object = a->on};
    d->made = &my.thing[a->made[0]];
    d->made->maker = &d->task;
    expect_like(on, &my.script.object[a->made[0]]);
    MUST(CALL(Comm_idup)(on->comm, &d->made->comm, &request));
    native_add(request, &d->task, NULL);
}

static void run_intercomm(const struct action *a, const struct thing *on) {
    struct thing *t = &my.thing[a->made[0]];
    struct object *o = &my.script.object[a->made[0]];
    MPI_Comm local;
    int side = 1, leader[2] = {0, 0}, key = 0, in = 0;
    for (int i = 0; i < o->count; i++)
        if (o->member[i] == my.rank)
            in = 1, key = i, side = i >= o->first;
    for (int r = 0; r < on->size; r++) {
        if (on->order[r] == o->member[0])
            leader[0] = r;
        if (on->order[r] == o->member[o->first])
            leader[1] = r;
    }
    meet(on->comm);
    MUST(CALL(Comm_split)(on->comm, in ? side : MPI_UNDEFINED, key, &local));
    if (!in)
        return;
    MUST(CALL(Intercomm_create)(local, 0, on->comm, leader[!side], my.action % 1000, &t->comm));
    MUST(CALL(Comm_free)(&local));
    learn(t, o);
    check_order(t, o, false);
    prepare(t, o);
}

static void run_merge(const struct action *a, const struct thing *on) {
    struct thing *t = &my.thing[a->made[0]];
    struct object *o = &my.script.object[a->made[0]];
    int high = on->offset > 0;
    if (a->seed & 1)
        high = !high;
    expect_like(on, o);
    if (a->seed & 1) { /* the second group first */
        int first = my.script.object[a->on].first, n = o->count - first;
        memcpy(o->member, &on->order[first], (size_t)n * sizeof *o->member);
        memcpy(&o->member[n], on->order, (size_t)first * sizeof *o->member);
    }
    meet(on->comm);
    MUST(CALL(Intercomm_merge)(on->comm, high, &t->comm));
    learn(t, o);
    check_order(t, o, false);
    prepare(t, o);
}

static void draw_grid(uint64_t *draws, int size, int dims[2], int periods[2]) {
    int divisors[MOST], n = 0;
    for (int d = 1; d <= size; d++)
        if (size % d == 0)
            divisors[n++] = d;
    dims[0] = divisors[below(draws, n)];
    dims[1] = size / dims[0];
    periods[0] = one_in(draws, 2);
    periods[1] = one_in(draws, 2);
}

/* A part of the grid, used and freed at once. */
static void run_rows(const struct thing *t) {
    int keep[2] = {0, 1}, size, sum = 0, one = my.rank + 1, ranks[MOST];
    MPI_Comm row;
    meet(t->comm);
    MUST(CALL(Cart_sub)(t->comm, keep, &row));
    MUST(MPI_Comm_size(row, &size));
    MUST(CALL(Allgather)(&my.rank, 1, MPI_INT, ranks, 1, MPI_INT, row));
    MUST(CALL(Allreduce)(&one, &sum, 1, MPI_INT, MPI_SUM, row));
    for (int i = 0; i < size; i++)
        sum -= ranks[i] + 1;
    if (sum != 0)
        wrong(my.action, "the sum of a row of the grid is off by %d", sum);
    MUST(CALL(Comm_free)(&row));
}

static void run_grid(const struct action *a, const struct thing *on) {
    struct thing *t = &my.thing[a->made[0]];
    struct object *o = &my.script.object[a->made[0]];
    uint64_t draws = a->seed;
    int dims[2], periods[2], found[2], looks[2], at[2], reorder = !one_in(&draws, 4), rank;
    draw_grid(&draws, on->size, dims, periods);
    expect_like(on, o);
    meet(on->comm);
    MUST(USE(cart_create, Cart_create)(on->comm, 2, dims, periods, reorder, &t->comm));
    learn(t, o);
    check_order(t, o, reorder);
    MUST(MPI_Cart_get(t->comm, 2, found, looks, at));
    MUST(MPI_Cart_rank(t->comm, at, &rank));
    if (found[0] != dims[0] || found[1] != dims[1] || rank != t->id ||
        at[0] * dims[1] + at[1] != t->id)
        wrong(my.action, "the grid is %d x %d; expected %d x %d", found[0], found[1], dims[0],
              dims[1]);
    prepare(t, o);
    if (one_in(&draws, 2))
        run_rows(t);
}

/* How many edges a graph has from one rank to another. */
static int edges_between(uint64_t seed, int from, int to) {
    uint64_t drawn = mixed_with(seed, (uint64_t)(from * MOST + to));
    return drawn % 3 ? 0 : (drawn >> 8) % 4 ? 1 : 2;
}

/* Edges drawn alike by all; second ones come behind the first ones. */
static void run_graph(const struct action *a, const struct thing *on) {
    struct thing *t = &my.thing[a->made[0]];
    struct object *o = &my.script.object[a->made[0]];
    int from[2 * MOST], to[2 * MOST], weight[2 * MOST], n = 0, m = 0;
    for (int i = 0; i < 2 * on->size; i++) {
        int other = i % on->size, edge = i / on->size;
        weight[i] = 1; /* compilers warn of Open MPI's MPI_UNWEIGHTED */
        if (edges_between(a->seed, other, on->id) > edge)
            from[n++] = other;
        if (edges_between(a->seed, on->id, other) > edge)
            to[m++] = other;
    }
    expect_like(on, o);
    meet(on->comm);
    bool reorder = one_in(&(uint64_t){a->seed}, 2);
    MUST(USE(dist_graph_create_adjacent, Dist_graph_create_adjacent)(
        on->comm, n, from, weight, m, to, weight, MPI_INFO_NULL, reorder, &t->comm));
    learn(t, o);
    check_order(t, o, reorder);
    prepare(t, o);
}

#endif
