/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather over the circulant graph (J. L. Träff, "Optimal, non-pipelined reduce-scatter and
 * allreduce algorithms", arXiv 2410.14234).
 *
 *   round k = 0, 1, …   rank r has blocks r … r + skip[k] - 1 (modulo p), in their places;
 *                       tells r - skip[k] the first skip[k + 1] - skip[k] of them,
 *                       hears r + skip[k]
 *
 * The skips are p halved again and again, rounded up. What goes over the end of the buffer is a
 * message of its own; nothing is copied but the own block.
 * Cost: ⌈log2 p⌉ rounds, every byte received once. For data of some length; any p, blocks of any
 * lengths. */
#include "plan/collective/algorithms.h"
#include "plan/collective/allgather.h"
#include "plan/collective/circulant.h"
#include "plan/collective/cost.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"

/* After each round a rank has as many blocks from its own on as the skip of the next one says. */
void caucus_allgather_by_circulant(struct caucus_builder *builder, int32_t root,
                                   struct caucus_place data, const struct caucus_cuts *cuts) {
    int32_t size = builder->group.size;
    int32_t index = caucus_circulant_back(size, builder->group.rank, root);
    struct caucus_circulant graph;
    caucus_circulant_init(&graph, size);
    for (int k = 0; k < graph.rounds; k++) {
        int32_t have = graph.skip[k], missing = graph.skip[k + 1] - have;
        int32_t to = caucus_circulant_back(size, index, have);
        int32_t from = caucus_circulant_on(size, index, have);
        struct caucus_rows sent = caucus_circulant_rows(cuts, index, missing);
        struct caucus_rows received = caucus_circulant_rows(cuts, from, missing);
        for (int i = 0; i < 2; i++) {
            caucus_emit_send(builder, caucus_circulant_on(size, to, root),
                             caucus_at(data, sent.begin[i]), sent.length[i]);
            caucus_emit_receive(builder, caucus_circulant_on(size, from, root),
                                caucus_at(data, received.begin[i]), received.length[i]);
        }
        caucus_end_step(builder);
    }
}

void caucus_allgather_circulant(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_blocks all = caucus_allgather_begin(builder, task);
    struct caucus_cuts cuts = caucus_task_cuts(builder, task);
    if (!builder->status)
        caucus_allgather_by_circulant(builder, 0, all.base, &cuts);
    caucus_cuts_free(&cuts);
    caucus_blocks_free(&all);
}

double caucus_allgather_circulant_cost(const struct caucus_task *task,
                                       const struct caucus_model *model) {
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
