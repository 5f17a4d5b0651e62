/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathers between two groups: what serves one group, among the root, whose block is empty, and the
 * other group. */
#include "plan/collective/parts.h"
#include "plan/collective/rooted.h"
#include "plan/intergroup/rooted.h"

static const struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};

static void emit_direct(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_rooted rooted;
    if (!caucus_rooted_enter(&rooted, builder, task))
        return;
    bool root = task->rank == task->root;
    struct caucus_blocks all =
        caucus_blocks_in_row(builder, out, builder->group.size, rooted.lengths, 0);
    int64_t length = rooted.side.length ? rooted.lengths[builder->group.rank] : task->bytes;
    caucus_gather_by_linear(builder, 0, in, root ? 0 : length, &all);
    caucus_blocks_free(&all);
    caucus_rooted_leave(&rooted, builder);
}

static void emit_binomial(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_rooted rooted;
    if (!caucus_rooted_enter(&rooted, builder, task))
        return;
    struct caucus_blocks all =
        caucus_blocks_in_row(builder, out, builder->group.size, rooted.lengths, 0);
    caucus_gather_by_binomial(builder, 0, in, &all);
    caucus_blocks_free(&all);
    caucus_rooted_leave(&rooted, builder);
}

static double cost_direct(const struct caucus_task *task, const struct caucus_model *model) {
    struct caucus_task rooted = caucus_rooted_common(task);
    return caucus_rooted_linear_cost(&rooted, model);
}

static double cost_binomial(const struct caucus_task *task, const struct caucus_model *model) {
    struct caucus_task rooted = caucus_rooted_common(task);
    return caucus_rooted_binomial_cost(&rooted, model);
}

static const char direct[] = "q messages straight to the root: every byte once";
static const char binomial[] = "⌈log2(q + 1)⌉ rounds along a binomial tree";

const struct caucus_algorithm caucus_intergroup_gather_binomial = {
    .collective = CAUCUS_GATHER,
    .name = "binomial",
    .summary = binomial,
    .emit = emit_binomial,
    .cost = cost_binomial,
};

const struct caucus_algorithm caucus_intergroup_gather_direct = {
    .collective = CAUCUS_GATHER,
    .name = "direct",
    .summary = direct,
    .emit = emit_direct,
    .cost = cost_direct,
};

const struct caucus_algorithm caucus_intergroup_gatherv_binomial = {
    .collective = CAUCUS_GATHERV,
    .name = "binomial",
    .summary = binomial,
    .needs = CAUCUS_NEEDS_COUNTS,
    .emit = emit_binomial,
    .cost = cost_binomial,
};

const struct caucus_algorithm caucus_intergroup_gatherv_direct = {
    .collective = CAUCUS_GATHERV,
    .name = "direct",
    .summary = direct,
    .emit = emit_direct,
    .cost = cost_direct,
};
