/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcasts between two groups: what serves one group, among the root and the other group. */
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"
#include "plan/intergroup/rooted.h"

extern const struct caucus_algorithm caucus_bcast_postal, caucus_bcast_binomial,
    caucus_bcast_scatter_allgather, caucus_bcast_circulant;

static void emit_postal(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_rooted rooted;
    if (!caucus_rooted_enter(&rooted, builder, task))
        return;
    caucus_bcast_by_postal(builder, 0, caucus_vector_out, task->bytes);
    caucus_rooted_leave(&rooted, builder);
}

static void emit_binomial(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_rooted rooted;
    if (!caucus_rooted_enter(&rooted, builder, task))
        return;
    caucus_bcast_by_binomial(builder, 0, caucus_vector_out, task->bytes);
    caucus_rooted_leave(&rooted, builder);
}

static void emit_scatter_allgather(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_rooted rooted;
    if (!caucus_rooted_enter(&rooted, builder, task))
        return;
    caucus_bcast_by_scatter_allgather(builder, 0, caucus_vector_out, task->bytes);
    caucus_rooted_leave(&rooted, builder);
}

static void emit_circulant(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_rooted rooted;
    if (!caucus_rooted_enter(&rooted, builder, task))
        return;
    caucus_bcast_by_circulant(builder, 0, caucus_vector_out, task->bytes, task->segment);
    caucus_rooted_leave(&rooted, builder);
}

static double cost_postal(const struct caucus_task *task, const struct caucus_model *model) {
    struct caucus_task rooted = caucus_rooted_common(task);
    return caucus_bcast_postal.cost(&rooted, model);
}

static double cost_binomial(const struct caucus_task *task, const struct caucus_model *model) {
    struct caucus_task rooted = caucus_rooted_common(task);
    return caucus_bcast_binomial.cost(&rooted, model);
}

static double cost_scatter_allgather(const struct caucus_task *task,
                                     const struct caucus_model *model) {
    struct caucus_task rooted = caucus_rooted_common(task);
    return caucus_bcast_scatter_allgather.cost(&rooted, model);
}

static double cost_circulant(const struct caucus_task *task, const struct caucus_model *model) {
    struct caucus_task rooted = caucus_rooted_common(task);
    return caucus_bcast_circulant.cost(&rooted, model);
}

const struct caucus_algorithm caucus_intergroup_bcast_postal = {
    .collective = CAUCUS_BCAST,
    .name = "postal",
    .summary = "all data along a tree for messages that are slow to arrive, quick to send (Bar-Noy "
               "and Kipnis 1994)",
    .emit = emit_postal,
    .cost = cost_postal,
};

const struct caucus_algorithm caucus_intergroup_bcast_binomial = {
    .collective = CAUCUS_BCAST,
    .name = "binomial",
    .summary = "⌈log2(q + 1)⌉ rounds of all data along a binomial tree",
    .emit = emit_binomial,
    .cost = cost_binomial,
};

const struct caucus_algorithm caucus_intergroup_bcast_scatter_allgather = {
    .collective = CAUCUS_BCAST,
    .name = "scatter_allgather",
    .summary = "2 ⌈log2(q + 1)⌉ rounds, every byte twice (Barnett et al. 1994)",
    .emit = emit_scatter_allgather,
    .cost = cost_scatter_allgather,
};

const struct caucus_algorithm caucus_intergroup_bcast_circulant = {
    .collective = CAUCUS_BCAST,
    .name = "circulant",
    .summary = "n - 1 + ⌈log2(q + 1)⌉ rounds of an n-th of the data, every byte once (Träff 2024)",
    .emit = emit_circulant,
    .cost = cost_circulant,
};
