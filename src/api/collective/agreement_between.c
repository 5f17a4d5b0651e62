/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ranks of two groups find out together. Who may differ from whom depends on the group and
 * the root, so first all learn who the root is and what one rank of each group has for a length;
 * then each compares with that what it has itself. */
#include "api/collective/agreement.h"

#include "api/collective/shape.h"
#include "api/collective/work.h"
#include "base/status.h"
#include "plan/intergroup/intergroup.h"
#include "run/attachment/exchange.h"
#include "run/support/rank_text.h"

enum {
    CLAIMED,     /* who has MPI_ROOT: the highest such rank */
    CLAIMED_LOW, /* and the lowest, negated */
    NAMED,       /* the root that a rank of the other group names, and that rank */
    NAMED_LOW,
    IDLE, /* who has MPI_PROC_NULL, in the first group and in the second one */
    IDLE_SECOND,
    LENGTH, /* of the block of the lowest rank of either group, or of the root's */
    LENGTH_SECOND,
    OPERATION, /* the root's, as a number */
    NUMBERS
};

static const int NAMED_SHIFT = 31;

static int rank_named(int64_t number) {
    return (int)(number >> NAMED_SHIFT);
}

static int rank_naming(int64_t number) {
    return (int)(number & ((INT64_C(1) << NAMED_SHIFT) - 1));
}

static void say_root(const struct caucus_task *task, const struct caucus_context *context,
                     int64_t *numbers) {
    if (task->root == task->rank) {
        numbers[CLAIMED] = task->rank;
        numbers[CLAIMED_LOW] = -task->rank;
    } else if (task->root == CAUCUS_ROOT_ELSEWHERE) {
        numbers[context->local.first ? IDLE_SECOND : IDLE] = task->rank;
    } else {
        int64_t named = (int64_t)task->root << NAMED_SHIFT | task->rank;
        numbers[NAMED] = named;
        numbers[NAMED_LOW] = -named;
    }
}

/* The highest of all ranks' numbers, in place. */
static int collect(const struct caucus_context *context, const struct caucus_work *work,
                   int64_t *numbers) {
    const struct caucus_task *task = &work->task;
    bool rooted = caucus_shapes[task->collective].rooted;
    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = INT64_MIN;
    if (rooted)
        say_root(task, context, numbers);
    if (rooted && task->root == task->rank) {
        numbers[LENGTH] = task->bytes;
        numbers[OPERATION] = caucus_call_operation_number(work);
    }
    if (!rooted && task->rank == context->local.first)
        numbers[context->local.first ? LENGTH_SECOND : LENGTH] = task->bytes;
    return caucus_max_all(context->attachment, numbers, NUMBERS);
}

/* All ranks see the same of it. */
static int check_root(const int64_t *numbers, int first_group) {
    int root = (int)numbers[CLAIMED];
    if (numbers[CLAIMED] == INT64_MIN)
        return caucus_fail(CAUCUS_BAD_ROOT, "no rank has MPI_ROOT for root");
    if (numbers[CLAIMED] != -numbers[CLAIMED_LOW])
        return caucus_fail(CAUCUS_BAD_ROOT,
                           CAUCUS_RANK " and " CAUCUS_RANK
                                       " both have MPI_ROOT for root: there can be but one",
                           (int)-numbers[CLAIMED_LOW], root);
    for (int i = NAMED; i <= NAMED_LOW; i++) {
        if (numbers[i] == INT64_MIN)
            continue;
        int64_t named = i == NAMED ? numbers[i] : -numbers[i];
        if (rank_named(named) != root)
            return caucus_fail(CAUCUS_BAD_ROOT,
                               CAUCUS_RANK " has " CAUCUS_RANK " for root, but MPI_ROOT is given "
                                           "by " CAUCUS_RANK,
                               rank_naming(named), rank_named(named), root);
    }
    int64_t idle = numbers[root < first_group ? IDLE_SECOND : IDLE];
    if (idle == INT64_MIN)
        return CAUCUS_OK;
    return caucus_fail(CAUCUS_BAD_ROOT,
                       CAUCUS_RANK
                       " has MPI_PROC_NULL for root, but MPI_ROOT is given by " CAUCUS_RANK
                       ", which is not of its group",
                       (int)idle, root);
}

/* Of a collective with a root. Who takes no part learns what the others have, and so comes to the
 * same choice. */
static int check_with_root(struct caucus_work *work, const struct caucus_context *context,
                           const int64_t *numbers) {
    struct caucus_task *task = &work->task;
    int root = (int)numbers[CLAIMED];
    int64_t length = numbers[LENGTH];
    if (task->root == CAUCUS_ROOT_ELSEWHERE) {
        task->bytes = length;
        caucus_between_set_volume(work, context);
        return CAUCUS_OK;
    }
    if (task->rank == root)
        return CAUCUS_OK;
    if (caucus_call_operation_number(work) != numbers[OPERATION])
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "op or the size of datatype differs from " CAUCUS_RANK, root);
    if (task->collective == CAUCUS_BCAST || task->collective == CAUCUS_SCATTER)
        return caucus_call_fits(length, task->bytes, root, task->rank);
    return caucus_call_fits(task->bytes, length, task->rank, root);
}

static int unequal(const struct caucus_context *context, int64_t own, int64_t first) {
    return caucus_fail(CAUCUS_TRUNCATED,
                       "a block has %lld bytes here and %lld at " CAUCUS_RANK
                       ": they must be equal within a group",
                       (long long)own, (long long)first, context->local.first);
}

static int unlike_remote(int64_t own, int64_t remote) {
    return caucus_fail(CAUCUS_TRUNCATED,
                       "the operand is %lld bytes long in the local group and %lld in the remote "
                       "group: they must be equal",
                       (long long)own, (long long)remote);
}

static int check_without_root(const struct caucus_work *work, const struct caucus_context *context,
                              const int64_t *numbers) {
    const struct caucus_task *task = &work->task;
    bool second = context->local.first > 0;
    int64_t own = numbers[second ? LENGTH_SECOND : LENGTH];
    int64_t other = numbers[second ? LENGTH : LENGTH_SECOND];
    if (task->bytes != own)
        return unequal(context, task->bytes, own);
    if (task->collective == CAUCUS_ALLREDUCE)
        return own == other ? CAUCUS_OK : unlike_remote(own, other);
    if (task->collective == CAUCUS_REDUCE_SCATTER_BLOCK)
        return task->remote_bytes == other
                   ? CAUCUS_OK
                   : unlike_remote(own * context->local.size, other * context->remote.size);
    return caucus_call_fits(other, task->remote_bytes, context->remote.first, task->rank);
}

int caucus_call_agree_between(const struct caucus_context *context, struct caucus_work *work,
                              int *root) {
    struct caucus_task *task = &work->task;
    int64_t numbers[NUMBERS];
    bool rooted = caucus_shapes[task->collective].rooted;
    int status = collect(context, work, numbers);
    if (!status && rooted)
        status = check_root(numbers, task->first_group);
    if (status)
        return status;
    *root = (int)numbers[CLAIMED];
    if (!caucus_call_has_one_length(task->collective))
        return CAUCUS_OK;
    status = rooted ? check_with_root(work, context, numbers)
                    : check_without_root(work, context, numbers);
    return caucus_agree(&context->attachment->peers, status, 0, NULL);
}
