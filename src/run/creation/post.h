/* SPDX-License-Identifier: BSD-3-Clause */
/* Short letters between ranks of a communicator, on one tag of it, sorted by topics: letters of
 * several calls at a time, by several threads, in whatever order they come. Any thread. */
#ifndef CAUCUS_RUN_CREATION_POST_H
#define CAUCUS_RUN_CREATION_POST_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

enum { CAUCUS_LETTER_BYTES = 24 };

struct caucus_post;

/* tag is used by nothing else on comm. */
int caucus_post_create(MPI_Comm comm, int tag, struct caucus_post **post);

/* NULL does nothing. What was sent and is not taken yet is left to MPI. */
void caucus_post_free(struct caucus_post *post);

/* A call on a topic with these ranks begins: numbers[i] is how many calls on it with ranks[i] have
 * begun before. Two ranks that both count so are at the same call. */
int caucus_post_begin(struct caucus_post *post, uint64_t topic, int count, const int32_t ranks[],
                      uint64_t numbers[]);

/* Never waits. */
int caucus_post_send(struct caucus_post *post, int rank, uint64_t topic, uint64_t number,
                     const void *bytes);

/* Takes in what has come from rank, for whatever call. A status that is no success means that MPI
 * cannot hear this rank any more. */
int caucus_post_look(struct caucus_post *post, int rank);

/* The next letter from rank for the call, if one was taken in, or the next urgent one, if there is
 * such; drops those of earlier calls. */
bool caucus_post_take(struct caucus_post *post, int rank, uint64_t topic, uint64_t number,
                      bool (*urgent)(const void *bytes), void *bytes);

#endif
