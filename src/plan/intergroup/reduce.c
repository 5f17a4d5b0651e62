/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions between two groups: the root has no operand, and gets the result of the other group.
 *
 *   postal             along a tree to the lowest rank of the other group, which sends it on
 *   recursive_halving  a reduce-scatter in the other group, whose ranks send their shares
 *   circulant          as among one group, but that the root only takes what comes; for commutative
 *                      operations
 *
 * Cost: about ⌈log2 q⌉ + 1 rounds of all data; ⌈log2 q⌉ + 1 rounds and 2n bytes; n - 1 + ⌈log2(q +
 * 1)⌉ rounds of one n-th. */
#include "plan/collective/cost.h"
#include "plan/collective/halving.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"
#include "plan/intergroup/crossing.h"
#include "plan/intergroup/rooted.h"

#include <stddef.h>
#include <stdlib.h>

extern const struct caucus_algorithm caucus_reduce_postal, caucus_reduce_circulant;

static const struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};

static void emit_postal(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_group_blocks own = caucus_intergroup_own(task),
                               other = caucus_intergroup_other(task);
    bool root = task->rank == task->root, leads = task->rank == own.first;
    struct caucus_place mine = in;
    if (task->root == CAUCUS_ROOT_ELSEWHERE)
        return;
    if (root) {
        caucus_emit_receive(builder, other.first, out, task->bytes);
        caucus_end_step(builder);
        return;
    }
    if (leads && own.ranks > 1)
        mine = caucus_reserve_scratch(builder, task->bytes);
    struct caucus_group before = caucus_intergroup_enter_own(builder, task);
    if (own.ranks > 1)
        caucus_reduce_by_postal(builder, 0, in, mine, task->bytes, task->commutative);
    caucus_enter_group(builder, before);
    if (leads)
        caucus_emit_send(builder, task->root, mine, task->bytes);
    caucus_end_step(builder);
}

static void send_share(struct caucus_builder *builder, const struct caucus_task *task,
                       const int64_t *cut) {
    struct caucus_group_blocks own = caucus_intergroup_own(task);
    int32_t index = task->rank - own.first;
    int64_t length = cut[index + 1] - cut[index];
    struct caucus_place share = caucus_reserve_scratch(builder, length);
    struct caucus_group before = caucus_intergroup_enter_own(builder, task);
    caucus_reduce_scatter_by_recursive_halving(builder, in, share, cut, task->element);
    caucus_enter_group(builder, before);
    caucus_emit_send(builder, task->root, share, length);
    caucus_end_step(builder);
}

static void emit_recursive_halving(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_group_blocks own = caucus_intergroup_own(task),
                               other = caucus_intergroup_other(task);
    bool root = task->rank == task->root;
    int32_t parts = root ? other.ranks : own.ranks;
    if (task->root == CAUCUS_ROOT_ELSEWHERE)
        return;
    int64_t *cut = caucus_vector_cuts(builder, task->bytes, task->element, parts);
    if (cut && !root)
        send_share(builder, task, cut);
    for (int32_t i = 0; cut && root && i < parts; i++)
        caucus_emit_receive(builder, other.first + i, caucus_at(out, cut[i]), cut[i + 1] - cut[i]);
    caucus_end_step(builder);
    free(cut);
}

static void emit_circulant(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_rooted rooted;
    if (!caucus_rooted_enter(&rooted, builder, task))
        return;
    caucus_reduce_by_circulant_to(builder, 0, in, out, task->bytes, task->element, task->segment);
    caucus_rooted_leave(&rooted, builder);
}

static struct caucus_task part_of(const struct caucus_task *task) {
    return caucus_intergroup_part(task, caucus_rooted_common(task).ranks - 1, task->volume);
}

static double cost_postal(const struct caucus_task *task, const struct caucus_model *model) {
    struct caucus_task part = part_of(task);
    return caucus_reduce_postal.cost(&part, model) +
           caucus_cost_between(model, (double)task->volume, 1);
}

static double cost_recursive_halving(const struct caucus_task *task,
                                     const struct caucus_model *model) {
    struct caucus_task part = part_of(task);
    double bytes = (double)task->volume;
    return caucus_halving_cost(&part, model, true) + 2 * caucus_cost_copy(model, bytes) +
           part.ranks * caucus_cost_copy(model, 0) +
           caucus_cost_burst(task, model, part.ranks, part.ranks, bytes / part.ranks);
}

/* The root has nothing to add in what would be its last round. */
static double cost_circulant(const struct caucus_task *task, const struct caucus_model *model) {
    struct caucus_task part = part_of(task);
    return caucus_reduce_circulant.cost(&part, model) +
           (part.ranks == 1 ? caucus_cost_between(model, (double)task->volume, 1) : 0);
}

const struct caucus_algorithm caucus_intergroup_reduce_postal = {
    .collective = CAUCUS_REDUCE,
    .name = "postal",
    .summary = "all data along a tree to the lowest rank of the other group, which sends it on",
    .emit = emit_postal,
    .cost = cost_postal,
};

const struct caucus_algorithm caucus_intergroup_reduce_recursive_halving = {
    .collective = CAUCUS_REDUCE,
    .name = "recursive_halving",
    .summary = "a reduce-scatter in the other group, whose ranks send their shares",
    .emit = emit_recursive_halving,
    .cost = cost_recursive_halving,
};

const struct caucus_algorithm caucus_intergroup_reduce_circulant = {
    .collective = CAUCUS_REDUCE,
    .name = "circulant",
    .summary = "n - 1 + ⌈log2(q + 1)⌉ rounds of an n-th of the data, every byte once (Träff 2024)",
    .needs = CAUCUS_NEEDS_COMMUTATIVE,
    .emit = emit_circulant,
    .cost = cost_circulant,
};
