/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ranks of two groups find out together. Who may differ from whom depends on the group and
 * the root, so first all learn who the root is and what one rank of each group has for a length;
 * then each compares with that what it has itself. */
#include "api/collective/agreement.h"

#include "api/collective/between.h"
#include "api/collective/counts.h"
#include "api/collective/shape.h"
#include "base/memory.h"
#include "base/status.h"
#include "plan/intergroup/intergroup.h"
#include "run/tables.h"
#include "run/words.h"

#include <stdlib.h>

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

static void say_root(const struct caucus_task *task, const struct caucus_team *team,
                     int64_t *numbers) {
    if (task->root == task->rank) {
        numbers[CLAIMED] = task->rank;
        numbers[CLAIMED_LOW] = -task->rank;
    } else if (task->root == CAUCUS_ROOT_ELSEWHERE) {
        numbers[team->local.first ? IDLE_SECOND : IDLE] = task->rank;
    } else {
        int64_t named = (int64_t)task->root << NAMED_SHIFT | task->rank;
        numbers[NAMED] = named;
        numbers[NAMED_LOW] = -named;
    }
}

/* The highest of all ranks' numbers, in place. */
static int collect(const struct caucus_team *team, const struct caucus_work *work,
                   int64_t *numbers) {
    const struct caucus_task *task = &work->task;
    bool rooted = caucus_shapes[task->collective].rooted;
    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = INT64_MIN;
    if (rooted)
        say_root(task, team, numbers);
    if (rooted && task->root == task->rank) {
        numbers[LENGTH] = task->bytes;
        numbers[OPERATION] = caucus_call_operation_number(work);
    }
    if (!rooted && task->rank == team->local.first)
        numbers[team->local.first ? LENGTH_SECOND : LENGTH] = task->bytes;
    return caucus_find_highest(team->attachment, numbers, NUMBERS);
}

static int fits(int64_t sent, int64_t received, int sender, int receiver) {
    if (sent == received)
        return CAUCUS_OK;
    return caucus_fail(CAUCUS_TRUNCATED,
                       CAUCUS_RANK " sends %lld bytes to " CAUCUS_RANK ", which expects %lld",
                       sender, (long long)sent, receiver, (long long)received);
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
static int check_with_root(struct caucus_work *work, const struct caucus_team *team,
                           const int64_t *numbers) {
    struct caucus_task *task = &work->task;
    int root = (int)numbers[CLAIMED];
    int64_t length = numbers[LENGTH];
    if (task->root == CAUCUS_ROOT_ELSEWHERE) {
        task->bytes = length;
        caucus_between_set_volume(work, team);
        return CAUCUS_OK;
    }
    if (task->rank == root)
        return CAUCUS_OK;
    if (caucus_call_operation_number(work) != numbers[OPERATION])
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "op or the size of datatype differs from " CAUCUS_RANK, root);
    if (task->collective == CAUCUS_BCAST || task->collective == CAUCUS_SCATTER)
        return fits(length, task->bytes, root, task->rank);
    return fits(task->bytes, length, task->rank, root);
}

static int unequal(const struct caucus_team *team, int64_t own, int64_t first) {
    return caucus_fail(CAUCUS_TRUNCATED,
                       "a block has %lld bytes here and %lld at " CAUCUS_RANK
                       ": they must be equal within a group",
                       (long long)own, (long long)first, team->local.first);
}

static int unlike_remote(int64_t own, int64_t remote) {
    return caucus_fail(CAUCUS_TRUNCATED,
                       "the operand is %lld bytes long in the local group and %lld in the remote "
                       "group: they must be equal",
                       (long long)own, (long long)remote);
}

static int check_without_root(const struct caucus_work *work, const struct caucus_team *team,
                              const int64_t *numbers) {
    const struct caucus_task *task = &work->task;
    bool second = team->local.first > 0;
    int64_t own = numbers[second ? LENGTH_SECOND : LENGTH];
    int64_t other = numbers[second ? LENGTH : LENGTH_SECOND];
    switch (task->collective) {
    case CAUCUS_ALLGATHER:
    case CAUCUS_ALLTOALL:
    case CAUCUS_ALLREDUCE:
    case CAUCUS_REDUCE_SCATTER_BLOCK:
        break;
    default:
        return CAUCUS_OK;
    }
    if (task->bytes != own)
        return unequal(team, task->bytes, own);
    if (task->collective == CAUCUS_ALLREDUCE)
        return own == other ? CAUCUS_OK : unlike_remote(own, other);
    if (task->collective == CAUCUS_REDUCE_SCATTER_BLOCK)
        return task->remote_bytes == other
                   ? CAUCUS_OK
                   : unlike_remote(own * team->local.size, other * team->remote.size);
    return fits(other, task->remote_bytes, team->remote.first, task->rank);
}

/* gatherv, scatterv: the root tells all how long the blocks are. */
static int tell_counts(const struct caucus_team *team, struct caucus_work *work, int root) {
    struct caucus_task *task = &work->task;
    bool gathers = task->collective == CAUCUS_GATHERV, here = task->rank == root;
    bool idle = task->root == CAUCUS_ROOT_ELSEWHERE;
    int blocks = here || idle ? team->remote.size : team->local.size;
    const struct caucus_peers *peers = &team->attachment->peers;
    work->counts = here ? caucus_array_copy(gathers ? task->receive_bytes : task->send_bytes,
                                            blocks, sizeof *work->counts)
                        : caucus_array(blocks, sizeof *work->counts);
    int status = caucus_agree(peers, work->counts ? CAUCUS_OK : CAUCUS_NO_MEMORY, 0, NULL);
    if (!status)
        status = caucus_tell_numbers(team->attachment, root, work->counts, blocks);
    if (status)
        return status;
    int64_t told = here || idle ? task->bytes : work->counts[task->rank - team->local.first];
    status = gathers ? fits(task->bytes, told, task->rank, root)
                     : fits(told, task->bytes, root, task->rank);
    *(gathers ? &task->receive_bytes : &task->send_bytes) = work->counts;
    task->counts_known = true;
    task->volume = 0;
    for (int i = 0; i < blocks; i++)
        task->volume += work->counts[i];
    return caucus_agree(peers, status, 0, NULL);
}

/* What every rank has of the blocks of a group must be what their owners have. */
static int check_blocks(const struct caucus_task *task, const int64_t *of_rank) {
    int first = task->collective == CAUCUS_ALLGATHERV ? caucus_intergroup_other(task).first
                                                      : caucus_intergroup_own(task).first;
    int status = CAUCUS_OK;
    for (int i = 0; i < caucus_between_blocks(task, true) && !status; i++) {
        if (task->collective == CAUCUS_ALLGATHERV)
            status = fits(of_rank[first + i], task->receive_bytes[i], first + i, task->rank);
        else if (of_rank[first + i] != task->receive_bytes[i])
            status = caucus_fail(
                CAUCUS_TRUNCATED, "recvcounts[%d] makes %lld bytes here and %lld at " CAUCUS_RANK,
                i, (long long)task->receive_bytes[i], (long long)of_rank[first + i], first + i);
    }
    return status;
}

/* allgatherv, reduce_scatter: everybody's block to all. */
static int spread_counts(const struct caucus_team *team, struct caucus_work *work) {
    struct caucus_task *task = &work->task;
    const struct caucus_peers *peers = &team->attachment->peers;
    int64_t *of_rank = caucus_array(team->size, sizeof *of_rank);
    int status = caucus_agree(peers, of_rank ? CAUCUS_OK : CAUCUS_NO_MEMORY, 0, NULL);
    if (!status)
        status = caucus_spread_number(team->attachment, task->bytes, of_rank);
    if (!status) {
        bool gathers = task->collective == CAUCUS_ALLGATHERV;
        struct caucus_group_blocks missing =
            gathers ? caucus_intergroup_own(task) : caucus_intergroup_other(task);
        status = check_blocks(task, of_rank);
        if (!status)
            status = caucus_counts_use(
                work, caucus_array_copy(of_rank + missing.first, missing.ranks, sizeof *of_rank));
        status = caucus_agree(peers, status, 0, NULL);
    }
    free(of_rank);
    return status;
}

/* alltoallv, alltoallw: each asks all of the other group. */
static int swap_lengths(const struct caucus_team *team, const struct caucus_work *work) {
    const struct caucus_task *task = &work->task;
    int first = team->remote.first;
    int64_t *going = caucus_array(2 * (int64_t)team->size, sizeof *going);
    int64_t *coming = going + team->size;
    const struct caucus_peers *peers = &team->attachment->peers;
    int status = caucus_agree(peers, going ? CAUCUS_OK : CAUCUS_NO_MEMORY, 0, NULL);
    if (!status) {
        for (int i = 0; i < team->remote.size; i++)
            going[first + i] = task->send_bytes[i];
        status = caucus_swap_numbers(team->attachment, going, coming);
    }
    if (!status) {
        for (int i = 0; i < team->remote.size && !status; i++)
            status = fits(coming[first + i], task->receive_bytes[i], first + i, task->rank);
        status = caucus_agree(peers, status, 0, NULL);
    }
    free(going);
    return status;
}

int caucus_call_agree_between(const struct caucus_team *team, struct caucus_work *work) {
    struct caucus_task *task = &work->task;
    int64_t numbers[NUMBERS];
    bool rooted = caucus_shapes[task->collective].rooted;
    int status = collect(team, work, numbers);
    if (!status && rooted)
        status = check_root(numbers, task->first_group);
    if (status)
        return status;
    switch (task->collective) {
    case CAUCUS_BARRIER:
        return CAUCUS_OK;
    case CAUCUS_GATHERV:
    case CAUCUS_SCATTERV:
        return tell_counts(team, work, (int)numbers[CLAIMED]);
    case CAUCUS_ALLGATHERV:
    case CAUCUS_REDUCE_SCATTER:
        return spread_counts(team, work);
    case CAUCUS_ALLTOALLV:
    case CAUCUS_ALLTOALLW:
        return swap_lengths(team, work);
    default:
        status =
            rooted ? check_with_root(work, team, numbers) : check_without_root(work, team, numbers);
        return caucus_agree(&team->attachment->peers, status, 0, NULL);
    }
}
