/* SPDX-License-Identifier: BSD-3-Clause */
/* A merge in progress on one rank: for the files that carry it out, under the manager's lock. */
#ifndef CAUCUS_RUN_GROUP_MERGING_STATE_H
#define CAUCUS_RUN_GROUP_MERGING_STATE_H

#include "plan/group/merge.h"
#include "run/group/manager.h"
#include "run/group/merging.h"

struct caucus_merging {
    struct caucus_attachment *parent;
    int64_t meets;                     /* which call it is of: CAUCUS_GROUP_MERGES and so on */
    struct caucus_light_group *firsts; /* on one of them, until it is known what comes of it */
    struct caucus_join_request *join_request; /* or on a first that has asked: */
    int asked;                                /* this rank of the parent */
    bool withdrawn;                           /* and does not want to wait any more */
    struct caucus_merge merge;                /* of a first; its outcome everybody's in the end */
    int64_t about, turn;                      /* of what is said inside the group */
    int32_t child[CAUCUS_POSITION_CHILDREN];
    int32_t children; /* whom I tell; ranks of the parent */
    int32_t told_children;
    int first; /* who tells the group */
    int32_t above[CAUCUS_POSITION_CHILDREN];
    int32_t aboves; /* through whom I am told, from my parent to the first */
    int deaths;     /* so many of the manager's have been looked at */
    bool known;     /* what came of it: */
    bool telling;   /* those below me hear it: */
    bool told;      /* they know it */
    bool alone;     /* nobody here wants to know it any more */
    int64_t number;
    int status; /* with these words */
    char *text;
    double timeout; /* seconds; 0: none */
    int patience;   /* so many of these, from the beginning on */
    double begun;
    struct caucus_merging *next;
};

/* It fails, with this thread's words. */
void caucus_merging_fail(struct caucus_merging *merging, int status);

/* A first knows, and lets its group know. */
void caucus_merging_tell(struct caucus_merging *merging);

/* How it ended on a first by the outcome that it has: fails where that is none. */
void caucus_merging_settle(struct caucus_merging *merging, int64_t number, int status);

/* join_request.c: a first asks, or takes in who has; merging is in place. On failure it has not,
 * and the group is still to be told. */
int caucus_join_request_begin(const struct caucus_merging_wish *wish,
                              struct caucus_merging *merging);

/* A first has waited for long: it waits less long, or not at all any more. */
int caucus_join_request_lose_patience(struct caucus_merging *merging);

/* Whom a first that has asked waits for, in words. */
void caucus_join_request_tell(const struct caucus_merging *merging, char *text, int64_t size);

/* The answer is not waited for any more, if one was. */
void caucus_join_request_forget(struct caucus_merging *merging);

#endif
