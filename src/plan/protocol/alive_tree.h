/* SPDX-License-Identifier: BSD-3-Clause */
/* The tree of a list's members as it looks to one who knows some of them to be dead: the binomial
 * tree of positions 0 to n - 1, in which the nearest living ancestor stands in for a dead parent,
 * and the lowest living member for a dead root. Pure functions of the dead: repair is to ask again.
 */
#ifndef CAUCUS_PLAN_PROTOCOL_ALIVE_TREE_H
#define CAUCUS_PLAN_PROTOCOL_ALIVE_TREE_H

#include "plan/protocol/member_set.h"
#include "plan/protocol/positions.h"

struct caucus_alive_tree {
    int32_t members, me;
    const uint64_t *dead; /* a set without me */
};

/* The lowest living member. */
int32_t caucus_alive_root(const struct caucus_alive_tree *tree);

/* Whom I report to; I myself if I am the root. O(log n) and the dead below the root. */
int32_t caucus_alive_up(const struct caucus_alive_tree *tree);

/* Whether a living member reports to me, if it knows of the same dead. O(log n). */
bool caucus_alive_is_child(const struct caucus_alive_tree *tree, int32_t member);

/* Whether everybody below me is in the set, below somebody in it, or dead. */
bool caucus_alive_covers(const struct caucus_alive_tree *tree, const uint64_t *set);

#endif
