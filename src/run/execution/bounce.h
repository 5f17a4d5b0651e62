/* SPDX-License-Identifier: BSD-3-Clause */
/* A message that the kernel refused to copy, such as one in memory of a device, goes through node
 * memory: its sender copies it in, its receiver out, a half of the receiver's bounce buffer at a
 * time, which serves one message after another. */
#ifndef CAUCUS_RUN_EXECUTION_BOUNCE_H
#define CAUCUS_RUN_EXECUTION_BOUNCE_H

#include "run/engine/link_table.h"

#include <stdbool.h>

/* What an end has of the message: length bytes at `at`, of which it has moved so many. */
struct caucus_bounced {
    struct caucus_bounce *bounce; /* the receiver's */
    int32_t link;                 /* which one, from 1 on */
    char *at;
    int64_t length, *moved;
};

/* Each goes as far as possible without waiting, and tells whether all is moved. The receiver's says
 * *broken where none can go through any more. */
bool caucus_bounce_fill(const struct caucus_bounced *message);
bool caucus_bounce_empty(const struct caucus_bounced *message, bool *broken);

/* The receiver waits for the message no more. Where its sender may still be writing, the buffer is
 * never used again. */
void caucus_bounce_abandon(struct caucus_bounce *bounce, int32_t link, bool may_be_written);

#endif
