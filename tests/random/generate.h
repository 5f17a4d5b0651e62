/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of actions, and how each is drawn. */
#ifndef TESTS_RANDOM_GENERATE_H
#define TESTS_RANDOM_GENERATE_H

#include "script.h"

enum kind {
    COLLECTIVE,
    COLLECTIVE_NONBLOCKING,
    COLLECTIVE_NATIVE,
    INIT,
    START,
    FREE_REQUEST,
    MESSAGES,
    WILDCARDS,
    RING,
    PAIR,
    WRONG,
    DUP,
    IDUP,
    SPLIT,
    CREATE_GROUP,
    INTERCOMM,
    MERGE,
    CART,
    DIST_GRAPH,
    FREE,
    GROUP_CREATE,
    GROUP_MERGE,
    GROUP_SPLIT,
    GROUP_GROW,
    GROUP_COMM,
    GROUP_FREE,
    CHANNEL_OPEN,
    STORM,
    QUIET,
    CHANNEL_CLOSE,
    KINDS
};

typedef bool drawing(struct script *s, struct action *a);

static bool draw_on(struct script *s, struct action *a, suits *suitable) {
    a->on = pick(s, suitable);
    return a->on >= 0;
}

static bool draw_collective(struct script *s, struct action *a) {
    return draw_on(s, a, takes_collectives);
}

static bool draw_native(struct script *s, struct action *a) {
    return draw_on(s, a, any_communicator);
}

static bool draw_init(struct script *s, struct action *a) {
    return draw_on(s, a, takes_collectives) && new_object(s, a, REQUEST, &s->object[a->on]);
}

static bool draw_start(struct script *s, struct action *a) {
    int wanted = 1 + below(&s->state, LISTED);
    for (int i = 0; i < wanted; i++) {
        int found = pick(s, any_request);
        bool again = found < 0;
        for (int k = 0; k < a->list; k++)
            again = again || a->listed[k] == found;
        if (!again)
            a->listed[a->list++] = found;
    }
    return a->list > 0;
}

static bool draw_free_request(struct script *s, struct action *a) {
    if (!draw_on(s, a, any_request) || one_in(&s->state, 2))
        return false;
    s->object[a->on].alive = false;
    return true;
}

static bool draw_messages(struct script *s, struct action *a) {
    if (!draw_on(s, a, takes_messages))
        return false;
    s->object[a->on].used = true;
    return true;
}

static bool draw_wildcards(struct script *s, struct action *a) {
    if (!draw_on(s, a, never_used))
        return false;
    return s->object[a->on].wild = s->object[a->on].used = true;
}

static bool named_ranks(const struct script *s, const struct object *o) {
    return several_ranks(s, o) && !o->wild;
}

static bool draw_ring(struct script *s, struct action *a) {
    if (!draw_on(s, a, named_ranks))
        return false;
    return s->object[a->on].used = true;
}

static bool draw_wrong(struct script *s, struct action *a) {
    return draw_on(s, a, any_communicator);
}

/* With drawn members of another object, at least `least`, in a drawn order. */
static struct object *draw_members(struct script *s, struct action *a, enum what what,
                                   const struct object *from, int least) {
    int order[MOST], n = from->count;
    if (n < least)
        return NULL;
    struct object *made = new_object(s, a, what, NULL);
    memcpy(order, from->member, sizeof order);
    shuffle(&s->state, order, n);
    int count = least + below(&s->state, n - least + 1);
    for (int i = 0; made && i < count; i++)
        add_member(made, order[i]);
    return made;
}

static bool draw_attached(struct script *s, struct object *made) {
    made->attached = !one_in(&s->state, 3);
    return true;
}

static bool draw_dup(struct script *s, struct action *a) {
    if (!draw_on(s, a, any_communicator))
        return false;
    struct object *made = new_object(s, a, COMMUNICATOR, &s->object[a->on]);
    if (!made)
        return false;
    made->topology = s->object[a->on].topology;
    return a->kind == IDUP || draw_attached(s, made);
}

static bool draw_split_of(struct script *s, struct action *a, enum what what) {
    const struct object *from = &s->object[a->on];
    struct object *made[2] = {new_object(s, a, what, NULL), new_object(s, a, what, NULL)};
    int order[MOST];
    if (!made[0] || !made[1])
        return false;
    memcpy(order, from->member, sizeof order);
    shuffle(&s->state, order, from->count);
    for (int i = 0; i < from->count; i++) {
        int color = below(&s->state, 5);
        if (color < 4)
            add_member(made[color & 1], order[i]);
    }
    for (int i = 0; i < 2; i++) {
        made[i]->alive = made[i]->count > 0;
        made[i]->on = what == GROUP ? from->on : a->on;
        draw_attached(s, made[i]);
    }
    return true;
}

static bool draw_split(struct script *s, struct action *a) {
    return draw_on(s, a, several_ranks) && draw_split_of(s, a, COMMUNICATOR);
}

static bool draw_create_group(struct script *s, struct action *a) {
    if (!draw_on(s, a, attached_ranks))
        return false;
    struct object *made = draw_members(s, a, COMMUNICATOR, &s->object[a->on], 1);
    return made && draw_attached(s, made);
}

static bool draw_intercomm(struct script *s, struct action *a) {
    if (!draw_on(s, a, named_ranks))
        return false;
    struct object *made = draw_members(s, a, COMMUNICATOR, &s->object[a->on], 2);
    if (!made)
        return false;
    made->first = 1 + below(&s->state, made->count - 1);
    return draw_attached(s, made);
}

static bool draw_merge(struct script *s, struct action *a) {
    if (!draw_on(s, a, two_groups))
        return false;
    struct object *made = new_object(s, a, COMMUNICATOR, &s->object[a->on]);
    if (!made)
        return false;
    made->first = made->count;
    return draw_attached(s, made);
}

static bool draw_topology(struct script *s, struct action *a) {
    if (!draw_on(s, a, one_group))
        return false;
    struct object *made = new_object(s, a, COMMUNICATOR, &s->object[a->on]);
    if (!made)
        return false;
    made->topology = a->kind == CART ? GRID : GRAPH;
    return draw_attached(s, made);
}

/* Not what groups and channels need, nor what requests need if they are to be kept. */
static bool draw_free(struct script *s, struct action *a) {
    if (!draw_on(s, a, may_be_freed))
        return false;
    for (int i = 0; i < s->objects; i++)
        if (s->object[i].alive && s->object[i].on == a->on &&
            (s->object[i].what == CHANNEL || s->object[i].what == GROUP ||
             (s->object[i].what == REQUEST && my.kept)))
            return false;
    s->object[a->on].alive = false;
    return true;
}

static bool draw_group(struct script *s, struct action *a) {
    return draw_on(s, a, attached_ranks) && draw_members(s, a, GROUP, &s->object[a->on], 1);
}

static bool any_group(const struct script *s, const struct object *o) {
    (void)s;
    return o->what == GROUP;
}

static bool draw_group_merge(struct script *s, struct action *a) {
    if (!draw_on(s, a, any_group))
        return false;
    a->with = pick(s, any_group);
    const struct object *first = &s->object[a->on], *second = &s->object[a->with];
    if (first->on != second->on)
        return false;
    for (int i = 0; i < first->count; i++)
        if (has_member(second, first->member[i]))
            return false;
    struct object *made = new_object(s, a, GROUP, first);
    if (!made)
        return false;
    made->on = first->on;
    for (int i = 0; i < second->count; i++)
        add_member(made, second->member[i]);
    return true;
}

static bool draw_group_split(struct script *s, struct action *a) {
    return draw_on(s, a, any_group) && draw_split_of(s, a, GROUP);
}

static bool draw_group_grow(struct script *s, struct action *a) {
    if (!draw_on(s, a, any_group))
        return false;
    const struct object *was = &s->object[a->on], *all = &s->object[was->on];
    struct object *made = was->count < all->count ? new_object(s, a, GROUP, was) : NULL;
    if (!made)
        return false;
    made->on = was->on;
    a->with = a->made[0];
    for (int i = 0; i < all->count; i++)
        if (!has_member(was, all->member[i]) && (made->count == was->count || one_in(&s->state, 2)))
            add_member(made, all->member[i]);
    return true;
}

static bool draw_group_comm(struct script *s, struct action *a) {
    if (!draw_on(s, a, any_group))
        return false;
    struct object *made = new_object(s, a, COMMUNICATOR, &s->object[a->on]);
    return made && draw_attached(s, made);
}

static bool draw_group_free(struct script *s, struct action *a) {
    if (!draw_on(s, a, any_group))
        return false;
    s->object[a->on].alive = false;
    return true;
}

static bool draw_open(struct script *s, struct action *a) {
    return draw_on(s, a, one_group) && new_object(s, a, CHANNEL, &s->object[a->on]);
}

static bool any_channel(const struct script *s, const struct object *o) {
    (void)s;
    return o->what == CHANNEL;
}

static bool draw_channel(struct script *s, struct action *a) {
    if (!draw_on(s, a, any_channel))
        return false;
    s->object[a->on].alive = a->kind != CHANNEL_CLOSE;
    return true;
}

#endif
