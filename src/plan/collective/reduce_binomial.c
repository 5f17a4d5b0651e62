/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduction along binomial trees; r counts from the root of a tree, of which there are two if the
 * operation is not commutative (postal_reduce.c).
 *
 *   round k   r with bit k sends what it has to r - 2^k, which puts it behind what it has itself
 *
 * Cost: ⌈log2 p⌉ rounds of the whole vector, one more in order. For small data; any p. */
#include "plan/collective/algorithm.h"
#include "plan/collective/cost.h"
#include "plan/collective/parts.h"
#include "plan/collective/postal.h"
#include "plan/collective/vector.h"

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_reduce_by_binomial(builder, task->root, caucus_vector_in(task), caucus_vector_out,
                              task->bytes, task->commutative);
}

void caucus_reduce_by_binomial(struct caucus_builder *builder, int32_t root, struct caucus_place in,
                               struct caucus_place out, int64_t bytes, bool commutative) {
    caucus_postal_reduce(builder, root, in, out, bytes, commutative, CAUCUS_POSTAL_BINOMIAL);
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    double bytes = (double)task->volume, seconds = 0;
    for (int64_t distance = 1; distance < task->ranks; distance *= 2)
        seconds +=
            caucus_cost_tree(task, model, distance, bytes) + caucus_cost_reduce(model, bytes);
    /* A root in the middle: two smaller trees, then one message more. A root at an end has none. */
    if (!task->commutative && task->ranks > 1)
        seconds += (caucus_cost_message(task, model, bytes) + caucus_cost_reduce(model, bytes)) / 2;
    return seconds;
}

const struct caucus_algorithm caucus_reduce_binomial = {
    .collective = CAUCUS_REDUCE,
    .name = "binomial",
    .summary = "⌈log2 p⌉ rounds of all data along a binomial tree, one more to keep the order of "
               "ranks",
    .emit = emit,
    .cost = cost,
};
