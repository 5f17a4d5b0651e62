/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective/cost.h"

#include <math.h>
#include <stddef.h>

int caucus_cost_rounds(int32_t ranks) {
    int rounds = 0;
    while (((int64_t)1 << rounds) < ranks)
        rounds++;
    return rounds;
}

static bool one_node(const struct caucus_task *task) {
    return task->nodes && task->nodes->nodes == 1;
}

/* How many ranks of a node its card serves. */
static double node_ranks(const struct caucus_task *task) {
    return task->nodes ? task->nodes->largest : 1;
}

static double message(const struct caucus_model *model, enum caucus_distance distance, double bytes,
                      double byte) {
    return model->operation + 2 * model->overhead[distance] + model->latency[distance] +
           bytes * byte;
}

static double in_part(double lone, double busy, double part) {
    return lone > 0 && lone < busy ? lone + part * (busy - lone) : busy;
}

/* Lone figures are of one rank of each node. */
struct caucus_model caucus_cost_part(const struct caucus_task *task,
                                     const struct caucus_model *model, double talking) {
    struct caucus_model few = *model;
    double *latency = &few.latency[CAUCUS_BETWEEN_NODES],
           *overhead = &few.overhead[CAUCUS_BETWEEN_NODES];
    double lone = task->nodes && task->nodes->largest > 1 ? task->nodes->nodes : 0;
    double part = fmin(1, fmax(0, (talking - lone) / (task->ranks - lone)));
    *latency = in_part(model->lone_latency, *latency, part);
    *overhead = in_part(model->lone_overhead, *overhead, part);
    few.lone_latency = few.lone_overhead = 0;
    return few;
}

struct caucus_model caucus_cost_lanes_part(const struct caucus_task *task,
                                           const struct caucus_model *model, double lanes) {
    return caucus_cost_part(task, model, lanes * task->nodes->nodes);
}

struct caucus_model caucus_cost_tree_part(const struct caucus_task *task,
                                          const struct caucus_model *model, double messages,
                                          double rounds) {
    return caucus_cost_part(task, model, 2 * messages / rounds);
}

double caucus_cost_within(const struct caucus_model *model, double bytes) {
    return message(model, CAUCUS_WITHIN_NODE, bytes, model->byte[CAUCUS_WITHIN_NODE]);
}

/* Rounds follow one another: while the card serves the last ranks of a node, the messages of the
 * first are on their way. So a round takes the longer of both, and the shorter one counts once in
 * some five rounds. */
double caucus_cost_between(const struct caucus_model *model, double bytes, double sharing) {
    double own = message(model, CAUCUS_BETWEEN_NODES, bytes, model->byte[CAUCUS_BETWEEN_NODES]);
    double fixed = message(model, CAUCUS_BETWEEN_NODES, 0, 0);
    double card = sharing * bytes * model->card_byte;
    if (card <= own - fixed)
        return own;
    return fmax(own, card) + fmin(fixed, card) / 5;
}

double caucus_cost_message(const struct caucus_task *task, const struct caucus_model *model,
                           double bytes) {
    return one_node(task) ? caucus_cost_within(model, bytes)
                          : caucus_cost_between(model, bytes, node_ranks(task));
}

/* How many ranks of the largest node send out of it where nodes are no blocks of ranks: in
 * proportion as many as of some of all ranks, since there may be a million. Of two groups only the
 * numbers of a map are known. */
static double crossing_of_some(const struct caucus_task *task, int64_t distance) {
    enum { SOME = 32 };
    const struct caucus_node_map *nodes = task->nodes;
    int32_t step = nodes->ranks / SOME + 1, looked = 0, crossing = 0;
    for (int64_t rank = 0; rank < nodes->ranks; rank += step, looked++)
        crossing += caucus_node_of_rank(nodes, (int32_t)rank) !=
                    caucus_node_of_rank(nodes, (int32_t)((rank + distance) % nodes->ranks));
    return node_ranks(task) * crossing / looked;
}

/* The part of the ranks of a mean node that send out of it. A rank's news passes so many borders of
 * nodes in a round on average, and waits for the others' at each; but a port between nodes must
 * keep up. */
double caucus_cost_shift(const struct caucus_task *task, const struct caucus_model *model,
                         int64_t distance, double bytes) {
    if (one_node(task))
        return caucus_cost_within(model, bytes);
    double all = task->nodes ? (double)task->ranks / task->nodes->nodes : 1;
    double crossing = node_ranks(task);
    if (task->nodes && !task->nodes->ordered && task->nodes->node_of_rank) {
        crossing = crossing_of_some(task, distance);
    } else if (task->nodes && task->nodes->ordered) {
        crossing = fmin(crossing, (double)distance);
        crossing = fmin(crossing, (double)(task->ranks - distance));
    }
    double within = caucus_cost_within(model, bytes);
    if (crossing == 0)
        return within;
    double between = caucus_cost_between(model, bytes, crossing);
    double byte = fmax(model->byte[CAUCUS_BETWEEN_NODES], crossing * model->card_byte);
    double port = model->operation + model->overhead[CAUCUS_BETWEEN_NODES] + bytes * byte;
    return fmax(within + (between - within) * fmin(1, crossing / all), port);
}

/* Whether ranks that differ in the bit distance are on the same node. */
static bool stays_inside(const struct caucus_task *task, int64_t distance) {
    const struct caucus_node_map *nodes = task->nodes;
    return nodes && nodes->ordered && nodes->largest == nodes->smallest &&
           nodes->largest % (2 * distance) == 0;
}

double caucus_cost_exchange(const struct caucus_task *task, const struct caucus_model *model,
                            int64_t distance, double bytes) {
    return stays_inside(task, distance) ? caucus_cost_within(model, bytes)
                                        : caucus_cost_shift(task, model, distance, bytes);
}

/* Where nodes are no blocks of ranks, all that send may be on one of them. */
double caucus_cost_tree(const struct caucus_task *task, const struct caucus_model *model,
                        int64_t distance, double bytes) {
    bool ordered = task->nodes && task->nodes->ordered;
    const struct caucus_model few =
        caucus_cost_tree_part(task, model, task->ranks - 1, caucus_cost_rounds(task->ranks));
    double apart = 2 * (double)distance;
    double sharing = (ordered ? node_ranks(task) : task->ranks) / apart;
    if (one_node(task) || stays_inside(task, distance))
        return caucus_cost_within(model, bytes);
    return caucus_cost_between(&few, bytes, fmax(1, fmin(sharing, node_ranks(task))));
}

double caucus_cost_doubling(const struct caucus_task *task, const struct caucus_model *model,
                            caucus_cost_round *round, double bytes, bool reduces) {
    double seconds = 0, reduce = reduces ? caucus_cost_reduce(model, bytes) : 0;
    for (int64_t distance = 1; distance < task->ranks; distance *= 2)
        seconds += round(task, model, distance, bytes) + reduce;
    return seconds;
}

double caucus_cost_early(const struct caucus_task *task, const struct caucus_model *model,
                         int rounds) {
    if (one_node(task))
        return rounds * model->latency[CAUCUS_WITHIN_NODE];
    return node_ranks(task) > 1 ? 0 : rounds * model->latency[CAUCUS_BETWEEN_NODES];
}

double caucus_cost_copy(const struct caucus_model *model, double bytes) {
    return model->operation + bytes * model->copy_byte;
}

double caucus_cost_reduce(const struct caucus_model *model, double bytes) {
    return model->operation + bytes * model->reduce_byte;
}

double caucus_cost_overlap(double message, double reduce, double count) {
    return message + (count - 1) * fmax(message, reduce) + reduce;
}

double caucus_cost_flags(const struct caucus_model *model, double lines) {
    return model->operation + model->signal + lines * model->operation;
}

/* The largest of what a processor, a port and the card need, and the way of the last message. */
double caucus_cost_burst(const struct caucus_task *task, const struct caucus_model *model,
                         double messages, double between, double bytes) {
    double within = messages - between;
    double processor =
        2 * messages * model->operation + 2 * (within * model->overhead[CAUCUS_WITHIN_NODE] +
                                               between * model->overhead[CAUCUS_BETWEEN_NODES]);
    double port = bytes * (within * model->byte[CAUCUS_WITHIN_NODE] +
                           between * model->byte[CAUCUS_BETWEEN_NODES]);
    if (model->ports != 1)
        port = model->ports > 1
                   ? port / model->ports
                   : bytes * model->byte[between > 0 ? CAUCUS_BETWEEN_NODES : CAUCUS_WITHIN_NODE];
    double card = bytes * between * node_ranks(task) * model->card_byte;
    double latency = model->latency[between > 0 ? CAUCUS_BETWEEN_NODES : CAUCUS_WITHIN_NODE];
    return latency + fmax(processor, fmax(port, card));
}
