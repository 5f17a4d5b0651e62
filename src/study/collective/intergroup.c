/* SPDX-License-Identifier: BSD-3-Clause */
/* What MPI says of collectives between two groups: every rank gets what the ranks of the other
 * group give, or the root does what it does with them alone, and nobody else of its group does
 * anything. */
#include "study/collective/parts.h"

#include "plan/intergroup/intergroup.h"

#include <stddef.h>

/* Ranks first to end, exclusive. */
struct group {
    int32_t first, end;
};

static struct group group_of(const struct caucus_problem *problem, int32_t rank, bool other) {
    int32_t first_group = problem->shape.first_group;
    if ((rank < first_group) != other)
        return (struct group){0, first_group};
    return (struct group){first_group, problem->shape.ranks};
}

static bool in_group(struct group group, int32_t rank) {
    return rank >= group.first && rank < group.end;
}

/* The blocks of a group together. */
static int64_t total(const struct caucus_problem *problem, struct group group) {
    return problem->block_at[group.end] - problem->block_at[group.first];
}

bool caucus_problem_is_intergroup(enum caucus_collective collective) {
    return collective < CAUCUS_SCAN;
}

static int64_t common_divisor(int64_t a, int64_t b) {
    return b ? common_divisor(b, a % b) : a;
}

/* Both groups cut the same number of elements: the second one as the lengths of its blocks allow,
 * its last rank has the rest. Called for ranks in ascending order. */
static int64_t share_of_second(const struct caucus_problem *problem, int32_t rank) {
    int32_t first_group = problem->shape.first_group;
    int64_t left =
        problem->block_at[first_group] - (problem->block_at[rank] - problem->block_at[first_group]);
    int64_t wished = caucus_problem_length(problem, rank, -1);
    return rank == problem->shape.ranks - 1 || wished > left ? left : wished;
}

int64_t caucus_problem_block_intergroup(const struct caucus_problem *problem, int32_t rank) {
    const struct caucus_problem_shape *shape = &problem->shape;
    int32_t first = shape->first_group, second = shape->ranks - first;
    bool in_first = rank < first;
    switch (shape->collective) {
    case CAUCUS_ALLGATHER:
        return in_first ? shape->bytes : shape->second_bytes;
    case CAUCUS_REDUCE_SCATTER_BLOCK:
        return shape->bytes * (in_first ? second : first) / common_divisor(first, second);
    case CAUCUS_REDUCE_SCATTER:
        return in_first ? caucus_problem_length(problem, rank, -1) : share_of_second(problem, rank);
    case CAUCUS_GATHERV:
    case CAUCUS_SCATTERV:
    case CAUCUS_ALLGATHERV:
        return caucus_problem_length(problem, rank, -1);
    default:
        return shape->bytes;
    }
}

int64_t caucus_problem_pair_intergroup(const struct caucus_problem *problem, int32_t from,
                                       int32_t to) {
    const struct caucus_problem_shape *shape = &problem->shape;
    if (in_group(group_of(problem, from, false), to))
        return 0;
    if (shape->collective == CAUCUS_ALLTOALL)
        return from < shape->first_group ? shape->bytes : shape->second_bytes;
    return caucus_problem_length(problem, from, to);
}

static void alltoall_buffers(const struct caucus_problem *problem, int32_t rank,
                             struct caucus_rank_buffers *buffers) {
    for (int32_t other = 0; other < problem->shape.ranks; other++) {
        buffers->in_bytes += caucus_problem_pair_intergroup(problem, rank, other);
        buffers->out_bytes += caucus_problem_pair_intergroup(problem, other, rank);
    }
}

void caucus_problem_buffers_intergroup(const struct caucus_problem *problem, int32_t rank,
                                       struct caucus_rank_buffers *buffers) {
    const struct caucus_problem_shape *shape = &problem->shape;
    struct group other = group_of(problem, rank, true);
    bool root = rank == shape->root, opposite = in_group(other, shape->root);
    int64_t bytes = shape->bytes, own = problem->block[rank], all = total(problem, other);
    switch (shape->collective) {
    case CAUCUS_BCAST:
        buffers->in_bytes = root ? bytes : 0;
        buffers->out_bytes = root || opposite ? bytes : 0;
        buffers->aliased = root;
        break;
    case CAUCUS_REDUCE:
        buffers->in_bytes = opposite ? bytes : 0;
        buffers->out_bytes = root ? bytes : 0;
        break;
    case CAUCUS_ALLREDUCE:
        buffers->in_bytes = buffers->out_bytes = bytes;
        break;
    case CAUCUS_GATHER:
    case CAUCUS_GATHERV:
        buffers->in_bytes = opposite ? own : 0;
        buffers->out_bytes = root ? all : 0;
        break;
    case CAUCUS_SCATTER:
    case CAUCUS_SCATTERV:
        buffers->in_bytes = root ? all : 0;
        buffers->out_bytes = opposite ? own : 0;
        break;
    case CAUCUS_ALLGATHER:
    case CAUCUS_ALLGATHERV:
        buffers->in_bytes = own;
        buffers->out_bytes = all;
        break;
    case CAUCUS_REDUCE_SCATTER:
    case CAUCUS_REDUCE_SCATTER_BLOCK:
        buffers->in_bytes = total(problem, group_of(problem, rank, false));
        buffers->out_bytes = own;
        break;
    case CAUCUS_ALLTOALL:
    case CAUCUS_ALLTOALLV:
    case CAUCUS_ALLTOALLW:
        alltoall_buffers(problem, rank, buffers);
        break;
    default:
        break;
    }
}

static int64_t expect_alltoall(struct caucus_problem *problem, int32_t rank) {
    struct group own = group_of(problem, rank, false), other = group_of(problem, rank, true);
    int64_t at = 0, count = 0;
    for (int32_t from = other.first; from < other.end; from++) {
        int64_t length = caucus_problem_pair_intergroup(problem, from, rank), begin = 0;
        for (int32_t before = own.first; before < rank; before++)
            begin += caucus_problem_pair_intergroup(problem, from, before);
        problem->expected[count++] = (struct caucus_expected){at, length, begin, from, from};
        at += length;
    }
    return count;
}

int64_t caucus_problem_expected_intergroup(struct caucus_problem *problem, int32_t rank) {
    const struct caucus_problem_shape *shape = &problem->shape;
    struct group group = group_of(problem, rank, false), other = group_of(problem, rank, true);
    struct caucus_expected *one = problem->expected;
    bool root = rank == shape->root, opposite = in_group(other, shape->root);
    int32_t first = other.first, last = other.end - 1;
    int64_t bytes = shape->bytes, own = problem->block[rank], all = total(problem, other);
    int64_t at = problem->block_at[rank] - problem->block_at[group.first];
    switch (shape->collective) {
    case CAUCUS_BCAST:
        *one = (struct caucus_expected){0, bytes, 0, shape->root, shape->root};
        return root || opposite;
    case CAUCUS_REDUCE:
        *one = (struct caucus_expected){0, bytes, 0, first, last};
        return root;
    case CAUCUS_ALLREDUCE:
        *one = (struct caucus_expected){0, bytes, 0, first, last};
        return 1;
    case CAUCUS_GATHER:
    case CAUCUS_GATHERV: /* blocks of the other group, one after the other, as their ins are */
        *one = (struct caucus_expected){0, all, 0, first, first};
        return root;
    case CAUCUS_SCATTER:
    case CAUCUS_SCATTERV:
        *one = (struct caucus_expected){0, own, at, shape->root, shape->root};
        return opposite;
    case CAUCUS_ALLGATHER:
    case CAUCUS_ALLGATHERV:
        *one = (struct caucus_expected){0, all, 0, first, first};
        return 1;
    case CAUCUS_REDUCE_SCATTER:
    case CAUCUS_REDUCE_SCATTER_BLOCK:
        *one = (struct caucus_expected){0, own, at, first, last};
        return 1;
    case CAUCUS_BARRIER:
        return 0;
    default:
        return expect_alltoall(problem, rank);
    }
}

static void fill_pairs(struct caucus_problem *problem, struct caucus_task *task,
                       struct group other) {
    for (int32_t rank = other.first; rank < other.end; rank++) {
        problem->send[rank - other.first] =
            caucus_problem_pair_intergroup(problem, task->rank, rank);
        problem->receive[rank - other.first] =
            caucus_problem_pair_intergroup(problem, rank, task->rank);
    }
    task->send_bytes = problem->send;
    task->receive_bytes = problem->receive;
    task->bytes = 0;
}

/* A rank of the root's group knows that the root is among them, and nothing else. */
static void fill_rooted(struct caucus_problem *problem, struct caucus_task *task,
                        struct group other) {
    bool root = task->rank == task->root, opposite = in_group(other, task->root);
    const int64_t *blocks =
        problem->block +
        (opposite ? task->rank < task->first_group ? 0 : task->first_group : other.first);
    if (!root && !opposite) {
        task->root = CAUCUS_ROOT_ELSEWHERE;
        task->bytes = task->volume = 0;
    } else if (root || task->counts_known) {
        task->receive_bytes = task->collective == CAUCUS_GATHERV ? blocks : NULL;
        task->send_bytes = task->collective == CAUCUS_SCATTERV ? blocks : NULL;
    }
}

void caucus_problem_fill_intergroup(struct caucus_problem *problem, struct caucus_task *task) {
    const struct caucus_problem_shape *shape = &problem->shape;
    struct group own = group_of(problem, task->rank, false);
    struct group other = group_of(problem, task->rank, true);
    const int64_t *known = task->counts_known ? problem->block : NULL;
    bool first = task->rank < shape->first_group;
    task->first_group = shape->first_group;
    if (caucus_intergroup_rooted(task->collective))
        fill_rooted(problem, task, other);
    switch (task->collective) {
    case CAUCUS_ALLGATHER:
        task->remote_bytes = problem->block[other.first];
        break;
    case CAUCUS_ALLTOALL:
        task->bytes = first ? shape->bytes : shape->second_bytes;
        task->remote_bytes = first ? shape->second_bytes : shape->bytes;
        break;
    case CAUCUS_REDUCE_SCATTER_BLOCK:
        task->remote_bytes = problem->block[other.first];
        break;
    case CAUCUS_ALLGATHERV:
        task->receive_bytes = problem->block + other.first;
        task->send_bytes = known ? known + own.first : NULL;
        break;
    case CAUCUS_REDUCE_SCATTER:
        task->receive_bytes = problem->block + own.first;
        task->send_bytes = known ? known + other.first : NULL;
        break;
    case CAUCUS_ALLTOALLV:
    case CAUCUS_ALLTOALLW:
        fill_pairs(problem, task, other);
        break;
    default:
        break;
    }
}
