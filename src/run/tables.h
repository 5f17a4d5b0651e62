/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks tell one another before a schedule is worked out. Collective over the attachment. */
#ifndef CAUCUS_RUN_TABLES_H
#define CAUCUS_RUN_TABLES_H

#include "plan/schedule/schedule.h"
#include "run/attach.h"

/* count numbers of root's to all. */
int caucus_tell_numbers(const struct caucus_attachment *attachment, int root, int64_t *numbers,
                        int32_t count);

/* A number from each to each: received[r] is what rank r has in sent for this one. */
int caucus_swap_numbers(const struct caucus_attachment *attachment, const int64_t *sent,
                        int64_t *received);

/* A number of each to all. */
int caucus_spread_number(const struct caucus_attachment *attachment, int64_t number,
                         int64_t *of_rank);

/* The highest that any rank has, in place. */
int caucus_find_highest(const struct caucus_attachment *attachment, int64_t *numbers,
                        int32_t count);

/* The edges of all ranks, one after the other: those of rank r are first[r] to first[r + 1]. The
 * arrays are to be given to free(). With more than limit edges in all, nothing is collected and
 * first is NULL. */
struct caucus_edges {
    int64_t *first;
    int32_t *to;
    int64_t *bytes;
};
int caucus_collect_edges(const struct caucus_attachment *attachment, int32_t count,
                         const int32_t *to, const int64_t *bytes, int64_t limit,
                         struct caucus_edges *edges);
void caucus_edges_free(struct caucus_edges *edges);

#endif
