/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that a rank may be asked for when another has died (plan/protocol/survival.h): of each
 * rank the last ones, own ones included. Where no death is survived none is retained. */
#ifndef CAUCUS_RUN_CHANNEL_RETAINED_H
#define CAUCUS_RUN_CHANNEL_RETAINED_H

#include <stdbool.h>
#include <stdint.h>

struct caucus_channel_piece;
struct caucus_channel_runner;

struct caucus_channel_retained {
    int64_t window, bytes; /* of a rank: the most messages, 0: none; the most bytes, or one message
                            */
    struct caucus_channel_piece **piece; /* of each rank, by number modulo window */
    int64_t *oldest, *newest, *sum;      /* of each rank: numbers, from and to, and bytes */
};

int caucus_channel_retained_open(struct caucus_channel_runner *runner, int64_t window,
                                 int64_t bytes);
void caucus_channel_retained_free(struct caucus_channel_runner *runner);
bool caucus_channel_retains(const struct caucus_channel_runner *runner);

/* The next message of a rank, whole; lets go of what everybody has. */
void caucus_channel_retain(struct caucus_channel_runner *runner, int32_t rank,
                           struct caucus_channel_piece *piece);
/* NULL: it is not retained. */
struct caucus_channel_piece *caucus_channel_retained(const struct caucus_channel_runner *runner,
                                                     int32_t rank, int64_t number);

#endif
