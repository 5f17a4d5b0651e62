/* SPDX-License-Identifier: BSD-3-Clause */
/* All-to-all by nodes (node_exchange.h): all blocks of the ranks of a node for those of another
 * travel together, so that a node sends N - 1 messages or a few lanes each instead of n (p - n).
 *
 *   step 1   every rank copies its p blocks into the regions of N nodes, in node memory
 *   step 2   the N - 1 regions of a node travel, dealt to its n ranks
 *   step 3   every rank copies its p blocks out
 *
 * What the regions are is known beforehand for alltoall; the others have their lengths exchanged
 * at init. Cost: (N - 1) / n messages of n² blocks for a rank, and two copies of every byte. For
 * small and middling blocks and many ranks on a node. On one node nothing but the copies is left.
 */
#include "plan/collective/algorithms.h"
#include "plan/collective/blocks.h"
#include "plan/collective/node_exchange.h"

#include "base/status.h"

/* The block of the i-th rank of one node for the k-th of another with size ranks begins at
 * (i size + k) blocks in the region. */
static void plan_regular(struct caucus_node_exchange *exchange, struct caucus_builder *builder,
                         const struct caucus_task *task) {
    const struct caucus_node_map *map = task->nodes;
    int64_t bytes = task->bytes, ranks = task->ranks, largest = map->largest;
    int64_t regions = 2 * (int64_t)map->nodes - 1;
    if (bytes > INT64_MAX / 4 / ranks / largest)
        caucus_builder_fail(builder, CAUCUS_NO_MEMORY, "a node has too many bytes");
    if (builder->status)
        return;
    caucus_node_exchange_fit(exchange, task, regions, largest * bytes * (2 * ranks - largest));
    for (int32_t node = 0; node < map->nodes; node++) {
        int64_t size = caucus_node_size(map, node);
        exchange->outgoing[node] = exchange->incoming[node] = exchange->size * size * bytes;
    }
    for (int32_t at = 0; at < task->ranks; at++) {
        int32_t rank = caucus_rank_at(map, at), node = caucus_node_of_rank(map, rank);
        int64_t size = caucus_node_size(map, node), local = at - caucus_node_first(map, node);
        struct caucus_parcel parcel = {node, 0, rank * bytes, bytes};
        if (rank == task->rank)
            continue;
        parcel.at = (exchange->local * size + local) * bytes;
        caucus_node_exchange_add(&exchange->sent, builder, parcel);
        parcel.at = (local * exchange->size + exchange->local) * bytes;
        caucus_node_exchange_add(&exchange->received, builder, parcel);
    }
}

void caucus_alltoall_node_aggregated(struct caucus_builder *builder,
                                     const struct caucus_task *task) {
    struct caucus_node_exchange exchange;
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};
    struct caucus_blocks received =
        caucus_blocks_in_row(builder, out, task->ranks, task->receive_bytes, task->bytes);
    struct caucus_blocks sent =
        caucus_blocks_in_row(builder, in, task->ranks,
                             task->in_place ? task->receive_bytes : task->send_bytes, task->bytes);
    caucus_node_exchange_init(&exchange, builder, task);
    if (task->collective == CAUCUS_ALLTOALL)
        plan_regular(&exchange, builder, task);
    else
        caucus_node_exchange_from_traffic(&exchange, builder, task, &sent, &received);
    if (!exchange.fits) {
        caucus_alltoall_linear(builder, task);
    } else {
        if (!task->in_place)
            caucus_emit_copy(builder, caucus_block_place(&sent, task->rank),
                             caucus_block_place(&received, task->rank),
                             caucus_block_length(&received, task->rank));
        caucus_node_exchange_emit(&exchange, builder, task);
    }
    caucus_node_exchange_free(&exchange);
    caucus_blocks_free(&sent);
    caucus_blocks_free(&received);
}
