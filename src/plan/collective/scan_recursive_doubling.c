/* SPDX-License-Identifier: BSD-3-Clause */
/* Inclusive scan by recursive doubling (W. D. Hillis and G. L. Steele, "Data parallel algorithms",
 * Communications of the ACM 1986).
 *
 *   round k = 0, 1, …   rank r sends the combination of ranks r - 2^k + 1 … r to r + 2^k, and puts
 *                       what r - 2^k sends before its own
 *
 * Cost: ⌈log2 p⌉ rounds of the whole vector. For small data; any p, in the order of ranks. */
#include "plan/collective/algorithms.h"
#include "plan/collective/cost.h"
#include "plan/collective/vector.h"

void caucus_scan_recursive_doubling(struct caucus_builder *builder,
                                    const struct caucus_task *task) {
    struct caucus_place in = caucus_vector_in(task), out = caucus_vector_out;
    int64_t bytes = task->bytes;
    int32_t size = builder->group.size, rank = builder->group.rank;
    struct caucus_place before = {CAUCUS_BUFFER_SCRATCH, 0};
    if (rank > 0)
        before = caucus_reserve_scratch(builder, bytes);
    caucus_emit_copy(builder, in, out, bytes);
    for (int64_t distance = 1; distance < size; distance *= 2) {
        if (rank + distance < size)
            caucus_emit_send(builder, (int32_t)(rank + distance), distance == 1 ? in : out, bytes);
        if (rank >= distance)
            caucus_emit_receive(builder, (int32_t)(rank - distance), before, bytes);
        caucus_end_step(builder);
        if (rank >= distance)
            caucus_emit_reduce(builder, before, out, bytes);
        caucus_end_step(builder);
    }
    caucus_end_step(builder);
}

double caucus_scan_recursive_doubling_cost(const struct caucus_task *task,
                                           const struct caucus_model *model) {
    /* Where the last round is of less than half of the ranks, these have been ready for it. */
    int early = (task->ranks & (task->ranks - 1)) != 0;
    return caucus_cost_doubling(task, model, caucus_cost_shift, (double)task->volume, true) -
           caucus_cost_early(task, model, early);
}
