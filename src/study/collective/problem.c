/* SPDX-License-Identifier: BSD-3-Clause */
/* Making a problem, and what MPI gives one rank of it. */
#include "study/collective/parts.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

enum { DEFAULT_NODE_LIMIT = 1 << 20 };

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

/* That a rank sends. */
static int64_t most_blocks(const struct caucus_problem_shape *shape) {
    int64_t neighbours = 0;
    if (shape->neighbourhood == CAUCUS_NEIGHBOURHOOD_RANDOM)
        neighbours = shape->degree;
    else if (shape->neighbourhood == CAUCUS_NEIGHBOURHOOD_STAR)
        neighbours = 2 * (int64_t)shape->axes;
    return neighbours > shape->ranks ? neighbours : shape->ranks;
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
    if (most > (INT64_MAX >> 3) / shape->ranks / most_blocks(shape))
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "%lld bytes a block are too many for %d ranks of up to %lld blocks",
                           (long long)most, shape->ranks, (long long)most_blocks(shape));
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

static void fill_pairs(struct caucus_problem *problem, struct caucus_task *task) {
    for (int32_t other = 0; other < task->ranks; other++) {
        problem->send[other] = caucus_problem_pair(problem, task->rank, other);
        problem->receive[other] = caucus_problem_pair(problem, other, task->rank);
    }
    task->send_bytes = problem->send;
    task->receive_bytes = problem->receive;
    task->bytes = 0;
}

static void fill_neighbours(struct caucus_problem *problem, struct caucus_task *task) {
    int64_t out = problem->out_first[task->rank], in = problem->in_first[task->rank];
    task->destinations = (int32_t)(problem->out_first[task->rank + 1] - out);
    task->sources = (int32_t)(problem->in_first[task->rank + 1] - in);
    task->destination = problem->destination + out;
    task->source = problem->source + in;
    for (int32_t k = 0; k < task->destinations; k++)
        problem->send[k] = caucus_problem_edge(problem, task->rank, k);
    for (int32_t k = 0; k < task->sources; k++) {
        int32_t from = task->source[k];
        problem->receive[k] =
            caucus_problem_edge(problem, from, problem->in_edge[in + k] - problem->out_first[from]);
    }
}

static void fill_lengths(struct caucus_problem *problem, struct caucus_task *task) {
    bool root = task->rank == task->root;
    switch (task->collective) {
    case CAUCUS_GATHERV:
        task->receive_bytes = root || task->counts_known ? problem->block : NULL;
        break;
    case CAUCUS_SCATTERV:
        task->send_bytes = root || task->counts_known ? problem->block : NULL;
        break;
    case CAUCUS_ALLGATHERV:
    case CAUCUS_REDUCE_SCATTER:
        task->receive_bytes = problem->block;
        break;
    case CAUCUS_NEIGHBOR_ALLGATHERV:
        task->receive_bytes = problem->receive;
        break;
    case CAUCUS_NEIGHBOR_ALLTOALLV:
    case CAUCUS_NEIGHBOR_ALLTOALLW:
        task->send_bytes = problem->send;
        task->receive_bytes = problem->receive;
        task->bytes = 0;
        break;
    default:
        break;
    }
}

int caucus_problem_task(struct caucus_problem *problem, int32_t rank, struct caucus_task *task) {
    const struct caucus_problem_shape *shape = &problem->shape;
    if (rank < 0 || rank >= shape->ranks)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "there is no rank %d", rank);
    struct caucus_rank_buffers buffers;
    caucus_problem_buffers(problem, rank, &buffers);
    *task = (struct caucus_task){
        .collective = shape->collective,
        .ranks = shape->ranks,
        .rank = rank,
        .root = shape->root,
        .in_place = buffers.aliased,
        .commutative = shape->commutative,
        .element = shape->element,
        .bytes = shape->collective == CAUCUS_BARRIER ? 0 : problem->block[rank],
        .counts_known = shape->exchanged & CAUCUS_NEEDS_COUNTS,
        .traffic = problem->traffic.first ? &problem->traffic : NULL,
        .nodes = shape->nodes,
        .node_limit = shape->node_limit,
        .segment = shape->segment,
        .volume = problem->volume,
    };
    if (shape->first_group) {
        caucus_problem_fill_intergroup(problem, task);
        return CAUCUS_OK;
    }
    if (shape->collective == CAUCUS_ALLTOALLV || shape->collective == CAUCUS_ALLTOALLW)
        fill_pairs(problem, task);
    if (caucus_problem_is_neighbor(problem))
        fill_neighbours(problem, task);
    fill_lengths(problem, task);
    return CAUCUS_OK;
}

void caucus_problem_schedules_free(struct caucus_schedule *schedules, int32_t ranks) {
    for (int32_t r = 0; schedules && r < ranks; r++)
        caucus_schedule_free(&schedules[r]);
    free(schedules);
}

static int build_one(struct caucus_problem *problem, const struct caucus_algorithm *algorithm,
                     int32_t rank, struct caucus_schedule *schedule) {
    struct caucus_task task;
    int status = caucus_problem_task(problem, rank, &task);
    if (!status)
        status = caucus_algorithm_serves(algorithm, &task);
    return status ? status : caucus_algorithm_build(algorithm, &task, schedule);
}

/* All are asked: in a call those that serve would wait for ever for one that does not. */
static int build_all(struct caucus_problem *problem, const struct caucus_algorithm *algorithm,
                     struct caucus_schedule *schedules) {
    int32_t refuses = -1, serves = -1;
    for (int32_t r = 0; r < problem->shape.ranks; r++) {
        int status = build_one(problem, algorithm, r, &schedules[r]);
        if (status && status != CAUCUS_NOT_APPLICABLE)
            return status;
        if (status)
            refuses = r;
        else
            serves = r;
    }
    if (refuses < 0)
        return CAUCUS_OK;
    return serves < 0 ? CAUCUS_NOT_APPLICABLE
                      : caucus_fail_in(CAUCUS_INTERNAL, "%s serves on rank %d, but not on rank %d",
                                       algorithm->name, serves, refuses);
}

int caucus_problem_build(struct caucus_problem *problem, const struct caucus_algorithm *algorithm,
                         struct caucus_schedule **schedules) {
    int32_t ranks = problem->shape.ranks;
    struct caucus_schedule *made = caucus_array(ranks, sizeof *made);
    int status = made ? build_all(problem, algorithm, made) : CAUCUS_NO_MEMORY;
    *schedules = NULL;
    if (status)
        caucus_problem_schedules_free(made, ranks);
    else
        *schedules = made;
    return status;
}
