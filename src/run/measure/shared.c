/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/measure/shared.h"

#include "run/engine/engine.h"
#include "run/measure/median.h"
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

static int await_first(struct caucus_shared_probe *probe, int rounds, double begin) {
    if (!probe->first)
        return await_flag(probe);
    if (rounds + 1 < LEAST_ROUNDS)
        return FURTHER_ROUND;
    return rounds + 1 < MOST_ROUNDS && PMPI_Wtime() - begin < probe->seconds ? FURTHER_ROUND
                                                                             : NO_FURTHER_ROUND;
}

/* The median of rounds: of what they take, or of the copies in them. 0 after a death. */
static double measure(struct caucus_shared_probe *probe, bool copies) {
    double took[MOST_ROUNDS];
    const double begin = PMPI_Wtime();
    int rounds = 0;
    for (int next = FURTHER_ROUND; next == FURTHER_ROUND; rounds++) {
        const double now = PMPI_Wtime();
        probe->round++;
        next = await_first(probe, rounds, begin);
        if (next == DEATH)
            return 0;
        if (copies)
            copy(probe);
        raise_flag(probe, next == FURTHER_ROUND);
        if (probe->first && await_flag(probe) == DEATH)
            return 0;
        if (probe->first) /* the other one may begin its next copy */
            took[rounds] = copies ? probe->mine->copied + probe->other->copied : PMPI_Wtime() - now;
    }
    return probe->first ? caucus_median(took, rounds) : 0;
}

double caucus_shared_signal(struct caucus_shared_probe *probe) {
    return 0.5 * measure(probe, false);
}

double caucus_shared_copy(struct caucus_shared_probe *probe) {
    return 0.5 * measure(probe, true) / CAUCUS_SHARED_BYTES;
}
