/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank of the directory does: it finds out who sends which of its indices to whom. */
#ifndef CAUCUS_PLAN_REDISTRIBUTE_MATCH_H
#define CAUCUS_PLAN_REDISTRIBUTE_MATCH_H

#include "plan/redistribute/directory.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An index that a rank wants and nobody has. */
struct caucus_index_missing {
    bool is_missing;
    int32_t rank;  /* the lowest that lacks one, */
    int64_t index; /* and the lowest that it lacks */
};

/* records, which are put into another order, are what ranks told of this interval. Where
 * first_group is set, ranks below it want what the others have and the other way round; else all
 * want what all have. Whoever has an index himself takes his own; of several that have it, in the
 * order of ranks, rank r takes number r modulo how many they are, so that each of them has its
 * part of the work. mail tells senders and receivers and is to be freed. Where an index is missing
 * there is success all the same, and no mail. */
int caucus_directory_match(struct caucus_index_record *records, int64_t count, int32_t first_group,
                           struct caucus_index_mail *mail, struct caucus_index_missing *missing);

#ifdef __cplusplus
}
#endif

#endif
