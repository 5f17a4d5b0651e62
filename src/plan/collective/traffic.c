/* SPDX-License-Identifier: BSD-3-Clause */
/* How heavy an exchange of blocks is, straight between ranks and by nodes: what the costs of
 * all-to-alls and neighbourhoods go by. */
#include "plan/collective/algorithms.h"
#include "plan/collective/cost.h"
#include "plan/collective/node_exchange.h"

#include "base/memory.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum {
    WAITING = 2, /* messages that a rank waits for because its neighbours are busy */
    DEGREE = 8   /* of a neighbourhood that is not known */
};

/* Of the rank and the node that send most. */
struct figures {
    double blocks, bytes;              /* of a rank for others */
    double mean_bytes;                 /* of all ranks for others */
    double crossing_blocks;            /* of these, for other nodes */
    double copies, copied;             /* blocks and bytes into node memory */
    double regions;                    /* nodes that a node sends to */
    double held;                       /* bytes of a node in its memory */
    double longest;                    /* bytes of a region */
    double node_bytes, crossing_bytes; /* of a node for others: by nodes, straight */
};

static void guess(const struct caucus_task *task, struct figures *figures) {
    double ranks = task->ranks, others = ranks - 1;
    double size = task->nodes ? task->nodes->largest : 1;
    double nodes = task->nodes ? task->nodes->nodes : ranks;
    double blocks = caucus_task_neighborhood(task) ? fmin(others, DEGREE) : others;
    double block =
        (double)task->volume / (caucus_task_neighborhood(task) ? fmax(blocks, 1) : ranks);
    if (task->bytes > 0)
        block = (double)task->bytes;
    double outside = others > 0 ? (ranks - size) / others : 0;
    figures->blocks = blocks;
    figures->bytes = figures->mean_bytes = blocks * block;
    figures->crossing_blocks = blocks * outside;
    figures->copies = caucus_task_one_block(task) ? fmin(blocks, nodes) : blocks;
    figures->copied = figures->copies * block;
    figures->regions = fmin(nodes - 1, size * blocks * outside);
    figures->crossing_bytes = size * blocks * outside * block;
    figures->node_bytes = caucus_task_one_block(task)
                              ? fmin(figures->crossing_bytes, figures->regions * size * block)
                              : figures->crossing_bytes;
    figures->held = size * figures->copied + figures->node_bytes;
    figures->longest = figures->node_bytes / fmax(figures->regions, 1);
}

/* Of each node: what the node looked at has for it, and the last node and rank, + 1, that were seen
 * to send to it. */
struct region {
    double bytes;
    int32_t node, rank;
};

static int32_t node_of(const struct caucus_task *task, int32_t rank) {
    return task->nodes ? caucus_node_of_rank(task->nodes, rank) : rank;
}

/* What one rank adds to the figures of its node. */
static void add_rank(const struct caucus_task *task, int32_t rank, struct region *regions,
                     struct figures *most, struct figures *node) {
    const struct caucus_traffic_table *traffic = task->traffic;
    int32_t own = node_of(task, rank);
    double blocks = 0, bytes = 0, crossing = 0, copies = 0, copied = 0;
    for (int64_t i = traffic->first[rank]; i < traffic->first[rank + 1]; i++) {
        int32_t destination = traffic->destination[i];
        int32_t to = node_of(task, destination);
        double length = (double)traffic->bytes[i];
        if (destination == rank || traffic->bytes[i] == 0)
            continue;
        blocks++;
        bytes += length;
        struct region *region = &regions[to];
        bool again = caucus_task_one_block(task) && region->rank == rank + 1,
             met = region->node == own + 1;
        double added = again ? 0 : length;
        *region = (struct region){(met ? region->bytes : 0) + added, own + 1, rank + 1};
        copies += !again;
        copied += added;
        node->held += added;
        node->longest = fmax(node->longest, region->bytes);
        if (to != own) {
            crossing++;
            node->crossing_bytes += length;
            node->node_bytes += added;
            node->regions += !met;
        }
    }
    most->copies = fmax(most->copies, copies);
    most->copied = fmax(most->copied, copied);
    most->blocks = fmax(most->blocks, blocks);
    most->bytes = fmax(most->bytes, bytes);
    most->mean_bytes += bytes / task->ranks;
    most->crossing_blocks = fmax(most->crossing_blocks, crossing);
}

static void add_node(struct figures *most, const struct figures *node) {
    most->held = fmax(most->held, node->held + node->node_bytes);
    most->longest = fmax(most->longest, node->longest);
    most->regions = fmax(most->regions, node->regions);
    most->node_bytes = fmax(most->node_bytes, node->node_bytes);
    most->crossing_bytes = fmax(most->crossing_bytes, node->crossing_bytes);
}

/* From task->traffic; where it is not known yet, as if every rank had the same for every other, or,
 * in a neighbourhood, for eight others anywhere. */
static void measure(const struct caucus_task *task, struct figures *figures) {
    const struct caucus_node_map *map = task->nodes;
    int32_t nodes = map ? map->nodes : task->ranks;
    struct region *regions = task->traffic ? caucus_array(nodes, sizeof *regions) : NULL;
    *figures = (struct figures){0};
    if (!regions) {
        guess(task, figures);
        return;
    }
    for (int32_t node = 0; node < nodes; node++) {
        struct figures sum = {0};
        int32_t begin = map ? caucus_node_first(map, node) : node;
        int32_t end = begin + (map ? caucus_node_size(map, node) : 1);
        for (int32_t at = begin; at < end; at++)
            add_rank(task, map ? caucus_rank_at(map, at) : at, regions, figures, &sum);
        add_node(figures, &sum);
    }
    free(regions);
}

/* The longest of what a processor, a port and the card need. */
static double busy(const struct caucus_model *model, const double messages[CAUCUS_DISTANCES],
                   double port, double card) {
    double processor = 0;
    for (int distance = 0; distance < CAUCUS_DISTANCES; distance++)
        processor += messages[distance] * 2 * (model->overhead[distance] + model->operation);
    return fmax(processor, fmax(port, card));
}

static double cost_straight(const struct figures *figures, const struct caucus_model *model) {
    double block = figures->blocks > 0 ? figures->bytes / figures->blocks : 0;
    const double messages[] = {figures->blocks - figures->crossing_blocks,
                               figures->crossing_blocks};
    double port = block * (messages[0] * model->byte[0] + messages[1] * model->byte[1]);
    port += WAITING * fmin(block, figures->mean_bytes) * fmax(model->byte[0], model->byte[1]);
    if (model->ports == 0)
        port = block * fmax(model->byte[0], model->byte[1]);
    double latency = messages[1] > 0 ? model->latency[1] : model->latency[0];
    return latency + busy(model, messages, port, figures->crossing_bytes * model->card_byte);
}

double caucus_traffic_cost_straight(const struct caucus_task *task,
                                    const struct caucus_model *model) {
    struct figures figures;
    measure(task, &figures);
    return cost_straight(&figures, model);
}

/* How many windows the regions take, about as an exchange plans it; 0: blocks go straight. */
static double windows_of(const struct caucus_task *task, const struct figures *figures) {
    struct caucus_node_exchange exchange = {0};
    double nodes = task->nodes->nodes, bytes = figures->held;
    double regions = fmin(2 * figures->regions + 1, 2 * nodes - 1);
    if (!caucus_task_neighborhood(task)) {
        double own = task->collective == CAUCUS_ALLTOALL ? task->nodes->largest : 0;
        bytes = task->nodes->largest * (double)task->volume * (2 - own / task->ranks);
        regions = 2 * nodes - 1;
    }
    bytes = fmin(bytes, (double)(INT64_MAX / 2));
    caucus_node_exchange_fit(&exchange, task, (int64_t)regions, (int64_t)bytes);
    return exchange.fits ? fmax(1, ceil(figures->longest / (double)exchange.window)) : 0;
}

/* From regions that are complete to those of others, which have come meanwhile. */
static double travel(const struct figures *figures, const struct caucus_model *model, double size,
                     double windows) {
    double region = figures->regions > 0 ? figures->node_bytes / figures->regions / windows : 0;
    double lanes = fmax(1, fmin(region / CAUCUS_LANE_BYTES, size));
    double carriers = fmin(figures->regions * lanes, size); /* ranks that send */
    if (carriers == 0)
        return 0;
    const double messages[] = {0, figures->regions * lanes / carriers * windows};
    double port = figures->node_bytes / carriers * model->byte[CAUCUS_BETWEEN_NODES];
    return windows * model->latency[CAUCUS_BETWEEN_NODES] +
           busy(model, messages, port, figures->node_bytes * model->card_byte);
}

/* What stays on the node is copied out while the rest travels. In a window of all regions there are
 * blocks of few ranks, which come after one another. */
double caucus_traffic_cost_by_nodes(const struct caucus_task *task,
                                    const struct caucus_model *model) {
    struct figures figures;
    measure(task, &figures);
    double windows = task->nodes ? windows_of(task, &figures) : 0;
    if (windows == 0)
        return caucus_task_neighborhood(task) ? cost_straight(&figures, model)
                                              : caucus_alltoall_linear_cost(task, model);
    double size = task->nodes->largest, copies_in = figures.copies, turns_in = windows,
           turns_out = 1;
    if (!caucus_task_neighborhood(task) && task->nodes->ordered)
        copies_in = task->nodes->nodes; /* those for a node are one */
    if (caucus_task_neighborhood(task))
        turns_in = turns_out = (windows + 1) / 2;
    double crossing = figures.blocks > 0 ? figures.crossing_blocks / figures.blocks : 0;
    double into = copies_in * model->operation + figures.copied * model->copy_byte;
    double out = figures.blocks * model->operation + figures.bytes * model->copy_byte;
    double seconds = turns_in * into + windows * caucus_cost_flags(model, size);
    if (!caucus_task_neighborhood(task)) /* its own block */
        seconds += caucus_cost_copy(model, (double)task->volume / task->ranks);
    if (figures.regions == 0)
        return seconds + turns_out * out;
    return seconds +
           fmax(travel(&figures, model, size, windows), turns_out * (1 - crossing) * out) +
           turns_out * crossing * out + windows * caucus_cost_flags(model, size);
}
