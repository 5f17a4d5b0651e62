/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective/rooted.h"

#include "plan/collective/cost.h"

#include <stddef.h>

/* Where lengths differ, subtrees of short blocks differ little; but the root waits for long ones,
 * which come straight (binomial.c). */
enum { SHORT = 4096 };
static const double UNEVEN_SHORT = 1.05, UNEVEN_LONG = 1.7;

/* All at once, bounded by what the root's processor, its port and the wire take. */
double caucus_rooted_linear_cost(const struct caucus_task *task, const struct caucus_model *model) {
    const struct caucus_node_map *nodes = task->nodes;
    double block = (double)task->volume / task->ranks;
    double within = nodes ? nodes->largest - 1 : 0, between = task->ranks - 1 - within;
    const double messages[] = {within, between};
    double processor = 0, port = 0;
    for (int distance = 0; distance < CAUCUS_DISTANCES; distance++) {
        processor += messages[distance] * (model->overhead[distance] + model->operation);
        port += messages[distance] * block * model->byte[distance];
    }
    enum caucus_distance last = between > 0 ? CAUCUS_BETWEEN_NODES : CAUCUS_WITHIN_NODE;
    if (model->ports == 0)
        port = block * model->byte[last];
    double card = between * block * model->card_byte;
    port = port > card ? port : card;
    return model->latency[last] + 2 * model->overhead[last] + block * model->byte[last] +
           (processor > port ? processor : port);
}

/* The deepest path: round k carries 2^k blocks over a distance of 2^k. Where nodes are blocks,
 * only the last rank of each 2^k talks, so that the card is not shared beyond the node. */
double caucus_rooted_binomial_cost(const struct caucus_task *task,
                                   const struct caucus_model *model) {
    const struct caucus_node_map *nodes = task->nodes;
    double block = (double)task->volume / task->ranks, seconds = 0;
    if (task->collective == CAUCUS_GATHERV || task->collective == CAUCUS_SCATTERV)
        block *= 2 * block > SHORT ? UNEVEN_LONG : UNEVEN_SHORT;
    for (int64_t distance = 1; distance < task->ranks; distance *= 2) {
        int64_t blocks = distance < task->ranks - distance ? distance : task->ranks - distance;
        bool within =
            nodes && (nodes->nodes == 1 || (nodes->ordered && 2 * distance <= nodes->largest));
        double sharing =
            nodes && !nodes->ordered ? (double)nodes->largest / (2 * (double)distance) : 1;
        double bytes = (double)blocks * block;
        seconds += within ? caucus_cost_within(model, bytes)
                          : caucus_cost_between(model, bytes, sharing > 1 ? sharing : 1);
    }
    return seconds;
}
