/* SPDX-License-Identifier: BSD-3-Clause */
/* Any exchange of blocks, by nodes: what the ranks of one node have for those of another gathers in
 * node memory and travels together.
 *
 *   step 1   every rank copies its blocks into the regions of their nodes, in node memory
 *   flags    the regions are complete
 *   step 2   regions travel between nodes, A to A + d and from A - d, d = 1 … N - 1 (modulo N), the
 *            ranks of a node taking turns; blocks within the node are copied out meanwhile
 *   flags    the regions of all nodes are here
 *   step 3   every rank copies out of them what is for it
 *
 * A long region travels as several lanes, pieces of it between different ranks of the two nodes, as
 * one process alone may not be able to keep a card busy. Where node memory is too small for all
 * regions, they come in windows of as many bytes as fit, one after the other.
 *
 * A region has the blocks of one node for another, by sender, then in the order of his blocks. It
 * is a stream of bytes: windows and lanes cut it anywhere. */
#ifndef CAUCUS_PLAN_COLLECTIVE_NODE_EXCHANGE_H
#define CAUCUS_PLAN_COLLECTIVE_NODE_EXCHANGE_H

#include "plan/collective/blocks.h"
#include "plan/collective/task.h"
#include "plan/machine/model.h"

enum { CAUCUS_LANE_BYTES = 32 << 10 }; /* what is worth a lane of its own */

/* Bytes of a user's buffer, and where they are in the region to or from a node. */
struct caucus_parcel {
    int32_t node;
    int64_t at, user, length;
};

struct caucus_parcels {
    int64_t count, room;
    struct caucus_parcel *parcel;
};

struct caucus_node_exchange {
    const struct caucus_node_map *map;
    int32_t node, local, size;      /* this rank's node, its place in it, the node's ranks */
    int64_t *outgoing, *incoming;   /* bytes of the region to and from each node */
    struct caucus_parcels sent;     /* from in */
    struct caucus_parcels received; /* to out */
    int64_t window;                 /* bytes of a region that are in node memory at a time */
    bool fits; /* else node memory is too small, on all ranks alike, and blocks go straight */
};

void caucus_node_exchange_init(struct caucus_node_exchange *exchange,
                               struct caucus_builder *builder, const struct caucus_task *task);
void caucus_node_exchange_free(struct caucus_node_exchange *exchange);

void caucus_node_exchange_add(struct caucus_parcels *parcels, struct caucus_builder *builder,
                              struct caucus_parcel parcel);

/* The same on all ranks: the regions of a node, at most so many that are not empty, have at most
 * bytes together. Finds out whether and how they fit into node memory. */
void caucus_node_exchange_fit(struct caucus_node_exchange *exchange, const struct caucus_task *task,
                              int64_t regions, int64_t bytes);

/* Emits the exchange. What a rank has for itself is none of its business: the caller leaves it out
 * of parcels, and may have the copies in the open step. */
void caucus_node_exchange_emit(const struct caucus_node_exchange *exchange,
                               struct caucus_builder *builder, const struct caucus_task *task);

/* Regions, parcels and window from task->traffic. sent and received are the blocks of the user's
 * buffers: one for each rank, or, of a neighbourhood, for each destination and source. A block that
 * is for all destinations goes to each node once. */
void caucus_node_exchange_from_traffic(struct caucus_node_exchange *exchange,
                                       struct caucus_builder *builder,
                                       const struct caucus_task *task,
                                       const struct caucus_blocks *sent,
                                       const struct caucus_blocks *received);

#endif
