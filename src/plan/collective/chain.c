/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective/chain.h"

#include "plan/collective/cost.h"
#include "plan/collective/vector.h"

enum { OVERLAP_BYTES = 64 << 10 };

struct caucus_chain caucus_chain_of(int32_t size, int64_t bytes, int64_t element, int64_t segment,
                                    bool may_overlap) {
    struct caucus_chain chain = {bytes, element,
                                 .overlaps = may_overlap && bytes / size >= OVERLAP_BYTES};
    int32_t depth = size > 1 ? size - 1 : 0;
    if (chain.overlaps && depth <= INT32_MAX / 2)
        depth *= 2;
    chain.segments = caucus_vector_segments(bytes, element, segment, depth);
    return chain;
}

static int64_t begin_of(const struct caucus_chain *chain, int64_t i) {
    return caucus_vector_cut(chain->bytes, chain->element, chain->segments, i);
}

struct caucus_place caucus_chain_place(const struct caucus_chain *chain, struct caucus_place base,
                                       int64_t i) {
    return caucus_at(base, begin_of(chain, i));
}

int64_t caucus_chain_length(const struct caucus_chain *chain, int64_t i) {
    return i < 0 || i >= chain->segments ? 0 : begin_of(chain, i + 1) - begin_of(chain, i);
}

/* Cuts are rounded down, so the last one is as long as any. */
int64_t caucus_chain_longest(const struct caucus_chain *chain) {
    return caucus_chain_length(chain, chain->segments - 1);
}

double caucus_chain_cost(const struct caucus_task *task, const struct caucus_model *model,
                         bool may_overlap) {
    struct caucus_chain chain =
        caucus_chain_of(task->ranks, task->volume, task->element, task->segment, may_overlap);
    double bytes = (double)task->volume / (double)chain.segments;
    double message = caucus_cost_shift(task, model, 1, bytes);
    double reduce = caucus_cost_reduce(model, bytes);
    double before = task->ranks > 1 ? task->ranks - 2 : 0, segments = (double)chain.segments;
    if (chain.overlaps)
        return (2 * before + segments) * (message > reduce ? message : reduce) + reduce;
    return (before + segments) * (message + reduce);
}
