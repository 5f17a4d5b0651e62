/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of a problem share. Each uses those above it alone:
 *
 *   lengths.c     how long a block is
 *   intergroup.c  between two groups: blocks, buffers, what must come out, what a rank is given
 *   graph.c       who sends to whom, and how much
 *   expected.c    how long buffers are, and what must come out
 *   problem.c     making it, and what a rank is given */
#ifndef CAUCUS_STUDY_COLLECTIVE_PARTS_H
#define CAUCUS_STUDY_COLLECTIVE_PARTS_H

#include "study/collective/problem.h"

bool caucus_problem_is_neighbor(const struct caucus_problem *problem);
bool caucus_problem_is_alltoall(const struct caucus_problem *problem);

/* A number that looks random, and is always the same for the same arguments. */
uint64_t caucus_problem_hash(const struct caucus_problem *problem, int64_t a, int64_t b);

/* The length of an irregular block, by two numbers that name it. */
int64_t caucus_problem_length(const struct caucus_problem *problem, int64_t a, int64_t b);

bool caucus_problem_is_intergroup(enum caucus_collective collective);
int64_t caucus_problem_block_intergroup(const struct caucus_problem *problem, int32_t rank);
int64_t caucus_problem_pair_intergroup(const struct caucus_problem *problem, int32_t from,
                                       int32_t to);
void caucus_problem_buffers_intergroup(const struct caucus_problem *problem, int32_t rank,
                                       struct caucus_rank_buffers *buffers);
int64_t caucus_problem_expected_intergroup(struct caucus_problem *problem, int32_t rank);
void caucus_problem_fill_intergroup(struct caucus_problem *problem, struct caucus_task *task);

/* Bytes from one rank to another in an alltoall of any kind; of the k-th edge out of a rank. */
int64_t caucus_problem_pair(const struct caucus_problem *problem, int32_t from, int32_t to);
int64_t caucus_problem_edge(const struct caucus_problem *problem, int32_t from, int64_t k);

/* Finds the neighbours of all ranks. */
int caucus_problem_make_graph(struct caucus_problem *problem);

/* All traffic of all ranks, where the shape says that it was exchanged. */
int caucus_problem_make_traffic(struct caucus_problem *problem);

void caucus_problem_buffers(const struct caucus_problem *problem, int32_t rank,
                            struct caucus_rank_buffers *buffers);

#endif
