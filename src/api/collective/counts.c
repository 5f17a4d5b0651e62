/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/counts.h"

#include "api/collective/work.h"
#include "base/memory.h"
#include "base/status.h"
#include "plan/intergroup/counts.h"
#include "plan/intergroup/eager.h"
#include "run/peers/agree.h"

#include <stdlib.h>
#include <string.h>

enum { EXCHANGES = 16 }; /* kept, but for those in use */

/* Ready to be run again; its buffers never move. Short blocks are where they are in eager.h, and
 * nowhere if eager does not apply. */
struct caucus_exchange {
    enum caucus_collective collective;
    struct caucus_schedule schedule;
    struct caucus_execution *execution;
    int32_t told, heard;       /* how many lengths */
    int64_t block, row;        /* bytes of the own block and of those that come */
    int64_t *given, *received; /* lengths and what is behind them */
    _Atomic bool busy;
    struct caucus_exchange *next;
};

struct caucus_counts {
    struct caucus_engine *engine;
    struct caucus_arena *arena;
    struct caucus_exchange *all; /* a list */
};

bool caucus_counts_are_missing(const struct caucus_task *task) {
    return task->first_group > 0 && !task->counts_known &&
           (task->collective == CAUCUS_ALLGATHERV || task->collective == CAUCUS_REDUCE_SCATTER);
}

int caucus_counts_create(struct caucus_engine *engine, struct caucus_counts **made) {
    struct caucus_counts *counts = caucus_array(1, sizeof *counts);
    int status =
        caucus_agree(&engine->attachment->peers, counts ? CAUCUS_OK : CAUCUS_NO_MEMORY, 0, NULL);
    if (!status) {
        counts->engine = engine;
        status = caucus_arena_create(engine, 0, 0, &counts->arena);
    }
    if (status)
        free(counts);
    else
        *made = counts;
    return status;
}

static void free_exchange(struct caucus_exchange *exchange) {
    if (exchange->execution)
        caucus_execution_free(exchange->execution);
    caucus_schedule_free(&exchange->schedule);
    free(exchange->given);
    free(exchange->received);
    free(exchange);
}

void caucus_counts_free(struct caucus_counts *counts) {
    if (!counts)
        return;
    while (counts->all) {
        struct caucus_exchange *first = counts->all;
        counts->all = first->next;
        free_exchange(first);
    }
    caucus_arena_free(counts->engine, counts->arena);
    free(counts);
}

static int64_t bytes_of(int32_t lengths, int64_t more) {
    return lengths * (int64_t)sizeof(int64_t) + more;
}

/* Bound to its buffers. */
static int bind(struct caucus_counts *counts, struct caucus_exchange *exchange) {
    struct caucus_binding binding = {
        .schedule = &exchange->schedule,
        .op = MPI_OP_NULL,
        .type = MPI_BYTE,
        .sending = CAUCUS_SENDING_IMMEDIATE,
        .name = exchange->collective == CAUCUS_ALLGATHERV
                    ? "the exchange of counts before allgatherv"
                    : "the exchange of counts before reduce_scatter",
    };
    int status = caucus_layout_elements(&binding.in, exchange->given,
                                        bytes_of(exchange->told, exchange->block), MPI_BYTE);
    if (status)
        return status;
    status = caucus_layout_elements(&binding.out, exchange->received,
                                    bytes_of(exchange->heard, exchange->row), MPI_BYTE);
    if (status) {
        caucus_layout_free(&binding.in);
        return status;
    }
    return caucus_execution_create(counts->engine, counts->arena, &binding, &exchange->execution);
}

static int64_t *make_room(int32_t lengths, int64_t more) {
    return caucus_array(lengths + more / (int64_t)sizeof(int64_t) + 1, sizeof(int64_t));
}

static int fill(struct caucus_counts *counts, const struct caucus_task *task,
                struct caucus_exchange *exchange) {
    bool eager = caucus_eager_applies(task);
    exchange->collective = task->collective;
    exchange->told = caucus_between_blocks(task, true);
    exchange->heard = caucus_between_blocks(task, false);
    exchange->block = eager ? caucus_eager_part(task->bytes) : 0;
    exchange->row = eager ? caucus_eager_coming(task) : 0;
    exchange->given = make_room(exchange->told, exchange->block);
    exchange->received = make_room(exchange->heard, exchange->row);
    if (!exchange->given || !exchange->received)
        return CAUCUS_NO_MEMORY;
    memcpy(exchange->given, task->receive_bytes, (size_t)bytes_of(exchange->told, 0));
    int status = eager
                     ? caucus_eager_exchange_build(task, &exchange->schedule)
                     : caucus_intergroup_counts_build(task->collective, task->first_group,
                                                      task->ranks, task->rank, &exchange->schedule);
    return status ? status : bind(counts, exchange);
}

/* Whether its schedule is that of the task: where no blocks come along, the lengths don't matter.
 */
static bool serves(const struct caucus_exchange *exchange, const struct caucus_task *task) {
    if (exchange->busy || exchange->collective != task->collective)
        return false;
    return !caucus_eager_applies(task) ||
           (exchange->block == caucus_eager_part(task->bytes) &&
            memcmp(exchange->given, task->receive_bytes, (size_t)bytes_of(exchange->told, 0)) == 0);
}

/* The one that was made first of those that are not in use; NULL where there are few. */
static struct caucus_exchange **superfluous(struct caucus_counts *counts) {
    struct caucus_exchange **oldest = NULL;
    int count = 0;
    for (struct caucus_exchange **at = &counts->all; *at; at = &(*at)->next, count++)
        if (!(*at)->busy)
            oldest = at;
    return count < EXCHANGES ? NULL : oldest;
}

/* Where a run has failed, MPI may still send from their buffers. */
static void make_place(struct caucus_counts *counts) {
    struct caucus_exchange **place;
    while (!counts->arena->broken && (place = superfluous(counts))) {
        struct caucus_exchange *freed = *place;
        *place = freed->next;
        free_exchange(freed);
    }
}

/* One that is there and not in use, or a new one. */
static int take(struct caucus_counts *counts, const struct caucus_task *task,
                struct caucus_exchange **taken) {
    struct caucus_exchange *at = counts->all;
    while (at && !serves(at, task))
        at = at->next;
    if (!at) {
        make_place(counts);
        at = caucus_array(1, sizeof *at);
        int status = at ? fill(counts, task, at) : CAUCUS_NO_MEMORY;
        if (status && at)
            free_exchange(at);
        if (status)
            return status;
        at->next = counts->all;
        counts->all = at;
    }
    *taken = at;
    return CAUCUS_OK;
}

/* The user's block behind the lengths. */
static int pack_block(const struct caucus_work *work, struct caucus_exchange *exchange) {
    struct caucus_layout made;
    const struct caucus_layout *layout = &work->in;
    if (exchange->block == 0)
        return CAUCUS_OK;
    if (!work->is_laid_out) {
        int status = caucus_view_layout(&work->send, &made);
        if (status)
            return status;
        layout = &made;
    }
    int status = caucus_layout_pack(layout, 0, exchange->block, exchange->given + exchange->told);
    if (!work->is_laid_out)
        caucus_layout_free(&made);
    return status;
}

int caucus_counts_begin(struct caucus_counts *counts, const struct caucus_work *work,
                        struct caucus_exchange **begun) {
    struct caucus_exchange *exchange;
    int status = take(counts, &work->task, &exchange);
    if (!status)
        status = pack_block(work, exchange);
    if (status)
        return status;
    memcpy(exchange->given, work->task.receive_bytes, (size_t)bytes_of(exchange->told, 0));
    exchange->busy = true;
    status = caucus_execution_start(exchange->execution);
    if (status)
        exchange->busy = false;
    else
        *begun = exchange;
    return status;
}

struct caucus_execution *caucus_counts_execution(const struct caucus_exchange *exchange) {
    return exchange->execution;
}

/* What the other group says of this one must be right, as far as can be seen here. */
static int check(const struct caucus_task *task, int64_t own, int64_t other) {
    int32_t index = task->rank - caucus_own_side(task).first;
    if (own < 0 || other < 0)
        return caucus_fail(CAUCUS_BAD_COUNT, "all blocks together are longer than 2^60 bytes");
    if (task->collective == CAUCUS_ALLGATHERV && task->send_bytes[index] != task->bytes)
        return caucus_fail(CAUCUS_TRUNCATED,
                           "sendcount and sendtype make %lld bytes, and the remote group expects "
                           "%lld: they must be equal",
                           (long long)task->bytes, (long long)task->send_bytes[index]);
    if (task->collective == CAUCUS_REDUCE_SCATTER && own != other)
        return caucus_fail(CAUCUS_TRUNCATED,
                           "recvcounts make %lld bytes in the local group and %lld in the remote "
                           "group: they must be equal",
                           (long long)own, (long long)other);
    return CAUCUS_OK;
}

int caucus_counts_use(struct caucus_work *work, int64_t *lengths) {
    struct caucus_task *task = &work->task;
    if (!lengths)
        return CAUCUS_NO_MEMORY;
    work->counts = lengths;
    task->send_bytes = lengths;
    task->counts_known = true;
    struct caucus_group_side own = caucus_own_side(task), other = caucus_other_side(task);
    int64_t of_own = caucus_group_total(&own), of_other = caucus_group_total(&other);
    task->volume = of_own > of_other ? of_own : of_other;
    return check(task, of_own, of_other);
}

/* Blocks that came along, if all did. */
static int keep_row(const struct caucus_exchange *exchange, struct caucus_work *work) {
    if (!caucus_eager_applies(&work->task) || !caucus_eager_is_all(&work->task))
        return CAUCUS_OK;
    work->row =
        caucus_array_copy((const char *)(exchange->received + exchange->heard), exchange->row, 1);
    work->row_bytes = exchange->row;
    work->task.crossed = work->row != NULL;
    return work->row ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

int caucus_counts_end(struct caucus_exchange *exchange, struct caucus_work *work) {
    int status = CAUCUS_OK;
    if (work)
        status = caucus_counts_use(
            work, caucus_array_copy(exchange->received, exchange->heard, sizeof(int64_t)));
    if (work && !status)
        status = keep_row(exchange, work);
    exchange->busy = false;
    return status;
}

int caucus_counts_exchange(struct caucus_counts *counts, struct caucus_work *work) {
    struct caucus_exchange *exchange;
    int status = caucus_counts_begin(counts, work, &exchange);
    if (status)
        return status;
    status = caucus_execution_wait(exchange->execution);
    int ended = caucus_counts_end(exchange, status ? NULL : work);
    return status ? status : ended;
}
