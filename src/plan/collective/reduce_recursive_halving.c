/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduction and allreduce in the order of ranks by recursive halving, then gathering, or doubling
 * (R. Rabenseifner, "Optimization of collective reduction operations", ICCS 2004), for any p
 * without a round or a byte more: halving.h says how.
 *
 *   level k = ⌈log2 p⌉ - 1 … 0   both halves swap what the other one's shares need, and combine
 *   level k = 0 … ⌈log2 p⌉ - 1   the half without the root gives its shares to the other one; where
 *                                all are roots, both halves do
 *
 * Cost: 2 ⌈log2 p⌉ rounds, every byte sent twice at most. For large data; most goes to near ranks.
 */
#include "plan/collective/algorithms.h"
#include "plan/collective/cost.h"
#include "plan/collective/halving.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"

#include <stddef.h>

void caucus_reduce_recursive_halving(struct caucus_builder *builder,
                                     const struct caucus_task *task) {
    int32_t root = task->collective == CAUCUS_REDUCE ? task->root : CAUCUS_EVERY_ROOT;
    caucus_reduce_by_recursive_halving(builder, root, caucus_vector_in(task), caucus_vector_out,
                                       task->bytes, task->element);
}

static void emit_halving(struct caucus_builder *builder, const struct caucus_halving *halving,
                         int32_t root, struct caucus_place in, struct caucus_place out) {
    bool is_root = root == CAUCUS_EVERY_ROOT || builder->group.rank == root;
    struct caucus_range widest = caucus_halving_widest(halving);
    int64_t room = widest.end - widest.begin;
    struct caucus_place second = caucus_reserve_scratch(builder, room);
    struct caucus_place first = out;
    if (!is_root)
        first = caucus_at(caucus_reserve_scratch(builder, room), -widest.begin);
    struct caucus_place mine =
        caucus_halving_reduce(halving, builder, in, first, caucus_at(second, -widest.begin));
    if (is_root) {
        struct caucus_range share = caucus_halving_share(halving);
        caucus_emit_copy(builder, caucus_at(mine, share.begin), caucus_at(out, share.begin),
                         share.end - share.begin);
        caucus_end_step(builder);
        mine = out;
    }
    caucus_halving_gather(halving, builder, root, mine);
}

void caucus_reduce_by_recursive_halving(struct caucus_builder *builder, int32_t root,
                                        struct caucus_place in, struct caucus_place out,
                                        int64_t bytes, int64_t element) {
    struct caucus_cuts shares = {bytes, element, builder->group.size, NULL};
    struct caucus_halving halving;
    caucus_halving_init(&halving, builder, &shares);
    emit_halving(builder, &halving, root, in, out);
    caucus_halving_free(&halving);
}

double caucus_reduce_recursive_halving_cost(const struct caucus_task *task,
                                            const struct caucus_model *model) {
    return caucus_halving_cost(task, model, true) + caucus_halving_cost(task, model, false) +
           caucus_cost_copy(model, (double)task->volume / 2);
}
