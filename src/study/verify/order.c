/* SPDX-License-Identifier: BSD-3-Clause */
/* What happens before what among the ranks of a node, by vector clocks (Fidge, Mattern 1988): a
 * rank learns of others by awaiting their signals and by their messages. Only what it knew before a
 * step covers the accesses of that step. Of a barrier only who has started matters beyond the node:
 * a bit for each rank, which messages between nodes pass on too. */
#include "study/verify/state.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

struct caucus_clock *caucus_clock_share(struct caucus_clock *clock) {
    if (clock)
        clock->references++;
    return clock;
}

void caucus_clock_release(struct caucus_clock *clock) {
    if (clock && --clock->references == 0)
        free(clock);
}

enum { BITS = 32 };

static struct caucus_clock *new_clock(const struct caucus_verify *verify, int32_t node,
                                      const struct caucus_clock *copied) {
    int32_t ranks = verify->node[node].ranks;
    size_t bytes = ((size_t)ranks + (size_t)verify->started_words) * sizeof(uint32_t);
    struct caucus_clock *clock = calloc(1, sizeof *clock + bytes);
    if (!clock) {
        caucus_fail(CAUCUS_NO_MEMORY, "no memory to verify a schedule");
        return NULL;
    }
    if (copied)
        memcpy(clock->seen, copied->seen, bytes);
    clock->started = clock->seen + ranks;
    clock->references = 1;
    return clock;
}

static void join_started(const struct caucus_verify *verify, struct caucus_clock *clock,
                         const struct caucus_clock *heard) {
    for (int32_t i = 0; i < verify->started_words; i++)
        clock->started[i] |= heard->started[i];
}

/* Both of the same node. */
static void join(const struct caucus_verify *verify, int32_t node, struct caucus_clock *clock,
                 const struct caucus_clock *heard) {
    int32_t ranks = verify->node[node].ranks;
    if (!heard)
        return;
    for (int32_t i = 0; i < ranks; i++)
        clock->seen[i] = clock->seen[i] > heard->seen[i] ? clock->seen[i] : heard->seen[i];
    join_started(verify, clock, heard);
}

static void join_moment(struct caucus_clock *clock, int32_t local, uint32_t time) {
    if (clock->seen[local] < time)
        clock->seen[local] = time;
}

static int open_coming(struct caucus_verify *verify, struct caucus_verify_rank *rank) {
    if (!rank->coming)
        rank->coming = new_clock(verify, rank->node, rank->clock);
    return rank->coming ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

int caucus_verify_start(struct caucus_verify *verify) {
    verify->started_words = verify->ranks / BITS + 1;
    for (int32_t r = 0; r < verify->ranks; r++) {
        struct caucus_verify_rank *rank = &verify->rank[r];
        rank->clock = new_clock(verify, rank->node, NULL);
        if (!rank->clock)
            return CAUCUS_NO_MEMORY;
        rank->clock->started[r / BITS] |= UINT32_C(1) << r % BITS;
    }
    return CAUCUS_OK;
}

bool caucus_clock_knows_start(const struct caucus_clock *clock, int32_t rank) {
    return clock->started[rank / BITS] >> rank % BITS & 1;
}

int caucus_verify_hear(struct caucus_verify *verify, int32_t r, int32_t from) {
    struct caucus_verify_rank *rank = &verify->rank[r];
    const struct caucus_verify_rank *sender = &verify->rank[from];
    bool near = sender->node == rank->node && verify->node[rank->node].shared;
    if (r == from || (!near && !verify->started_words))
        return CAUCUS_OK;
    int status = open_coming(verify, rank);
    if (status)
        return status;
    if (!near) {
        join_started(verify, rank->coming, sender->clock);
        return CAUCUS_OK;
    }
    join(verify, rank->node, rank->coming, sender->clock);
    join_moment(rank->coming, sender->local, sender->time);
    return CAUCUS_OK;
}

/* The first signal of a line that satisfies who awaits value; NULL: none yet. */
static const struct caucus_verify_signal *satisfying(const struct caucus_verify_line *line,
                                                     int64_t value) {
    int32_t low = 0, high = line->signals;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (line->signal[middle].value < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < line->signals ? &line->signal[low] : NULL;
}

static void join_lines(const struct caucus_verify *verify, int32_t node, struct caucus_clock *clock,
                       const struct caucus_operation *await) {
    for (int64_t l = 0; l < await->peer; l++) {
        const struct caucus_verify_line *line = &verify->node[node].line[await->target_offset + l];
        const struct caucus_verify_signal *signal = satisfying(line, await->length);
        join(verify, node, clock, signal->clock);
        join_moment(clock, line->owner, signal->time);
    }
}

/* Many lines are mostly awaited by many ranks: what they tell is worked out once. */
static int hear_lines(struct caucus_verify *verify, struct caucus_verify_rank *rank,
                      const struct caucus_operation *await) {
    struct caucus_verify_node *node = &verify->node[rank->node];
    int status = open_coming(verify, rank);
    if (status)
        return status;
    if (await->peer < 4) {
        join_lines(verify, rank->node, rank->coming, await);
        return CAUCUS_OK;
    }
    struct caucus_verify_join *kept =
        &node->kept[(uint64_t)(await->target_offset + await->length) % CAUCUS_VERIFY_KEPT_JOINS];
    if (!kept->clock || kept->first != await->target_offset || kept->lines != await->peer ||
        kept->value != await->length) {
        struct caucus_clock *clock = new_clock(verify, rank->node, NULL);
        if (!clock)
            return CAUCUS_NO_MEMORY;
        join_lines(verify, rank->node, clock, await);
        caucus_clock_release(kept->clock);
        *kept =
            (struct caucus_verify_join){await->target_offset, await->length, await->peer, clock};
    }
    join(verify, rank->node, rank->coming, kept->clock);
    return CAUCUS_OK;
}

int caucus_verify_await(struct caucus_verify *verify, int32_t r, int64_t i, int64_t first_line) {
    struct caucus_verify_rank *rank = &verify->rank[r];
    struct caucus_verify_node *node = &verify->node[rank->node];
    const struct caucus_operation *await = &rank->operations[i];
    int64_t end = await->target_offset + await->peer;
    for (int64_t l = first_line; l < end; l++) {
        struct caucus_verify_line *line = &node->line[l];
        if (line->signals && line->signal[line->signals - 1].value >= await->length)
            continue;
        struct caucus_verify_waiter *waiter = caucus_pool_take(&verify->pool, 0);
        if (!waiter)
            return CAUCUS_NO_MEMORY;
        *waiter = (struct caucus_verify_waiter){r, i, line->waiters};
        line->waiters = waiter;
        return CAUCUS_OK;
    }
    int status = hear_lines(verify, rank, await);
    return status ? status : caucus_verify_finished_one(verify, r);
}

static int add_signal(struct caucus_verify *verify, int32_t r, int64_t i) {
    const struct caucus_verify_rank *rank = &verify->rank[r];
    const struct caucus_operation *signal = &rank->operations[i];
    struct caucus_verify_line *line = &verify->node[rank->node].line[signal->target_offset];
    if (line->signals == line->room) {
        int32_t room = line->room ? 2 * line->room : 2;
        struct caucus_verify_signal *wider = realloc(line->signal, (size_t)room * sizeof *wider);
        if (!wider)
            return caucus_fail(CAUCUS_NO_MEMORY, "no memory to verify a schedule");
        line->signal = wider;
        line->room = room;
    }
    line->signal[line->signals++] =
        (struct caucus_verify_signal){signal->length, rank->time, caucus_clock_share(rank->clock)};
    return CAUCUS_OK;
}

int caucus_verify_signal(struct caucus_verify *verify, int32_t r, int64_t i) {
    const struct caucus_verify_rank *rank = &verify->rank[r];
    const struct caucus_operation *signal = &rank->operations[i];
    struct caucus_verify_line *line = &verify->node[rank->node].line[signal->target_offset];
    if (line->signals && line->owner != rank->local)
        return caucus_verify_fail(verify, r, i, "the line belongs to local rank %d, who raised it",
                                  line->owner);
    if (line->signals && line->signal[line->signals - 1].value >= signal->length)
        return caucus_verify_fail(verify, r, i, "the flag is %lld already: it must grow",
                                  (long long)line->signal[line->signals - 1].value);
    line->owner = rank->local;
    int status = add_signal(verify, r, i);
    struct caucus_verify_waiter *waiter = line->waiters;
    line->waiters = NULL;
    while (waiter && !status) {
        struct caucus_verify_waiter *next = waiter->next;
        status =
            caucus_verify_await(verify, waiter->rank, waiter->operation, signal->target_offset);
        caucus_pool_give(&verify->pool, waiter, 0);
        waiter = next;
    }
    return status;
}
