/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks tell one another of the lengths of their blocks, once all have come and have the same
 * collective: where two of them have the same block to say, and where an algorithm plans with it.
 */
#include "api/collective/agreement.h"

#include "api/collective/counts.h"
#include "api/collective/shape.h"
#include "api/collective/work.h"
#include "base/memory.h"
#include "base/status.h"
#include "plan/intergroup/intergroup.h"
#include "run/attachment/exchange.h"
#include "run/support/rank_text.h"

#include <stdlib.h>

enum { MOST_EDGES = 1 << 20 }; /* of all ranks, that each of them keeps */

int caucus_call_fits(int64_t sent, int64_t received, int sender, int receiver) {
    if (sent == received)
        return CAUCUS_OK;
    return caucus_fail(CAUCUS_TRUNCATED,
                       CAUCUS_RANK " sends %lld bytes to " CAUCUS_RANK ", which expects %lld",
                       sender, (long long)sent, receiver, (long long)received);
}

/* gatherv, scatterv: the root tells all how long the blocks are. Between groups it has none. */
static int bcast_counts(const struct caucus_context *context, struct caucus_work *work, int root) {
    struct caucus_task *task = &work->task;
    bool gathers = task->collective == CAUCUS_GATHERV, here = task->rank == root;
    bool apart = context->between && (here || task->root == CAUCUS_ROOT_ELSEWHERE);
    int blocks = apart ? context->remote.size : context->local.size;
    const struct caucus_peers *peers = &context->attachment->peers;
    work->counts = here ? caucus_array_copy(gathers ? task->receive_bytes : task->send_bytes,
                                            blocks, sizeof *work->counts)
                        : caucus_array(blocks, sizeof *work->counts);
    int status = caucus_agree(peers, work->counts ? CAUCUS_OK : CAUCUS_NO_MEMORY, 0, NULL);
    if (!status)
        status = caucus_peers_bcast(peers, work->counts, blocks, MPI_INT64_T, root);
    if (status)
        return status;
    int64_t told = apart ? task->bytes : work->counts[task->rank - context->local.first];
    status = gathers ? caucus_call_fits(task->bytes, told, task->rank, root)
                     : caucus_call_fits(told, task->bytes, root, task->rank);
    *(gathers ? &task->receive_bytes : &task->send_bytes) = work->counts;
    task->counts_known = true;
    task->volume = 0;
    for (int i = 0; i < blocks; i++)
        task->volume += work->counts[i];
    return caucus_agree(peers, status, 0, NULL);
}

/* What every rank has of the blocks of a group must be what their owners have. */
static int check_blocks(const struct caucus_task *task, const int64_t *of_rank) {
    int first = task->collective == CAUCUS_ALLGATHERV ? caucus_other_side(task).first
                                                      : caucus_own_side(task).first;
    int status = CAUCUS_OK;
    for (int i = 0; i < caucus_between_blocks(task, true) && !status; i++) {
        if (task->collective == CAUCUS_ALLGATHERV)
            status =
                caucus_call_fits(of_rank[first + i], task->receive_bytes[i], first + i, task->rank);
        else if (of_rank[first + i] != task->receive_bytes[i])
            status = caucus_fail(
                CAUCUS_TRUNCATED, "recvcounts[%d] makes %lld bytes here and %lld at " CAUCUS_RANK,
                i, (long long)task->receive_bytes[i], (long long)of_rank[first + i], first + i);
    }
    return status;
}

/* allgatherv, reduce_scatter: everybody's block to all. */
static int allgather_counts(const struct caucus_context *context, struct caucus_work *work) {
    struct caucus_task *task = &work->task;
    const struct caucus_peers *peers = &context->attachment->peers;
    int64_t *of_rank = caucus_array(context->size, sizeof *of_rank);
    int status = caucus_agree(peers, of_rank ? CAUCUS_OK : CAUCUS_NO_MEMORY, 0, NULL);
    if (!status)
        status = caucus_peers_allgather(peers, &task->bytes, 1, MPI_INT64_T, of_rank);
    if (!status) {
        bool gathers = task->collective == CAUCUS_ALLGATHERV;
        struct caucus_group_side missing =
            gathers ? caucus_own_side(task) : caucus_other_side(task);
        status = check_blocks(task, of_rank);
        if (!status)
            status = caucus_counts_use(
                work, caucus_array_copy(of_rank + missing.first, missing.ranks, sizeof *of_rank));
        status = caucus_agree(peers, status, 0, NULL);
    }
    free(of_rank);
    return status;
}

/* alltoallv, alltoallw: everybody asks everybody, of the other group if there is one. */
static int alltoall_counts(const struct caucus_context *context, const struct caucus_work *work) {
    const struct caucus_task *task = &work->task;
    int first = context->between ? context->remote.first : 0;
    int blocks = context->between ? context->remote.size : context->size;
    int64_t *going = caucus_array(2 * (int64_t)context->size, sizeof *going);
    int64_t *coming = going + context->size;
    const struct caucus_peers *peers = &context->attachment->peers;
    int status = caucus_agree(peers, going ? CAUCUS_OK : CAUCUS_NO_MEMORY, 0, NULL);
    if (!status) {
        for (int i = 0; i < blocks; i++)
            going[first + i] = task->send_bytes[i];
        status = caucus_peers_alltoall(peers, going, 1, MPI_INT64_T, coming);
    }
    if (!status) {
        for (int i = 0; i < blocks && !status; i++)
            status =
                caucus_call_fits(coming[first + i], task->receive_bytes[i], first + i, task->rank);
        status = caucus_agree(peers, status, 0, NULL);
    }
    free(going);
    return status;
}

/* The n-th place of this rank for a source meets the n-th edge of the source to this rank. */
static int check_edges(const struct caucus_work *work, int64_t *seen) {
    const struct caucus_task *task = &work->task;
    const struct caucus_edges *edges = &work->edges;
    int status = CAUCUS_OK;
    for (int rank = 0; rank < task->ranks; rank++)
        seen[rank] = edges->first[rank];
    for (int32_t i = 0; i < task->sources && !status; i++) {
        int source = task->source[i];
        int64_t *at = &seen[source], end = edges->first[source + 1];
        while (*at < end && edges->to[*at] != task->rank)
            ++*at;
        if (*at == end)
            return caucus_fail(CAUCUS_BAD_TOPOLOGY,
                               "rank %d has rank %d as a source more often than that has it as a "
                               "destination",
                               task->rank, source);
        status = caucus_call_fits(edges->bytes[(*at)++], caucus_task_receive(task, i), source,
                                  task->rank);
    }
    for (int rank = 0; rank < task->ranks && !status; rank++)
        for (int64_t at = seen[rank]; at < edges->first[rank + 1] && !status; at++)
            if (edges->to[at] == task->rank)
                status = caucus_fail(CAUCUS_BAD_TOPOLOGY,
                                     "rank %d has rank %d as a destination more often than that "
                                     "has it as a source",
                                     rank, task->rank);
    return status;
}

/* Everybody's blocks, for algorithms that plan with them; neighbours are checked by them too. */
static int collect_traffic(const struct caucus_context *context, struct caucus_work *work) {
    struct caucus_task *task = &work->task;
    const struct caucus_peers *peers = &context->attachment->peers;
    bool neighbors = caucus_shapes[task->collective].neighbors;
    int32_t blocks = neighbors ? task->destinations : context->size;
    int64_t *room = caucus_array((int64_t)blocks + context->size, sizeof *room);
    int32_t *to = caucus_array(blocks, sizeof *to);
    int status = caucus_agree(peers, room && to ? CAUCUS_OK : CAUCUS_NO_MEMORY, 0, NULL);
    for (int32_t i = 0; i < blocks && !status; i++) {
        room[i] = caucus_task_send(task, i);
        to[i] = neighbors ? task->destination[i] : i;
    }
    if (!status)
        status =
            caucus_collect_edges(context->attachment, blocks, to, room, MOST_EDGES, &work->edges);
    if (!status && work->edges.first) {
        if (neighbors)
            status = caucus_agree(peers, check_edges(work, room + blocks), 0, NULL);
        work->traffic = (struct caucus_traffic_table){
            .first = work->edges.first,
            .destination = work->edges.to,
            .bytes = work->edges.bytes,
        };
        task->traffic = status ? NULL : &work->traffic;
    }
    free(room);
    free(to);
    return status;
}

/* The longest of all ranks' buffers, where it is not known without a message. */
static int agree_volume(const struct caucus_context *context, struct caucus_work *work) {
    struct caucus_task *task = &work->task;
    int64_t in = 0, out = 0, longest;
    bool one = caucus_shapes[task->collective].send.kind == CAUCUS_SIDE_ONE; /* sent to all */
    for (int32_t i = 0; i < caucus_work_blocks(work, false); i++)
        in += caucus_task_send(task, i);
    for (int32_t i = 0; i < caucus_work_blocks(work, true); i++)
        out += caucus_task_receive(task, i);
    in = one ? task->bytes : in;
    longest = in > out ? in : out;
    int status = caucus_max_all(context->attachment, &longest, 1);
    task->volume = longest;
    return status;
}

int caucus_call_agree_counts(const struct caucus_context *context, struct caucus_work *work,
                             int root) {
    enum caucus_collective collective = work->task.collective;
    bool wide = collective == CAUCUS_ALLTOALLV || collective == CAUCUS_ALLTOALLW;
    bool neighbors = caucus_shapes[collective].neighbors;
    int status = CAUCUS_OK;
    if (collective == CAUCUS_GATHERV || collective == CAUCUS_SCATTERV)
        return bcast_counts(context, work, root);
    if (context->between &&
        (collective == CAUCUS_ALLGATHERV || collective == CAUCUS_REDUCE_SCATTER))
        return allgather_counts(context, work);
    if (wide)
        status = alltoall_counts(context, work);
    if (!status && !context->between && (neighbors || (wide && context->engine->shares_memory)))
        status = collect_traffic(context, work);
    return !status && (wide || neighbors) ? agree_volume(context, work) : status;
}
