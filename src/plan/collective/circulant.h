/* SPDX-License-Identifier: BSD-3-Clause */
/* The graph in which rank r has an edge to r + skip (modulo p) for each of ⌈log2 p⌉ skips: p halved
 * again and again, rounded up. With it broadcasts, reductions and gathers take the fewest rounds
 * that there can be, for any p (J. L. Träff, "Optimal broadcast schedules in logarithmic time with
 * applications to broadcast, all-broadcast, reduction and all-reduction", arXiv 2407.18004;
 * "Optimal, non-pipelined reduce-scatter and allreduce algorithms", arXiv 2410.14234). */
#ifndef CAUCUS_PLAN_COLLECTIVE_CIRCULANT_H
#define CAUCUS_PLAN_COLLECTIVE_CIRCULANT_H

#include "plan/collective/task.h"
#include "plan/collective/vector.h"
#include "plan/machine/model.h"
#include "plan/schedule/builder.h"

enum { CAUCUS_CIRCULANT_ROUNDS = 31 };

struct caucus_circulant {
    int32_t size;
    int rounds;                                /* ⌈log2 size⌉ */
    int32_t skip[CAUCUS_CIRCULANT_ROUNDS + 1]; /* skip[0] is 1, skip[rounds] is size */
};

void caucus_circulant_init(struct caucus_circulant *graph, int32_t size);

/* The rank so many further, or before, in the circle: up to once round it. */
static inline int32_t caucus_circulant_on(int32_t size, int32_t rank, int32_t distance) {
    return rank >= size - distance ? rank - (size - distance) : rank + distance;
}

static inline int32_t caucus_circulant_back(int32_t size, int32_t rank, int32_t distance) {
    return rank >= distance ? rank - distance : rank + (size - distance);
}

/* Count blocks in the circle from first on: one row of bytes, or two where the circle ends. */
struct caucus_rows {
    int64_t begin[2], length[2];
};
struct caucus_rows caucus_circulant_rows(const struct caucus_cuts *cuts, int32_t first,
                                         int32_t count);

/* Of gathering, or reducing and scattering, a task's volume in so many equal blocks as there are
 * ranks. */
double caucus_circulant_cost(const struct caucus_task *task, const struct caucus_model *model,
                             bool reduces);

#endif
