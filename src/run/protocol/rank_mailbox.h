/* SPDX-License-Identifier: BSD-3-Clause */
/* A mailbox (protocol/mailbox.h) of all ranks of a private communicator, which they open and close
 * together. One thread at a time. */
#ifndef CAUCUS_RUN_PROTOCOL_RANK_MAILBOX_H
#define CAUCUS_RUN_PROTOCOL_RANK_MAILBOX_H

#include "run/attachment/attach.h"
#include "run/protocol/mailbox.h"

struct caucus_rank_mailbox {
    int rank, size;
    struct caucus_mailbox box;
    int64_t *sums; /* for the end: two, which are MPI's where that fails */
};

/* What of a wait was in vain. All zero to begin with. */
struct caucus_rank_mailbox_wait {
    int64_t round;
    double begin;
};

/* Collective over the attachment's ranks. On failure there is nothing to close. Messages of up to
 * most_bytes never fail for want of memory: one waits for the one before it then, unless it was
 * reserved (caucus_mailbox_reserve). */
int caucus_rank_mailbox_open(struct caucus_rank_mailbox *mailbox,
                             const struct caucus_attachment *attachment, int64_t most_bytes);

/* Sends a copy of head and, right behind it, body, which nobody waits for. */
int caucus_rank_mailbox_send(struct caucus_rank_mailbox *mailbox, int rank, const void *head,
                             int64_t head_bytes, const void *body, int64_t body_bytes);

/* Between two looks in vain for messages, or for something else (NULL): everything active
 * moves on, and long waits leave the processor to others. *seconds is how long it has lasted. */
void caucus_rank_mailbox_pause(struct caucus_rank_mailbox *mailbox,
                               struct caucus_rank_mailbox_wait *wait, double *seconds);

/* Receives what is still on its way, and frees it with its communicator. Collective if all, with
 * words where the others do not come within timeout seconds (0: as long as it takes); else what is
 * on its way is lost, sends are left to MPI, and the communicator is never freed: MPI might give
 * its place to another one, which would get what others still send. */
int caucus_rank_mailbox_close(struct caucus_rank_mailbox *mailbox, bool all, double timeout);

#endif
