/* SPDX-License-Identifier: BSD-3-Clause */
/* What MPI says of every collective: how long buffers are, and what must be in out at the end. */
#include "study/collective/parts.h"

#include "base/status.h"

#include <string.h>

static void set_buffers(struct caucus_rank_buffers *buffers, int64_t in, int64_t out) {
    buffers->in_bytes = in;
    buffers->out_bytes = out;
}

static void set_alias(struct caucus_rank_buffers *buffers, bool aliased, int64_t alias) {
    buffers->aliased = aliased;
    buffers->alias = aliased ? alias : 0;
}

static void neighbour_buffers(const struct caucus_problem *problem, int32_t rank,
                              struct caucus_rank_buffers *buffers) {
    bool same_block = problem->shape.collective == CAUCUS_NEIGHBOR_ALLGATHER ||
                      problem->shape.collective == CAUCUS_NEIGHBOR_ALLGATHERV;
    int64_t in = same_block ? problem->block[rank] : 0, out = 0;
    int64_t edges = problem->out_first[rank + 1] - problem->out_first[rank];
    for (int64_t k = 0; k < edges && !same_block; k++)
        in += caucus_problem_edge(problem, rank, k);
    for (int64_t i = problem->in_first[rank]; i < problem->in_first[rank + 1]; i++) {
        int32_t from = problem->source[i];
        out += caucus_problem_edge(problem, from, problem->in_edge[i] - problem->out_first[from]);
    }
    set_buffers(buffers, in, out);
}

static void alltoall_buffers(const struct caucus_problem *problem, int32_t rank,
                             struct caucus_rank_buffers *buffers) {
    int64_t in = 0, out = 0;
    bool same = problem->shape.collective == CAUCUS_ALLTOALL;
    if (same)
        in = out = problem->block_at[problem->shape.ranks];
    for (int32_t other = 0; other < problem->shape.ranks && !same; other++) {
        in += caucus_problem_pair(problem, rank, other);
        out += caucus_problem_pair(problem, other, rank);
    }
    set_buffers(buffers, in, out);
    set_alias(buffers, problem->shape.in_place, 0);
}

void caucus_problem_buffers(const struct caucus_problem *problem, int32_t rank,
                            struct caucus_rank_buffers *buffers) {
    const struct caucus_problem_shape *shape = &problem->shape;
    bool root = rank == shape->root;
    int64_t bytes = shape->bytes, own = problem->block[rank], at = problem->block_at[rank];
    int64_t all = problem->block_at[shape->ranks];
    *buffers = (struct caucus_rank_buffers){0};
    if (shape->first_group) {
        caucus_problem_buffers_intergroup(problem, rank, buffers);
        return;
    }
    switch (shape->collective) {
    case CAUCUS_BARRIER:
        break;
    case CAUCUS_BCAST:
        set_buffers(buffers, root ? bytes : 0, bytes);
        set_alias(buffers, root, 0);
        break;
    case CAUCUS_REDUCE:
        set_buffers(buffers, bytes, root ? bytes : 0);
        set_alias(buffers, root && shape->in_place, 0);
        break;
    case CAUCUS_ALLREDUCE:
    case CAUCUS_SCAN:
    case CAUCUS_EXSCAN:
        set_buffers(buffers, bytes, bytes);
        set_alias(buffers, shape->in_place, 0);
        break;
    case CAUCUS_GATHER:
    case CAUCUS_GATHERV:
        set_buffers(buffers, own, root ? all : 0);
        set_alias(buffers, root && shape->in_place, at);
        break;
    case CAUCUS_SCATTER:
    case CAUCUS_SCATTERV:
        set_buffers(buffers, root ? all : 0, own);
        set_alias(buffers, root && shape->in_place, -at);
        break;
    case CAUCUS_ALLGATHER:
    case CAUCUS_ALLGATHERV:
        set_buffers(buffers, own, all);
        set_alias(buffers, shape->in_place, at);
        break;
    case CAUCUS_REDUCE_SCATTER:
    case CAUCUS_REDUCE_SCATTER_BLOCK:
        set_buffers(buffers, all, shape->in_place ? all : own);
        set_alias(buffers, shape->in_place, 0);
        break;
    default:
        if (caucus_problem_is_neighbor(problem))
            neighbour_buffers(problem, rank, buffers);
        else
            alltoall_buffers(problem, rank, buffers);
    }
}

static int64_t expect_neighbours(struct caucus_problem *problem, int32_t rank) {
    int64_t count = 0, at = 0;
    for (int64_t i = problem->in_first[rank]; i < problem->in_first[rank + 1]; i++) {
        int32_t from = problem->source[i];
        int64_t edge = problem->in_edge[i];
        int64_t length = caucus_problem_edge(problem, from, edge - problem->out_first[from]);
        problem->expected[count++] =
            (struct caucus_expected){at, length, problem->edge_at[edge], from, from};
        at += length;
    }
    return count;
}

/* Ranks come in ascending order mostly: where the blocks for one begin follows from the one before,
 * so that nothing is kept for every pair. */
static int64_t expect_alltoall(struct caucus_problem *problem, int32_t rank) {
    int32_t ranks = problem->shape.ranks;
    int64_t at = 0;
    if (rank < problem->begun_rank) {
        memset(problem->begun, 0, (size_t)ranks * sizeof *problem->begun);
        problem->begun_rank = 0;
    }
    for (; problem->begun_rank < rank; problem->begun_rank++)
        for (int32_t from = 0; from < ranks; from++)
            problem->begun[from] += caucus_problem_pair(problem, from, problem->begun_rank);
    for (int32_t from = 0; from < ranks; from++) {
        int64_t length = caucus_problem_pair(problem, from, rank);
        problem->expected[from] =
            (struct caucus_expected){at, length, problem->begun[from], from, from};
        at += length;
    }
    return ranks;
}

static int expected_of(void *context, int32_t rank, const struct caucus_expected **expected,
                       int64_t *count) {
    struct caucus_problem *problem = context;
    const struct caucus_problem_shape *shape = &problem->shape;
    struct caucus_expected *one = problem->expected;
    int32_t last = shape->ranks - 1, root = shape->root;
    int64_t bytes = shape->bytes, own = problem->block[rank], at = problem->block_at[rank];
    int64_t all = problem->block_at[shape->ranks];
    *expected = one;
    *count = 1;
    if (shape->first_group) {
        *count = caucus_problem_expected_intergroup(problem, rank);
        return CAUCUS_OK;
    }
    switch (shape->collective) {
    case CAUCUS_BARRIER:
        *count = 0;
        break;
    case CAUCUS_BCAST:
        *one = (struct caucus_expected){0, bytes, 0, root, root};
        break;
    case CAUCUS_REDUCE:
        *count = rank == root;
        *one = (struct caucus_expected){0, bytes, 0, 0, last};
        break;
    case CAUCUS_ALLREDUCE:
        *one = (struct caucus_expected){0, bytes, 0, 0, last};
        break;
    case CAUCUS_SCAN:
        *one = (struct caucus_expected){0, bytes, 0, 0, rank};
        break;
    case CAUCUS_EXSCAN:
        *count = rank > 0;
        *one = (struct caucus_expected){0, bytes, 0, 0, rank - 1};
        break;
    case CAUCUS_GATHER:
    case CAUCUS_GATHERV: /* blocks of all, one after the other, as the ins of all ranks are */
        *count = rank == root;
        *one = (struct caucus_expected){0, all, 0, 0, 0};
        break;
    case CAUCUS_ALLGATHER:
    case CAUCUS_ALLGATHERV:
        *one = (struct caucus_expected){0, all, 0, 0, 0};
        break;
    case CAUCUS_SCATTER:
    case CAUCUS_SCATTERV:
        *one = (struct caucus_expected){0, own, at, root, root};
        break;
    case CAUCUS_REDUCE_SCATTER:
    case CAUCUS_REDUCE_SCATTER_BLOCK:
        *one = (struct caucus_expected){0, own, at, 0, last};
        break;
    default:
        *count = caucus_problem_is_neighbor(problem) ? expect_neighbours(problem, rank)
                                                     : expect_alltoall(problem, rank);
    }
    return CAUCUS_OK;
}

static void buffers_of(void *context, int32_t rank, struct caucus_rank_buffers *buffers) {
    caucus_problem_buffers(context, rank, buffers);
}

void caucus_problem_specification(struct caucus_problem *problem,
                                  struct caucus_specification *specification) {
    *specification = (struct caucus_specification){
        .ranks = problem->shape.ranks,
        .ordered = !problem->shape.commutative,
        .element = problem->shape.element,
        .buffers = buffers_of,
        .expected = expected_of,
        .context = problem,
        .nodes = problem->shape.nodes,
        .barrier = problem->shape.collective == CAUCUS_BARRIER,
        .first_group = problem->shape.first_group,
    };
}
