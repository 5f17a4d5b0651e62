/* SPDX-License-Identifier: BSD-3-Clause */
/* Small exchanges between the ranks of an attachment, its leaders and rank 0, which leads node 0.
 * Collective over what they name. */
#ifndef CAUCUS_RUN_EXCHANGE_H
#define CAUCUS_RUN_EXCHANGE_H

#include "run/attach.h"

#include <stddef.h>

/* size bytes of rank 0 to all; size is the same everywhere. */
int caucus_share(const struct caucus_attachment *attachment, void *data, size_t size);
/* count numbers of the leader of node 0 to the leaders. Leaders only. */
int caucus_share_with_leaders(const struct caucus_attachment *attachment, int64_t *numbers,
                              int64_t count);

/* Every rank's node, node_of_rank[size] on rank 0. */
int caucus_gather_nodes(const struct caucus_attachment *attachment, int32_t *node_of_rank);

/* One number of every leader, numbers[nodes] on rank 0. Leaders only. */
int caucus_gather_from_leaders(const struct caucus_attachment *attachment, int32_t number,
                               int32_t *numbers);

/* From rank 0, lists of counts[node] numbers, one after the other, to the leaders; list of a leader
 * has room for one number for each rank of its node. Leaders only. */
int caucus_scatter_lists(const struct caucus_attachment *attachment, const int *counts,
                         const int64_t *lists, int *count, int64_t *list);

/* Between the ranks of a node and its leader, who has numbers[local_size]. */
int caucus_collect(const struct caucus_attachment *attachment, int64_t number, int64_t *numbers);
int caucus_deal(const struct caucus_attachment *attachment, const int64_t *numbers,
                int64_t *number);

/* Sums, and highest values, of the leaders' numbers, in place on rank 0. Leaders only. */
int caucus_sum_leaders(const struct caucus_attachment *attachment, double *numbers, int count);
int caucus_max_leaders(const struct caucus_attachment *attachment, double *numbers, int count);

#endif
