/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/work.h"

#include "plan/intergroup/intergroup.h"

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static int64_t times(int64_t ranks, int64_t bytes) {
    return bytes <= INT64_MAX / ranks ? bytes * ranks : INT64_MAX;
}

static void set_lengths(struct caucus_work *work, const struct caucus_context *context) {
    struct caucus_task *task = &work->task;
    const struct caucus_view *send = &work->send, *receive = &work->receive;
    bool root = task->root == task->rank;
    task->bytes = caucus_work_length(work);
    switch (task->collective) {
    case CAUCUS_REDUCE:
    case CAUCUS_GATHER:
        task->bytes = root ? receive->block_bytes : task->bytes;
        break;
    case CAUCUS_SCATTER:
        task->bytes = root ? send->block_bytes : task->bytes;
        break;
    case CAUCUS_ALLGATHER:
    case CAUCUS_ALLTOALL:
        task->bytes = send->block_bytes;
        task->remote_bytes = receive->block_bytes;
        break;
    case CAUCUS_REDUCE_SCATTER_BLOCK:
        task->remote_bytes = send->bytes / context->remote.size;
        break;
    default:
        break;
    }
}

/* What all ranks that take part know alike: see task.h. */
static int64_t volume_of(const struct caucus_work *work, const struct caucus_context *context) {
    const struct caucus_task *task = &work->task;
    int local = context->local.size, remote = context->remote.size;
    switch (task->collective) {
    case CAUCUS_BCAST:
    case CAUCUS_REDUCE:
    case CAUCUS_ALLREDUCE:
        return task->bytes;
    case CAUCUS_GATHER:
    case CAUCUS_SCATTER:
        return times(task->root < 0 || task->root == task->rank ? remote : local, task->bytes);
    case CAUCUS_ALLGATHER:
        return larger(times(local, task->bytes), times(remote, task->remote_bytes));
    case CAUCUS_ALLTOALL:
        return times(larger(local, remote), larger(task->bytes, task->remote_bytes));
    case CAUCUS_REDUCE_SCATTER_BLOCK:
        return work->send.bytes;
    default:
        return 0;
    }
}

void caucus_between_set_volume(struct caucus_work *work, const struct caucus_context *context) {
    work->task.volume = volume_of(work, context);
}

void caucus_between_measure(struct caucus_work *work, const struct caucus_context *context) {
    set_lengths(work, context);
    caucus_between_set_volume(work, context);
}

int32_t caucus_between_blocks(const struct caucus_task *task, bool receives) {
    bool own = (task->collective == CAUCUS_ALLGATHERV && !receives) ||
               (task->collective == CAUCUS_REDUCE_SCATTER && receives);
    if (task->collective == CAUCUS_GATHERV || task->collective == CAUCUS_SCATTERV)
        own = task->root != CAUCUS_ROOT_ELSEWHERE && task->root != task->rank;
    return own ? caucus_own_side(task).ranks : caucus_other_side(task).ranks;
}

void caucus_between_lengths(const struct caucus_task *task, int64_t lengths[2]) {
    bool second = task->rank >= task->first_group;
    bool alike = task->collective == CAUCUS_ALLREDUCE;
    lengths[second] = task->bytes;
    lengths[!second] = alike ? task->bytes : task->remote_bytes;
}
