/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbourhood collectives: any graph, also with edges that come several times or lead to the rank
 * itself.
 *
 * linear: straight between neighbours.
 *
 *   step j = 0, 1, …   rank r tells the next ranks r + d, and hears the next ranks r - d
 *                      (modulo p), by ascending d, about 64 messages at a time
 *
 * All ranks go through the same distances in the same order, and what has the same distance is in
 * one step, so that no circle of ranks can wait for each other, whatever the graph is.
 * Cost: a message for each neighbour.
 *
 * node_aggregated: by nodes (node_exchange.h); what the ranks of a node have for those of another
 * travels together, and a block that is for several ranks of a node (allgathers) travels there
 * once.
 *
 *   step 1   every rank copies its blocks into the regions of their nodes, in node memory
 *   step 2   the regions travel between nodes, dealt to the ranks
 *   step 3   every rank copies its blocks out
 *
 * Who sends how much to whom is exchanged at init. Cost: a message for each pair of neighbouring
 * nodes, and two copies of every byte; deduplication saves what goes to several ranks of a node
 * (as in Ghazimirsaeed, Mirsadeghi and Afsahi, An Efficient Collaborative Communication Mechanism
 * for MPI Neighborhood Collectives, IPDPS 2019). For small blocks, many neighbours, or many ranks
 * on a node. */
#include "plan/collective/algorithms.h"
#include "plan/collective/blocks.h"
#include "plan/collective/node_exchange.h"

#include <stdlib.h>

enum { BATCH = 64 }; /* messages at a time */

struct neighborhood {
    struct caucus_blocks sent, received; /* sent: one for all destinations of an allgather */
};

static struct neighborhood neighborhood_of(struct caucus_builder *builder,
                                           const struct caucus_task *task) {
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};
    bool one = caucus_task_one_block(task);
    return (struct neighborhood){
        caucus_blocks_in_row(builder, in, one ? 1 : task->destinations,
                             one ? NULL : task->send_bytes, task->bytes),
        caucus_blocks_in_row(builder, out, task->sources, task->receive_bytes, task->bytes),
    };
}

static void neighborhood_free(struct neighborhood *neighborhood) {
    caucus_blocks_free(&neighborhood->sent);
    caucus_blocks_free(&neighborhood->received);
}

/* A rank's blocks for itself, the n-th that it sends to the n-th place: copies, in the open step.
 */
static void keep_own(const struct neighborhood *neighborhood, struct caucus_builder *builder,
                     const struct caucus_task *task) {
    int32_t to = 0;
    for (int32_t from = 0; from < task->destinations; from++) {
        if (task->destination[from] != task->rank)
            continue;
        while (to < task->sources && task->source[to] != task->rank)
            to++;
        if (to == task->sources)
            return;
        int32_t block = caucus_task_one_block(task) ? 0 : from;
        caucus_emit_copy(builder, caucus_block_place(&neighborhood->sent, block),
                         caucus_block_place(&neighborhood->received, to),
                         caucus_block_length(&neighborhood->received, to));
        to++;
    }
}

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
    struct edge *edges =
        caucus_builder_array(builder, (int64_t)count + 1, sizeof *edges, "neighbours");
    if (!edges)
        return NULL;
    for (int32_t i = 0; i < count; i++) {
        int64_t distance = direction * ((int64_t)peers[i] - task->rank) + task->ranks;
        edges[i] = (struct edge){(int32_t)(distance % task->ranks), i};
    }
    qsort(edges, (size_t)count, sizeof *edges, by_distance);
    edges[count].distance = INT32_MAX; /* beyond all */
    return edges;
}

static void emit_messages(struct caucus_builder *builder, const struct caucus_task *task,
                          const struct neighborhood *neighborhood, const struct edge *to,
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
        for (; to->distance == distance; to++, posted++) {
            int32_t block = caucus_task_one_block(task) ? 0 : to->block;
            caucus_emit_send(builder, task->destination[to->block],
                             caucus_block_place(&neighborhood->sent, block),
                             caucus_block_length(&neighborhood->sent, block));
        }
        if (posted >= BATCH) {
            caucus_end_step(builder);
            posted = 0;
        }
    }
    caucus_end_step(builder);
}

void caucus_neighbor_linear(struct caucus_builder *builder, const struct caucus_task *task) {
    struct neighborhood neighborhood = neighborhood_of(builder, task);
    struct edge *to = sorted(builder, task, task->destinations, task->destination, 1);
    struct edge *from = sorted(builder, task, task->sources, task->source, -1);
    if (to && from) {
        keep_own(&neighborhood, builder, task);
        emit_messages(builder, task, &neighborhood, to, from);
    }
    neighborhood_free(&neighborhood);
    free(to);
    free(from);
}

void caucus_neighbor_node_aggregated(struct caucus_builder *builder,
                                     const struct caucus_task *task) {
    struct neighborhood neighborhood = neighborhood_of(builder, task);
    struct caucus_node_exchange exchange;
    caucus_node_exchange_init(&exchange, builder, task);
    caucus_node_exchange_from_traffic(&exchange, builder, task, &neighborhood.sent,
                                      &neighborhood.received);
    if (!exchange.fits) {
        caucus_neighbor_linear(builder, task);
    } else {
        keep_own(&neighborhood, builder, task);
        caucus_node_exchange_emit(&exchange, builder, task);
    }
    caucus_node_exchange_free(&exchange);
    neighborhood_free(&neighborhood);
}
