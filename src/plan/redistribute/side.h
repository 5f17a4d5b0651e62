/* SPDX-License-Identifier: BSD-3-Clause */
/* One of a rank's two buffers in the order of its messages: what goes to, or comes from, one peer
 * after the other, each in the order in which the receiver has it. So both ends of a message agree,
 * and one of them goes through its buffer from the begin to the end. */
#ifndef CAUCUS_PLAN_REDISTRIBUTE_SIDE_H
#define CAUCUS_PLAN_REDISTRIBUTE_SIDE_H

#include "plan/redistribute/directory.h"

/* Elements that follow one another in the buffer. */
struct caucus_index_part {
    int64_t position, count;
};

struct caucus_index_side {
    int64_t element; /* bytes, for whoever sets it */
    int32_t peers;
    int32_t *peer;
    int64_t *begin; /* peers + 1 entries: the first element for each, and their number */
    int64_t parts;  /* in that order; what is repeated behind it, if anything: */
    struct caucus_index_part *part;
    int64_t repeated; /* elements: first where they are once, then where they are again */
};

/* role tells which of the records, that the directory sent in whatever order, are this side's; they
 * are put into another order. The list is the buffer's. Peers are in the order of their distance
 * from rank, upwards for what is sent, downwards for what comes, so that not all begin with the
 * same. To be freed. */
int caucus_index_side_create(struct caucus_index_side *side, enum caucus_index_role role,
                             struct caucus_index_record *records, int64_t count, int32_t rank,
                             int32_t ranks, const struct caucus_index_list *list,
                             const struct caucus_index_repeats *repeats);
void caucus_index_side_free(struct caucus_index_side *side);

#endif
