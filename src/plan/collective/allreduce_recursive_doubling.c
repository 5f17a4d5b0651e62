/* SPDX-License-Identifier: BSD-3-Clause */
/* Allreduce over halves of halves, the smallest first, for any p without a round more.
 *
 *   level   i-th rank of the lower half  <-- all data -->  i-th rank of the upper half
 *           if the lower half has one rank more: last rank of the upper half --> that rank too
 *
 * Then every rank puts the upper half's combination behind the lower half's: all combine the same
 * tree, in the order of ranks. With p a power of two it is recursive doubling as everybody knows it
 * (Thakur, Rabenseifner and Gropp, Int. J. High Performance Computing Applications 2005).
 * Cost: ⌈log2 p⌉ rounds of the whole vector. For small data. */
#include "plan/collective/algorithms.h"
#include "plan/collective/cost.h"
#include "plan/collective/halving.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"

void caucus_allreduce_recursive_doubling(struct caucus_builder *builder,
                                         const struct caucus_task *task) {
    caucus_allreduce_by_recursive_doubling(builder, caucus_vector_in(task), caucus_vector_out,
                                           task->bytes);
}

static void exchange(struct caucus_builder *builder, const struct caucus_halves *halves,
                     struct caucus_place mine, struct caucus_place theirs, int64_t bytes) {
    int32_t index = builder->group.rank - halves->first;
    int32_t last = halves->other_size - 1;
    if (index <= last)
        caucus_emit_send(builder, halves->other_first + index, mine, bytes);
    if (index == halves->size - 1 && index < last)
        caucus_emit_send(builder, halves->other_first + last, mine, bytes);
    caucus_emit_receive(builder, halves->other_first + (index < last ? index : last), theirs,
                        bytes);
}

/* The combination of a lower and an upper half goes to where the upper one was: a rank of a lower
 * half goes on with the other buffer. The first buffer is such that the last one is out. */
void caucus_allreduce_by_recursive_doubling(struct caucus_builder *builder, struct caucus_place in,
                                            struct caucus_place out, int64_t bytes) {
    struct caucus_halves levels[CAUCUS_HALVES_LEVELS];
    int count = caucus_halves_of(builder->group.size, builder->group.rank, levels);
    bool in_place = caucus_same_place(in, out), even = true;
    struct caucus_place mine = out, theirs = caucus_reserve_scratch(builder, bytes);
    for (int level = 0; level < count; level++)
        even = even != levels[level].lower;
    if (!even && !in_place) {
        mine = theirs;
        theirs = out;
    }
    caucus_emit_copy(builder, in, mine, bytes);
    for (int level = count - 1; level >= 0; level--) {
        exchange(builder, &levels[level], level == count - 1 ? in : mine, theirs, bytes);
        caucus_end_step(builder);
        struct caucus_place lower = levels[level].lower ? mine : theirs;
        struct caucus_place upper = levels[level].lower ? theirs : mine;
        caucus_emit_reduce(builder, lower, upper, bytes);
        caucus_end_step(builder);
        mine = upper;
        theirs = lower;
    }
    caucus_emit_copy(builder, mine, out, bytes);
    caucus_end_step(builder);
}

double caucus_allreduce_recursive_doubling_cost(const struct caucus_task *task,
                                                const struct caucus_model *model) {
    return caucus_cost_doubling(task, model, caucus_cost_exchange, (double)task->volume, true);
}
