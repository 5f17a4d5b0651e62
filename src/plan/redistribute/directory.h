/* SPDX-License-Identifier: BSD-3-Clause */
/* Who keeps the books of which indices: the range of those that occur is cut into intervals, one
 * for each rank; where indices are few in a wide range, as where an outlier is far away, into short
 * ones, dealt to the ranks as if at random. Each rank tells what it has and wants to those whose
 * intervals it reaches into; they match it and tell both sides. No rank holds it all. */
#ifndef CAUCUS_PLAN_REDISTRIBUTE_DIRECTORY_H
#define CAUCUS_PLAN_REDISTRIBUTE_DIRECTORY_H

#include "plan/redistribute/index_list.h"

#include <stdbool.h>

struct caucus_directory {
    int64_t low;    /* the lowest index of all ranks */
    uint64_t share; /* indices of an interval */
    int32_t ranks;
    bool sparse; /* there are more intervals than ranks */
};

enum caucus_index_role {
    CAUCUS_INDEX_HAS, /* to the directory: rank has these */
    CAUCUS_INDEX_WANTS,
    CAUCUS_INDEX_SEND,    /* from the directory: to rank */
    CAUCUS_INDEX_RECEIVE, /* from rank */
    CAUCUS_INDEX_STREAM   /* between ranks of a node: relay.h */
};

/* What ranks tell one another of some indices; position is where whoever wants them has the first.
 */
struct caucus_index_record {
    int64_t first, count, position;
    int32_t rank, role;
};

/* Records for several ranks: those for to[i] are record[begin[i]] to record[begin[i + 1] - 1]. */
struct caucus_index_mail {
    int32_t receivers;
    int32_t *to; /* ascending */
    int64_t *begin;
    struct caucus_index_record *record;
};

/* To be freed; on failure there is nothing to free. */
int caucus_index_mail_init(struct caucus_index_mail *mail, int32_t receivers, int64_t records);
void caucus_index_mail_free(struct caucus_index_mail *mail);

/* A record, and who gets it. */
struct caucus_index_letter {
    struct caucus_index_record record;
    int32_t to;
};

/* Makes mail of letters, which it puts in order; to be freed unless it fails. */
int caucus_index_mail_sort(struct caucus_index_mail *mail, struct caucus_index_letter *letters,
                           int64_t count);

/* The directory of the indices low to high - 1, both 0 where there are none, of which no rank has,
 * or wants, more than most. */
struct caucus_directory caucus_directory_cut(int64_t low, int64_t high, int64_t most,
                                             int32_t ranks);

/* What a rank has to tell the directory; to be freed. */
int caucus_directory_tell(const struct caucus_directory *directory, int32_t rank,
                          const struct caucus_index_list *has,
                          const struct caucus_index_list *wants, struct caucus_index_mail *mail);

/* An index that a rank wants and nobody has. */
struct caucus_index_missing {
    bool is_missing;
    int32_t rank;  /* the lowest that lacks one, */
    int64_t index; /* and the lowest that it lacks */
};

/* What a rank of the directory does: it finds out who sends which of its indices to whom. records,
 * which are put into another order, are what ranks told of its interval. Where
 * first_group is set, ranks below it want what the others have and the other way round; else all
 * want what all have. Whoever has an index himself takes his own; of several that have it, in the
 * order of ranks, rank r takes number r modulo how many they are, so that each of them has its
 * part of the work. mail tells senders and receivers and is to be freed. Where an index is missing
 * there is success all the same, and no mail. */
int caucus_directory_match(struct caucus_index_record *records, int64_t count, int32_t first_group,
                           struct caucus_index_mail *mail, struct caucus_index_missing *missing);

#endif
