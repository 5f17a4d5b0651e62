/* SPDX-License-Identifier: BSD-3-Clause */
/* Trees for small data, where a rank can send the next message long before the last one has arrived
 * (A. Bar-Noy and S. Kipnis, "Designing broadcasting algorithms in the postal model for
 * message-passing systems", Mathematical Systems Theory 1994). With messages that take delay times
 * as long as it takes to send one, F(t) ranks can be reached in time t:
 *
 *   F(t) = F(t - 1) + F(t - delay), or 1 before t = delay
 *
 * The first message goes to the rank F(t - 1) further on, which has the rest of the ranks for
 * itself, and so on with what is left. So every subtree is ranks in a row, and the one reached
 * first is the last of them. A delay of 1 gives the binomial tree. */
#ifndef CAUCUS_PLAN_COLLECTIVE_POSTAL_H
#define CAUCUS_PLAN_COLLECTIVE_POSTAL_H

#include "plan/collective/task.h"
#include "plan/machine/model.h"
#include "plan/schedule/builder.h"

enum { CAUCUS_POSTAL_BINOMIAL = 1, CAUCUS_POSTAL_CHILDREN = 96 };

struct caucus_postal {
    int32_t parent; /* -1 for rank 0 */
    int children;
    int32_t child[CAUCUS_POSTAL_CHILDREN]; /* in the order in which they are reached */
};

/* What networks of today have about, less for longer data: a binomial tree in the end. */
int caucus_postal_delay(int64_t bytes, bool reduces);

/* Ranks counted from the root on. */
void caucus_postal_init(struct caucus_postal *tree, int32_t size, int32_t rank, int delay);

/* Among ranks of which local in a row share a node. */
double caucus_postal_cost(const struct caucus_model *model, int32_t ranks, int32_t local,
                          double bytes, bool reduces);

double caucus_postal_task_cost(const struct caucus_task *task, const struct caucus_model *model,
                               bool reduces);

/* Among one rank of each node. */
double caucus_postal_leaders_cost(const struct caucus_task *task, const struct caucus_model *model,
                                  bool reduces);

#endif
