/* SPDX-License-Identifier: BSD-3-Clause */
/* Small collectives over the ranks of an attachment, of a node or of the leaders; rank 0 is
 * the root, which leads node 0, and within a node its leader. */
#ifndef CAUCUS_RUN_ATTACHMENT_EXCHANGE_H
#define CAUCUS_RUN_ATTACHMENT_EXCHANGE_H

#include "run/attachment/attach.h"

#include <stddef.h>

/* size bytes to all; size is the same everywhere. */
int caucus_bcast_all(const struct caucus_attachment *attachment, void *data, size_t size);
int caucus_bcast_flag(const struct caucus_attachment *attachment, bool *flag);

/* The highest that any rank has, in place on all. */
int caucus_max_all(const struct caucus_attachment *attachment, int64_t *numbers, int32_t count);

/* Sums, in place on rank 0. */
int caucus_sum_all(const struct caucus_attachment *attachment, int64_t *counts, int count);

/* Every rank's node, node_of_rank[size] on rank 0. */
int caucus_gather_nodes(const struct caucus_attachment *attachment, int32_t *node_of_rank);

/* Leaders only: count numbers to all of them; one number of each, numbers[nodes] on rank 0; in
 * place on rank 0, what an operation makes of the numbers of all. */
int caucus_bcast_leaders(const struct caucus_attachment *attachment, int64_t *numbers,
                         int64_t count);
int caucus_gather_leaders(const struct caucus_attachment *attachment, int32_t number,
                          int32_t *numbers);
int caucus_reduce_leaders(const struct caucus_attachment *attachment, double *numbers, int count,
                          MPI_Op operation);

/* Leaders only: lists of counts[node] numbers, one after the other; list has room for one number
 * for each rank of the node. */
int caucus_scatterv_leaders(const struct caucus_attachment *attachment, const int *counts,
                            const int64_t *lists, int *count, int64_t *list);

/* Within a node, whose leader has numbers[local_size]. */
int caucus_gather_node(const struct caucus_attachment *attachment, int64_t number,
                       int64_t *numbers);
int caucus_scatter_node(const struct caucus_attachment *attachment, const int64_t *numbers,
                        int64_t *number);

#endif
