/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between ranks of which each knows only whom it writes to. */
#ifndef CAUCUS_RUN_ENGINE_SPARSE_H
#define CAUCUS_RUN_ENGINE_SPARSE_H

#include "run/attachment/attach.h"

#include <stddef.h>

/* A message to each of some ranks, all different: for to[i] the units begin[i] to begin[i + 1] - 1,
 * at least one, of unit bytes each. */
struct caucus_sparse_messages {
    int32_t receivers;
    const int32_t *to;
    const int64_t *begin;
    const void *data;
    size_t unit;
};

/* Gives every rank the units of all messages to it, in no order of messages: received, an array to
 * be given to free(), and their number. Collective over the attachment, which has an engine; tag is
 * used by nothing else, and not again before all ranks have returned and talked about it. A rank
 * that fails has taken part all the same, unless somebody is known to be dead. Memory: what is sent
 * (twice, where MPI tells of deaths) and received. Cost: a message for
 * each message, and one barrier.
 *
 * Source: nonblocking consensus (NBX), T. Hoefler, C. Siebert, A. Lumsdaine, Scalable communication
 * protocols for dynamic sparse data exchange, PPoPP 2010. */
int caucus_sparse_exchange(const struct caucus_attachment *attachment, int tag,
                           const struct caucus_sparse_messages *messages, void **received,
                           int64_t *count);

#endif
