/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/agreement.h"

#include "api/collective/counts.h"
#include "api/collective/predefined.h"
#include "api/collective/queued.h"
#include "api/collective/shape.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/agree.h"
#include "run/together.h"
#include "run/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EDGES = 1 << 20 }; /* of all ranks, that each of them keeps */

static const char *const forms[] = {"blocking", "nonblocking", "persistent"};

static const char *name_of_operation(const struct caucus_work *work) {
    const char *name = caucus_operation_name(work->call->op);
    if (name)
        return name;
    return work->task.commutative ? "an operation of the user's that commutes"
                                  : "an operation of the user's that does not commute";
}

/* The block length is the same on all ranks, and the first buffer's name says which. */
static bool one_length(enum caucus_collective collective) {
    switch (collective) {
    case CAUCUS_BARRIER:
    case CAUCUS_GATHERV:
    case CAUCUS_SCATTERV:
    case CAUCUS_ALLGATHERV:
    case CAUCUS_ALLTOALLV:
    case CAUCUS_ALLTOALLW:
    case CAUCUS_REDUCE_SCATTER:
    case CAUCUS_NEIGHBOR_ALLGATHERV:
    case CAUCUS_NEIGHBOR_ALLTOALLV:
    case CAUCUS_NEIGHBOR_ALLTOALLW:
        return false;
    default:
        /* Neighbours without edges may say anything. */
        return !caucus_shapes[collective].neighbors;
    }
}

bool caucus_call_exchanges(const struct caucus_task *task) {
    enum caucus_collective collective = task->collective;
    if (task->first_group && (caucus_shapes[collective].rooted || caucus_counts_are_missing(task)))
        return true;
    return collective == CAUCUS_GATHERV || collective == CAUCUS_SCATTERV ||
           collective == CAUCUS_ALLTOALLV || collective == CAUCUS_ALLTOALLW ||
           caucus_shapes[collective].neighbors;
}

int64_t caucus_call_operation_number(const struct caucus_work *work) {
    if (!caucus_shapes[work->task.collective].reduces)
        return 0;
    const struct caucus_item items[] = {
        {"op", CAUCUS_ITEM_TEXT, name_of_operation(work), 0},
        {"the size of datatype", CAUCUS_ITEM_LONGS, &work->task.element, 1},
    };
    return (int64_t)(caucus_agree_digest(2, items) >> 1);
}

int caucus_call_list(const struct caucus_collective_call *call, const struct caucus_team *team,
                     const struct caucus_work *work, const char *forced,
                     struct caucus_call_items *room, struct caucus_item items[CAUCUS_AGREE_ITEMS]) {
    const struct caucus_shape *shape = &caucus_shapes[call->collective];
    const struct caucus_task *task = &work->task;
    bool between = team->between; /* then most of it is for agreement_between.c */
    bool listed =
        call->collective == CAUCUS_ALLGATHERV || call->collective == CAUCUS_REDUCE_SCATTER;
    bool combined = shape->reduces && !(between && shape->rooted);
    snprintf(room->kind, sizeof room->kind, "%s %s", forms[call->form],
             caucus_collective_name(call->collective));
    const struct caucus_item all[] = {
        {"the collective", CAUCUS_ITEM_TEXT, room->kind, 0},
        {"root", CAUCUS_ITEM_INTEGERS, shape->rooted && !between ? &call->root : NULL, 1},
        {"the length of a block in bytes", CAUCUS_ITEM_LONGS,
         one_length(call->collective) && !between ? &task->bytes : NULL, 1},
        {"the length of the blocks in bytes (recvcounts)", CAUCUS_ITEM_LONGS,
         listed && !between ? task->receive_bytes : NULL, team->size},
        {"op", CAUCUS_ITEM_TEXT, combined ? name_of_operation(work) : NULL, 0},
        {"the size of datatype", CAUCUS_ITEM_LONGS, combined ? &task->element : NULL, 1},
        {"info", CAUCUS_ITEM_TEXT, forced, 0},
    };
    memcpy(items, all, sizeof all);
    return sizeof all / sizeof *all;
}

static int agree_items(const struct caucus_collective_call *call, const struct caucus_team *team,
                       int status, const char *forced, const struct caucus_work *work) {
    struct caucus_item items[CAUCUS_AGREE_ITEMS];
    struct caucus_call_items room;
    int count = caucus_call_list(call, team, work, forced, &room, items);
    return caucus_agree(&team->attachment->peers, status, count, items);
}

static int fits(int64_t sent, int64_t received, int sender, int receiver) {
    if (sent == received)
        return CAUCUS_OK;
    return caucus_fail(sent > received ? CAUCUS_TRUNCATED : CAUCUS_BAD_ARGUMENT,
                       CAUCUS_RANK " sends %lld bytes to " CAUCUS_RANK ", which expects %lld",
                       sender, (long long)sent, receiver, (long long)received);
}

/* gatherv, scatterv: the root tells all how long the blocks are. */
static int tell_counts(const struct caucus_team *team, struct caucus_work *work) {
    struct caucus_task *task = &work->task;
    bool gathers = task->collective == CAUCUS_GATHERV;
    const struct caucus_view *view = gathers ? &work->receive : &work->send;
    const struct caucus_peers *peers = &team->attachment->peers;
    if (task->rank == task->root)
        work->counts = caucus_array_copy(view->lengths, team->size, sizeof *work->counts);
    else
        work->counts = caucus_array(team->size, sizeof *work->counts);
    int status = caucus_agree(peers, work->counts ? CAUCUS_OK : CAUCUS_NO_MEMORY, 0, NULL);
    if (!status)
        status = caucus_tell_numbers(team->attachment, task->root, work->counts, team->size);
    if (status)
        return status;
    int64_t told = work->counts[task->rank];
    status = gathers ? fits(task->bytes, told, task->rank, task->root)
                     : fits(told, task->bytes, task->root, task->rank);
    *(gathers ? &task->receive_bytes : &task->send_bytes) = work->counts;
    task->counts_known = true;
    task->volume = 0;
    for (int rank = 0; rank < team->size && !status; rank++)
        task->volume += work->counts[rank];
    return caucus_agree(peers, status, 0, NULL);
}

/* alltoallv, alltoallw: everybody asks everybody. */
static int swap_lengths(const struct caucus_team *team, const struct caucus_work *work) {
    const struct caucus_task *task = &work->task;
    int64_t *coming = caucus_array(team->size, sizeof *coming);
    const struct caucus_peers *peers = &team->attachment->peers;
    int status = caucus_agree(peers, coming ? CAUCUS_OK : CAUCUS_NO_MEMORY, 0, NULL);
    if (!status)
        status = caucus_swap_numbers(team->attachment, task->send_bytes, coming);
    if (!status) {
        for (int rank = 0; rank < team->size && !status; rank++)
            status = fits(coming[rank], task->receive_bytes[rank], rank, task->rank);
        status = caucus_agree(peers, status, 0, NULL);
    }
    free(coming);
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
        status = fits(edges->bytes[(*at)++], caucus_task_receive(task, i), source, task->rank);
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
static int collect_traffic(const struct caucus_team *team, struct caucus_work *work) {
    struct caucus_task *task = &work->task;
    const struct caucus_peers *peers = &team->attachment->peers;
    bool neighbors = caucus_shapes[task->collective].neighbors;
    int32_t blocks = neighbors ? task->destinations : team->size;
    int64_t *room = caucus_array((int64_t)blocks + team->size, sizeof *room);
    int32_t *to = caucus_array(blocks, sizeof *to);
    int status = caucus_agree(peers, room && to ? CAUCUS_OK : CAUCUS_NO_MEMORY, 0, NULL);
    for (int32_t i = 0; i < blocks && !status; i++) {
        room[i] = caucus_task_send(task, i);
        to[i] = neighbors ? task->destination[i] : i;
    }
    if (!status)
        status = caucus_collect_edges(team->attachment, blocks, to, room, MOST_EDGES, &work->edges);
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
static int agree_volume(const struct caucus_team *team, struct caucus_work *work) {
    struct caucus_task *task = &work->task;
    int64_t in = 0, out = 0, longest;
    bool one = caucus_shapes[task->collective].send.kind == CAUCUS_SIDE_ONE; /* sent to all */
    for (int32_t i = 0; i < caucus_work_blocks(work, false); i++)
        in += caucus_task_send(task, i);
    for (int32_t i = 0; i < caucus_work_blocks(work, true); i++)
        out += caucus_task_receive(task, i);
    in = one ? task->bytes : in;
    longest = in > out ? in : out;
    int status = caucus_find_highest(team->attachment, &longest, 1);
    task->volume = longest;
    return status;
}

int caucus_call_agree(const struct caucus_collective_call *call, const struct caucus_team *team,
                      int status, const char *forced, struct caucus_work *work) {
    enum caucus_collective collective = call->collective;
    bool wide = collective == CAUCUS_ALLTOALLV || collective == CAUCUS_ALLTOALLW;
    int failed = caucus_peers_meet(&team->attachment->peers, caucus_queued_progress);
    status = failed ? failed : agree_items(call, team, status, forced, work);
    if (!status && team->between)
        status = caucus_call_agree_between(team, work);
    if (status || (team->between && !wide))
        return status;
    if (collective == CAUCUS_GATHERV || collective == CAUCUS_SCATTERV)
        return tell_counts(team, work);
    if (wide && !team->between)
        status = swap_lengths(team, work);
    if (!status && !team->between &&
        (caucus_shapes[collective].neighbors || (wide && team->engine->shares_memory)))
        status = collect_traffic(team, work);
    if (!status && (wide || caucus_shapes[collective].neighbors))
        status = agree_volume(team, work);
    return status;
}
