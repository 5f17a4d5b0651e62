/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective/problem.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/collective/problem_parts.h"

#include <stdlib.h>

enum { DEFAULT_NODE_LIMIT = 1 << 20 };

static uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

uint64_t caucus_problem_hash(const struct caucus_problem *problem, int64_t a, int64_t b) {
    return mix(problem->shape.seed ^ mix((uint64_t)a + mix((uint64_t)b)));
}

int64_t caucus_problem_length(const struct caucus_problem *problem, int64_t a, int64_t b) {
    const struct caucus_problem_shape *shape = &problem->shape;
    if (!shape->irregular)
        return shape->bytes;
    uint64_t hash = caucus_problem_hash(problem, a, b);
    uint64_t most = 2 * (uint64_t)(shape->bytes / shape->element);
    return hash % 4 == 0 ? 0 : (int64_t)((hash >> 2) % (most + 1)) * shape->element;
}

int64_t caucus_problem_pair(const struct caucus_problem *problem, int32_t from, int32_t to) {
    if (problem->shape.first_group)
        return caucus_problem_pair_intergroup(problem, from, to);
    if (problem->shape.collective == CAUCUS_ALLTOALL)
        return problem->shape.bytes;
    bool turned = problem->shape.in_place && from > to; /* what comes must fit where others leave */
    return caucus_problem_length(problem, turned ? to : from, turned ? from : to);
}

int64_t caucus_problem_edge(const struct caucus_problem *problem, int32_t from, int64_t k) {
    switch (problem->shape.collective) {
    case CAUCUS_NEIGHBOR_ALLTOALLV:
    case CAUCUS_NEIGHBOR_ALLTOALLW:
        return caucus_problem_length(problem, from, k);
    case CAUCUS_NEIGHBOR_ALLGATHERV:
        return problem->block[from];
    default:
        return problem->shape.bytes;
    }
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

static int64_t block_of(const struct caucus_problem *problem, int32_t rank) {
    const struct caucus_problem_shape *shape = &problem->shape;
    if (shape->lengths)
        return shape->lengths[rank];
    if (shape->first_group)
        return caucus_problem_block_intergroup(problem, rank);
    return caucus_problem_has_lengths(shape->collective) ? caucus_problem_length(problem, rank, -1)
                                                         : shape->bytes;
}

static int make_blocks(struct caucus_problem *problem) {
    int32_t ranks = problem->shape.ranks;
    problem->block = caucus_array(ranks, sizeof *problem->block);
    problem->block_at = caucus_array((int64_t)ranks + 1, sizeof *problem->block_at);
    if (!problem->block || !problem->block_at)
        return CAUCUS_NO_MEMORY;
    for (int32_t r = 0; r < ranks; r++) {
        problem->block[r] = block_of(problem, r);
        problem->block_at[r + 1] = problem->block_at[r] + problem->block[r];
    }
    return CAUCUS_OK;
}

/* Arrays that are filled for one rank at a time. */
static int make_room(struct caucus_problem *problem) {
    int64_t most = problem->shape.ranks;
    for (int32_t r = 0; problem->in_first && r < problem->shape.ranks; r++) {
        int64_t in = problem->in_first[r + 1] - problem->in_first[r];
        int64_t out = problem->out_first[r + 1] - problem->out_first[r];
        most = in > most ? in : most;
        most = out > most ? out : most;
    }
    problem->send = caucus_array(most, sizeof *problem->send);
    problem->receive = caucus_array(most, sizeof *problem->receive);
    problem->begun = caucus_array(problem->shape.ranks, sizeof *problem->begun);
    problem->expected = caucus_array(most, sizeof *problem->expected);
    return problem->send && problem->receive && problem->begun && problem->expected
               ? CAUCUS_OK
               : CAUCUS_NO_MEMORY;
}

/* Whether all ranks know how long the longest one's buffers are. */
static bool knows_volume(const struct caucus_problem *problem) {
    switch (problem->shape.collective) {
    case CAUCUS_ALLGATHERV:
    case CAUCUS_REDUCE_SCATTER:
        return !problem->shape.first_group || problem->shape.exchanged & CAUCUS_NEEDS_COUNTS;
    case CAUCUS_GATHERV:
    case CAUCUS_SCATTERV:
        return problem->shape.exchanged & CAUCUS_NEEDS_COUNTS;
    case CAUCUS_NEIGHBOR_ALLGATHER:
    case CAUCUS_NEIGHBOR_ALLTOALL:
        return problem->shape.neighbourhood == CAUCUS_NEIGHBOURHOOD_STAR ||
               problem->shape.exchanged & CAUCUS_NEEDS_TRAFFIC;
    case CAUCUS_ALLTOALLV:
    case CAUCUS_ALLTOALLW:
    case CAUCUS_NEIGHBOR_ALLGATHERV:
    case CAUCUS_NEIGHBOR_ALLTOALLV:
    case CAUCUS_NEIGHBOR_ALLTOALLW:
        return problem->shape.exchanged & CAUCUS_NEEDS_TRAFFIC;
    default:
        return true;
    }
}

static void find_volume(struct caucus_problem *problem) {
    for (int32_t r = 0; knows_volume(problem) && r < problem->shape.ranks; r++) {
        struct caucus_rank_buffers buffers;
        caucus_problem_buffers(problem, r, &buffers);
        int64_t most = buffers.in_bytes > buffers.out_bytes ? buffers.in_bytes : buffers.out_bytes;
        problem->volume = most > problem->volume ? most : problem->volume;
    }
}

int caucus_problem_check(const struct caucus_problem_shape *shape) {
    int64_t element = shape->element ? shape->element : 1;
    int64_t second = shape->first_group ? shape->second_bytes : 0;
    int64_t most = second > shape->bytes ? second : shape->bytes;
    if (!caucus_collective_name((int)shape->collective))
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "there is no collective %d",
                           (int)shape->collective);
    if (shape->ranks < 1 || shape->root < 0 || shape->root >= shape->ranks)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "rank %d of %d can't be root", shape->root,
                           shape->ranks);
    if (element < 1 || shape->bytes < 0 || shape->bytes % element || second < 0 || second % element)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%lld bytes are not whole elements of %lld",
                           (long long)(second % element ? second : shape->bytes),
                           (long long)element);
    if (most > (INT64_MAX >> 3) / shape->ranks / shape->ranks)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%lld bytes a block are too many for %d ranks",
                           (long long)most, shape->ranks);
    if (shape->first_group < 0 || shape->first_group >= shape->ranks ||
        (shape->first_group && !caucus_problem_is_intergroup(shape->collective)))
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "no %s between groups of %d and %d ranks",
                           caucus_collective_name((int)shape->collective), shape->first_group,
                           shape->ranks - shape->first_group);
    if (shape->nodes && shape->nodes->ranks != shape->ranks)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "the nodes have %d ranks, not %d",
                           shape->nodes->ranks, shape->ranks);
    return CAUCUS_OK;
}

int caucus_problem_init(struct caucus_problem *problem, const struct caucus_problem_shape *shape) {
    *problem = (struct caucus_problem){.shape = *shape};
    if (problem->shape.element == 0)
        problem->shape.element = 1;
    if (problem->shape.node_limit == 0)
        problem->shape.node_limit = DEFAULT_NODE_LIMIT;
    int status = caucus_problem_check(&problem->shape);
    if (!status)
        status = make_blocks(problem);
    if (!status && caucus_problem_is_neighbor(problem)) {
        problem->shape.in_place = false;
        status = caucus_problem_make_graph(problem);
    }
    if (!status)
        status = make_room(problem);
    if (!status)
        status = caucus_problem_make_traffic(problem);
    if (status)
        caucus_problem_free(problem);
    else
        find_volume(problem);
    return status;
}

void caucus_problem_free(struct caucus_problem *problem) {
    free(problem->block);
    free(problem->block_at);
    free(problem->send);
    free(problem->receive);
    free(problem->begun);
    free(problem->out_first);
    free(problem->in_first);
    free(problem->destination);
    free(problem->source);
    free(problem->edge_at);
    free(problem->in_edge);
    free((void *)problem->traffic.first);
    free((void *)problem->traffic.destination);
    free((void *)problem->traffic.bytes);
    free(problem->expected);
    *problem = (struct caucus_problem){0};
}

void caucus_problem_schedules_free(struct caucus_schedule *schedules, int32_t ranks) {
    for (int32_t r = 0; schedules && r < ranks; r++)
        caucus_schedule_free(&schedules[r]);
    free(schedules);
}

int caucus_problem_build(struct caucus_problem *problem, const struct caucus_algorithm *algorithm,
                         struct caucus_schedule **schedules) {
    int32_t ranks = problem->shape.ranks;
    struct caucus_schedule *made = caucus_array(ranks, sizeof *made);
    int status = made ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    *schedules = NULL;
    for (int32_t r = 0; r < ranks && !status; r++) {
        struct caucus_task task;
        status = caucus_problem_task(problem, r, &task);
        if (!status)
            status = caucus_algorithm_serves(algorithm, &task);
        if (!status)
            status = caucus_algorithm_build(algorithm, &task, &made[r]);
    }
    if (status)
        caucus_problem_schedules_free(made, ranks);
    else
        *schedules = made;
    return status;
}
