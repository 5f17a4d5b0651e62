/* SPDX-License-Identifier: BSD-3-Clause */
/* Light groups are made in every way, with and without waiting. */
#ifndef TESTS_RANDOM_GROUPS_H
#define TESTS_RANDOM_GROUPS_H

#include "state.h"

static void learn_group(struct thing *t, const struct object *o) {
    int rank, size, members[MOST];
    MUST(caucus_group_rank(t->group, &rank));
    MUST(caucus_group_size(t->group, &size));
    if (size != o->count)
        wrong(my.action, "a group of %d ranks; expected %d", size, o->count);
    MUST(caucus_group_members(t->group, members));
    t->comm = MPI_COMM_NULL;
    t->id = rank;
    t->size = t->remote = size;
    t->offset = t->remote_offset = 0;
    for (int i = 0; i < size; i++) {
        t->order[i] = my.thing[o->on].order[members[i]];
        if (t->order[i] != o->member[i])
            wrong(my.action, "member %d of the group is rank %d; expected %d", i, t->order[i],
                  o->member[i]);
    }
    if (o->member[rank] != my.rank)
        wrong(my.action, "this rank is member %d of the group", rank);
}

struct founding {
    struct task task;
    struct thing *made;
};

static void finish_founding(struct task *task) {
    struct founding *f = (struct founding *)task;
    f->made->maker = NULL;
    learn_group(f->made, &my.script.object[f->made - my.thing]);
    free(f);
}

/* Whoever uses the group first waits for it. */
static void found_later(const struct action *a, struct thing *t, caucus_request request) {
    struct founding *f = calloc(1, sizeof *f);
    f->task = (struct task){.action = my.action, .finish = finish_founding, .object = a->on};
    f->made = t;
    t->maker = &f->task;
    our_add(request, &f->task, NULL);
}

static int rank_on(int communicator, int rank) {
    const struct thing *on = &my.thing[communicator];
    for (int i = 0; i < on->size; i++)
        if (on->order[i] == rank)
            return i;
    return MPI_PROC_NULL;
}

static void run_group(const struct action *a, const struct thing *on) {
    struct thing *t = &my.thing[a->made[0]];
    const struct object *o = &my.script.object[a->made[0]];
    int list[MOST], way = (int)(a->seed % 4);
    caucus_request request;
    if (!has_member(o, my.rank))
        return;
    for (int i = 0; i < o->count; i++)
        list[i] = rank_on(a->on, o->member[i]);
    if (way == 0)
        MUST(caucus_group_create(on->comm, list, o->count, my.action, &t->group));
    else if (way == 1)
        MUST(caucus_group_create_unchecked(on->comm, list, o->count, my.action, &t->group));
    else if (way == 2)
        MUST(caucus_group_create_lazy(on->comm, list, o->count, &t->group));
    else {
        MUST(caucus_group_icreate(on->comm, list, o->count, my.action, &t->group, &request));
        found_later(a, t, request);
        return;
    }
    learn_group(t, o);
}

static void run_group_merge(const struct action *a, const struct thing *on) {
    const struct object *first = &my.script.object[a->on], *second = &my.script.object[a->with];
    struct thing *t = &my.thing[a->made[0]];
    caucus_group mine = has_member(first, my.rank) ? on->group : my.thing[a->with].group;
    int firsts[] = {rank_on(first->on, first->member[0]), rank_on(first->on, second->member[0])};
    caucus_request request;
    if (a->seed & 1) {
        MUST(caucus_group_merge(mine, firsts, 2, my.action, &t->group));
        learn_group(t, &my.script.object[a->made[0]]);
    } else {
        MUST(caucus_group_imerge(mine, firsts, 2, my.action, &t->group, &request));
        found_later(a, t, request);
    }
}

static void run_group_split(const struct action *a, const struct thing *on) {
    int color = MPI_UNDEFINED, key = 0;
    caucus_group none = CAUCUS_GROUP_NULL;
    caucus_request request;
    struct thing *t = NULL;
    for (int m = 0; m < a->made_count; m++)
        for (int i = 0; i < my.script.object[a->made[m]].count; i++)
            if (my.script.object[a->made[m]].member[i] == my.rank)
                color = m, key = i, t = &my.thing[a->made[m]];
    if (!t || a->seed & 1) {
        MUST(caucus_group_split(on->group, color, key, t ? &t->group : &none));
        if (t)
            learn_group(t, &my.script.object[t - my.thing]);
    } else {
        MUST(caucus_group_isplit(on->group, color, key, &t->group, &request));
        found_later(a, t, request);
    }
}

/* Others of the communicator join. */
static void run_group_grow(const struct action *a, const struct thing *on) {
    const struct object *was = &my.script.object[a->on], *o = &my.script.object[a->made[0]];
    struct thing *t = &my.thing[a->made[0]];
    int joining[MOST], n = o->count - was->count, first = rank_on(was->on, was->member[0]);
    for (int i = 0; i < n; i++)
        joining[i] = rank_on(was->on, o->member[was->count + i]);
    if (has_member(was, my.rank))
        MUST(caucus_group_grow(on->group, joining, n, my.action, &t->group));
    else if (has_member(o, my.rank))
        MUST(caucus_group_join(my.thing[was->on].comm, first, my.action, &t->group));
    else
        return;
    learn_group(t, o);
}

static void run_group_comm(const struct action *a, const struct thing *on) {
    struct thing *t = &my.thing[a->made[0]];
    const struct object *o = &my.script.object[a->made[0]];
    MUST(caucus_group_to_comm(on->group, &t->comm));
    learn(t, o);
    check_order(t, o, false);
    prepare(t, o);
}

#endif
