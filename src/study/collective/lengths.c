/* SPDX-License-Identifier: BSD-3-Clause */
/* Which collectives have blocks of different lengths, and how long these are. */
#include "study/collective/parts.h"

#include "base/permute.h"

uint64_t caucus_problem_hash(const struct caucus_problem *problem, int64_t a, int64_t b) {
    return caucus_mix(problem->shape.seed ^ caucus_mix((uint64_t)a + caucus_mix((uint64_t)b)));
}

int64_t caucus_problem_length(const struct caucus_problem *problem, int64_t a, int64_t b) {
    const struct caucus_problem_shape *shape = &problem->shape;
    if (!shape->irregular)
        return shape->bytes;
    uint64_t hash = caucus_problem_hash(problem, a, b);
    uint64_t most = 2 * (uint64_t)(shape->bytes / shape->element);
    return hash % 4 == 0 ? 0 : (int64_t)((hash >> 2) % (most + 1)) * shape->element;
}

bool caucus_problem_is_neighbor(const struct caucus_problem *problem) {
    return problem->shape.collective >= CAUCUS_NEIGHBOR_ALLGATHER;
}

bool caucus_problem_is_alltoall(const struct caucus_problem *problem) {
    return problem->shape.collective >= CAUCUS_ALLTOALL &&
           problem->shape.collective <= CAUCUS_ALLTOALLW;
}

bool caucus_problem_has_lengths(enum caucus_collective collective) {
    return collective == CAUCUS_GATHERV || collective == CAUCUS_SCATTERV ||
           collective == CAUCUS_ALLGATHERV || collective == CAUCUS_REDUCE_SCATTER ||
           collective == CAUCUS_NEIGHBOR_ALLGATHERV;
}
