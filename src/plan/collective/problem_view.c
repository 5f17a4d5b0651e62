/* SPDX-License-Identifier: BSD-3-Clause */
/* What MPI gives one rank. */
#include "plan/collective/problem_parts.h"

#include "base/status.h"

#include <stddef.h>

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
