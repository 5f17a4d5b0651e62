/* SPDX-License-Identifier: BSD-3-Clause */
/* Something about every role, kept by all leaders together: each keeps it for as many roles as its
 * node has ranks, in order. So who to ask is known without asking. */
#ifndef CAUCUS_PLAN_GRAPH_REGISTRY_H
#define CAUCUS_PLAN_GRAPH_REGISTRY_H

#include "plan/graph/letters.h"
#include "plan/machine/nodes.h"

struct caucus_registry {
    int32_t leaders, leader;
    int64_t *first; /* [leaders + 1] the roles from there on are leader's */
    int32_t *value; /* last told of each of this leader's roles; its own number at first */
};

int caucus_registry_init(struct caucus_registry *registry, const struct caucus_nodes *nodes,
                         int32_t leader);
void caucus_registry_free(struct caucus_registry *registry);

/* Who keeps it for a role. O(log(leaders)). */
int32_t caucus_registry_keeper(const struct caucus_registry *registry, int64_t role);

/* Letters to keepers that tell the value of a role, at least 0; and that ask for it. */
void caucus_registry_tell(const struct caucus_registry *registry, int64_t role, int64_t value,
                          struct caucus_letters *letters);
void caucus_registry_ask(const struct caucus_registry *registry, int64_t role,
                         struct caucus_letters *letters);

/* A keeper's answers to all such letters: what is told in any of them counts before what is asked.
 * Of each role that is asked for, in the order of the questions, the number and the value. */
void caucus_registry_answer(struct caucus_registry *registry, const struct caucus_letters *received,
                            struct caucus_letters *answers);

/* The answers to a leader's questions, sorted by role. */
struct caucus_answers {
    int64_t count;
    int64_t *number; /* role and value of each */
};
int caucus_answers_read(const struct caucus_letters *received, struct caucus_answers *answers);
void caucus_answers_free(struct caucus_answers *answers);

/* The value of a role that was asked for; -1 for others. O(log(count)). */
int32_t caucus_answers_find(const struct caucus_answers *answers, int64_t role);

#endif
