/* SPDX-License-Identifier: BSD-3-Clause */
/* Any number of groups become one in a single step (Dinan et al., Noncollective communicator
 * creation in MPI, section 5.2, "multicommunicators"), by what each of them knows already: its own
 * members. Positions of the union are those of the first group, then of the second, and so on.
 *
 * The first members of the groups are a list that is created (creation.h), and what is here rides
 * on its messages: lists of groups up the tree, the union down. Below each first is its own group's
 * tree. So with k groups of n members together it takes 2 (k - 1) + (n - k) = n + k - 2 messages in
 * at most 2 ceil(log2 k) + ceil(log2 of the largest group) hops; a list of n from nothing takes
 * 2 (n - 1).
 *
 * What rides is words of 32 bits: of each group how many members it has, and they. */
#ifndef CAUCUS_PLAN_GROUP_MERGE_H
#define CAUCUS_PLAN_GROUP_MERGE_H

#include "plan/group/members.h"
#include "plan/protocol/positions.h"

struct caucus_merge_words {
    int64_t count;
    int32_t *word; /* owned */
};

/* What one first has; starts as all zero but for the first two. */
struct caucus_merge {
    int32_t me, parent_size;
    struct caucus_merge_words part[1 + CAUCUS_POSITION_CHILDREN]; /* own, then of those below */
    struct caucus_merge_words outcome;                            /* on its way down */
};

/* A group that this first stands for; several follow one another. */
int caucus_merge_add(struct caucus_merge *merge, const struct caucus_members *members);

int caucus_merge_add_words(struct caucus_merge *merge, const int32_t *word, int64_t count);

/* What came up from a position below this one. Words may be anything. */
int caucus_merge_note(struct caucus_merge *merge, int32_t from, const int32_t *word, int64_t count);

/* What goes up: own groups and those that came, in their order. The caller frees it. */
int caucus_merge_gather(const struct caucus_merge *merge, struct caucus_merge_words *up);

/* On the root, where all has come: the outcome is there afterwards, be it that groups overlap. */
int caucus_merge_settle(struct caucus_merge *merge);

/* Instead of a union: this member of the parent, whose number it was to have, has none for it. */
int caucus_merge_lacks_number(struct caucus_merge *merge, int32_t rank);

/* What came down is the outcome. */
int caucus_merge_learn(struct caucus_merge *merge, const int32_t *word, int64_t count);

/* The union that the words of an outcome tell, or CAUCUS_BAD_ARGUMENT, the same everywhere. */
int caucus_merge_union(const int32_t *word, int64_t count, int32_t parent_size,
                       struct caucus_members *members);

/* Whether the outcome is a union: fails as that does. */
int caucus_merge_check(const struct caucus_merge *merge);

/* Whom a member that is no first waits for, in words: above tells it what becomes of its group. */
void caucus_merge_explain(int32_t above, char *text, int64_t size);

void caucus_merge_free(struct caucus_merge *merge);

#endif
