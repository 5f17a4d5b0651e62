/* SPDX-License-Identifier: BSD-3-Clause */
/* The blocks of a broadcast over the circulant graph: so many of them pass from the root to all
 * ranks in blocks - 1 + ⌈log2 p⌉ rounds, each rank sending and receiving at most one per round
 * (J. L. Träff, arXiv 2407.18004). Read backwards it is a reduction. */
#ifndef CAUCUS_PLAN_COLLECTIVE_CIRCULANT_PIPELINE_H
#define CAUCUS_PLAN_COLLECTIVE_CIRCULANT_PIPELINE_H

#include "plan/collective/circulant.h"

/* As one rank sees it. */
struct caucus_pipeline {
    struct caucus_circulant graph;
    int32_t rank;
    int64_t blocks, rounds;
    /* The blocks of the first phase of ⌈log2 p⌉ rounds; they grow by so many from phase to phase.
     */
    int64_t receive[CAUCUS_CIRCULANT_ROUNDS], send[CAUCUS_CIRCULANT_ROUNDS];
};

struct caucus_pipeline_round {
    int32_t to, from;
    int64_t send, receive; /* blocks; below 0 for none */
};

void caucus_pipeline_init(struct caucus_pipeline *pipeline, int32_t size, int32_t root,
                          int32_t rank, int64_t blocks);

/* Of rounds 0 to rounds - 1. Each rank but the root receives every block once. */
struct caucus_pipeline_round caucus_pipeline_round_at(const struct caucus_pipeline *pipeline,
                                                      int64_t round);

/* Of a task's volume in so many blocks, each of them in parts that follow one another; reduces:
 * backwards, where a part is combined while the next one comes. */
double caucus_pipeline_cost(const struct caucus_task *task, const struct caucus_model *model,
                            int64_t blocks, int64_t parts, bool reduces);

#endif
