/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather over the circulant graph (J. L. Träff, "Optimal, non-pipelined reduce-scatter and
 * allreduce algorithms", arXiv 2410.14234).
 *
 *   round k = 0, 1, …   rank r has blocks r … r + skip[k] - 1 (modulo p), in their places;
 *                       tells r - skip[k] the first skip[k + 1] - skip[k] of them, hears r +
 * skip[k]
 *
 * The skips are p halved again and again, rounded up. What goes over the end of the buffer is a
 * message of its own; nothing is copied but the own block.
 * Cost: ⌈log2 p⌉ rounds, every byte received once. For data of some length; any p, blocks of any
 * lengths. */
#include "plan/collective/algorithm.h"
#include "plan/collective/allgather.h"
#include "plan/collective/circulant.h"
#include "plan/collective/cost.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"

#include <stdlib.h>

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_blocks all = caucus_allgather_begin(builder, task);
    int64_t *cut = caucus_vector_block_cuts(builder, task);
    if (cut)
        caucus_allgather_by_circulant(builder, all.base, cut);
    free(cut);
    caucus_blocks_free(&all);
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    enum caucus_distance distance =
        task->nodes && task->nodes->nodes == 1 ? CAUCUS_WITHIN_NODE : CAUCUS_BETWEEN_NODES;
    double over_the_end = 2 * model->overhead[distance] + 2 * model->operation;
    double seconds = caucus_cost_copy(model, caucus_allgather_run(task, 1));
    struct caucus_circulant graph;
    caucus_circulant_init(&graph, task->ranks);
    for (int k = 0; k < graph.rounds; k++) {
        double bytes = caucus_allgather_run(task, graph.skip[k + 1] - graph.skip[k]);
        seconds += caucus_cost_shift(task, model, graph.skip[k], bytes);
        seconds += k > 0 ? over_the_end : 0;
    }
    return seconds;
}

const struct caucus_algorithm caucus_allgather_circulant = {
    .collective = CAUCUS_ALLGATHER,
    .name = "circulant",
    .summary = "⌈log2 p⌉ rounds, every byte received once and in place (Träff 2024)",
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_allgatherv_circulant = {
    .collective = CAUCUS_ALLGATHERV,
    .name = "circulant",
    .summary = "⌈log2 p⌉ rounds, every byte received once and in place (Träff 2024)",
    .emit = emit,
    .cost = cost,
};
