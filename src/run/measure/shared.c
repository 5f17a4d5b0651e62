/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/measure/shared.h"

#include "run/engine/engine.h"
#include "run/measure/median.h"
#include "run/memory/peer_memory.h"
#include "run/progress/progress.h"

#include <mpi.h>
#include <stdatomic.h>
#include <string.h>

enum { LEAST_ROUNDS = 8, MOST_ROUNDS = 200, LOOKS_PER_PROGRESS = 64 };
enum { NO_FURTHER_ROUND = 0, FURTHER_ROUND = 1, DEATH = -1 }; /* what a wait for a flag finds */

/* A flag has the round, and below that whether there will be another one. */
static void raise_flag(struct caucus_shared_probe *probe, bool goes_on) {
    atomic_store_explicit(&probe->mine->flag, 2 * probe->round + goes_on, memory_order_release);
}

static int await_flag(struct caucus_shared_probe *probe) {
    struct caucus_engine *engine = probe->engine;
    _Atomic int64_t *flag = &probe->other->flag;
    int64_t value, look = 1;
    for (; (value = atomic_load_explicit(flag, memory_order_acquire)) < 2 * probe->round; look++) {
        if (look % LOOKS_PER_PROGRESS == 0) {
            caucus_progress();
            if (engine->detects && caucus_engine_has_dead(engine))
                return DEATH;
        }
        caucus_waiting_pause(&engine->waiting, look);
    }
    return value % 2 ? FURTHER_ROUND : NO_FURTHER_ROUND;
}

static void copy(struct caucus_shared_probe *probe) {
    const double begin = PMPI_Wtime();
    if (probe->first)
        memcpy(probe->shared, probe->own, CAUCUS_SHARED_BYTES);
    else
        memcpy(probe->own, probe->shared, CAUCUS_SHARED_BYTES);
    probe->mine->copied = PMPI_Wtime() - begin;
}

static void copy_half(struct caucus_shared_probe *probe) {
    const int64_t half = CAUCUS_ONE_COPY_BYTES / 2, at = probe->first ? 0 : half;
    const double begin = PMPI_Wtime();
    int error =
        caucus_peer_copy(probe->process, probe->first ? CAUCUS_PEER_WRITE : CAUCUS_PEER_READ,
                         probe->own + at, probe->other->own + (uint64_t)at, half);
    probe->mine->copied = error ? 0 : PMPI_Wtime() - begin;
}

static int await_first(struct caucus_shared_probe *probe, int rounds, double begin) {
    if (!probe->first)
        return await_flag(probe);
    if (rounds + 1 < LEAST_ROUNDS)
        return FURTHER_ROUND;
    return rounds + 1 < MOST_ROUNDS && PMPI_Wtime() - begin < probe->seconds ? FURTHER_ROUND
                                                                             : NO_FURTHER_ROUND;
}

enum what { FLAGS, COPIES, ONE_COPY };

/* The first one's data is there before its flag is up, then both copy at once, or one by one. */
static void take_part(struct caucus_shared_probe *probe, enum what what, bool goes_on) {
    if (what == COPIES)
        copy(probe);
    if (what == ONE_COPY && probe->first)
        memset(probe->own, (int)probe->round, CAUCUS_ONE_COPY_BYTES);
    if (what == ONE_COPY && !probe->first)
        copy_half(probe);
    raise_flag(probe, goes_on);
    if (what == ONE_COPY && probe->first)
        copy_half(probe);
}

static double took_of(const struct caucus_shared_probe *probe, enum what what, double begin) {
    const double mine = probe->mine->copied, others = probe->other->copied;
    if (what == FLAGS)
        return PMPI_Wtime() - begin;
    return what == COPIES ? mine + others : mine > others ? mine : others;
}

static double least(const double *took, int rounds) {
    double found = took[0];
    for (int i = 1; i < rounds; i++)
        found = took[i] < found ? took[i] : found;
    return found;
}

/* The median of rounds: of what they take, or of the copies in them. Both ranks have to be there at
 * the same time for one copy, which is rare where others use their processors: so the best round
 * counts. 0 after a death. */
static double measure(struct caucus_shared_probe *probe, enum what what) {
    double took[MOST_ROUNDS];
    const double begin = PMPI_Wtime();
    int rounds = 0;
    for (int next = FURTHER_ROUND; next == FURTHER_ROUND; rounds++) {
        const double now = PMPI_Wtime();
        probe->round++;
        next = await_first(probe, rounds, begin);
        if (next == DEATH)
            return 0;
        take_part(probe, what, next == FURTHER_ROUND);
        if (probe->first && await_flag(probe) == DEATH)
            return 0;
        if (probe->first) /* the other one may begin its next copy */
            took[rounds] = took_of(probe, what, now);
    }
    if (!probe->first)
        return 0;
    return what == ONE_COPY ? least(took, rounds) : caucus_median(took, rounds);
}

double caucus_shared_signal(struct caucus_shared_probe *probe) {
    return 0.5 * measure(probe, FLAGS);
}

double caucus_shared_copy(struct caucus_shared_probe *probe) {
    return 0.5 * measure(probe, COPIES) / CAUCUS_SHARED_BYTES;
}

/* After the last round the first one may still be writing into the other one's memory. */
double caucus_shared_one_copy(struct caucus_shared_probe *probe) {
    const double took = measure(probe, ONE_COPY);
    probe->round++;
    raise_flag(probe, false);
    const bool is_dead = await_flag(probe) == DEATH;
    const bool refused = probe->mine->copied <= 0 || probe->other->copied <= 0;
    return is_dead || refused ? 0 : took / CAUCUS_ONE_COPY_BYTES;
}
