/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective/node_exchange.h"

#include "plan/collective/node_rounds.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

enum {
    CACHED = 4 << 20, /* bytes of node memory that stay in a shared cache */
    WINDOWS = 8       /* of a region of mean length: more would be mostly waiting */
};

void caucus_node_exchange_init(struct caucus_node_exchange *exchange,
                               struct caucus_builder *builder, const struct caucus_task *task) {
    const struct caucus_node_map *map = task->nodes;
    int32_t node = caucus_node_of_rank(map, task->rank);
    *exchange = (struct caucus_node_exchange){
        .map = map,
        .node = node,
        .local = caucus_local_of_rank(map, task->rank),
        .size = caucus_node_size(map, node),
        .outgoing =
            caucus_builder_array(builder, map->nodes, sizeof *exchange->outgoing, "regions"),
        .incoming =
            caucus_builder_array(builder, map->nodes, sizeof *exchange->incoming, "regions"),
        .window = INT64_MAX,
    };
}

void caucus_node_exchange_free(struct caucus_node_exchange *exchange) {
    free(exchange->outgoing);
    free(exchange->incoming);
    free(exchange->sent.parcel);
    free(exchange->received.parcel);
    *exchange = (struct caucus_node_exchange){0};
}

void caucus_node_exchange_add(struct caucus_parcels *parcels, struct caucus_builder *builder,
                              struct caucus_parcel parcel) {
    if (builder->status || parcel.length == 0)
        return;
    struct caucus_parcel *grown =
        caucus_array_grow(parcels->parcel, parcels->count, &parcels->room, sizeof *grown);
    if (!grown) {
        caucus_builder_fail(builder, CAUCUS_NO_MEMORY, "no memory for %lld parcels",
                            (long long)parcels->count + 1);
        return;
    }
    parcels->parcel = grown;
    parcels->parcel[parcels->count++] = parcel;
}

void caucus_node_exchange_fit(struct caucus_node_exchange *exchange, const struct caucus_task *task,
                              int64_t regions, int64_t bytes) {
    int64_t limit = task->node_limit / CAUCUS_NODE_ALIGNMENT * CAUCUS_NODE_ALIGNMENT,
            window = INT64_MAX;
    if (task->nodes->nodes == 1 && limit > CACHED)
        limit = CACHED;
    exchange->fits = true;
    if (regions == 0)
        return;
    int64_t least = caucus_node_slot_bytes(bytes / regions / WINDOWS + 1);
    if (bytes > limit - regions * CAUCUS_NODE_ALIGNMENT)
        window = limit / regions / CAUCUS_NODE_ALIGNMENT * CAUCUS_NODE_ALIGNMENT;
    if (task->segment > 0 && task->segment < window) {
        int64_t segment = caucus_node_slot_bytes(task->segment > least ? task->segment : least);
        window = segment < window ? segment : window;
    }
    exchange->window = window;
    exchange->fits = window >= least && bytes / window < CAUCUS_FLAG_LIMIT / 2 - 2;
}
