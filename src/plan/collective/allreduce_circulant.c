/* SPDX-License-Identifier: BSD-3-Clause */
/* Allreduce over the circulant graph: reduce-scatter of p equal blocks, then allgather (J. L.
 * Träff, "Optimal, non-pipelined reduce-scatter and allreduce algorithms", arXiv 2410.14234).
 *
 *   ⌈log2 p⌉ rounds   half of the blocks that are left go on, and are added to what is there
 *   ⌈log2 p⌉ rounds   the blocks that a rank has go back the same way, in twice as many each time
 *
 * Cost: 2 ⌈log2 p⌉ rounds, every byte sent twice. For large data and commutative operations; any p.
 */
#include "plan/collective/algorithms.h"
#include "plan/collective/circulant.h"
#include "plan/collective/cost.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"

#include <stddef.h>

void caucus_allreduce_circulant(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_allreduce_by_circulant(builder, caucus_vector_in(task), caucus_vector_out, task->bytes,
                                  task->element);
}

void caucus_allreduce_by_circulant(struct caucus_builder *builder, struct caucus_place in,
                                   struct caucus_place out, int64_t bytes, int64_t element) {
    struct caucus_cuts cuts = {bytes, element, builder->group.size, NULL};
    int64_t own = caucus_cut(&cuts, builder->group.rank);
    caucus_reduce_scatter_by_circulant(builder, in, caucus_at(out, own), &cuts);
    caucus_allgather_by_circulant(builder, 0, out, &cuts);
}

double caucus_allreduce_circulant_cost(const struct caucus_task *task,
                                       const struct caucus_model *model) {
    return caucus_circulant_cost(task, model, true) + caucus_circulant_cost(task, model, false);
}
