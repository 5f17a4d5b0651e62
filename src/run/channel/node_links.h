/* SPDX-License-Identifier: BSD-3-Clause */
/* Links between ranks that share memory: the slots of their credits lie there. The sender writes
 * into the one that is next and stamps it, the receiver forwards it and hands it out in place, and
 * says in a word of the link how many are free again. To the protocol they are links as others. */
#ifndef CAUCUS_RUN_CHANNEL_NODE_LINKS_H
#define CAUCUS_RUN_CHANNEL_NODE_LINKS_H

#include <stdbool.h>
#include <stdint.h>

struct caucus_channel_link;
struct caucus_channel_piece;
struct caucus_channel_runner;

/* Finds those of this node. None where it has no such memory, or the channel survives deaths. */
int caucus_channel_node_links_count(struct caucus_channel_runner *runner);

/* Makes them, once all of the node have counted; slots of other links are left as they are.
 * Collective over the ranks of a node, each of which writes when all have returned. */
int caucus_channel_node_links_open(struct caucus_channel_runner *runner);
/* Nobody writes or reads any more. */
void caucus_channel_node_links_free(struct caucus_channel_runner *runner);

/* Whether `to` is reached so: then length bytes of the piece are there. */
bool caucus_channel_node_links_send(struct caucus_channel_runner *runner, int32_t to,
                                    const struct caucus_channel_piece *piece, int64_t length);

/* Hears of what has come, and of slots that are free again: whether anything was new. */
bool caucus_channel_node_links_move(struct caucus_channel_runner *runner);

/* Tells its sender how many slots have been freed in all. */
void caucus_channel_node_links_tell(const struct caucus_channel_link *link);

#endif
