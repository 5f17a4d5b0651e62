/* SPDX-License-Identifier: BSD-3-Clause */
/* What the cost formulas of the algorithms share. The simulation (plan/schedule/simulate.h) is the
 * measure: a formula is right where it tells what the simulated schedules take. */
#ifndef CAUCUS_PLAN_COLLECTIVE_COST_H
#define CAUCUS_PLAN_COLLECTIVE_COST_H

#include "plan/collective/task.h"
#include "plan/machine/model.h"

/* ⌈log2 ranks⌉; 0 for one rank. */
int caucus_cost_rounds(int32_t ranks);

/* A round in which every rank sends and receives bytes: between nodes if there are several, where
 * all ranks of the largest node share its card. */
double caucus_cost_message(const struct caucus_task *task, const struct caucus_model *model,
                           double bytes);

/* A round in which rank r sends bytes to r + distance and receives from r - distance (modulo p).
 * Where nodes are blocks of ranks, only as many ranks of a node send out of it as the distance. */
double caucus_cost_shift(const struct caucus_task *task, const struct caucus_model *model,
                         int64_t distance, double bytes);

/* A round in which ranks whose numbers differ in the bit distance = 2^k swap bytes: within the
 * nodes where these are blocks of a multiple of 2^(k+1) ranks. */
double caucus_cost_exchange(const struct caucus_task *task, const struct caucus_model *model,
                            int64_t distance, double bytes);

/* A round of a binomial tree: of ranks 2 distance apart, each sends bytes to the one that is
 * distance further on. */
double caucus_cost_tree(const struct caucus_task *task, const struct caucus_model *model,
                        int64_t distance, double bytes);

/* Rounds of one of these over distances 1, 2, 4, … below the number of ranks, in which all bytes
 * go; reduces: each combines what came. */
typedef double caucus_cost_round(const struct caucus_task *task, const struct caucus_model *model,
                                 int64_t distance, double bytes);
double caucus_cost_doubling(const struct caucus_task *task, const struct caucus_model *model,
                            caucus_cost_round *round, double bytes, bool reduces);

/* What rounds take less in which nobody waits for what he sends on: so many latencies, if all ranks
 * are as far apart. */
double caucus_cost_early(const struct caucus_task *task, const struct caucus_model *model,
                         int rounds);

/* The model while only so many ranks exchange messages between nodes at a time. Of a model that is
 * one already it takes nothing more. */
struct caucus_model caucus_cost_part(const struct caucus_task *task,
                                     const struct caucus_model *model, double talking);

/* While so many ranks of each node do. */
struct caucus_model caucus_cost_lanes_part(const struct caucus_task *task,
                                           const struct caucus_model *model, double lanes);

/* While messages follow one another in so many rounds, of which all ranks have some together. */
struct caucus_model caucus_cost_tree_part(const struct caucus_task *task,
                                          const struct caucus_model *model, double messages,
                                          double rounds);

/* One message within a node. */
double caucus_cost_within(const struct caucus_model *model, double bytes);

/* A message between nodes, while sharing ranks of a node do likewise: 1 for leaders alone. One of
 * several rounds. */
double caucus_cost_between(const struct caucus_model *model, double bytes, double sharing);

/* A rank's own work. */
double caucus_cost_copy(const struct caucus_model *model, double bytes);
double caucus_cost_reduce(const struct caucus_model *model, double bytes);

/* So many messages one after the other, each combined while the next one is on its way. */
double caucus_cost_overlap(double message, double reduce, double count);

/* From raising a flag until a rank that awaits so many lines goes on. */
double caucus_cost_flags(const struct caucus_model *model, double lines);

/* What a rank sends, or receives, one after the other in one step: so many messages of bytes each
 * to ranks all over, of which between go to other nodes, while all ranks do likewise. */
double caucus_cost_burst(const struct caucus_task *task, const struct caucus_model *model,
                         double messages, double between, double bytes);

#endif
