/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather between two groups by a weighted, striped ring (worked out for this library; one ring
 * for each group, as in the third algorithm of Kang, Träff, Al-Bahrani, Agrawal, Choudhary and
 * Liao, "Scalable Algorithms for MPI Intergroup Allgather and Allgatherv", Parallel Computing 2019,
 * where each byte crosses once).
 *
 *   slot t   rank s of a ring gets a chunk of the other group's data from s - 1, or from the other
 *            group where this chunk crosses to it,
 *            and passes on one that came before, or, where s + 1 gets a chunk that crosses, sends
 *            one of its own block to the other group
 *
 * See stripes.h for what crosses where and stripes_messages.c for the slots.
 * Cost: no port sends or receives more than max(M_A, M_B) bytes, the least there can be, for any p,
 * q and lengths; M / chunk + fill messages, where fill is less than 3 max(p, q). For large data. No
 * memory besides the user's. */
#include "base/status.h"
#include "plan/intergroup/stripes.h"

#include <math.h>
#include <stdlib.h>

static const struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_stripes stripes;
    int status = caucus_stripes_init(&stripes, task, CAUCUS_STRIPES_LATENCY, task->segment);
    if (status) {
        caucus_builder_fail(builder, status, "no stripes between these groups");
        return;
    }
    caucus_stripes_emit(builder, &stripes, in, out);
    caucus_stripes_free(&stripes);
}

static void emit_even(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_stripes stripes;
    if (task->ranks != 2 * task->first_group) {
        caucus_builder_fail(builder, CAUCUS_NOT_APPLICABLE,
                            "a ring of whole blocks is for groups of one size");
        return;
    }
    int status = caucus_stripes_init_even(&stripes, task);
    if (status) {
        caucus_builder_fail(builder, status, "no stripes between these groups");
        return;
    }
    caucus_stripes_emit(builder, &stripes, in, out);
    caucus_stripes_free(&stripes);
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    struct caucus_stripes stripes;
    if (caucus_stripes_init(&stripes, task, CAUCUS_STRIPES_LATENCY, task->segment))
        return INFINITY;
    double seconds = caucus_stripes_cost(&stripes, task, model);
    caucus_stripes_free(&stripes);
    return seconds;
}

static double cost_even(const struct caucus_task *task, const struct caucus_model *model) {
    struct caucus_stripes stripes;
    if (task->ranks != 2 * task->first_group || caucus_stripes_init_even(&stripes, task))
        return INFINITY;
    double seconds = caucus_stripes_cost(&stripes, task, model);
    caucus_stripes_free(&stripes);
    return seconds;
}

static const char summary[] =
    "each port passes max(M_A, M_B) bytes, for any lengths, in chunks round a ring of each group";

const struct caucus_algorithm caucus_intergroup_allgather_striped_ring = {
    .collective = CAUCUS_ALLGATHER,
    .name = "striped_ring",
    .summary = summary,
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_intergroup_allgatherv_striped_ring = {
    .collective = CAUCUS_ALLGATHERV,
    .name = "striped_ring",
    .summary = summary,
    .needs = CAUCUS_NEEDS_COUNTS,
    .emit = emit,
    .cost = cost,
};

static const char even_summary[] =
    "blocks cross as they are and go round each group; for groups of one size";

const struct caucus_algorithm caucus_intergroup_allgather_ring = {
    .collective = CAUCUS_ALLGATHER,
    .name = "ring",
    .summary = even_summary,
    .emit = emit_even,
    .cost = cost_even,
};

const struct caucus_algorithm caucus_intergroup_allgatherv_ring = {
    .collective = CAUCUS_ALLGATHERV,
    .name = "ring",
    .summary = even_summary,
    .needs = CAUCUS_NEEDS_COUNTS,
    .emit = emit_even,
    .cost = cost_even,
};
