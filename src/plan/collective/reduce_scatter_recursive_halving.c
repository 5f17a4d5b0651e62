/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduce-scatter in the order of ranks by recursive halving, for any p: halving.h says how. Each
 * rank first puts the blocks in the order of shares, so that what travels together lies together
 * (J. L. Träff, "An improved algorithm for (non-commutative) reduce-scatter with an application",
 * EuroPVM/MPI 2005, permutes so for powers of two).
 *
 *   level k = ⌈log2 p⌉ - 1 … 0   both halves swap what the other one's shares need, and combine
 *
 * Cost: ⌈log2 p⌉ rounds, every byte sent once, a copy of the operand in p pieces. Any p, any
 * blocks. */
#include "plan/collective/algorithms.h"
#include "plan/collective/blocks.h"
#include "plan/collective/cost.h"
#include "plan/collective/halving.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"

#include <stdlib.h>

void caucus_reduce_scatter_recursive_halving(struct caucus_builder *builder,
                                             const struct caucus_task *task) {
    struct caucus_cuts cuts = caucus_task_cuts(builder, task);
    if (!builder->status)
        caucus_reduce_scatter_by_recursive_halving(builder, caucus_vector_in(task),
                                                   caucus_vector_out, &cuts);
    caucus_cuts_free(&cuts);
}

/* Copies the blocks in the order of shares; where these begin goes to share. */
static struct caucus_place sort_blocks(struct caucus_builder *builder, struct caucus_place in,
                                       const struct caucus_cuts *cuts, int64_t *share) {
    int32_t size = builder->group.size;
    struct caucus_place sorted = caucus_reserve_scratch(builder, caucus_cut(cuts, size));
    struct caucus_copying copying = {.builder = builder};
    for (int32_t i = 0; i < size; i++) {
        int32_t rank = caucus_halving_rank(size, i);
        int64_t begin = caucus_cut(cuts, rank), length = caucus_cut(cuts, rank + 1) - begin;
        caucus_copying_add(&copying, caucus_at(in, begin), caucus_at(sorted, share[i]), length);
        share[i + 1] = share[i] + length;
    }
    caucus_copying_flush(&copying);
    caucus_end_step(builder);
    return sorted;
}

void caucus_reduce_scatter_by_recursive_halving(struct caucus_builder *builder,
                                                struct caucus_place in, struct caucus_place out,
                                                const struct caucus_cuts *cuts) {
    int32_t size = builder->group.size;
    int64_t *share = caucus_builder_array(builder, (int64_t)size + 1, sizeof *share, "shares");
    struct caucus_halving halving;
    if (!share)
        return;
    struct caucus_place sorted = sort_blocks(builder, in, cuts, share);
    struct caucus_cuts shares = {.element = cuts->element, .parts = size, .at = share};
    caucus_halving_init(&halving, builder, &shares);
    struct caucus_range widest = caucus_halving_widest(&halving);
    struct caucus_place second = caucus_reserve_scratch(builder, widest.end - widest.begin);
    struct caucus_place mine =
        caucus_halving_reduce(&halving, builder, sorted, sorted, caucus_at(second, -widest.begin));
    struct caucus_range own = caucus_halving_share(&halving);
    caucus_emit_copy(builder, caucus_at(mine, own.begin), out, own.end - own.begin);
    caucus_end_step(builder);
    caucus_halving_free(&halving);
    free(share);
}

double caucus_reduce_scatter_recursive_halving_cost(const struct caucus_task *task,
                                                    const struct caucus_model *model) {
    double bytes = (double)task->volume;
    return caucus_halving_cost(task, model, true) + caucus_cost_copy(model, bytes) +
           task->ranks * caucus_cost_copy(model, 0);
}
