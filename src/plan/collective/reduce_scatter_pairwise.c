/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduce-scatter with a message from each rank to each.
 *
 *   round k = 1 … p-1   rank r sends block r + k to r + k, gets its own from r - k; meanwhile it
 *                       puts what came in round k - 1 before what it has
 *
 * What comes from ranks r - 1 … 0 goes before the own operand, and what comes from p - 1 … r + 1
 * makes up a second sum, which goes behind: so operands stay in the order of ranks. A commutative
 * operation needs one sum. What becomes the result is summed up in out, unless that has operands.
 * Cost: p - 1 rounds of one block, every byte sent once. For large data on few ranks; any p. */
#include "plan/collective/algorithms.h"
#include "plan/collective/allgather.h"
#include "plan/collective/circulant.h"
#include "plan/collective/cost.h"
#include "plan/collective/vector.h"

static void reduce_scatter(struct caucus_builder *builder, const struct caucus_task *task,
                           const struct caucus_cuts *cuts) {
    int32_t size = builder->group.size, rank = builder->group.rank;
    int64_t length = caucus_cut(cuts, rank + 1) - caucus_cut(cuts, rank);
    bool two_sums = !task->commutative && rank < size - 1;
    struct caucus_place in = caucus_vector_in(task), got[2];
    for (int i = 0; i < 2; i++)
        got[i] = caucus_reserve_scratch(builder, length);
    struct caucus_place upper =
        task->in_place ? caucus_reserve_scratch(builder, length) : caucus_vector_out;
    struct caucus_place lower = two_sums ? caucus_reserve_scratch(builder, length) : upper;
    caucus_emit_copy(builder, caucus_at(in, caucus_cut(cuts, rank)), lower, length);
    for (int32_t round = 1; round <= size; round++) {
        /* What the round before has brought; the first of the upper ranks came to upper itself. */
        if (round > 1 && !(two_sums && round - 1 == rank + 1))
            caucus_emit_reduce(builder, got[round % 2], round - 1 <= rank ? lower : upper, length);
        if (round < size) {
            int32_t to = caucus_circulant_on(size, rank, round);
            caucus_emit_send(builder, to, caucus_at(in, caucus_cut(cuts, to)),
                             caucus_cut(cuts, to + 1) - caucus_cut(cuts, to));
            caucus_emit_receive(builder, caucus_circulant_back(size, rank, round),
                                two_sums && round == rank + 1 ? upper : got[(round + 1) % 2],
                                length);
        }
        caucus_end_step(builder);
    }
    if (two_sums)
        caucus_emit_reduce(builder, lower, upper, length);
    caucus_end_step(builder);
    caucus_emit_copy(builder, upper, caucus_vector_out, length);
    caucus_end_step(builder);
}

void caucus_reduce_scatter_pairwise(struct caucus_builder *builder,
                                    const struct caucus_task *task) {
    struct caucus_cuts cuts = caucus_task_cuts(builder, task);
    if (!builder->status)
        reduce_scatter(builder, task, &cuts);
    caucus_cuts_free(&cuts);
}

double caucus_reduce_scatter_pairwise_cost(const struct caucus_task *task,
                                           const struct caucus_model *model) {
    double block = caucus_allgather_run(task, 1);
    double reduce = caucus_cost_reduce(model, block);
    double seconds = caucus_cost_copy(model, block) + (task->commutative ? 1 : 2) * reduce;
    for (int32_t round = 1; round < task->ranks; round++) {
        double message = caucus_cost_shift(task, model, round, block);
        seconds += message > reduce ? message : reduce;
    }
    return seconds;
}
