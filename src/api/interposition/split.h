/* SPDX-License-Identifier: BSD-3-Clause */
/* An array of requests, taken apart: the native ones by themselves, in their places. */
#ifndef CAUCUS_API_INTERPOSITION_SPLIT_H
#define CAUCUS_API_INTERPOSITION_SPLIT_H

#include "api/interposition/proxies.h"

enum { CAUCUS_SPLIT_INLINE = 16 };

struct caucus_split {
    int count;
    int native_count;
    MPI_Request *handles;       /* the user's */
    MPI_Request *natives;       /* MPI_REQUEST_NULL where one is ours */
    struct caucus_proxy **ours; /* NULL where one is native */
    MPI_Status *statuses;       /* for the native ones */
    int *indices;               /* room for what MPI tells of the native ones */
    void *allocated;            /* NULL for a short array */
    int looks;                  /* in vain so far, by those who wait */
    double begin;               /* of their wait, by the clock; 0 until it is asked for */
    MPI_Request few_natives[CAUCUS_SPLIT_INLINE];
    struct caucus_proxy *few_ours[CAUCUS_SPLIT_INLINE];
    MPI_Status few_statuses[CAUCUS_SPLIT_INLINE];
    int few_indices[CAUCUS_SPLIT_INLINE];
};

/* CAUCUS_NO_MEMORY if there is none. */
int caucus_split_begin(struct caucus_split *split, int count, MPI_Request handles[]);

/* Whether any of ours is still under way: looking at that one moves all others on, too. */
bool caucus_split_moves_others(const struct caucus_split *split);

/* Gives the native handles, which MPI may have changed, back to their places. */
void caucus_split_end(struct caucus_split *split);

/* One look at it: what MPI_Testall, MPI_Testany and MPI_Testsome do, once or until they succeed. */
int caucus_split_test_any(struct caucus_split *split, int *index, int *flag, MPI_Status *status);
int caucus_split_test_some(struct caucus_split *split, int *completed, int indices[],
                           MPI_Status statuses[]);

/* may_wait: for ours, once the native ones are complete. */
int caucus_split_test_all(struct caucus_split *split, bool may_wait, int *flag,
                          MPI_Status statuses[]);

#endif
