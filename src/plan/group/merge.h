/* SPDX-License-Identifier: BSD-3-Clause */
/* Any number of groups become one in a single step (Dinan et al., Noncollective communicator
 * creation in MPI, section 5.2, "multicommunicators"), by what each of them knows already: its own
 * members. Positions of the union are those of the first group, then of the second, and so on.
 *
 * The first members of the groups are a binomial tree, and below each of them is its group's own
 * tree. Lists go up among the firsts, the union and its number down to everybody: with k groups
 * of n members together 2 (k - 1) + (n - k) = n + k - 2 messages, in at most
 * 2 ceil(log2 k) + ceil(log2 of the largest group) hops. A list of n from nothing takes 2 (n - 1).
 */
#ifndef CAUCUS_PLAN_GROUP_MERGE_H
#define CAUCUS_PLAN_GROUP_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct caucus_merge_tree {
    int32_t groups;
    const int32_t *begin; /* positions where groups begin, ascending from 0; begin[groups]: n */
};

enum { CAUCUS_MERGE_CHILDREN = 64 }; /* at most, of anybody */

/* Which group a position of the union is in. O(log k). */
int32_t caucus_merge_group(const struct caucus_merge_tree *tree, int32_t position);

/* -1 for position 0. */
int32_t caucus_merge_parent(const struct caucus_merge_tree *tree, int32_t position);

/* Whether a message comes up from a position as well as down to it. */
bool caucus_merge_reports(const struct caucus_merge_tree *tree, int32_t position);

/* Those with most below them first, other groups before one's own. Returns how many there are. */
int32_t caucus_merge_children(const struct caucus_merge_tree *tree, int32_t position,
                              int32_t children[CAUCUS_MERGE_CHILDREN]);

#ifdef __cplusplus
}
#endif

#endif
