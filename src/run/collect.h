/* SPDX-License-Identifier: BSD-3-Clause */
/* Bringing together on rank 0 what all ranks of an attachment have. All ranks. */
#ifndef CAUCUS_RUN_COLLECT_H
#define CAUCUS_RUN_COLLECT_H

#include "run/attach.h"

#include <stddef.h>

/* Rank 0's flag for all. */
int caucus_share_flag(const struct caucus_attachment *attachment, bool *flag);

/* Sums, in place on rank 0. */
int caucus_sum_counts(const struct caucus_attachment *attachment, int64_t *counts, int count);

/* On rank 0, the texts of all ranks in their order, separated by ",\n", empty ones left out; to be
 * given to free(). NULL elsewhere. All ranks get the same status. */
int caucus_collect_text(const struct caucus_attachment *attachment, const char *text, size_t length,
                        char **collected);

#endif
