/* SPDX-License-Identifier: BSD-3-Clause */
/* How many calls on a topic have begun with a rank: a hash table that grows by the pairs that
 * occur. Starts as all zero. Not thread-safe. */
#ifndef CAUCUS_RUN_CREATION_COUNTS_H
#define CAUCUS_RUN_CREATION_COUNTS_H

#include <stdint.h>

struct caucus_call_count {
    uint64_t topic, begun; /* begun is 0 where the place is free */
    int32_t rank;
};

struct caucus_call_counts {
    struct caucus_call_count *place;
    int64_t places, used; /* places is a power of 2, or 0 */
};

/* Makes room for so many more pairs, so that the next calls with them cannot fail. */
int caucus_call_counts_reserve(struct caucus_call_counts *counts, int64_t more);

/* How many had begun; one more has now. */
uint64_t caucus_call_counts_next(struct caucus_call_counts *counts, uint64_t topic, int rank);

void caucus_call_counts_free(struct caucus_call_counts *counts);

#endif
