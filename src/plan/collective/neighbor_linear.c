/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbourhood collectives straight between neighbours.
 *
 *   step j = 0, 1, …   rank r tells the next ranks r + d, and hears the next ranks r - d
 *                      (modulo p), by ascending d, about 64 messages at a time
 *
 * All ranks go through the same distances in the same order, and what has the same distance is in
 * one step, so that no circle of ranks can wait for each other, whatever the graph is.
 * Cost: a message for each neighbour. Any graph, also with edges that come several times or lead to
 * the rank itself. */
#include "plan/collective/algorithm.h"
#include "plan/collective/neighborhood.h"
#include "plan/collective/traffic.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

enum { BATCH = 64 }; /* messages at a time */

struct edge {
    int32_t distance, block;
};

static int by_distance(const void *a, const void *b) {
    const struct edge *x = a, *y = b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return (x->block > y->block) - (x->block < y->block);
}

static struct edge *sorted(struct caucus_builder *builder, const struct caucus_task *task,
                           int32_t count, const int32_t *peers, int32_t direction) {
    struct edge *edges = caucus_array((int64_t)count + 1, sizeof *edges);
    if (!edges) {
        caucus_builder_fail(builder, CAUCUS_NO_MEMORY, "no memory for %d neighbours", (int)count);
        return NULL;
    }
    for (int32_t i = 0; i < count; i++) {
        int64_t distance = direction * ((int64_t)peers[i] - task->rank) + task->ranks;
        edges[i] = (struct edge){(int32_t)(distance % task->ranks), i};
    }
    qsort(edges, (size_t)count, sizeof *edges, by_distance);
    edges[count].distance = INT32_MAX; /* beyond all */
    return edges;
}

static void emit_messages(struct caucus_builder *builder, const struct caucus_task *task,
                          const struct caucus_neighborhood *neighborhood, const struct edge *to,
                          const struct edge *from) {
    int32_t posted = 0;
    while (to->distance == 0)
        to++;
    while (from->distance == 0)
        from++;
    while (to->distance < INT32_MAX || from->distance < INT32_MAX) {
        int32_t distance = to->distance < from->distance ? to->distance : from->distance;
        for (; from->distance == distance; from++, posted++)
            caucus_emit_receive(builder, task->source[from->block],
                                caucus_block_place(&neighborhood->received, from->block),
                                caucus_block_length(&neighborhood->received, from->block));
        for (; to->distance == distance; to++, posted++)
            caucus_emit_send(builder, task->destination[to->block],
                             caucus_neighborhood_sent(neighborhood, to->block),
                             neighborhood->shared
                                 ? task->bytes
                                 : caucus_block_length(&neighborhood->sent, to->block));
        if (posted >= BATCH) {
            caucus_end_step(builder);
            posted = 0;
        }
    }
    caucus_end_step(builder);
}

void caucus_neighborhood_straight(const struct caucus_neighborhood *neighborhood,
                                  struct caucus_builder *builder, const struct caucus_task *task) {
    struct edge *to = sorted(builder, task, task->destinations, task->destination, 1);
    struct edge *from = sorted(builder, task, task->sources, task->source, -1);
    if (to && from) {
        caucus_neighborhood_keep(neighborhood, builder, task);
        emit_messages(builder, task, neighborhood, to, from);
    }
    free(to);
    free(from);
}

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_neighborhood neighborhood;
    caucus_neighborhood_init(&neighborhood, builder, task);
    caucus_neighborhood_straight(&neighborhood, builder, task);
    caucus_neighborhood_free(&neighborhood);
}

static const char summary[] = "a message for each neighbour, about 64 at a time";

const struct caucus_algorithm caucus_neighbor_allgather_linear = {
    .collective = CAUCUS_NEIGHBOR_ALLGATHER,
    .name = "linear",
    .summary = summary,
    .emit = emit,
    .cost = caucus_traffic_cost_straight,
};

const struct caucus_algorithm caucus_neighbor_allgatherv_linear = {
    .collective = CAUCUS_NEIGHBOR_ALLGATHERV,
    .name = "linear",
    .summary = summary,
    .emit = emit,
    .cost = caucus_traffic_cost_straight,
};

const struct caucus_algorithm caucus_neighbor_alltoall_linear = {
    .collective = CAUCUS_NEIGHBOR_ALLTOALL,
    .name = "linear",
    .summary = summary,
    .emit = emit,
    .cost = caucus_traffic_cost_straight,
};

const struct caucus_algorithm caucus_neighbor_alltoallv_linear = {
    .collective = CAUCUS_NEIGHBOR_ALLTOALLV,
    .name = "linear",
    .summary = summary,
    .emit = emit,
    .cost = caucus_traffic_cost_straight,
};

const struct caucus_algorithm caucus_neighbor_alltoallw_linear = {
    .collective = CAUCUS_NEIGHBOR_ALLTOALLW,
    .name = "linear",
    .summary = summary,
    .emit = emit,
    .cost = caucus_traffic_cost_straight,
};
