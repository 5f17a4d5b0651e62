/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast in two halves (Barnett, Gupta, Payne, Shuler, van de Geijn and Watts, "Interprocessor
 * collective communication library", SHPCC 1994); r counts from the root, which cuts the data in p
 * blocks.
 *
 *   scatter     a binomial tree: r gets the blocks of its subtree, r to r + 2^k - 1
 *   allgather   over the circulant graph: ⌈log2 p⌉ rounds, block r to all
 *
 * Cost: 2 ⌈log2 p⌉ rounds, every byte sent and received twice at most. For large data; any p. */
#include "plan/collective/algorithms.h"
#include "plan/collective/circulant.h"
#include "plan/collective/cost.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"

#include <stddef.h>

static int64_t lower(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static void scatter(struct caucus_builder *builder, int32_t root, struct caucus_place data,
                    const struct caucus_cuts *cuts) {
    int32_t size = builder->group.size;
    int64_t index = caucus_circulant_back(size, builder->group.rank, root);
    int64_t bit = 1;
    while (bit < size && !(index & bit))
        bit *= 2;
    if (index > 0)
        caucus_emit_receive(builder, (int32_t)((index - bit + root) % size),
                            caucus_at(data, caucus_cut(cuts, index)),
                            caucus_cut(cuts, lower(index + bit, size)) - caucus_cut(cuts, index));
    caucus_end_step(builder);
    for (bit /= 2; bit > 0; bit /= 2) {
        int64_t child = index + bit;
        if (child < size)
            caucus_emit_send(builder, (int32_t)((child + root) % size),
                             caucus_at(data, caucus_cut(cuts, child)),
                             caucus_cut(cuts, lower(child + bit, size)) - caucus_cut(cuts, child));
    }
    caucus_end_step(builder);
}

void caucus_bcast_scatter_allgather(struct caucus_builder *builder,
                                    const struct caucus_task *task) {
    struct caucus_cuts cuts = {task->bytes, 1, task->ranks, NULL};
    scatter(builder, task->root, caucus_vector_out, &cuts);
    caucus_allgather_by_circulant(builder, task->root, caucus_vector_out, &cuts);
}

double caucus_bcast_scatter_allgather_cost(const struct caucus_task *task,
                                           const struct caucus_model *model) {
    double seconds = caucus_circulant_cost(task, model, false);
    for (int64_t distance = 1; distance < task->ranks; distance *= 2)
        seconds += caucus_cost_tree(task, model, distance,
                                    (double)task->volume * (double)distance / task->ranks);
    return seconds;
}
