/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts cost on the largest node, as node_rounds.c and node_slices.c plan them. */
#include "plan/collective/allgather.h"
#include "plan/collective/cost.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/node_rounds.h"
#include "plan/collective/rooted.h"

#include <math.h>

/* Before a buffer is used again, everybody's reading of it is awaited. */
static double reuse(const struct caucus_task *task, const struct caucus_model *model,
                    double turns) {
    return turns > CAUCUS_NODE_BUFFERS ? turns * task->nodes->largest * model->operation : 0;
}

/* Infinite where a flag could not count them, or nearly. */
static double counted(double turns) {
    return turns < CAUCUS_FLAG_LIMIT / 2 ? turns : INFINITY;
}

/* How many pieces bytes are cut into for the sake of speed. */
static double pieces_of(const struct caucus_task *task, double bytes) {
    int64_t piece = task->segment > 0 ? task->segment : caucus_node_piece((int64_t)bytes);
    return ceil(bytes / (double)piece);
}

/* Rounds for so many bytes in a buffer of room, or two buffers of half of it. */
static double rounds(double bytes, double room) {
    if (bytes <= room)
        return 1;
    double buffer = floor(room / CAUCUS_NODE_BUFFERS);
    return buffer < 1 ? INFINITY : ceil(bytes / buffer);
}

/* Raising a flag, and awaiting those of others, which are looked at while the last one is under
 * way. */
double caucus_node_synchronization(const struct caucus_model *model, double lines) {
    return model->operation + fmax(model->signal, (lines + 1) * model->operation);
}

/* The last piece is copied out when all others have been. */
double caucus_node_bcast_cost(const struct caucus_task *task, const struct caucus_model *model,
                              double bytes) {
    double size = task->nodes->largest;
    double pieces = counted(fmax(pieces_of(task, bytes), rounds(bytes, (double)task->node_limit)));
    if (!caucus_node_can_spread(task->node_limit / 2))
        return INFINITY;
    if (size < 2)
        return 0;
    return (pieces + 1) * caucus_cost_copy(model, bytes / pieces) + reuse(task, model, pieces) +
           pieces * caucus_node_synchronization(model, 1);
}

/* No less than what parts have that share node memory with others. */
static bool can_combine(const struct caucus_task *task, double bytes) {
    return caucus_node_can_spread(task->node_limit / 2) &&
           caucus_node_can_combine(task->node_limit / 2, task->nodes->largest, (int64_t)bytes,
                                   task->element);
}

double caucus_node_reduce_cost(const struct caucus_task *task, const struct caucus_model *model,
                               double bytes) {
    double size = task->nodes->largest;
    if (!can_combine(task, bytes))
        return INFINITY;
    double room = (double)task->node_limit / size;
    double pieces = counted(fmax(pieces_of(task, bytes), rounds(bytes, room)));
    if (caucus_node_has_teams(task->nodes->largest, (int64_t)bytes, task->node_limit))
        return caucus_node_teams_cost(model, task->nodes->largest, bytes);
    double part = bytes / pieces;
    return pieces * ((size < 2 ? 1 : 2) * caucus_cost_copy(model, part) +
                     (size < 2 ? 0 : caucus_node_synchronization(model, size)) +
                     (size - 1) * caucus_cost_reduce(model, part));
}

/* The last rank combines all operands, as in a reduction; but there are no teams that could share
 * that out. */
double caucus_node_scan_cost(const struct caucus_task *task, const struct caucus_model *model,
                             double bytes) {
    double size = task->nodes->largest;
    if (!can_combine(task, bytes) ||
        !caucus_node_has_teams(task->nodes->largest, (int64_t)bytes, task->node_limit))
        return caucus_node_reduce_cost(task, model, bytes);
    return 2 * caucus_cost_copy(model, bytes) + caucus_node_synchronization(model, size) +
           (size - 1) * caucus_cost_reduce(model, bytes);
}

double caucus_node_reduce_scatter_cost(const struct caucus_task *task,
                                       const struct caucus_model *model, double bytes,
                                       double parts) {
    double size = task->nodes->largest;
    double turns = counted(rounds(bytes, (double)task->node_limit / 2 / size));
    if (!can_combine(task, bytes))
        return INFINITY;
    double part = bytes / turns / parts;
    return turns * (caucus_cost_copy(model, bytes / turns) + 2 * model->operation +
                    caucus_cost_copy(model, part) +
                    (size < 2 ? 0 : caucus_node_synchronization(model, size)) +
                    (size - 1) * caucus_cost_reduce(model, part)) +
           reuse(task, model, turns);
}

double caucus_node_allgather_cost(const struct caucus_task *task, const struct caucus_model *model,
                                  double bytes, double parts) {
    double size = task->nodes->largest;
    double turns = counted(rounds(bytes, (double)task->node_limit / 2));
    if (!caucus_node_can_spread(task->node_limit / 2))
        return INFINITY;
    if (size < 2)
        return 0;
    return turns * (caucus_cost_copy(model, bytes / turns / parts) +
                    caucus_node_synchronization(model, size) + model->operation +
                    caucus_cost_copy(model, bytes / turns));
}

/* Of a block for each rank, in so many units: by whole units where there is room, else in pieces of
 * which a rank has many to copy. */
double caucus_node_blocks_cost(const struct caucus_task *task, const struct caucus_model *model,
                               double bytes, double units, double parts, double room) {
    double combined = fmax(bytes / parts, caucus_allgather_run(task, 1));
    double size = task->nodes->largest, blocks = task->ranks, slot = room / size;
    double turns = rounds(bytes, slot), copies = 2 * turns;
    double own = units; /* blocks that a rank combines, each of all operands */
    if (!can_combine(task, bytes))
        return INFINITY;
    if (turns > 1 && bytes / units > slot / CAUCUS_NODE_BUFFERS) {
        double least = fmax(1, floor(slot / CAUCUS_NODE_BUFFERS / (blocks / units)));
        turns = units * ceil(bytes / blocks / least);
        copies = turns * blocks / units;
        own = turns;
    }
    turns = counted(turns);
    return copies * model->operation + bytes * model->copy_byte +
           turns * caucus_node_synchronization(model, size) + reuse(task, model, turns) +
           own * (size - 1) * model->operation + combined * (size - 1) * model->reduce_byte;
}

/* Rounds k = 0, 1, … between nodes that carry 2^k of as many blocks as there are nodes, the last
 * one what is left. */
static double doubling(const struct caucus_task *task, const struct caucus_model *model,
                       double block, double lanes) {
    const struct caucus_model few = caucus_cost_lanes_part(task, model, lanes);
    int64_t nodes = task->nodes->nodes;
    double seconds = 0;
    for (int64_t carried = 1; carried < nodes; carried *= 2) {
        int64_t blocks = carried < nodes - carried ? carried : nodes - carried;
        seconds += caucus_cost_between(&few, block * (double)blocks, lanes);
    }
    return seconds;
}

/* By the leaders along a binomial tree. */
double caucus_node_rooted_cost(const struct caucus_task *task, const struct caucus_model *model) {
    double node = (double)task->volume / task->nodes->nodes;
    double seconds = caucus_node_allgather_cost(task, model, node, task->nodes->largest) +
                     doubling(task, model, caucus_rooted_sharing(task) * node, 1);
    return task->nodes->ordered ? seconds : seconds + caucus_cost_copy(model, (double)task->volume);
}

double caucus_node_halving_cost(const struct caucus_task *task, const struct caucus_model *model,
                                double bytes, double lanes) {
    return doubling(task, model, bytes / lanes / task->nodes->nodes, lanes);
}

double caucus_node_halving_reduce_cost(const struct caucus_task *task,
                                       const struct caucus_model *model, double bytes,
                                       double lanes) {
    double nodes = task->nodes->nodes, moved = bytes / lanes * (nodes - 1) / nodes;
    return caucus_node_halving_cost(task, model, bytes, lanes) +
           caucus_cost_rounds(task->nodes->nodes) * model->operation + moved * model->reduce_byte;
}

double caucus_node_lanes_cost(const struct caucus_task *task, const struct caucus_model *model) {
    double bytes = (double)task->volume, lanes = task->nodes->smallest;
    return caucus_node_reduce_scatter_cost(task, model, bytes, lanes) +
           caucus_node_halving_reduce_cost(task, model, bytes, lanes) +
           caucus_node_halving_cost(task, model, bytes, lanes) +
           caucus_node_allgather_cost(task, model, bytes, lanes);
}
