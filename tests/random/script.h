/* SPDX-License-Identifier: BSD-3-Clause */
/* A random program as a list of actions that all ranks work out alike from the seed.
 *
 * Why nothing of it may hang: every rank does the actions that it takes part in by their numbers. A
 * blocking action waits for others to come to the same number. What is begun without waiting may be
 * waited for anywhere later, and then waits for others to come to a smaller number than this rank
 * is at. So whoever is at the smallest number waits for nobody who waits, as long as MPI, or
 * Caucus, moves on what a rank has begun while it waits for something else. */
#ifndef TESTS_RANDOM_SCRIPT_H
#define TESTS_RANDOM_SCRIPT_H

#include "numbers.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 16, OBJECTS = 512, ACTIONS = 1200, LISTED = 4, TRIES = 30 };

enum what { NOTHING, COMMUNICATOR, REQUEST, GROUP, CHANNEL };
enum topology { FLAT, GRID, GRAPH };

/* What actions make and others use. Members are ranks of MPI_COMM_WORLD; of an intercommunicator
 * those of the first group come first. A reordered grid has the same ones in an order of its own.
 */
struct object {
    enum what what;
    bool alive, wild, used, attached;
    int count, first, member[MOST];
    enum topology topology;
    int on;  /* what a request, group or channel is of */
    int tag; /* the next one of messages */
};

struct action {
    int kind;
    int on, with;             /* objects, or -1 */
    int made[2], made_count;  /* objects */
    int listed[LISTED], list; /* requests */
    uint64_t seed;            /* of all that is drawn when it is carried out */
    bool skipped;
};

struct script {
    uint64_t seed, state;
    int ranks, actions, objects, wanted;
    struct action action[ACTIONS];
    struct object object[OBJECTS];
};

static inline bool between_groups(const struct object *o) {
    return o->first < o->count;
}

static inline bool has_member(const struct object *o, int rank) {
    for (int i = 0; i < o->count; i++)
        if (o->member[i] == rank)
            return true;
    return false;
}

typedef bool suits(const struct script *s, const struct object *o);

/* A random object that is alive and suits, or -1. */
static inline int pick(struct script *s, suits *suitable) {
    int found = -1, so_far = 0;
    for (int i = 0; i < s->objects; i++)
        if (s->object[i].alive && suitable(s, &s->object[i]) && one_in(&s->state, ++so_far))
            found = i;
    return found;
}

static inline bool any_communicator(const struct script *s, const struct object *o) {
    (void)s;
    return o->what == COMMUNICATOR;
}

static inline bool one_group(const struct script *s, const struct object *o) {
    (void)s;
    return o->what == COMMUNICATOR && !between_groups(o);
}

static inline bool two_groups(const struct script *s, const struct object *o) {
    (void)s;
    return o->what == COMMUNICATOR && between_groups(o);
}

static inline bool several_ranks(const struct script *s, const struct object *o) {
    return one_group(s, o) && o->count > 1;
}

static inline bool attached_ranks(const struct script *s, const struct object *o) {
    return several_ranks(s, o) && o->attached;
}

static inline bool may_be_freed(const struct script *s, const struct object *o) {
    return o->what == COMMUNICATOR && o != s->object;
}

static inline bool any_request(const struct script *s, const struct object *o) {
    (void)s;
    return o->what == REQUEST;
}

static inline bool takes_collectives(const struct script *s, const struct object *o) {
    (void)s;
    return o->what == COMMUNICATOR || o->what == GROUP;
}

static inline bool takes_messages(const struct script *s, const struct object *o) {
    return any_communicator(s, o) && !o->wild;
}

static inline bool never_used(const struct script *s, const struct object *o) {
    return several_ranks(s, o) && !o->used && o != s->object;
}

/* A new object with the members of another one, none, or those that are given. */
static inline struct object *new_object(struct script *s, struct action *a, enum what what,
                                        const struct object *like) {
    if (s->objects == OBJECTS)
        return NULL;
    struct object *made = &s->object[s->objects];
    memset(made, 0, sizeof *made);
    if (like)
        *made = *like;
    made->what = what;
    made->alive = true;
    made->wild = made->used = made->attached = false;
    made->tag = 0;
    made->topology = FLAT;
    made->on = a->on;
    a->made[a->made_count++] = s->objects++;
    return made;
}

static inline void add_member(struct object *o, int rank) {
    o->member[o->count++] = rank;
    o->first = o->count;
}

static inline void begin_action(struct script *s, struct action *a, int kind) {
    memset(a, 0, sizeof *a);
    a->kind = kind;
    a->on = a->with = -1;
    s->state = mixed(s->state);
    a->seed = mixed(s->state);
}

/* Whether a rank takes part: a member of what the action is on, or of what it makes. */
static inline bool takes_part(const struct script *s, const struct action *a, int rank) {
    if (a->on >= 0 && has_member(&s->object[a->on], rank))
        return true;
    return a->with >= 0 && has_member(&s->object[a->with], rank);
}

#endif
