/* SPDX-License-Identifier: BSD-3-Clause */
/* Inclusive scan by recursive doubling (W. D. Hillis and G. L. Steele, "Data parallel algorithms",
 * Communications of the ACM 1986).
 *
 *   round k = 0, 1, …   rank r sends the combination of ranks r - 2^k + 1 … r to r + 2^k, and puts
 *                       what r - 2^k sends before its own
 *
 * Cost: ⌈log2 p⌉ rounds of the whole vector. For small data; any p, in the order of ranks. */
#include "plan/collective/algorithm.h"
#include "plan/collective/cost.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    caucus_scan_by_recursive_doubling(builder, caucus_vector_in(task), caucus_vector_out,
                                      task->bytes);
}

void caucus_scan_by_recursive_doubling(struct caucus_builder *builder, struct caucus_place in,
                                       struct caucus_place out, int64_t bytes) {
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

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    double bytes = (double)task->volume, seconds = 0;
    for (int64_t distance = 1; distance < task->ranks; distance *= 2)
        seconds +=
            caucus_cost_shift(task, model, distance, bytes) + caucus_cost_reduce(model, bytes);
    return seconds;
}

const struct caucus_algorithm caucus_scan_recursive_doubling = {
    .collective = CAUCUS_SCAN,
    .name = "recursive_doubling",
    .summary = "⌈log2 p⌉ rounds of all data, in round k to the rank 2^k further (Hillis and Steele "
               "1986)",
    .emit = emit,
    .cost = cost,
};
