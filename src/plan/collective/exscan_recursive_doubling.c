/* SPDX-License-Identifier: BSD-3-Clause */
/* Exclusive scan by doubling that begins with distances 1, 2, 3 (J. L. Träff, "Communication round
 * and computation efficient exclusive prefix-sums algorithms (for MPI_Exscan)", arXiv 2507.04785).
 * x is what rank r has of its result.
 *
 *   distance 1         send in: x is the operand of r - 1
 *   distance 2         send x and in combined: x is of ranks r - 3 … r - 1
 *   distance 3, 6, …   send x: x is of twice as many
 *
 * Cost: ⌈log2 (p - 1) + log2 4/3⌉ rounds of the whole vector. For small data; any p, in the order
 * of ranks. */
#include "plan/collective/algorithms.h"
#include "plan/collective/cost.h"
#include "plan/collective/parts.h"
#include "plan/collective/vector.h"

void caucus_exscan_recursive_doubling(struct caucus_builder *builder,
                                      const struct caucus_task *task) {
    caucus_exscan_by_recursive_doubling(builder, caucus_vector_in(task), caucus_vector_out,
                                        task->bytes);
}

static int64_t next_distance(int64_t distance) {
    return distance < 3 ? distance + 1 : 2 * distance;
}

/* Rank 0 has no x, so it is heard of in the first two rounds only. */
static void double_distances(struct caucus_builder *builder, struct caucus_place x,
                             struct caucus_place both, struct caucus_place before, int64_t bytes) {
    int32_t size = builder->group.size, rank = builder->group.rank;
    for (int64_t distance = 2; distance < size; distance = next_distance(distance)) {
        bool hears = rank > distance || (distance == 2 && rank == 2);
        if (rank + distance < size && (distance == 2 || rank > 0))
            caucus_emit_send(builder, (int32_t)(rank + distance), distance == 2 ? both : x, bytes);
        if (hears)
            caucus_emit_receive(builder, (int32_t)(rank - distance), before, bytes);
        caucus_end_step(builder);
        if (hears)
            caucus_emit_reduce(builder, before, x, bytes);
        caucus_end_step(builder);
    }
}

void caucus_exscan_by_recursive_doubling(struct caucus_builder *builder, struct caucus_place in,
                                         struct caucus_place out, int64_t bytes) {
    int32_t size = builder->group.size, rank = builder->group.rank;
    struct caucus_place both = in, before = in, x = out;
    if (rank > 0) {
        both = caucus_reserve_scratch(builder, bytes);
        before = caucus_reserve_scratch(builder, bytes);
        if (caucus_same_place(in, out))
            x = caucus_reserve_scratch(builder, bytes);
        caucus_emit_receive(builder, rank - 1, x, bytes);
    }
    if (rank + 1 < size)
        caucus_emit_send(builder, rank + 1, in, bytes);
    if (rank + 2 < size)
        caucus_emit_copy(builder, in, both, bytes);
    caucus_end_step(builder);
    if (rank > 0 && rank + 2 < size)
        caucus_emit_reduce(builder, x, both, bytes);
    caucus_end_step(builder);
    double_distances(builder, x, both, before, bytes);
    if (rank > 0)
        caucus_emit_copy(builder, x, out, bytes);
    caucus_end_step(builder);
}

/* From the third round on rank 0 says nothing. */
static bool has_round(int32_t ranks, int64_t distance) {
    return distance < ranks - (distance > 2);
}

int caucus_exscan_rounds(int32_t ranks) {
    int rounds = 0;
    for (int64_t distance = 1; has_round(ranks, distance); distance = next_distance(distance))
        rounds++;
    return rounds;
}

/* Who hears of rank 0 last waits for the first round, and for those of 3, 6, … */
int caucus_exscan_waits(int32_t ranks) {
    int waits = ranks > 1;
    for (int64_t distance = 3; distance < ranks; distance *= 2)
        waits++;
    return waits;
}

double caucus_exscan_recursive_doubling_cost(const struct caucus_task *task,
                                             const struct caucus_model *model) {
    double bytes = (double)task->volume, seconds = 0;
    for (int64_t distance = 1; has_round(task->ranks, distance); distance = next_distance(distance))
        seconds +=
            caucus_cost_shift(task, model, distance, bytes) + caucus_cost_reduce(model, bytes);
    int early = caucus_exscan_rounds(task->ranks) - caucus_exscan_waits(task->ranks);
    return seconds - caucus_cost_early(task, model, early);
}
