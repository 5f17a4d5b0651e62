/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of actions, and whole scripts. */
#ifndef TESTS_RANDOM_KINDS_H
#define TESTS_RANDOM_KINDS_H

#include "generate.h"

enum { BOTH, LIBRARY_ONLY, MPI_ONLY };

static const struct {
    const char *name;
    int weight, where;
    drawing *draw;
} kinds[KINDS] = {
    [COLLECTIVE] = {"collective", 8, BOTH, draw_collective},
    [COLLECTIVE_NONBLOCKING] = {"nonblocking", 10, BOTH, draw_collective},
    [COLLECTIVE_NATIVE] = {"native", 3, LIBRARY_ONLY, draw_native},
    [INIT] = {"init", 6, BOTH, draw_init},
    [START] = {"start", 12, BOTH, draw_start},
    [FREE_REQUEST] = {"free_request", 5, BOTH, draw_free_request},
    [MESSAGES] = {"messages", 6, BOTH, draw_messages},
    [WILDCARDS] = {"wildcards", 4, BOTH, draw_wildcards},
    [RING] = {"ring", 3, BOTH, draw_ring},
    [PAIR] = {"pair", 3, MPI_ONLY, draw_ring},
    [WRONG] = {"wrong", 2, BOTH, draw_wrong},
    [DUP] = {"dup", 2, BOTH, draw_dup},
    [IDUP] = {"idup", 2, BOTH, draw_dup},
    [SPLIT] = {"split", 3, BOTH, draw_split},
    [CREATE_GROUP] = {"create_group", 3, BOTH, draw_create_group},
    [INTERCOMM] = {"intercomm", 4, BOTH, draw_intercomm},
    [MERGE] = {"merge", 2, BOTH, draw_merge},
    [CART] = {"cart", 3, BOTH, draw_topology},
    [DIST_GRAPH] = {"dist_graph", 2, BOTH, draw_topology},
    [FREE] = {"free", 5, BOTH, draw_free},
    [GROUP_CREATE] = {"group", 5, LIBRARY_ONLY, draw_group},
    [GROUP_MERGE] = {"group_merge", 4, LIBRARY_ONLY, draw_group_merge},
    [GROUP_SPLIT] = {"group_split", 2, LIBRARY_ONLY, draw_group_split},
    [GROUP_GROW] = {"group_grow", 2, LIBRARY_ONLY, draw_group_grow},
    [GROUP_COMM] = {"group_comm", 1, LIBRARY_ONLY, draw_group_comm},
    [GROUP_FREE] = {"group_free", 3, LIBRARY_ONLY, draw_group_free},
    [CHANNEL_OPEN] = {"channel", 2, LIBRARY_ONLY, draw_open},
    [STORM] = {"storm", 5, LIBRARY_ONLY, draw_channel},
    [QUIET] = {"quiet", 2, LIBRARY_ONLY, draw_channel},
    [CHANNEL_CLOSE] = {"close", 1, LIBRARY_ONLY, draw_channel},
};

static int kind_named(const char *name, size_t length) {
    for (int k = 0; k < KINDS; k++)
        if (strlen(kinds[k].name) == length && strncmp(kinds[k].name, name, length) == 0)
            return k;
    return -1;
}

static bool try_kind(struct script *s, int kind) {
    struct action *a = &s->action[s->actions];
    int objects = s->objects;
    if (s->actions == ACTIONS)
        return false;
    begin_action(s, a, kind);
    if (kinds[kind].draw(s, a)) {
        s->actions++;
        return true;
    }
    s->objects = objects;
    return false;
}

static void draw_action(struct script *s, const int weight[KINDS]) {
    int total = 0;
    for (int k = 0; k < KINDS; k++)
        total += weight[k];
    for (int tries = 0; tries < TRIES && total > 0; tries++) {
        int at = below(&s->state, total), kind = 0;
        while (at >= weight[kind])
            at -= weight[kind++];
        if (try_kind(s, kind))
            return;
    }
}

/* All that is left is freed, in any order that is allowed. */
static void draw_closing(struct script *s) {
    static const int closing[] = {FREE_REQUEST, FREE, GROUP_FREE, CHANNEL_CLOSE};
    bool open = true;
    while (open && s->actions < ACTIONS) {
        try_kind(s, closing[below(&s->state, 4)]);
        open = false;
        for (int i = 1; i < s->objects; i++)
            open = open || s->object[i].alive;
    }
}

/* The first action is an init on all ranks, from which on the drop-in knows of all. */
static void draw_script(struct script *s, uint64_t seed, int ranks, const int weight[KINDS],
                        int actions) {
    memset(s, 0, sizeof *s);
    s->seed = seed;
    s->state = mixed_with(seed, (uint64_t)ranks);
    s->ranks = ranks;
    struct object *world = &s->object[s->objects++];
    world->what = COMMUNICATOR;
    world->alive = world->attached = true;
    for (int r = 0; r < ranks; r++)
        add_member(world, r);
    if (weight[INIT] > 0)
        try_kind(s, INIT);
    while (actions-- > 0 && s->actions < ACTIONS / 3)
        draw_action(s, weight);
    draw_closing(s);
}

/* What is skipped takes with it what needs what it would have made. */
static void skip_actions(struct script *s, const bool *skipped) {
    bool missing[OBJECTS] = {false};
    for (int i = 0; i < s->actions; i++) {
        struct action *a = &s->action[i];
        bool own = a->with >= 0 && a->made_count > 0 && a->with == a->made[0];
        a->skipped = skipped[i] || (a->on >= 0 && missing[a->on]) ||
                     (a->with >= 0 && !own && missing[a->with]);
        for (int k = 0; k < a->list; k++)
            if (missing[a->listed[k]])
                a->listed[k--] = a->listed[--a->list];
        for (int k = 0; a->skipped && k < a->made_count; k++)
            missing[a->made[k]] = true;
    }
}

static const char *words_of(const struct action *a) {
    static const char *const whats[] = {"", "communicator", "request", "group", "channel"};
    static char text[400];
    const struct script *s = &my.script;
    size_t n = 0;
#define SAY(...) n += (size_t)snprintf(text + n, n < sizeof text ? sizeof text - n : 0, __VA_ARGS__)
    SAY("%s", kinds[a->kind].name);
    if (a->on >= 0)
        SAY(" on %s %d", whats[s->object[a->on].what], a->on);
    if (a->with >= 0)
        SAY(" and %d", a->with);
    for (int i = 0; i < a->list && n < 300; i++)
        SAY(" %d", a->listed[i]);
    for (int i = 0; i < a->made_count && n < 300; i++) {
        const struct object *o = &s->object[a->made[i]];
        SAY(", makes %s %d of ranks", whats[o->what], a->made[i]);
        for (int r = 0; r < o->count && n < 300; r++)
            SAY("%s%d", r == o->first ? " | " : r ? "," : " ", o->member[r]);
    }
#undef SAY
    return text;
}

#endif
