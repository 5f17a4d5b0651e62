/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that the ranks of a node share, of which nothing is left behind however the program ends:
 * a file in memory, without a name, that rank 0 has open and the others find among its files in
 * /proc. Where they can't, a POSIX segment, whose name is gone as soon as all have it. */
#ifndef CAUCUS_RUN_MEMORY_SEGMENT_H
#define CAUCUS_RUN_MEMORY_SEGMENT_H

#include "run/peers/peers.h"

#include <stdint.h>

struct caucus_segment {
    char *base; /* each rank's own address */
    int64_t size;
};

/* Zeroed, and its pages are there. Collective over the peers; fails on all ranks alike, though only
 * those with a reason have a text. */
int caucus_segment_create(const struct caucus_peers *peers, int64_t size,
                          struct caucus_segment *segment);
void caucus_segment_free(struct caucus_segment *segment);

#endif
