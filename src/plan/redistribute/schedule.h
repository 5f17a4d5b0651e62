/* SPDX-License-Identifier: BSD-3-Clause */
/* A redistribution as a schedule: messages, and what goes through node memory. What a rank has for
 * the others of its node is a stream of bytes, for one of them after the other, that it writes
 * chunk by chunk into room of its own. */
#ifndef CAUCUS_PLAN_REDISTRIBUTE_SCHEDULE_H
#define CAUCUS_PLAN_REDISTRIBUTE_SCHEDULE_H

#include "plan/machine/node_map.h"
#include "plan/redistribute/side.h"
#include "plan/schedule/schedule.h"

#include <stdbool.h>

/* A rank's two buffers in the order of their messages. */
struct caucus_redistribution {
    int32_t rank, ranks;
    struct caucus_index_side send, receive; /* with the sizes of their elements */
};

/* Bytes [begin, end) of a stream of so many bytes are for one rank, or come from one; they lie at
 * `at` in this rank's own packed buffer. What goes by message all the same has none. */
struct caucus_relay_section {
    int32_t rank;
    bool by_message;
    int64_t begin, end, bytes, at;
};

enum { CAUCUS_RELAY_CHUNKS = 2 }; /* that a rank has room for */

struct caucus_relay {
    const struct caucus_node_map *nodes;
    int32_t rank;
    int64_t own;   /* bytes of this rank's stream */
    int64_t chunk; /* bytes, the same on all ranks of a node; 0: nothing goes through node memory */
    int32_t targets, sources; /* on the node, in the order of the sides */
    struct caucus_relay_section *target, *source;
};

/* nodes, which share memory each, is NULL where none may be used. one_copy: messages within a node
 * are one copy. To be freed. */
int caucus_relay_create(struct caucus_relay *relay,
                        const struct caucus_redistribution *redistribution,
                        const struct caucus_node_map *nodes, bool one_copy);
void caucus_relay_free(struct caucus_relay *relay);

/* How long chunks are where the longest stream of all ranks is as given: chunk bytes, if that is
 * not more than a node has room for. */
void caucus_relay_cut(struct caucus_relay *relay, int64_t longest, int64_t chunk);

/* What this rank has to tell its targets; to be freed. And what its sources have told. */
int caucus_relay_tell(const struct caucus_relay *relay, struct caucus_index_mail *mail);
int caucus_relay_hear(struct caucus_relay *relay, const struct caucus_index_record *records,
                      int64_t count);

/* Whether peer is another rank of the node. */
static inline bool caucus_relay_serves(const struct caucus_node_map *nodes, int32_t rank,
                                       int32_t peer) {
    return nodes && peer != rank &&
           caucus_node_of_rank(nodes, peer) == caucus_node_of_rank(nodes, rank);
}

/* Bytes from which a message to another node is cut, below what MPIs send at once over TCP (64 KiB
 * and less); and into how many pieces at most. */
enum { CAUCUS_MESSAGE_PIECE = 60 << 10, CAUCUS_MESSAGE_PIECES = 16 };

/* A redistribution as a schedule, whose in and out are the two buffers in the order of the sides.
 * To be freed. */
int caucus_redistribution_schedule(const struct caucus_redistribution *redistribution,
                                   const struct caucus_relay *relay,
                                   struct caucus_schedule *schedule);

#endif
