/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups become one, or take in single ranks: their first members meet as a list of their own
 * (creations.c), lists and union ride on the messages of that, and each tells its own group. Or one
 * asks another one, which takes it in when it has looked (join_request.c). */
#ifndef CAUCUS_RUN_GROUP_MERGING_H
#define CAUCUS_RUN_GROUP_MERGING_H

#include "run/group/group.h"

struct caucus_merging;

/* What a rank brings. */
struct caucus_merging_wish {
    struct caucus_attachment *parent;
    struct caucus_light_group *group; /* its own; NULL: it joins another one, alone */
    int64_t meets;                    /* CAUCUS_GROUP_MERGES, _JOINS, _ASKS, _TAKES */
    int tag;
    const int *ranks; /* on first members: those of all groups; where others join, who does; who is
                         asked; those who have asked and are taken. Of who joins himself, the
                         group's first alone. Others: not looked at */
    int count;
    int status; /* how it fails, with the thread's text: of a first member by its arguments, too;
                   then it lets all know that it can reach, others those below them, and fails so */
};

/* Begins without waiting. */
int caucus_merging_begin(const struct caucus_merging_wish *wish, struct caucus_merging **merging);

/* Goes on without waiting. Fails as it does on all its members, every time, once *complete. */
int caucus_merging_advance(struct caucus_merging *merging, bool *complete);

/* When it is complete without a failure: the group, once; or NULL where the group has asked and was
 * refused, and whom to ask instead (-1: nobody). */
int caucus_merging_take(struct caucus_merging *merging, struct caucus_light_group **made,
                        int *instead);

/* Complete or not. */
void caucus_merging_free(struct caucus_merging *merging);

/* join_request.c, for first members: those who wait to be taken into the group, at most `limit`, by
 * their ranks in the parent. Moves the manager on. */
int caucus_join_request_poll(struct caucus_light_group *group, int tag, int limit, int *askers,
                             int *count);

/* One of them is not taken. */
int caucus_join_request_refuse(struct caucus_light_group *group, int tag, int asker);

#endif
