/* SPDX-License-Identifier: BSD-3-Clause */
/* Letters between the leaders of an attachment's nodes. */
#ifndef CAUCUS_RUN_GRAPH_POST_H
#define CAUCUS_RUN_GRAPH_POST_H

#include "plan/graph/letters.h"
#include "run/attachment/attach.h"

/* Of one leader. */
struct caucus_post {
    const struct caucus_attachment *attachment;
    struct caucus_letters sent, received;
    int *counts;  /* four times [nodes]: sent to each, where these begin, the same received */
    bool stopped; /* a leader has failed, this one or another */
};

/* To be freed, also where it fails. Local. */
int caucus_post_init(struct caucus_post *post, const struct caucus_attachment *attachment);
void caucus_post_free(struct caucus_post *post);

/* Adds up numbers of all leaders, in place, a few; and whether one of them has failed: then all of
 * them have stopped, and nobody may go on. status: of what this leader did before; returned where
 * it is no success. Leaders only, all of them, until they have stopped. */
enum { CAUCUS_POST_SUMS = 4 };
int caucus_post_add_up(struct caucus_post *post, int status, int64_t *sum, int count);

/* The same; and closes what was sent and brings it to where it is for. What was sent is none again
 * then, and what was received before is gone. */
int caucus_post_exchange(struct caucus_post *post, int status, int64_t *sum, int count);

#endif
